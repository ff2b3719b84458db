"""Reads dates and clock times, and joins those that are written apart."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.values.calendar import DAY_SECONDS, MONTH_DAYS, civil_from_days
from evidencegate_server.judge.values.model import Instant
from evidencegate_server.judge.values.numerals import EXACT
from evidencegate_server.judge.values.tables import Tables

_NUMBERS = re.compile("[0-9]+")
_MAX_OFFSET: Final = 14 * 60
_YEARS: Final = range(1900, 2200)
_NOON: Final = Decimal(43200)
_HOUR: Final = Decimal(3600)
_MINUTE: Final = Decimal(60)
_SECOND: Final = Decimal(1)
_DAY: Final = Decimal(DAY_SECONDS)
_MONTH: Final = Decimal(DAY_SECONDS * 31)


def day(year: int | None, month: int, number: int | None) -> Instant | None:
    """Returns a date, None where the calendar has none such."""
    if not 1 <= month <= 12 or (number is not None and not 1 <= number <= MONTH_DAYS[month - 1]):
        return None
    if year is not None and year not in _YEARS:
        return None
    return Instant(year, month, number, None, _MONTH if number is None else _DAY, None)


@lru_cache(maxsize=4096)
def seconds_of(hour: str, minute: str, second: str | None, fraction: str | None) -> tuple[Decimal, Decimal] | None:
    """Returns the seconds of the day and the width of what is named, None past the day's end."""
    hours, minutes = int(hour), int(minute)
    if hours > 24 or minutes > 59 or (hours == 24 and (minutes or int(second or 0))):
        return None
    total = hours * 3600 + minutes * 60
    if second is None:
        return Decimal(total), _MINUTE
    if int(second) > 60:
        return None
    if fraction is None:
        return Decimal(total + int(second)), _SECOND
    exact = Decimal(f"{total + int(second)}.{fraction}")
    return exact, Decimal((0, (1,), -len(fraction)))


def from_epoch(value: Decimal, unit: Decimal) -> Instant:
    """Returns the instant so many units of `unit` seconds after 1970 in UTC."""
    total = EXACT.multiply(value, unit)
    days = int(total // DAY_SECONDS)
    year, month, number = civil_from_days(days)
    return Instant(year, month, number, total - days * DAY_SECONDS, min(unit, _SECOND), 0)


class ClockReader:
    """Reads an instant whose first digit is known. Each method returns it with its end, None where there is none."""

    __slots__ = ("tables",)

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def numeric_date(self, text: str, start: int, end: int) -> tuple[Instant, int] | None:
        """Reads on behind 2024-05-01 or 2024/5/1."""
        year, month, number = _NUMBERS.findall(text, start, end)
        date = day(int(year), int(month), int(number))
        return None if date is None else self.with_time(text, date, end)

    def chinese_date(self, text: str, start: int, end: int) -> tuple[Instant, int] | None:
        """Reads on behind 2024 年 5 月 1 日, 5 月 1 日 or 2024 年 5 月."""
        parts = [int(part) for part in _NUMBERS.findall(text, start, end)]
        if len(parts) == 3:
            date = day(*parts)
        elif parts[0] >= 1000:
            date = day(parts[0], parts[1], None)
        else:
            date = day(None, parts[0], parts[1])
        return None if date is None else self.with_time(text, date, end)

    def day_first(self, text: str, start: int, end: int) -> tuple[Instant, int] | None:
        """Reads on behind 25/Feb/2019 or 21 October 2025."""
        numbers = _NUMBERS.findall(text, start, end)
        name = re.search("[A-Za-z]{3,}", text[start:end].replace("of ", "   "))
        if name is None:
            return None
        date = day(int(numbers[1]) if len(numbers) > 1 else None, self.tables.months[name[0]], int(numbers[0]))
        return None if date is None else self.with_time(text, date, end)

    def month_first(self, text: str, start: int, end: int, month: int) -> tuple[Instant, int] | None:
        """Reads on behind `Feb 22`; the year may stand before the time, behind it, or nowhere."""
        date = day(None, month, int(text[start:end]))
        if date is None:
            return None
        if text[end : end + 2] in ("st", "nd", "rd", "th"):
            end += 2
        year = self.tables.year_tail.match(text, end)
        if year is not None:
            return self.with_time(text, replace(date, year=int(year[1])), year.end())
        instant, at = self.with_time(text, date, end)
        if instant.seconds is not None:
            late = self.tables.year_tail.match(text, at)
            if late is not None:
                instant, at = replace(instant, year=int(late[1])), late.end()
                if instant.offset is None:
                    return self.with_zone(text, instant, at)
        return instant, at

    def with_time(self, text: str, date: Instant, end: int) -> tuple[Instant, int]:
        """Adds the clock time and zone right behind a date."""
        match = self.tables.time_tail.match(text, end)
        if match is not None and date.day is not None:
            read = seconds_of(match[1], match[2], match[3], match[4])
            if read is not None:
                seconds, at = self.half_day(text, read[0], match.end())
                instant = Instant(date.year, date.month, date.day, seconds, read[1], None)
                return self.with_zone(text, instant, at)
        if text[end : end + 1] in ("", ",", "\n", "]", '"', ";", ")", "."):
            return date, end
        zone = self.tables.named_zone.match(text, end)
        if zone is not None:
            return replace(date, offset=self.tables.zones.get(zone[1])), zone.end()
        part = self.tables.day_part_after.match(text, end)
        if part is None or date.day is None:
            return date, end
        first, last = self.tables.day_parts[part[1]]
        return replace(date, seconds=first, width=last - first), part.end()

    def clock(self, text: str, start: int, end: int) -> tuple[Instant, int] | None:
        """Reads on behind 10:05 or 10:05:30.123."""
        parts = _NUMBERS.findall(text, start, end)
        parts += [None] * (4 - len(parts))
        read = seconds_of(parts[0], parts[1], parts[2], parts[3])
        if read is None:
            return None
        seconds, at = self.half_day(text, read[0], end)
        return self.with_zone(text, Instant(None, None, None, seconds, read[1], None), at)

    def half_day(self, text: str, seconds: Decimal, end: int) -> tuple[Decimal, int]:
        """Applies a.m. or p.m. behind a time of day."""
        if text[end : end + 1] not in (" ", "a", "p", "A", "P"):
            return seconds, end
        match = self.tables.half_day_after.match(text, end)
        if match is None or seconds >= _NOON + _HOUR:
            return seconds, end
        return shifted(seconds, match[1] in self.tables.afternoon), match.end()

    def chinese_hour(self, text: str, number: int, end: int, dated: bool) -> tuple[Instant, int] | None:
        """Reads `点 5 分` behind an hour; `dated` says that a date or a part of the day stands before it."""
        match = self.tables.chinese_clock.match(text, end)
        if match is None or number > 24:
            return None
        minute, second, half, sharp = match.groups()
        if not (dated or minute or half or sharp or self._bounded(text, match.end())):
            return None
        read = seconds_of(str(number), minute or ("30" if half else "0"), second, None)
        if read is None:
            return None
        width = read[1] if minute or half or sharp else _HOUR
        return self.with_zone(text, Instant(None, None, None, read[0], width, None), match.end())

    def _bounded(self, text: str, at: int) -> bool:
        return (
            self.tables.instant_bounds.after(text, at) is not None
            or self.tables.comparators.after(text, at) is not None
        )

    def with_zone(self, text: str, instant: Instant, end: int) -> tuple[Instant, int]:
        """Reads the zone behind a time."""
        if text[end : end + 1] in ("", ",", "\n", "]", '"', ";", ")"):
            return instant, end
        match = self.tables.zone.match(text, end)
        if match is None:
            return instant, end
        sign, hours, minutes, name, name_sign, name_hours, name_minutes = match.groups()
        if name is None:
            if text[end] in " \t" and minutes is None:  # ` -08` behind a blank is a number, ` -0800` a zone
                return instant, end
            if instant.width == _MINUTE and sign == "-" and text[end] == "-":  # 10:02-10:05 is a window
                return instant, end
            offset = _offset(sign, hours, minutes)
            if abs(offset) > _MAX_OFFSET or offset % 15:
                return instant, end
        elif name_sign:
            offset = _offset(name_sign, name_hours, name_minutes)
        else:
            named = self.tables.zones.get(name)
            if named is None:
                return instant, match.end()
            offset = named
        return replace(instant, offset=offset), match.end()


def shifted(seconds: Decimal, afternoon: bool) -> Decimal:
    """Returns the seconds of the day of a time on a twelve-hour clock."""
    if afternoon:
        return seconds + _NOON if seconds < _NOON else seconds
    return seconds - _NOON if _NOON <= seconds < _NOON + _HOUR else seconds


def _offset(sign: str, hours: str, minutes: str | None) -> int:
    east = int(hours) * 60 + int(minutes or 0)
    return -east if sign == "-" else east
