"""Counts days in the Gregorian calendar with whole numbers alone."""

from __future__ import annotations

from typing import Final

DAY_SECONDS: Final = 86400
MONTH_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""The most days that each month has."""


def days_from_civil(year: int, month: int, day: int) -> int:
    """Returns the days from 1970-01-01 to a date (H. Hinnant, chrono-compatible low-level date algorithms)."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Returns the year, month and day so many days after 1970-01-01."""
    days += 719468
    era = days // 146097
    of_era = days - era * 146097
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return year + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1
