"""Puts other clock times into a claim, and knows what in a text is a time, a date or an address and no amount."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tools.twin_mutators.model import TrueClaim, first_few
from tools.twin_mutators.rows import rows, tokens

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*"
_HOURS = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?![\d:])"
_CLOCK = rf"(?<![\d:.]){_HOURS}"
NO_AMOUNT: Final = re.compile(
    rf"{_MONTH} +\d{{1,2}} +{_HOURS} \d{{4}}|"
    rf"\d{{4}}[-/]\d\d?[-/]\d\d?(?:[T ]{_HOURS})?|{_CLOCK}"
    rf"|\d{{1,2}} {_MONTH}(?: \d{{4}})?|{_MONTH} \d{{1,2}}(?:, \d{{4}})?"
    r"|\d{2,4} ?年|\d{1,2} ?月(?: ?\d{1,2} ?[日号])?|\d{1,3}(?:\.\d{1,3}){3}|v?\d+(?:\.\d+){2,}"
)
"""Dates and times, addresses and versions: their digits are no amounts."""

_TIME: Final = re.compile(r"(?<![\d:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?P<rest>:[0-5]\d)?(?![\d:])")
_SPAN_BEFORE: Final = re.compile(
    r"(?:before|after|since|until|till|by|from|between|to|and|as of|自|从|到|至|于|[-~—–])\s*(?:about\s+)?$",
    re.IGNORECASE,
)
_SPAN_AFTER: Final = re.compile(
    r"[^,，。;；\d]{0,12}?(?:前(?!后)|(?<!前)后|起(?!来)|以来|以前|以后|之前|之后|之间|期间|以后)"
    r"|\s*(?:UTC )?(?:to|and|until|至|到|[-~—–])\s*\d",
    re.IGNORECASE,
)
_SHIFTS_MINUTES: Final = (17, 180)  # more than "around" allows, and no zone of the common ones


def shifted_time(case: TrueClaim) -> Iterator[str]:
    """Shifts a clock time by minutes and by hours.

    Left out for ends of a span, where a wider or weaker one stays true, and where the evidence has the other time.
    """

    def twins() -> Iterator[str]:
        for match in _points(case.claim):
            for shift in _SHIFTS_MINUTES:
                total = (int(match["hour"]) * 60 + int(match["minute"]) + shift) % (24 * 60)
                new = f"{total // 60:02}:{total % 60:02}"
                if new not in case.evidence and new not in case.claim:
                    yield case.replaced(match.start(), match.end("minute"), new)

    return first_few(twins(), case.claim)


def other_time(case: TrueClaim) -> Iterator[str]:
    """Puts another clock time of the evidence in the place of the claim's.

    Left out where the claim's own is not written so in the evidence, and where no other word of the claim stands beside
    the one time and not beside the other: an event can come twice.
    """

    def twins() -> Iterator[str]:
        for match in _points(case.claim):
            old = match[0]
            if not any(old in row for row in rows(case.texts)):
                continue
            for new in _times(case, with_seconds=match["rest"] is not None):
                if new[:5] != old[:5] and _apart_by_time(case, old, new):
                    yield case.replaced(match.start(), match.end(), new)
                    break

    return first_few(twins(), case.claim)


def _apart_by_time(case: TrueClaim, old: str, new: str) -> bool:
    def beside(time: str) -> frozenset[str]:
        found: frozenset[str] = frozenset()
        for row in rows(case.texts):
            if time in row:
                found |= tokens(NO_AMOUNT.sub(" ", row))
        return found

    said = tokens(NO_AMOUNT.sub(" ", case.claim))
    return not said.isdisjoint(beside(old) - beside(new))


def _times(case: TrueClaim, *, with_seconds: bool) -> list[str]:
    found = []
    for match in _TIME.finditer(case.evidence):
        short = f"{match['hour']}:{match['minute']}"
        if with_seconds and match["rest"]:
            found.append(match[0])
        elif not with_seconds:
            found.append(short)
    return list(dict.fromkeys(time for time in found if time not in case.claim))


def _points(claim: str) -> Iterator[re.Match[str]]:
    """Returns the clock times of a claim that are points in time and no ends of a span."""
    for match in _TIME.finditer(claim):
        if not _SPAN_BEFORE.search(claim[: match.start()]) and not _SPAN_AFTER.match(claim, match.end()):
            yield match
