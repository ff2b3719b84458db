"""Reads what stands behind a number: magnitude, unit, further parts of a duration, rate, and what is counted."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.values.model import COUNT, Quantity
from evidencegate_server.judge.values.numerals import EXACT, MAX_NUMBER_CHARS, ONE, ZERO, Amount, amount, scaled
from evidencegate_server.judge.values.tables import Tables, UnitEntry

_LATIN = re.compile(r"([ \t]?)([A-Za-zµμ°℃℉%‰％]+)")
_SECOND_WORD = re.compile(r"[ \t-]([A-Za-z]+)")
_HYPHEN_WORD = re.compile(r"-([A-Za-z]{2,})(?![A-Za-z0-9_-])")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_NEXT_PART = re.compile(r"(,?[ \t]?(?:and[ \t])?)([0-9]+(?:\.[0-9]+)?)")
_CLOCK_PART = re.compile(r",?[ \t]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?![0-9:])")
_COUNTED = re.compile(r"[ \t]([A-Za-z][A-Za-z_-]*)(?:[ \t]([a-z][a-z-]+))?")
_CJK: Final = "\u4e00-\u9fff"
_CHINESE = re.compile(rf"[ \t]?([{_CJK}]{{1,6}})")
_ATTACHED_ONLY: Final = frozenset("SHKMGTPCABtgyw")  # apart from their number they are states, columns, articles
_UNIT_ENDS: Final = " ;)]}|\"'\n"
_MAY_GO_ON: Final = frozenset("aeph/p")  # a rate or a further part may begin with them: and, a, each, per
_FLOWING: Final = frozenset(["size", "bits"])  # they become rates by words further on
_TIME: Final = "time"
_MINUTE: Final = Decimal(60)
_HALF: Final = Decimal("0.5")
_MAX_PARTS: Final = 6


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

    __slots__ = ("tables",)

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def read(self, text: str, start: int, end: int, number: Amount, spelled: bool = False) -> Tail | None:
        """Returns the number's quantity; `spelled` says that it is in words, and a letter is no part of its token."""
        char = text[end : end + 1]
        if char in ",;)]}|\"'\n" and not spelled:
            return Tail(single(number), end, "")
        over = False
        at = end
        ahead = text[at + 1 : at + 2] if char in " \t" else char
        if ahead > "\u2e7f" and ahead != "％":
            return self._chinese(text, at, number)
        if char == "-" and not spelled:
            return self._hyphen(text, end, number)
        match = _LATIN.match(text, at)
        if match is None:
            if char == "_":
                return None
            if char == "/":
                rate = self._slash(text, end, number, COUNT, "")
                if rate is not None:
                    return rate
            return Tail(single(number), end, "", over)
        return self._latin(text, end, number, match, spelled)

    def _latin(self, text: str, end: int, number: Amount, match: re.Match[str], spelled: bool) -> Tail | None:
        tables = self.tables
        space, token = match.groups()
        at = match.end()
        following = text[at : at + 1]
        if token in tables.plain_units and following in _UNIT_ENDS:
            unit = tables.plain_units[token]
            if following != " " or not (
                unit.measure in _FLOWING or text[at + 1 : at + 2].isdigit() or text[at + 1 : at + 2] in _MAY_GO_ON
            ):
                return Tail(in_unit(number, unit, token), at, "")
        if not space and not spelled and (following.isdigit() or following == "_"):
            return self._duration(text, end, number, whole_token=True)
        if not space and following == "-" and text[at + 1 : at + 2].isalpha() and token.isalpha():
            return None
        size = tables.letters.get(token)
        if size is not None and not space:
            more = _COUNTED.match(text, at)
            if more is not None and (more[1].lower() in tables.countables or self._is_rate(more[1])):
                return self.read(text, end, at, scaled(number, size), spelled=True)
            if token == "k" and not following.isalnum() and following != "/":
                return Tail(single(scaled(number, size)), at, more[1] if more else "")
        size = tables.english.magnitudes.get(token.lower())
        if size is not None:
            return self.read(text, end, at, scaled(number, size), spelled=True)
        unit, at, written = self._unit(text, match, token, at)
        if unit is None:
            if not space and not spelled and token[0] not in "%°":
                return None
            return self._count(text, end, number, token, match.end())
        if space and len(token) == 1 and token in _ATTACHED_ONLY and following != "/":
            return self._count(text, end, number, token, match.end())
        if unit.measure == _TIME and not unit.rough:
            return self._duration(text, end, number)
        return self._with_rate(text, at, number, unit, written)

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
        rate = self._per(text, end, number, COUNT, "", ZERO)
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
            rate = rate or self._per(text, at, number, unit.measure, written, unit.loose, unit)
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
        loose: Decimal,
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

    def rate_before(self, value: Quantity, seconds: Decimal) -> Quantity:
        """Returns a count or size as a rate, where 每秒 or the like stands before it."""
        assert value.low is not None
        number = scaled(Amount(value.low, value.step, value.digits), EXACT.divide(ONE, seconds))
        return single(number, f"{value.measure or 'count'}/time", value.unit, value.loose, value.about)

    def _duration(self, text: str, end: int, number: Amount, whole_token: bool = False) -> Tail | None:
        """Reads one length of time in one or more parts (1h30m, 5 minutes 30 seconds, 3 days 4:05).

        With `whole_token` the parts stand without blanks and nothing may follow them in the same token, or it is a name.
        """
        tables = self.tables
        total = ZERO
        step = ONE
        last: Decimal | None = None
        written = ""
        about = False
        digits = number.digits
        parts = 0
        at = end
        while True:
            match = _LATIN.match(text, at)
            if match is None or (whole_token and match[1] and parts == 0):
                break
            unit = tables.symbols.get(match[2]) or tables.unit_words.get(match[2].lower())
            if unit is None or unit.measure != _TIME or unit.rough or (last is not None and unit.factor >= last):
                break
            follows = text[match.end() : match.end() + 1]
            part = scaled(number, unit.factor)
            total = EXACT.add(total, part.value)
            step, last, at = part.step, unit.factor, match.end()
            written = written or match[2]
            parts += 1
            if whole_token and not (follows.isdigit() or follows == "_"):
                whole_token = False
            if parts == _MAX_PARTS:
                break
            more = _NEXT_PART.match(text, at)
            if more is None or len(more[2]) > MAX_NUMBER_CHARS or (more[1][:1] == "," and last < 3600):
                break
            following = _LATIN.match(text, more.end())
            if (
                following is None
                or following[2] not in tables.symbols
                and following[2].lower() not in tables.unit_words
            ):
                break
            if match[1] == "" and following[1]:
                break
            number, next_at = amount(more[2]), more.end()
            coming = tables.symbols.get(following[2]) or tables.unit_words.get(following[2].lower())
            if coming is None or coming.measure != _TIME or coming.factor >= last:
                break
            at = next_at
        if whole_token or not parts:
            return None
        if last is not None and last >= 86400:
            clock = _CLOCK_PART.match(text, at)
            if clock is not None:
                total = EXACT.add(total, Decimal(int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3] or 0)))
                step, at, parts = (ONE if clock[3] else _MINUTE), clock.end(), 2
        if parts > 1:
            digits = max(digits, 3)
        following = text[at : at + 1]
        if following == "_" or (following.isalnum() and following.isascii()):
            return None
        if parts == 1:
            half = tables.and_half.match(text, at)
            if half is not None:
                assert last is not None
                total, at, step = total + last * _HALF, half.end(), last * _HALF
        return Tail(single(Amount(total, step, digits), _TIME, written, ZERO, about), at, "")

    def _chinese(self, text: str, at: int, number: Amount) -> Tail:
        """Reads on in Chinese: 万, 多, 个半, a unit or measure word, further parts of a duration."""
        tables = self.tables
        start = at
        if text[at] in " \t":
            at += 1
        magnitudes = tables.chinese.magnitudes
        while text[at : at + 1] in magnitudes and text[at : at + 2] not in tables.percent_before:
            if self.excepted(text, at):
                break
            number = scaled(number, magnitudes[text[at]])
            at += 1
            start = at
            if text[at : at + 1] in " \t":
                at += 1
        over = False
        if text[at : at + 1] in tables.over and not self.excepted(text, at):
            over = True
            at += 1
            start = at
            if text[at : at + 1] in " \t":
                at += 1
        half = ZERO
        if text[at : at + 1] in tables.classifiers and text[at + 1 : at + 2] in tables.halves:
            half, at = _HALF, at + 2
        char = text[at : at + 1]
        if char and char < "\u2e80":
            tail = self.read(text, start, start, number, spelled=True)
            return Tail(tail.quantity, tail.end, tail.counted, over) if tail else Tail(single(number), start, "", over)
        unit, size = self.chinese_unit(text, at)
        if unit is None:
            return self._counted(text, start, number, over)
        written = text[at : at + size]
        at += size
        if unit.measure == _TIME and not unit.rough:
            return self._chinese_duration(text, at, number, unit, written, half, over)
        tail = self._with_rate(text, at, number, unit, written)
        return Tail(tail.quantity, tail.end, tail.counted, over)

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
        group = self.tables.chinese_units.get(text[at : at + 1], ())
        return any(unit is None and text.startswith(word, at) for word, unit in group)

    def chinese_unit(self, text: str, at: int) -> tuple[UnitEntry | None, int]:
        """Returns the unit at a place and its length."""
        for word, unit in self.tables.chinese_units.get(text[at : at + 1], ()):
            if text.startswith(word, at):
                return unit, len(word)
        return None, 0

    def _chinese_duration(
        self, text: str, at: int, number: Amount, unit: UnitEntry, written: str, half: Decimal, over: bool
    ) -> Tail:
        tables = self.tables
        total = EXACT.multiply(EXACT.add(number.value, half), unit.factor)
        step = EXACT.multiply(number.step if not half else half, unit.factor)
        last, digits = unit.factor, number.digits + (1 if half else 0)
        if text[at : at + 1] in tables.halves and not half:
            for size in (2, 1):  # 五分半钟 has the rest of its unit behind the half
                if size == 2 and not any(
                    word.endswith(text[at + 1 : at + 2]) and word[:-1] == written and text[at + 1 : at + 2]
                    for word, _ in tables.chinese_units.get(written[0], ())
                ):
                    continue
                total += last * _HALF
                return Tail(single(Amount(total, last * _HALF, digits + 1), _TIME, written), at + size, "", over)
        for _ in range(_MAX_PARTS):
            begin = at + 1 if text[at : at + 1] in " \t零又" else at
            match = _NUMBER.match(text, begin)
            part: Amount | None
            if match is not None and len(match[0]) <= MAX_NUMBER_CHARS:
                part, after = amount(match[0]), match.end()
            else:
                after = begin
                while (
                    after < begin + 4
                    and (
                        text[after : after + 1] in tables.chinese.digits
                        or text[after : after + 1] in tables.chinese.magnitudes
                    )
                    and text[after : after + 1]
                ):
                    after += 1
                part = tables.chinese.read(text[begin:after]) if after > begin else None
            if part is None:
                break
            if text[after : after + 1] in " \t":
                after += 1
            next_unit, size = self.chinese_unit(text, after)
            if next_unit is None or next_unit.measure != _TIME or next_unit.factor >= last:
                break
            total = EXACT.add(total, EXACT.multiply(part.value, next_unit.factor))
            step = EXACT.multiply(part.step, next_unit.factor)
            last, at, digits = next_unit.factor, after + size, max(3, digits + part.digits)
        return Tail(single(Amount(total, step, digits), _TIME, written), at, "", over)
