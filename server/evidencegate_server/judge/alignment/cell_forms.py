"""Reads what a field says by its form: a yes, a no, a count, a fraction, a change."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.judge.records.model import Cell
from evidencegate_server.judge.values.model import Mention, Quantity

_NO: Final = frozenset(
    {"false", "no", "none", "<none>", "(none)", "null", "nil", "off", "-", "--", "", "[]", "{}", "n/a"}
)
YES: Final = frozenset({"true", "yes", "on"})
_EMPTY_TEXTS: Final = frozenset({"", "-", "<none>", "(none)", "none", "[]", "{}", "<nil>", "()"})
_FRACTION: Final = re.compile(r"(\d{1,9})/(\d{1,9})\b")
_SHARE: Final = re.compile(r"\((\d{1,6})%\)\Z")
_WHOLE: Final = 100  # percent
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")
_ARROWS: Final = ("->", "=>", "\u2192")
_NEAR_ARROW: Final = 6
_FROM: Final = " from "
_TO: Final = " to "
_TO_BEHIND: Final = re.compile(r" ?to ")
_FROM_BEHIND: Final = re.compile(r" ?from")
_ZH_FROM_BEFORE: Final = re.compile(r"[\u4ece\u7531\u81ea] ?$")
_ZH_TO: Final = r" ?[\u4e00-\u9fff]{0,3}[\u81f3\u5230\u4e3a\u6210]\u4e86? ?"
_ZH_TO_BEHIND: Final = re.compile(rf"{_ZH_TO}[-+$]?\d")
_ZH_TO_BEFORE: Final = re.compile(rf"[\u4ece\u7531\u81ea] ?[-+$]?\d[\d.,]*[^\s\d]{{0,4}}{_ZH_TO}$")
_ZH_REACH: Final = 30
_TO_BEFORE: Final = re.compile(r" to \S{1,16}(?: [A-Za-z%]{1,8})? from $")
_FROM_BEFORE: Final = re.compile(r" from \S{1,16}(?: [A-Za-z%]{1,8})? to $")


def holds(cell: Cell) -> bool | None:
    """Returns the yes or no of a field, a count as whether there is one; None where it says neither."""
    text = cell.text.strip().strip('"').lower()
    if text in _NO:
        return False
    if text in YES:
        return True
    if len(cell.values) == 1:
        value = cell.values[0].value
        if (
            isinstance(value, Quantity)
            and value.measure != "time"
            and value.low is not None
            and value.low == value.high
        ):
            return value.low > 0
    return None


def has_form(cell: Cell, form: str | None) -> bool:
    """Returns whether the text of a field has a form of the lexicon: empty, beyond, fewer, equal, zero or positive."""
    text = cell.text.strip()
    if form == "empty":
        return text.lower() in _EMPTY_TEXTS
    if form == "beyond":
        share = _SHARE.search(text)
        return share is not None and int(share[1]) > _WHOLE
    parts = _FRACTION.match(text)
    if form in ("fewer", "equal"):
        if parts is None:
            return False
        left, right = int(parts[1]), int(parts[2])
        return left < right if form == "fewer" else left == right > 0
    number = _NUMBER.match(text)
    if number is None:
        return False
    return float(number[0]) == 0 if form == "zero" else float(number[0]) > 0


def whole_of(cell: Cell) -> Mention | None:
    """Returns the second number of a field that says how many of how many (1/3), None where it says another thing."""
    if len(cell.values) < 2 or _FRACTION.fullmatch(cell.text.strip()) is None:
        return None
    return cell.values[-1]


def arrow_of(text: str, mention: Mention) -> str:
    """Returns `first` or `second` where a text tells of a change from or to a value, else an empty text."""
    behind = text[mention.end : mention.end + _NEAR_ARROW]
    if behind.lstrip().startswith(_ARROWS):
        return "first"
    before = text[max(0, mention.start - _NEAR_ARROW) : mention.start]
    if before.rstrip().endswith(_ARROWS):
        return "second"
    # `to 5 from 2`, `from 2 to 5`: both words, or it is no change.
    if before.endswith(_FROM):
        is_change = _TO_BEHIND.match(behind) or _TO_BEFORE.search(text, max(0, mention.start - 30), mention.start)
        return "first" if is_change else ""
    if before.endswith(_TO):
        is_change = _FROM_BEHIND.match(behind) or _FROM_BEFORE.search(text, max(0, mention.start - 30), mention.start)
        return "second" if is_change else ""
    if before.isascii():
        return ""
    if _ZH_TO_BEHIND.match(text, mention.end, mention.end + _ZH_REACH) and _ZH_FROM_BEFORE.search(before):
        return "first"
    if _ZH_TO_BEFORE.search(text, max(0, mention.start - _ZH_REACH), mention.start):
        return "second"
    return ""
