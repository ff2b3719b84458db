"""Walks over a text once and finds the values in it."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from evidencegate_server.judge.values.clock import ClockReader, shifted
from evidencegate_server.judge.values.framing import Framing
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.values.numerals import MAX_NUMBER_CHARS, ONE, ZERO, Amount, amount, scaled
from evidencegate_server.judge.values.quantities import Tail, UnitReader, in_unit, single
from evidencegate_server.judge.values.spelled import SpelledReader
from evidencegate_server.judge.values.tables import Tables

_NAME_TAIL = re.compile(r"[0-9A-Za-z_]*(?:[-.@][0-9A-Za-z_]+)*")
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_ATTACHED = re.compile(r"(?:[A-Za-z]{2,5}|%)(?=[;)\]}|\"'\n]|\Z|[ ]{2}|[ ]\()")  # a unit with nothing behind it
_MANY_DASHES = re.compile(r"(?:-[0-9]+){2,}")
_CPU_BEFORE: Final = 24  # characters in which a word for CPU may stand
_MONTH_BACK: Final = 12  # the same for a month
_LAST_HOUR: Final = 12  # of half a day
_BARE_END: Final = ",;)]}|\"'\n"  # what may stand behind a number that nothing else belongs to; so may nothing
_BARE_START: Final = "/:|=\"'([{\n"
_BARE_NEXT: Final = frozenset(" 0123456789|,;)]}\n")  # behind a blank
_BARE_LAST: Final = frozenset("0123456789|:;,=)\n")  # before a blank
_SHORT: Final = 20
_COMPARING: Final = frozenset("!<>=~")  # before an equals sign they make a comparison of it
_RAISED: Final = "²³¹⁰⁴⁵⁶⁷⁸⁹½⅓⅔¼¾⅛"  # behind a number they make another one of it
_SIGNS: Final = "-+−."
_MILLI: Final = Decimal("0.001")


def _closes(text: str, end: int) -> bool:
    """Returns whether nothing behind a number belongs to it: most cells of tables and fields are so."""
    char = text[end : end + 1]
    if char == " ":
        char = text[end + 1 : end + 2]
        return not char or char in _BARE_NEXT
    if char == "/" or char == ":":
        return text[end + 1 : end + 2].isdigit()
    return char in _BARE_END


def _opens(text: str, start: int, end: int) -> bool:
    """Returns whether neither a word nor a sign before a number belongs to it."""
    if not start:
        return True
    char = text[start - 1]
    if (char == "=" or text[start - 2 : start] == "= ") and text[max(0, start - 3) : start].rstrip()[
        -2:-1
    ] in _COMPARING:
        return False
    if char == " ":
        if start > 2 and text[start - 2] == " ":  # `Sep  6` is a date
            return end - start > 2 or text[start - 3] in _BARE_LAST or text[start - 3] == " "
        return start > 1 and text[start - 2] in _BARE_LAST
    return char in _BARE_START


@lru_cache(maxsize=8192)
def _plain(written: str) -> Quantity:
    return single(amount(written))


class Scanner:
    """Finds values from left to right. `m` is a minute, or with a word for CPU before it a millicore."""

    __slots__ = ("_attached", "_cpu", "clock", "framing", "spelled", "tables", "units")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.units = UnitReader(tables)
        self.clock = ClockReader(tables)
        self.framing = Framing(tables, self.units)
        self.spelled = SpelledReader(tables, self.units, self.framing)
        self._attached = lru_cache(maxsize=8192)(self._read_attached)
        self._cpu = re.compile(
            rf"(?<![a-z])(?:{'|'.join(map(re.escape, tables.words.key_cpu))})(?![a-z])", re.IGNORECASE
        )

    def scan(self, text: str) -> list[Mention]:
        """Returns the mentions in their order, without overlaps."""
        found = self._digits(text)
        words = self.spelled.words(text, found)
        if words:
            found += words
            found.sort(key=lambda mention: mention.start)
        return found

    def _digits(self, text: str) -> list[Mention]:
        found: list[Mention] = []
        search = (self.tables.ascii_start if text.isascii() else self.tables.start).search
        at = last = 0
        while (match := search(text, at)) is not None:
            start, end = match.span()
            kind = match.lastgroup
            mention: Mention | None = None
            if kind in ("part", "name") and found and found[-1].end == last and start == last + (kind == "name"):
                plain = _PLAIN.match(text, start)  # right behind a value: 5s-10s, 3m/7s
                if plain is not None:
                    kind, end = "number", plain.end()
            if kind == "number":
                quick = self._quick(text, start, end) if end - start < _SHORT and _opens(text, start, end) else None
                if quick is not None:
                    found.append(quick)
                    last = at = quick.end
                    continue
                mention, at = self._number(text, start, end, last)
            elif kind in ("part", "name", "hex", "dotted"):
                at = end
            elif kind == "numeral":
                mention, at = self.spelled.numeral(text, start, end, last)
            else:
                mention, at = self._instant(text, start, end, last, kind or "")
            if mention is not None:
                found.append(mention)
                last = at = mention.outer_end
            at = max(at, start + 1)
        return found

    def _quick(self, text: str, start: int, end: int) -> Mention | None:
        """Returns the value of a number that nothing before it belongs to, where its right side is as plain."""
        if _closes(text, end):
            if _begins_list(text, start, end):
                end = text.index(",", start)
            return Mention(_plain(text[start:end]), start, end, start, end)
        unit = _ATTACHED.match(text, end)
        value = None if unit is None else self._attached(text[start:end], unit[0])
        if unit is None or value is None:
            return None
        return Mention(value, start, unit.end(), start, unit.end())

    def _read_attached(self, written: str, unit: str) -> Quantity | None:
        entry = self.tables.plain_units.get(unit)
        return None if entry is None else in_unit(amount(written), entry, unit)

    def _number(self, text: str, start: int, end: int, last: int) -> tuple[Mention | None, int]:
        written = text[start:end]
        if _begins_list(text, start, end):
            end = start + written.index(",")
            written = text[start:end]
        if end - start > MAX_NUMBER_CHARS:
            return None, _name_end(text, end)
        if _in_name(text, end):
            return None, _name_end(text, end)
        if end - start <= 2 and self._may_be_instant(text, start, end):
            instant = self._by_words(text, start, end, last)
            if instant is not None:
                return instant
        number, begin = _signed(text, start, amount(written), written, last)
        tail = self.units.read(text, end, number)
        if tail is None:
            return None, _name_end(text, end)
        tail, begin = self._by_context(text, start, begin, number, tail, last)
        return self.framing.quantity(text, begin, tail.end, tail, last), tail.end

    def _by_context(self, text: str, start: int, begin: int, number: Amount, tail: Tail, last: int) -> tuple[Tail, int]:
        """Returns millicores where CPU stands before 12m, and money where a currency sign does."""
        value = tail.quantity
        if value.unit == "m" and value.measure == "time" and self._cpu.search(text, max(0, start - _CPU_BEFORE), start):
            return Tail(single(scaled(number, _MILLI), "cores", value.unit), tail.end, tail.counted, tail.over), begin
        if value.measure == COUNT and begin > last:
            sign = text[begin - 1]
            money = self.tables.money.get(sign)
            if money is not None:
                return Tail(single(number, money.measure, sign), tail.end, tail.counted, tail.over), begin - 1
        return tail, begin

    def _may_be_instant(self, text: str, start: int, end: int) -> bool:
        """Returns whether a look at the words is worth while."""
        if start > 3 and text[start - 1] == " " and text[start - 2] in self.tables.month_ends:
            return True
        ahead = text[end : end + 1]
        if ahead == " ":
            ahead = text[end + 1 : end + 2]
        return ahead in self.tables.hour_starts

    def _by_words(self, text: str, start: int, end: int, last: int) -> tuple[Mention, int] | None:
        """Reads `Feb 22`, `3 pm` and `10 点`, whose words alone make the number an instant."""
        begin = start
        read: tuple[Instant, int] | None = None
        if start > 3 and text[start - 1] == " " and text[start - 2] in self.tables.month_ends:
            lead = text[max(0, start - _MONTH_BACK) : start].split()
            name = lead[-1].strip("[(\"'.") if lead else ""
            month = self.tables.months.get(name)
            if month is not None:
                read = self.clock.month_first(text, start, end, month)
                begin = text.rindex(name, 0, start)
        if read is None:
            begin = start
            ahead = text[end + 1 : end + 2] if text[end : end + 1] == " " else text[end : end + 1]
            read = self._hour(text, start, end) if ahead in self.tables.hour_starts else None
        if read is None:
            return None
        return self.framing.instant(text, begin, read[1], read[0], last), read[1]

    def _hour(self, text: str, start: int, end: int) -> tuple[Instant, int] | None:
        """Reads `3 pm` and 10 点 5 分."""
        tables = self.tables
        half = tables.half_day_after.match(text, end)
        hour = int(text[start:end])
        if half is not None:
            if hour > _LAST_HOUR:
                return None
            seconds = shifted(Decimal(hour * 3600), half[1] in tables.afternoon)
            return self.clock.with_zone(text, Instant(None, None, None, seconds, Decimal(3600), None), half.end())
        before = text[max(0, start - _MONTH_BACK) : start].rstrip()
        dated = tables.half_days.before(before) is not None or before.endswith(tables.days)
        return self.clock.chinese_hour(text, hour, end, dated)

    def _instant(self, text: str, start: int, end: int, last: int, kind: str) -> tuple[Mention | None, int]:
        clock = self.clock
        if kind == "date":
            read = clock.numeric_date(text, start, end)
        elif kind == "cdate":
            read = clock.chinese_date(text, start, end)
        elif kind == "dmy":
            read = clock.day_first(text, start, end)
        else:
            tail = text[max(0, start - 16) : start].rstrip(self.tables.joints).lower()
            if tail.endswith(self.tables.durations):
                value = clock_duration(text[start:end])
                if value is not None:
                    return Mention(value, start, end, start, end), end
            read = clock.clock(text, start, end)
        if read is None:
            return None, end
        return self.framing.instant(text, start, read[1], read[0], last), read[1]


def _begins_list(text: str, start: int, end: int) -> bool:
    """Returns whether a comma in a number parts two: in a list, and behind a 0, which begins no thousands."""
    written = text[start:end]
    return "," in written and (written.startswith("0,") or text[start - 1 : start] in ("[", ","))


def _signed(text: str, start: int, number: Amount, written: str, last: int) -> tuple[Amount, int]:
    """Returns the number with the sign or point before it, and where it begins."""
    if start <= last:
        return number, start
    sign, before = text[start - 1], text[start - 2 : start - 1] if start > 1 else ""
    if sign not in _SIGNS or before.isalnum() or before == ".":
        return number, start
    if sign == ".":  # .5, and no part of a longer name, as an object identifier is (.1.3.6)
        return (number, start) if "." in written or "," in written else (amount(f"0.{written}"), start - 1)
    if sign == "+":
        return number, start - 1
    return Amount(-number.value, number.step, number.digits), start - 1


def _in_name(text: str, end: int) -> bool:
    """Returns whether what follows a number makes it part of a name: 2-3-4, 10.example.com."""
    following = text[end : end + 1]
    if following in _RAISED and following:
        return True
    if following == "-":
        return _MANY_DASHES.match(text, end) is not None
    return following == "." and text[end + 1 : end + 2].isascii() and text[end + 1 : end + 2].isalpha()


def clock_duration(written: str) -> Quantity | None:
    """Returns the length of time of h:m:s, d-h:m:s or m:s."""
    days, _, rest = written.rpartition("-")
    parts = [Decimal(part) for part in rest.replace(",", ".").split(":")]
    total = ZERO
    for part in parts:
        total = total * 60 + part
    if days:
        total += Decimal(days) * 86400
    return single(Amount(total, ONE, 3), "time", "")


def _name_end(text: str, at: int) -> int:
    match = _NAME_TAIL.match(text, at)
    return at if match is None else match.end()
