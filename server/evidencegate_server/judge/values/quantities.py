"""Reads what stands behind a number: magnitude, unit, further parts of a duration, rate, and what is counted."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.values.durations import TIME, DurationReader
from evidencegate_server.judge.values.model import COUNT, Quantity
from evidencegate_server.judge.values.numerals import EXACT, ONE, ZERO, Amount, scaled
from evidencegate_server.judge.values.tables import Tables, UnitEntry

_LATIN = re.compile(r"([ \t]?)([A-Za-zµμ°℃℉%‰％]+)")
_SECOND_WORD = re.compile(r"[ \t-]([A-Za-z]+)")
_HYPHEN_WORD = re.compile(r"-([A-Za-z]{2,})(?![A-Za-z0-9_-])")
_COUNTED = re.compile(r"[ \t]([A-Za-z][A-Za-z_-]*)(?:[ \t]([a-z][a-z-]+))?")
_CJK: Final = "\u4e00-\u9fff"
_CHINESE = re.compile(rf"[ \t]?([{_CJK}]{{1,6}})")
_ATTACHED_ONLY: Final = frozenset("SHKMGTPCABtgyw")  # apart from their number they are states, columns, articles
_UNIT_ENDS: Final = " ;)]}|\"'\n"
_MAY_GO_ON: Final = frozenset("aeph/p")  # a rate or a further part may begin with them: and, a, each, per
_FLOWING: Final = frozenset(["size", "bits"])  # they become rates by words further on
_HALF: Final = Decimal("0.5")


@record
class Tail:
    """A number with all that belongs to it, up to `end`; None instead where the number is part of a name."""

    quantity: Quantity
    end: int
    counted: str
    over: bool = False


@lru_cache(maxsize=8192)
def _quantity(
    value: Decimal, step: Decimal, digits: int, measure: str, unit: str, loose: Decimal, about: bool
) -> Quantity:
    """Returns one shared object for each value: most of them come again and again."""
    return Quantity(value, value, measure, step, digits, unit, about=about, loose=loose)


def single(
    number: Amount, measure: str = COUNT, unit: str = "", loose: Decimal = ZERO, about: bool = False
) -> Quantity:
    """Returns the quantity of one number that is in base units already."""
    return _quantity(number.value, number.step, number.digits, measure, unit, loose, about)


@lru_cache(maxsize=8192)
def in_unit(number: Amount, unit: UnitEntry, written: str) -> Quantity:
    """Returns the quantity of a number in a unit."""
    base = number if unit.factor == ONE else scaled(number, unit.factor)
    return single(base, unit.measure, written, unit.loose, unit.rough)


class UnitReader:
    """Reads on from the end of a number."""

    __slots__ = ("durations", "tables")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.durations = DurationReader(tables)

    def read(self, text: str, end: int, number: Amount, spelled: bool = False) -> Tail | None:
        """Returns the number's quantity; `spelled` says that it is in words, and a letter is no part of its token."""
        char = text[end : end + 1]
        if char in ",;)]}|\"'\n" and not spelled:
            return Tail(single(number), end, "")
        ahead = text[end + 1 : end + 2] if char in " \t" else char
        if ahead > "\u2e7f" and ahead != "％":
            return self._chinese(text, end, number)
        if char == "-" and not spelled:
            return self._hyphen(text, end, number)
        match = _LATIN.match(text, end)
        if match is not None:
            return self._latin(text, end, number, match, spelled)
        if char == "_":
            return None
        rate = self._slash(text, end, number, COUNT, "") if char == "/" else None
        return rate or Tail(single(number), end, "")

    def _latin(self, text: str, end: int, number: Amount, match: re.Match[str], spelled: bool) -> Tail | None:
        tables = self.tables
        space, token = match.groups()
        at = match.end()
        following = text[at : at + 1]
        plain = tables.plain_units.get(token) if following in _UNIT_ENDS else None
        if plain is not None and (following != " " or self._stops(text, at, plain)):
            return Tail(in_unit(number, plain, token), at, "")
        if not space and not spelled:
            if following.isdigit() or following == "_":
                return self._duration(text, end, number)
            if following == "-" and text[at + 1 : at + 2].isalpha() and token.isalpha():
                return None
        if not space or token.lower() in tables.english.magnitudes:
            many = self._magnitude(text, at, number, token, following)
            if many is not None:
                return many
        unit, at, written = self._unit(text, match, token, at)
        if unit is None and not space and not spelled and token[0] not in "%°":
            return None
        if unit is None or (space and len(token) == 1 and token in _ATTACHED_ONLY and following != "/"):
            return self._count(text, end, number, token, match.end())
        if unit.measure == TIME and not unit.rough:
            return self._duration(text, end, number)
        return self._with_rate(text, at, number, unit, written)

    @staticmethod
    def _stops(text: str, at: int, unit: UnitEntry) -> bool:
        """Returns whether nothing behind a unit and a blank can belong to it."""
        ahead = text[at + 1 : at + 2]
        return not (unit.measure in _FLOWING or ahead.isdigit() or ahead in _MAY_GO_ON)

    def _magnitude(self, text: str, at: int, number: Amount, token: str, following: str) -> Tail | None:
        """Reads `4.75 million rows`, `1.2k requests`."""
        size = self.tables.letters.get(token)
        if size is not None:
            more = _COUNTED.match(text, at)
            if more is not None and (more[1].lower() in self.tables.countables or self._is_rate(more[1])):
                return self.read(text, at, scaled(number, size), spelled=True)
            if token == "k" and not following.isalnum() and following != "/":
                return Tail(single(scaled(number, size)), at, more[1] if more else "")
        size = self.tables.english.magnitudes.get(token.lower())
        return None if size is None else self.read(text, at, scaled(number, size), spelled=True)

    def _is_rate(self, token: str) -> bool:
        unit = self.tables.symbols.get(token) or self.tables.unit_words.get(token.lower())
        return unit is not None and unit.measure == "count/time"

    def _unit(self, text: str, match: re.Match[str], token: str, at: int) -> tuple[UnitEntry | None, int, str]:
        """Returns the unit that a token or two begin with, where it ends, and its spelling."""
        tables = self.tables
        lower = token.lower()
        if token[0] == "%" and len(token) > 1:
            token, at = token[0], match.start(2) + 1
            lower = token
        if lower in tables.two_words:
            second = _SECOND_WORD.match(text, at)
            if second is not None:
                both = f"{lower}{second[0].lower()}".replace("\t", " ")
                unit = tables.unit_words.get(both) or tables.unit_words.get(f"{lower} {second[1].lower()}")
                if unit is not None:
                    return unit, second.end(), text[match.start(2) : second.end()]
        if text[at : at + 1] == "/":
            whole = f"{token}{text[at : at + 2]}"
            unit = tables.symbols.get(whole)
            if unit is not None and not text[at + 2 : at + 3].isalpha():
                return unit, at + 2, whole
        unit = tables.symbols.get(token)
        if unit is None:
            unit = tables.unit_words.get(lower)
        return unit, at, token

    def _count(self, text: str, end: int, number: Amount, token: str, at: int) -> Tail:
        """Returns a plain count of what the next words name, or a rate of it."""
        tables = self.tables
        if text[at : at + 1] == "/":
            rate = self._slash(text, at, number, COUNT, token)
            if rate is not None:
                return rate
        rate = self._per(text, end, number, COUNT, "")
        if rate is not None:
            return rate
        match = _COUNTED.match(text, end)
        if match is None:
            return Tail(single(number), end, "")
        first, second = match.groups()
        if first in tables.barriers:
            return Tail(single(number), end, "")
        counted = first if second is None or second in tables.barriers else f"{first} {second}"
        return Tail(single(number), end, counted)

    def _hyphen(self, text: str, end: int, number: Amount) -> Tail | None:
        """Reads `5-minute`, `3-node`; a number before another joiner is part of a name."""
        match = _HYPHEN_WORD.match(text, end)
        if match is not None:
            unit = self.tables.unit_words.get(match[1].lower())
            if unit is not None:
                return Tail(in_unit(number, unit, match[1]), match.end(), "")
            return Tail(single(number), end, match[1]) if match[1].islower() and len(match[1]) > 2 else None
        following = text[end + 1 : end + 2]
        if following.isalpha() and following.isascii():
            return None
        return Tail(single(number), end, "")

    def _with_rate(self, text: str, at: int, number: Amount, unit: UnitEntry, written: str) -> Tail:
        value = in_unit(number, unit, written)
        if unit.measure in ("size", "bits"):
            rate = self._slash(text, at, number, unit.measure, written, unit)
            rate = rate or self._per(text, at, number, unit.measure, written, unit)
            if rate is not None:
                return rate
        return Tail(value, at, "")

    def _slash(
        self, text: str, at: int, number: Amount, measure: str, written: str, unit: UnitEntry | None = None
    ) -> Tail | None:
        match = self.tables.slash.match(text, at)
        if match is None:
            return None
        if match[1]:
            seconds = self.tables.rate_units[match[1]]
        else:
            seconds = next(
                entry.factor for word, entry in self.tables.chinese_units[match[2][0]] if entry and word == match[2]
            )
        return self._rated(number, measure, f"{written}{match[0]}", seconds, match.end(), unit, written)

    def _per(
        self,
        text: str,
        at: int,
        number: Amount,
        measure: str,
        written: str,
        unit: UnitEntry | None = None,
    ) -> Tail | None:
        match = self.tables.per.match(text, at)
        if match is None:
            return None
        between = [word for word in match.groups()[:2] if word]
        if any(word.lower() in self.tables.barriers for word in between):
            return None
        seconds = self.tables.rate_units[match[3]]
        return self._rated(number, measure, f"{written}{match[0]}", seconds, match.end(), unit, " ".join(between))

    def _rated(
        self,
        number: Amount,
        measure: str,
        written: str,
        seconds: Decimal,
        end: int,
        unit: UnitEntry | None,
        counted: str,
    ) -> Tail:
        factor = EXACT.divide(unit.factor if unit else ONE, seconds)
        base = scaled(number, factor)
        name = f"{measure or 'count'}/time"
        return Tail(
            single(base, name, written.strip(), unit.loose if unit else ZERO), end, counted if not measure else ""
        )

    def _chinese(self, text: str, at: int, number: Amount) -> Tail:
        """Reads on in Chinese: 万, 多, 个半, a unit or measure word, further parts of a duration."""
        tables = self.tables
        at, start, number = self._magnitudes(text, at, number)
        over = text[at : at + 1] in tables.over and not self.excepted(text, at)
        if over:
            start = at + 1
            at = _past_blank(text, start)
        half, without = ZERO, number
        if text[at : at + 1] in tables.classifiers and text[at + 1 : at + 2] in tables.halves:
            half, start = _HALF, at + 2
            at = _past_blank(text, start)
            number = Amount(EXACT.add(number.value, half), half, number.digits + 1)
        char = text[at : at + 1]
        if char and char < "\u2e80":
            tail = self.read(text, start, number, spelled=True)
            return Tail(tail.quantity, tail.end, tail.counted, over) if tail else Tail(single(number), start, "", over)
        unit, size = tables.chinese_unit(text, at)
        if unit is None:
            return self._counted(text, start, number, over)
        written = text[at : at + size]
        at += size
        if unit.measure == TIME and not unit.rough:
            whole, at = self.durations.chinese(text, at, without, unit, written, half)
            return Tail(single(whole, TIME, written), at, "", over)
        tail = self._with_rate(text, at, number, unit, written)
        return Tail(tail.quantity, tail.end, tail.counted, over)

    def _magnitudes(self, text: str, at: int, number: Amount) -> tuple[int, int, Amount]:
        """Returns where the unit can begin behind 万 and its like, where the number ends, and its value."""
        start, at = at, _past_blank(text, at)
        sizes = self.tables.chinese.magnitudes
        while text[at : at + 1] in sizes and text[at : at + 2] not in self.tables.percent_starts:
            if self.excepted(text, at):
                break
            number = scaled(number, sizes[text[at]])
            start = at + 1
            at = _past_blank(text, start)
        return at, start, number

    def _counted(self, text: str, at: int, number: Amount, over: bool) -> Tail:
        match = _CHINESE.match(text, at)
        if match is None:
            return Tail(single(number), at, "", over)
        if match[1][0] in self.tables.classifiers:
            rate = self._slash(text, match.start(1) + 1, number, COUNT, match[1][0])
            if rate is not None:
                return Tail(rate.quantity, rate.end, match[1][0], over)
        counted = match[1]
        for size, char in enumerate(counted):
            if char in self.tables.counted_ends:
                counted = counted[:size]
                break
        return Tail(single(number), at, counted, over)

    def excepted(self, text: str, at: int) -> bool:
        """Returns whether a word begins there that only looks like a unit (日志)."""
        group = self.tables.chinese_units.get(text[at : at + 1], ())
        return any(unit is None and text.startswith(word, at) for word, unit in group)

    def _duration(self, text: str, end: int, number: Amount) -> Tail | None:
        read = self.durations.latin(text, end, number)
        return None if read is None else Tail(single(read[0], TIME, read[2]), read[1], "")


def _past_blank(text: str, at: int) -> int:
    return at + 1 if text[at : at + 1] in (" ", "\t") else at
