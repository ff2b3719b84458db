"""Reads lengths of time in several parts: 1h30m, 5 minutes 30 seconds, 3 days 4:05, 3 分 12 秒, 五分半钟."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.values.numerals import EXACT, MAX_NUMBER_CHARS, ONE, Amount, amount, scaled
from evidencegate_server.judge.values.tables import Tables, UnitEntry

TIME: Final = "time"
_UNIT = re.compile(r"[ \t]?([A-Za-zµμ]+)")
_PART = re.compile(r"(,?[ \t]?(?:and[ \t])?)([0-9]+(?:\.[0-9]+)?)([ \t]?)([A-Za-zµμ]+)")
_CLOCK = re.compile(r",?[ \t]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?![0-9:])")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_HALF: Final = Decimal("0.5")
_DAY: Final = Decimal(86400)
_HOUR: Final = Decimal(3600)
_MINUTE: Final = Decimal(60)
_MAX_PARTS: Final = 6
_MAX_NUMERALS: Final = 4  # characters of a number in one part: 三十二
_PRECISE: Final = 3  # significant digits that a length of several parts has at least


class DurationReader:
    """Reads on behind the first number of a length of time."""

    __slots__ = ("tables",)

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def latin(self, text: str, end: int, number: Amount) -> tuple[Amount, int, str] | None:
        """Returns the whole length, its end and its first unit; None where the token goes on and is a name."""
        match = _UNIT.match(text, end)
        unit = None if match is None else self._unit(match[1])
        if match is None or unit is None:
            return None
        written, last, at = match[1], unit.factor, match.end()
        total, parts = scaled(number, last), 1
        while parts < _MAX_PARTS and (more := self._part(text, at, last, match[0] == written)) is not None:
            part, last, at = more
            total = Amount(EXACT.add(total.value, part.value), part.step, max(_PRECISE, total.digits))
            parts += 1
        if last >= _DAY and (clock := _CLOCK.match(text, at)) is not None:
            rest = Decimal(int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3] or 0))
            step = ONE if clock[3] else _MINUTE
            total, at = Amount(EXACT.add(total.value, rest), step, max(_PRECISE, total.digits)), clock.end()
        following = text[at : at + 1]
        if following == "_" or (following.isalnum() and following.isascii()):
            return None
        if parts == 1 and (half := self.tables.and_half.match(text, at)) is not None:
            total, at = Amount(EXACT.add(total.value, last * _HALF), last * _HALF, total.digits + 1), half.end()
        return total, at, written

    def _unit(self, token: str) -> UnitEntry | None:
        unit = self.tables.symbols.get(token) or self.tables.unit_words.get(token.lower())
        return unit if unit is not None and unit.measure == TIME and not unit.rough else None

    def _part(self, text: str, at: int, last: Decimal, attached: bool) -> tuple[Amount, Decimal, int] | None:
        """Returns one further part in a smaller unit, its factor and its end."""
        match = _PART.match(text, at)
        if match is None or len(match[2]) > MAX_NUMBER_CHARS or (attached and match[3]):
            return None
        if match[1][:1] == "," and last < _HOUR:
            return None
        unit = self._unit(match[4])
        if unit is None or unit.factor >= last:
            return None
        return scaled(amount(match[2]), unit.factor), unit.factor, match.end()

    def chinese(
        self, text: str, at: int, number: Amount, unit: UnitEntry, written: str, half: Decimal
    ) -> tuple[Amount, int]:
        """Returns the whole length and its end; `half` is what 个半 before the unit adds."""
        last = unit.factor
        value = EXACT.multiply(EXACT.add(number.value, half), last)
        step = EXACT.multiply(half or number.step, last)
        if text[at : at + 1] in self.tables.halves and not half:
            whole = Amount(EXACT.add(value, last * _HALF), last * _HALF, number.digits + 1)
            return whole, at + (2 if self._ends_unit(written, text[at + 1 : at + 2]) else 1)
        total = Amount(value, step, number.digits + (1 if half else 0))
        for _ in range(_MAX_PARTS):
            more = self._chinese_part(text, at, last)
            if more is None:
                break
            part, last, at = more
            total = Amount(EXACT.add(total.value, part.value), part.step, max(_PRECISE, total.digits + part.digits))
        return total, at

    def _ends_unit(self, written: str, char: str) -> bool:
        """Returns whether the character is what 五分半钟 has of its unit behind the half."""
        units = self.tables.chinese_units.get(written[0], ())
        return bool(char) and any(word == written + char for word, _ in units)

    def _chinese_part(self, text: str, at: int, last: Decimal) -> tuple[Amount, Decimal, int] | None:
        if text[at : at + 1] in self.tables.part_joints:
            at += 1
        match = _NUMBER.match(text, at)
        if match is not None:
            part = amount(match[0]) if len(match[0]) <= MAX_NUMBER_CHARS else None
            at = match.end()
        else:
            begin = at
            known = self.tables.chinese
            while at < begin + _MAX_NUMERALS and (
                text[at : at + 1] in known.digits or text[at : at + 1] in known.magnitudes
            ):
                at += 1
            part = known.read(text[begin:at]) if at > begin else None
        if part is None:
            return None
        at += text[at : at + 1] in (" ", "\t")
        unit, size = self.tables.chinese_unit(text, at)
        if unit is None or unit.measure != TIME or unit.factor >= last:
            return None
        return scaled(part, unit.factor), unit.factor, at + size
