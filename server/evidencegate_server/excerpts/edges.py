"""Looks at both ends of what was found, in the text around it."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.excerpts.model import MismatchReason
from evidencegate_server.excerpts.polarity import WINDOW
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.excerpts.text import TextView
from evidencegate_server.text.fold import fold_drawing

_DENSE_WINDOW: Final = 72  # ideographs say more in less room, and terminal codes may stand between
_INSIDE: Final = 32
_FIRST_WORDS: Final = 80
_ESCAPE_BEFORE: Final = re.compile(r"(?<!\\)(?:\\\\)*\\([nrt\"])$")
_ESCAPED: Final = {"n": "\n", "r": "\n", "t": "\t", '"': '"'}
_DIFF_MARK: Final = re.compile(r"(?:^|\n)[ \t]*\+[ \t]*$")


def edge_fault(
    view: TextView, start: int, end: int, policy: ExcerptPolicy, *, minus_mark: bool = False
) -> MismatchReason | None:
    """Returns why a range of a view is no quotation by itself, or None.

    `minus_mark` says that a minus sign was peeled off as a list mark: then the text must not have a plus there.
    """
    text = view.text
    if view.is_plain:
        before = text[max(0, start - WINDOW) : start]
        after = text[end : end + WINDOW]
        head = text[start : min(end, start + _FIRST_WORDS)]
        tail = text[max(start, end - _INSIDE) : end]
    else:
        before = fold_drawing(text[max(0, start - _DENSE_WINDOW) : start])
        after = fold_drawing(text[end : end + _DENSE_WINDOW])
        head = text[start : min(end, start + _INSIDE)]
        tail = text[max(start, end - _INSIDE) : end]
        head, tail = fold_drawing(head) or head, fold_drawing(tail) or tail
    if view.is_json:
        before, after = _without_escapes(before, after)
    fault = policy.boundaries.left_fault(before, head) or policy.boundaries.right_fault(tail, after)
    if fault is None and minus_mark and _DIFF_MARK.search(before) is not None:
        fault = MismatchReason.SIGN_OR_JOINER_CROPPED
    return fault or policy.polarity.fault_before(before, head) or policy.polarity.fault_after(tail, after)


def _without_escapes(before: str, after: str) -> tuple[str, str]:
    """Reads the escape sequences right beside an excerpt: in a JSON text they end lines and open strings."""
    if "\\" in before[-2:]:
        match = _ESCAPE_BEFORE.search(before[-16:])
        if match is not None:
            before = before[:-2] + _ESCAPED[match[1]]
    if after[:1] == "\\" and after[1:2] in _ESCAPED:
        after = _ESCAPED[after[1]] + after[2:]
    return before, after
