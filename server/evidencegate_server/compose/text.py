"""Makes what a model wrote fit for a line that a user reads."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.text.fold_tables import BIDI_CONTROLS, INVISIBLE

_BLANKS = re.compile(r"\s+")
# Control characters, and marks that turn the direction of a text or hide in it.
_HIDDEN = re.compile(f"[\x00-\x08\x0e-\x1f\x7f-\x9f{''.join(sorted(INVISIBLE | BIDI_CONTROLS))}]")
_MARK: Final = "…"


def one_line(text: str, max_chars: int) -> str:
    """Returns a text as one line without hidden characters, cut to a bound in code points with a mark."""
    line = _BLANKS.sub(" ", _HIDDEN.sub("", text)).strip()
    return line if len(line) <= max_chars else line[: max_chars - 1].rstrip() + _MARK


def clean(text: str) -> str:
    """Returns a text of several lines without hidden characters and without blanks at its edges."""
    return _HIDDEN.sub("", text).strip()
