"""Remarks on what stands in an excerpt or its evidence and a reader cannot see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.evidence.model import Span
from evidencegate_server.excerpts.model import ExcerptFlag
from evidencegate_server.text.fold_tables import BIDI_CONTROLS, INVISIBLE
from evidencegate_server.text.words_regex import LazyPattern

_FOREIGN: Final = "\u0370-\u03bb\u03bd-\u03ff\u0400-\u052f"  # Greek but for the micro sign, Cyrillic
_MIXED_SCRIPT: Final = LazyPattern(rf"[A-Za-z][\w-]{{0,64}}[{_FOREIGN}]|[{_FOREIGN}][\w-]{{0,64}}[A-Za-z]")
_BIDI_CLASS: Final = "".join(sorted(BIDI_CONTROLS))
_BIDI: Final = re.compile(f"[{_BIDI_CLASS}]")
_REMARKABLE: Final = re.compile(f"[{_BIDI_CLASS}{_FOREIGN}]")  # all that a verbatim quotation may be remarked on for
_HIDDEN: Final = LazyPattern("[" + "".join(sorted(INVISIBLE)) + "]")


def flags_of(excerpt: str, spans: Sequence[Span], original: str, *, verbatim: bool) -> tuple[str, ...]:
    """Returns the flags of one comparison in alphabetical order."""
    if verbatim and _REMARKABLE.search(excerpt) is None:
        return ()
    texts = [excerpt] if verbatim else [excerpt, *(original[span.start : span.end] for span in spans)]
    flags: set[ExcerptFlag] = set()
    for text in texts:
        if not verbatim and ("\x1b" in text or "\x9b" in text):
            flags.add(ExcerptFlag.ANSI_REMOVED)
        if text.isascii():
            continue
        if _BIDI.search(text) is not None:
            flags.add(ExcerptFlag.BIDI_CONTROL)
        if not verbatim and _HIDDEN.search(text) is not None:
            flags.add(ExcerptFlag.INVISIBLE_REMOVED)
        if _MIXED_SCRIPT.search(text) is not None:
            flags.add(ExcerptFlag.MIXED_SCRIPT)
    return tuple(sorted(flags))
