"""Looks at both ends of what was found, in the text around it."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.excerpts.model import MismatchReason
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.excerpts.quick import WINDOW
from evidencegate_server.excerpts.text import TextView
from evidencegate_server.text.fold import fold_drawing

_DENSE_WINDOW: Final = 72  # ideographs say more in less room, and terminal codes may stand between
_INSIDE: Final = 32
_FIRST_WORDS: Final = 80
_ESCAPE_BEFORE: Final = re.compile(r"(?<!\\)(?:\\\\)*\\([nrt\"])$")
_ESCAPED: Final = {"n": "\n", "r": "\n", "t": "\t", '"': '"'}
_KEY_BEFORE: Final = re.compile(r"\"([\w -]{1,64})\"\s{0,16}:\s{0,16}$")
_BLANKS: Final = frozenset(" \t")
_LONGEST_ROW: Final = 256
_DIFF_MARK: Final = re.compile(r"(?:^|\n)[ \t]*\+[ \t]*$")


def edge_fault(
    view: TextView, start: int, end: int, policy: ExcerptPolicy, *, minus_mark: bool = False
) -> MismatchReason | None:
    """Returns why a range of a view is no quotation by itself, or None.

    `minus_mark` says that a minus sign was peeled off as a list mark: then the text must not have a plus there.
    """
    text, quick = view.text, policy.quick
    whole_before = quiet_before = clean_behind = False
    if not (view.has_sequences or minus_mark):
        whole_before = quick.is_whole_before(text, start)
        quiet_before = quick.is_quiet_before(text, start)
        clean_behind = quick.is_clean_behind(text, end)
        if whole_before and quiet_before and clean_behind:
            return None
    before, head, tail, after = _surroundings(view, start, end)
    fault = None if whole_before else policy.boundaries.left_fault(before, head)
    if fault is None and not clean_behind:
        fault = policy.boundaries.right_fault(tail, after)
    if fault is None and minus_mark and _DIFF_MARK.search(before) is not None:
        fault = MismatchReason.SIGN_OR_JOINER_CROPPED
    if fault is None and not quiet_before:
        fault = policy.polarity.fault_before(before, head)
    if fault is None and not clean_behind:
        fault = policy.polarity.fault_after(tail, after)
    return fault or _frame_fault(text, start, end, after, policy)


def _surroundings(view: TextView, start: int, end: int) -> tuple[str, str, str, str]:
    """Returns what stands before a range, its first and last characters, and what stands behind it, folded."""
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
    return before, head, tail, after


def _frame_fault(text: str, start: int, end: int, after: str, policy: ExcerptPolicy) -> MismatchReason | None:
    """Looks at what frames an excerpt: the key of a JSON object, the other cell of a row."""
    if text[start] in "{[":
        key = _KEY_BEFORE.search(text, max(0, start - WINDOW), start)
        if key is not None and policy.polarity.key_denies(key[1]):
            return MismatchReason.NEGATION_CROPPED
    if after[:1] in _BLANKS:
        row = text[max(text.rfind("\n", 0, end) + 1, end - _LONGEST_ROW) : end]
        return policy.polarity.fault_in_row(row, after)
    return None


def _without_escapes(before: str, after: str) -> tuple[str, str]:
    """Reads the escape sequences right beside an excerpt: in a JSON text they end lines and open strings."""
    if "\\" in before[-2:]:
        match = _ESCAPE_BEFORE.search(before[-16:])
        if match is not None:
            before = before[:-2] + _ESCAPED[match[1]]
    if after[:1] == "\\" and after[1:2] in _ESCAPED:
        after = _ESCAPED[after[1]] + after[2:]
    return before, after
