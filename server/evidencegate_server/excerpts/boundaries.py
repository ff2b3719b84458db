"""Decides whether an excerpt is cut out of its text at whole words, whole names and whole numbers."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from evidencegate_server.excerpts.model import MismatchReason
from evidencegate_server.lexicon.excerpt_words import ComparatorWords, UnitWords
from evidencegate_server.text.chars import (
    CHINESE_MAGNITUDES,
    CHINESE_NUMERALS,
    CURRENCIES,
    JOINERS,
    SIGNS,
    is_cjk,
    is_word,
)
from evidencegate_server.text.words_regex import LazyPattern, alternation

_BOUND_REACH: Final = 32
_NUMBER_WORD_STARTS: Final = frozenset("hotfsentmdHOTFSENTMD")  # half, one ... dozen: spares a regex for most
_APOSTROPHE: Final = "'"
_IN_NUMBER: Final = frozenset(".,:/。，、：")  # between two digits these belong to one number, time or list
_NAME_JOINERS: Final = "-@\\"  # behind an ideograph a stroke or a point parts, and these join
_PLAIN_BREAKS: Final = frozenset(' \t\n\r()[]{}<>|;"*`')
_FACTOR: Final = re.compile(r"[*^]\d|[ \t]?[×⋅·][ \t]?\d")
_FACTOR_BEFORE: Final = re.compile(r"\d(?:[*^]|[ \t]?[×⋅·][ \t]?)$")
# Thousands may be parted by white space. One group behind a plain space may be another number; two make it one.
_THOUSANDS_HEAD: Final = re.compile(r"(?<![\w.,:/+-])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})*$")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:(?: \d{3}){2,}|(?:[\u00a0\u2009\u202f]\d{3})+)(?![\d.,]\d)")
_SPACES_IN_NUMBER: Final = frozenset(" \u00a0\u2009\u202f")
_HEX_BEFORE: Final = re.compile(r"(?<!\w)[0-9A-Fa-f:]+$")
_HEX_AFTER: Final = re.compile(r"[0-9A-Fa-f:]+(?!\w)")
_ADDRESS: Final = re.compile(
    r"(?=.*[0-9A-Fa-f])(?:(?=.*::)[0-9A-Fa-f:]{3,}|(?:[0-9A-Fa-f]{1,4}:){5,7}[0-9A-Fa-f]{1,4})"
)
_NOT_LATIN: Final = r"(?![A-Za-z0-9_])"


class Boundaries:
    """Checks the two ends of an excerpt.

    `before`, `after` are the texts that stand around it, `inside` its own first or last characters, all folded but
    for white space.
    """

    __slots__ = (
        "_bound_after",
        "_bound_before",
        "_chinese_units",
        "_duration_after",
        "_duration_before",
        "_duration_end",
        "_number_word",
        "_range_after",
        "_unit_after",
        "_unit_end",
        "_unit_inside",
    )

    def __init__(self, units: UnitWords, comparators: ComparatorWords) -> None:
        latin = f"(?:{alternation(units.symbols)}){_NOT_LATIN}|(?i:{alternation(units.words)}){_NOT_LATIN}"
        chinese = f"(?!{alternation(units.chinese_exceptions)})(?:{alternation(units.chinese)})"
        behind = f"{alternation(units.signs)}|{alternation(units.magnitudes)}|{chinese}"
        currency = f"(?:{alternation(units.currencies)})(?![A-Za-z0-9_{{(])"
        any_unit = f"{latin}|{behind}|{currency}"
        self._unit_after = LazyPattern(rf"[ \t]*(?:{any_unit})|[ \t]?[(\[](?:{any_unit})[)\]]|-fold\b")
        self._unit_inside = LazyPattern(rf"(?:{behind})")
        self._bound_before = LazyPattern(
            rf"(?:(?<![-=])(?:{alternation(comparators.symbols)})=?"
            rf"|\b(?i:{alternation(comparators.before)})(?:\s+(?:the|a|an|about|its|all|of)\b)?"
            rf"|(?:{alternation(comparators.chinese_before)})(?:了|约|近|到)?)[\s:]*$"
        )
        self._bound_after = LazyPattern(
            rf"\s?(?:\+|(?i:{alternation(comparators.after)})\b|(?:{alternation(comparators.chinese_after)}))"
        )
        self._number_word = LazyPattern(rf"(?i:{alternation(comparators.numbers)})\b")
        parts = alternation((*units.durations, *units.dates))
        self._duration_before = LazyPattern(rf"\d\s?(?:{alternation(units.durations)})\s?$")
        self._duration_after = LazyPattern(rf"\s?\d+(?:\.\d+)?\s?(?:{parts}){_NOT_LATIN}")
        self._duration_end = LazyPattern(rf"\d\s?(?:{parts})$")
        self._unit_end = LazyPattern(rf"\d\s?({alternation(units.chinese)})$")
        self._chinese_units = tuple(units.chinese)
        self._range_after = LazyPattern(rf"[ \t]*(?:{alternation(comparators.ranges)})[ \t]*[-+]?\d")

    def left_fault(self, before: str, inside: str) -> MismatchReason | None:
        """Returns what is wrong with cutting between the two, or None."""
        first = inside[0]
        if not before:
            return None
        previous = before[-1]
        if (previous == ":" or first == ":") and _cuts_address(before, inside):
            return MismatchReason.MID_TOKEN
        starts_number = first.isdecimal() or first in CHINESE_NUMERALS
        if starts_number or (first in "-+." and inside[1:2].isdecimal()):
            fault = self._left_of_number(before, previous, inside)
            if fault is not None:
                return fault
        elif first in _NUMBER_WORD_STARTS and self._number_word.match(inside) is not None and self._bounds(before):
            return MismatchReason.COMPARATOR_CROPPED
        if previous in _PLAIN_BREAKS:
            return None
        if is_word(first):
            return _left_of_word(before, previous, first)
        if is_word(previous):
            return self._left_after_word(previous, inside, first)
        return MismatchReason.MID_TOKEN if unicodedata.combining(first) else None

    def _bounds(self, before: str) -> bool:
        return self._bound_before.search(before[-_BOUND_REACH:]) is not None

    def _left_of_number(self, before: str, previous: str, inside: str) -> MismatchReason | None:
        first = inside[0]
        if first.isdecimal():
            fault = _left_of_digit(before, previous, inside)
            if fault is not None:
                return fault
        elif (first in CHINESE_NUMERALS and _is_numeral(previous)) or (previous == "点" and _is_numeral(before[-2:-1])):
            return MismatchReason.MID_NUMBER
        if self._duration_after.match(inside) is not None and self._duration_before.search(before[-_BOUND_REACH:]):
            return MismatchReason.MID_NUMBER
        return MismatchReason.COMPARATOR_CROPPED if self._bounds(before) else None

    def _left_after_word(self, previous: str, inside: str, first: str) -> MismatchReason | None:
        """Looks at an excerpt that begins with no letter or digit, right behind one."""
        second = inside[1:2]
        if previous.isdecimal():
            if first in _IN_NUMBER and second.isdecimal():
                return MismatchReason.MID_NUMBER
            if self._unit_inside.match(inside) is not None:
                return MismatchReason.MID_NUMBER
        if (first in JOINERS or first == _APOSTROPHE) and second and is_word(second):
            return MismatchReason.SIGN_OR_JOINER_CROPPED if first in JOINERS else MismatchReason.MID_TOKEN
        return MismatchReason.MID_TOKEN if unicodedata.combining(first) else None

    def right_fault(self, inside: str, after: str) -> MismatchReason | None:
        """Returns what is wrong with cutting between the two, or None."""
        if not after:
            return None
        last, following = inside[-1], after[0]
        if (last == ":" or following == ":") and _cuts_address(inside, after):
            return MismatchReason.MID_TOKEN
        fault = self._right_of_number(inside, after, last)
        if fault is not None or following in _PLAIN_BREAKS:
            return fault
        if is_word(last):
            return _right_of_word(after, last, following)
        if is_word(following):
            return _right_before_word(inside, last, following)
        if is_cjk(last) and following in _NAME_JOINERS and is_word(after[1:2] or " "):
            return MismatchReason.SIGN_OR_JOINER_CROPPED
        return MismatchReason.MID_TOKEN if unicodedata.combining(following) else None

    def _right_of_number(self, inside: str, after: str, last: str) -> MismatchReason | None:
        following = after[0]
        if last.isdecimal():
            if following in _SPACES_IN_NUMBER and after[1:2].isdecimal() and _cuts_thousands(inside, after):
                return MismatchReason.MID_NUMBER
            return self._right_of_digit(after, following)
        if last in CHINESE_NUMERALS:
            return self._right_of_numeral(after, following)
        if last in "%‰" and self._range_after_sign(after):
            return MismatchReason.MID_NUMBER
        if self._duration_after.match(after) is not None and self._duration_end.search(inside) is not None:
            return MismatchReason.MID_NUMBER
        if is_cjk(last) and is_cjk(following):
            match = self._unit_end.search(inside)
            if match is not None and self._is_longer_unit(match[1], after):
                return MismatchReason.UNIT_CROPPED
        return None

    def _is_longer_unit(self, unit: str, after: str) -> bool:
        """Returns whether what follows makes another unit of this one: 3分 of 3分钟."""
        return any(
            len(longer) > len(unit) and longer.startswith(unit) and after.startswith(longer[len(unit) :])
            for longer in self._chinese_units
        )

    def _right_of_digit(self, after: str, following: str) -> MismatchReason | None:
        second = after[1:2]
        if following.isdecimal():
            return MismatchReason.MID_NUMBER
        if (following in _IN_NUMBER or following == _APOSTROPHE) and second.isdecimal():
            return MismatchReason.MID_NUMBER
        if following in "+-\u00b1" and not (following == "-" and second == "-"):
            return MismatchReason.SIGN_OR_JOINER_CROPPED
        if self._range_after.match(after) is not None or _FACTOR.match(after) is not None:
            return MismatchReason.MID_NUMBER
        if self._unit_after.match(after) is not None:
            return MismatchReason.UNIT_CROPPED
        if self._bound_after.match(after) is not None:
            return MismatchReason.COMPARATOR_CROPPED
        return None

    def _right_of_numeral(self, after: str, following: str) -> MismatchReason | None:
        if _is_numeral(following) or (following == "点" and _is_numeral(after[1:2])):
            return MismatchReason.MID_NUMBER
        if self._unit_inside.match(after) is not None:
            return MismatchReason.UNIT_CROPPED
        return None

    def _range_after_sign(self, after: str) -> bool:
        return self._range_after.match(after) is not None or (after[0] == "-" and after[1:2].isdecimal())


def _left_of_digit(before: str, previous: str, inside: str) -> MismatchReason | None:
    if previous in SIGNS:
        return MismatchReason.SIGN_OR_JOINER_CROPPED
    if previous in CURRENCIES:
        return MismatchReason.UNIT_CROPPED
    earlier = before[-2:-1]
    if (
        (earlier.isdecimal() and (previous in _IN_NUMBER or previous == "~"))
        or (previous in CHINESE_MAGNITUDES and _is_numeral(earlier))
        or (previous in _SPACES_IN_NUMBER and _cuts_thousands(before, inside))
        or _FACTOR_BEFORE.search(before[-4:]) is not None
    ):
        return MismatchReason.MID_NUMBER
    return None


def _cuts_thousands(before: str, after: str) -> bool:
    """Returns whether the cut is inside 1 234 567."""
    head = _THOUSANDS_HEAD.search(before.rstrip())
    if head is None:
        return False
    gap = before[len(before.rstrip()) :]
    match = _THOUSANDS.match(head[0] + gap + after)
    return match is not None and match.end() > len(head[0])


def _cuts_address(before: str, after: str) -> bool:
    """Returns whether the cut is inside an address such as fe80::1 or 02:42:ac:11:00:02."""
    left, right = _HEX_BEFORE.search(before), _HEX_AFTER.match(after)
    if left is None or right is None:
        return False
    return _ADDRESS.fullmatch(left[0].lstrip(":") + right[0] if left[0] == ":" else left[0] + right[0]) is not None


def _is_numeral(char: str) -> bool:
    return char != "" and (char in CHINESE_NUMERALS or char.isdecimal())


def _left_of_word(before: str, previous: str, first: str) -> MismatchReason | None:
    if is_word(previous) or unicodedata.combining(previous):
        return MismatchReason.MID_NUMBER if previous.isdecimal() and first.isdecimal() else MismatchReason.MID_TOKEN
    earlier = before[-2:-1]
    if not earlier:
        return None
    if previous == _APOSTROPHE and is_word(earlier):
        return MismatchReason.MID_TOKEN
    if previous in JOINERS and earlier.isalnum():
        # A full stop behind an ideograph ends a sentence; behind a letter it may be part of a name.
        if previous == "." and is_cjk(earlier):
            return None
        return MismatchReason.SIGN_OR_JOINER_CROPPED
    return None


def _right_of_word(after: str, last: str, following: str) -> MismatchReason | None:
    if is_word(following) or unicodedata.combining(following):
        return MismatchReason.MID_TOKEN
    second = after[1:2]
    if not second:
        return None
    if following == _APOSTROPHE and is_word(second) and not last.isdecimal():
        return MismatchReason.MID_TOKEN
    if following in JOINERS and second.isalnum():
        if following == "." and is_cjk(second):
            return None
        if following in "/-" and is_cjk(second) and is_cjk(last):
            return None
        return MismatchReason.SIGN_OR_JOINER_CROPPED
    return None


def _right_before_word(inside: str, last: str, following: str) -> MismatchReason | None:
    """Looks at an excerpt that ends with no letter or digit, right before one."""
    earlier = inside[-2:-1]
    if following.isdecimal():
        if last in _IN_NUMBER and earlier.isdecimal():
            return MismatchReason.MID_NUMBER
        if last in CURRENCIES or (last in SIGNS and not (earlier and is_word(earlier))):
            return MismatchReason.MID_NUMBER
    if not (earlier and is_word(earlier)):
        return None
    if last == _APOSTROPHE:
        return MismatchReason.MID_TOKEN
    return MismatchReason.SIGN_OR_JOINER_CROPPED if last in JOINERS else None
