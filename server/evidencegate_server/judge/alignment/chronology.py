"""Tells which of two places of the evidence tells of the earlier time, by clocks, ages and the order of telling."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.values.model import Instant, Quantity

_AGE: Final = re.compile(r"(?:last[ _]?)?seen|age", re.IGNORECASE)
_ORDERS: Final = ("@order.", "@time_scope.earlier")


def behind(index: EvidenceIndex, one: Place, other: Place) -> Decimal | None:
    """Returns how many seconds later the other place tells of, negative for earlier, None where nothing says.

    Where only the order of telling says it, it is one second.
    """
    if index.records[one.record].source != index.records[other.record].source:
        return None
    time, other_time = _clock(index, one), _clock(index, other)
    if time is not None and other_time is not None:
        return _between(time, other_time)
    age, other_age = _age(index, one), _age(index, other)
    if age is not None and other_age is not None:
        return age - other_age
    if one.record != other.record or index.field_at(one) is not None or index.field_at(other) is not None:
        return None
    first, last = sorted((one, other), key=lambda place: place.start)
    for term in index.terms[one.record]:
        if first.start <= term.start <= last.end and any(name.startswith(_ORDERS) for name in term.names):
            return None
    return Decimal(0) if one.start == other.start else Decimal(1 if other.start > one.start else -1)


def _clock(index: EvidenceIndex, place: Place) -> Instant | None:
    """Returns the last time that stands before a place in its record; in a row or object, its only one."""
    found = [cell for cell in index.by_record.get(place.record, ()) if isinstance(cell.mention.value, Instant)]
    before = [cell for cell in found if cell.mention.start <= place.start]
    cell = before[-1] if before else found[0] if len(found) == 1 else None
    value = cell.mention.value if cell is not None else None
    return value if isinstance(value, Instant) and value.seconds is not None and not value.bound else None


def _between(one: Instant, other: Instant) -> Decimal | None:
    if one.offset != other.offset or (one.year, one.month, one.day) != (other.year, other.month, other.day):
        return None
    if one.seconds is None or other.seconds is None:
        return None
    return other.seconds - one.seconds


def _age(index: EvidenceIndex, place: Place) -> Decimal | None:
    """Returns how long ago a row says that it was seen, in seconds."""
    for cell in index.by_record.get(place.record, ()):
        value = cell.mention.value
        if _AGE.fullmatch(cell.cell.key) and isinstance(value, Quantity) and value.measure == "time":
            return value.low
    return None
