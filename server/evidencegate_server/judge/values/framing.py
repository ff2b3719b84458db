"""Adds to a value what the words beside it say: bounds, roughness, a rate, a zone."""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.values.clock import shifted
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT, ZERO
from evidencegate_server.judge.values.quantities import Tail, UnitReader
from evidencegate_server.judge.values.tables import Tables

_LOOK_BACK: Final = 40  # characters before a number in which words about it may stand
_RATE_BACK: Final = 14  # the same for 每秒
_IDEOGRAPHS: Final = "\u2e7f"


class Framing:
    """Makes mentions of values whose place is known; `last` is where the mention before them ends."""

    __slots__ = ("tables", "units")

    def __init__(self, tables: Tables, units: UnitReader) -> None:
        self.tables = tables
        self.units = units

    def quantity(self, text: str, start: int, end: int, tail: Tail, last: int) -> Mention:
        """Adds to a value what the words beside it say: bounds, roughness, a rate."""
        value = tail.quantity
        tables = self.tables
        outer_start, outer_end = start, end
        if tail.over:
            value = _slightly_over(value)
        before = text[start - 1 : start]
        if before == " ":
            before = text[start - 2 : start - 1]
        if before in tables.comparator_ends and start > last:
            floor = max(last, start - _LOOK_BACK)
            lead = text[floor:start].rstrip(" ").lower()
            if lead:
                value, said = self._compared(text, lead, end, value)
                outer_start = floor + len(lead) - said if said else start
        if before > _IDEOGRAPHS and start > last:
            value, outer_start = self._rate_before(text, max(last, start - _LOOK_BACK), start, value, outer_start)
        at = end + 1 if text[end : end + 1] == " " else end
        if text[at : at + 1].lower() in tables.comparator_starts:
            after = tables.comparators.after(text, at)
            if after is not None and not self.units.excepted(text, at):
                value = bounded(value, after[0])
                outer_end = at + after[1]
            elif after is None and text[at] in tables.over and value.unit and not self.units.excepted(text, at):
                value, outer_end = _slightly_over(value), at + 1  # 8 MB 多
        return Mention(value, start, end, outer_start, outer_end, tail.counted)

    def _compared(self, text: str, lead: str, end: int, value: Quantity) -> tuple[Quantity, int]:
        """Returns the value as the words that end `lead` bound it, and how many characters say so."""
        tables = self.tables
        rest = lead
        said = 0
        for _ in range(2):  # more than about 5
            side = tables.comparators.before(rest)
            if side is None and rest[-1:] in tables.filler_ends:
                rest = self._without_filler(rest)
                side = tables.comparators.before(rest)
            if side is None or rest.endswith(tables.comparator_exceptions):
                break
            kind, size = side
            if size == 1 and rest[-1] == ">" and rest[-2:-1] in ("-", "="):
                break
            if kind != "about" and tables.reference.match(text, end):
                break
            rest = rest[: len(rest) - size]
            stripped = rest.rstrip(" ")
            if kind != "about" and stripped[-1:].isdigit():  # 5 > 3 compares those two, `x14 over 31m` nothing
                break
            if kind in _TURNED and stripped.endswith(tables.negators):
                negator = max((word for word in tables.negators if stripped.endswith(word)), key=len)
                kind, rest = _TURNED[kind], stripped[: len(stripped) - len(negator)]
            value = bounded(value, kind)
            said = len(lead) - len(rest)
            if kind != "about":
                break
            rest = stripped
        return value, said

    def _without_filler(self, lead: str) -> str:
        for filler in self.tables.fillers:
            if lead.endswith(filler) and (not filler.isascii() or lead[-len(filler) - 1 : -len(filler)] == " "):
                return lead[: -len(filler)].rstrip(" ")
        return lead

    def _rate_before(self, text: str, floor: int, start: int, value: Quantity, outer: int) -> tuple[Quantity, int]:
        if value.measure not in (COUNT, "size", "bits") or value.low is None:
            return value, outer
        match = self.tables.chinese_rate.search(text, max(floor, start - _RATE_BACK), start)
        if match is None:
            return value, outer
        seconds = self.tables.chinese_rates[match[1]]
        name = f"{value.measure or 'count'}/time"
        low, high = (None if bound is None else EXACT.divide(bound, seconds) for bound in (value.low, value.high))
        step = EXACT.divide(value.step, seconds)
        return replace(value, low=low, high=high, step=step, measure=name, unit=value.unit or match[1]), min(
            outer, match.start()
        )

    def instant(self, text: str, start: int, end: int, instant: Instant, last: int) -> Mention:
        """Adds the zone and the words of relation beside an instant."""
        tables = self.tables
        outer_start, outer_end = start, end
        floor = max(last, start - _LOOK_BACK)
        lead = text[floor:start].rstrip(" (（").lower()
        shown = len(lead)
        instant, lead = self._part_of_day(instant, lead)
        if len(lead) < shown:
            outer_start = floor + len(lead)
            lead = lead.rstrip(" ")
        spaces = 0
        zone = tables.zones_before.before(lead) if lead and instant.offset is None else None
        if zone is not None:
            instant = replace(instant, offset=tables.zones.get(zone[0]))
            whole = lead[: -zone[1]]
            lead = whole.rstrip(" ")
            spaces = len(whole) - len(lead)
            outer_start = floor + len(lead) + spaces
        if lead:
            side = tables.instant_bounds.before(lead)
            if side is None and lead[-1] in tables.filler_ends:
                lead = self._without_filler(lead)
                side = tables.instant_bounds.before(lead)
            if side is not None:
                instant = replace(instant, bound=side[0])
                outer_start = floor + len(lead) - side[1]
            else:
                rough = tables.comparators.before(lead)
                if rough is not None and rough[0] == "about":
                    instant = replace(instant, about=True)
                    outer_start = floor + len(lead) - rough[1]
        at = end + 1 if text[end : end + 1] == " " else end
        rough = tables.comparators.after(text, at)
        if rough is not None and rough[0] == "about":
            instant = replace(instant, about=True)
            return Mention(instant, start, end, outer_start, at + rough[1])
        after = tables.instant_bounds.after(text, at)
        if after is not None:
            instant = replace(instant, bound=after[0])
            outer_end = at + after[1]
        return Mention(instant, start, end, outer_start, outer_end)

    def _part_of_day(self, instant: Instant, lead: str) -> tuple[Instant, str]:
        """Returns an instant as 晚上 or `the evening of` before it makes it, and the text before those words."""
        tables = self.tables
        if instant.seconds is not None:
            half = tables.half_days.before(lead)
            if half is None:
                return instant, lead
            return replace(instant, seconds=shifted(instant.seconds, half[0] == "pm")), lead[: -half[1]]
        if instant.day is None or not lead.endswith(" of"):
            return instant, lead
        part = tables.day_part_of.search(lead)
        if part is None:
            return instant, lead
        first, last = tables.day_parts[part[1]]
        return replace(instant, seconds=first, width=last - first), lead[: part.start()]


_TURNED: Final = {"more": "most", "less": "least", "least": "less", "most": "more"}


def bounded(value: Quantity, kind: str) -> Quantity:
    """Returns the quantity as the bound that a word of comparison makes of it."""
    low, high, low_open, high_open = value.low, value.high, value.low_open, value.high_open
    if kind == "other":
        return replace(value, low=None, high=None, other_than=low) if low == high else value
    if kind in ("least", "more"):
        high, low_open, high_open = None, kind == "more", False
    elif kind in ("most", "less"):
        low, low_open, high_open = None, False, kind == "less"
    about = value.about or kind == "about"
    return Quantity(
        low, high, value.measure, value.step, value.digits, value.unit, low_open, high_open, about, loose=value.loose
    )


def _slightly_over(value: Quantity) -> Quantity:
    """Returns [30, 40) for 30 多, [8, 9) for 8 多: up to the next of the last place that is not 0."""
    if value.low is None or value.low != value.high:
        return value
    step = value.step
    while step > ZERO and value.low and value.low % (step * 10) == 0 and step * 10 <= value.low:
        step *= 10
    return replace(value, high=value.low + step, high_open=True)
