"""Finds values that are told in another way than the evidence means: in another zone, scale, or as another relation."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.compare import difference
from evidencegate_server.judge.values.model import Instant, Mention, Quantity

_HOUR: Final = 3600
_MOST_HOURS: Final = 24
_MINUTE: Final = 60  # seconds: a time that is told less exactly meets others by chance
_MOST_INSTANTS: Final = 12  # with more of them in the evidence only those of the claim's own records count
_MOST_SHARES: Final = 8
_HALF: Final = Decimal("0.5")

_IN_ANOTHER_ZONE: Final = "the clock shows this in another zone"
_PERCENT_OF_POINTS: Final = "percent are no percentage points"


class MistoldValues:
    """Asks one evidence whether the values of a claim are told in the way that it shows them."""

    def __init__(self, clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> None:
        self._clauses = clauses
        self._index = index

    def against(self, clause: ClauseAlignment, mention: Mention) -> tuple[str, Place] | None:
        """Returns why a value is mistold and the place that shows it, None where it is not."""
        value = mention.value
        if isinstance(value, Instant):
            place = self._zone(value)
            return None if place is None else (_IN_ANOTHER_ZONE, place)
        if clause.anchor < 0:
            return None
        place = self._points(clause, value)
        return None if place is None else (_PERCENT_OF_POINTS, place)

    def _zone(self, value: Instant) -> Place | None:
        """Returns the instant that a time with a zone would be, were its zone another one."""
        if value.offset is None or value.seconds is None or value.width > _MINUTE:
            return None
        few = len(self._index.instants) <= _MOST_INSTANTS
        for one in self._index.instants:
            shown = one.mention.value
            if isinstance(shown, Instant) and (few or self._is_spoken_of(one)) and _is_hours_off(value, shown):
                return Place(one.record, one.mention.start, one.mention.end)
        return None

    def _is_spoken_of(self, cell: ValueCell) -> bool:
        return any(clause.anchor >= 0 and self._index.in_scope(clause.anchor, cell.record) for clause in self._clauses)

    def _points(self, clause: ClauseAlignment, value: Quantity) -> Place | None:
        """Returns the greater of two shares whose difference in points is told in percent, or the other way round."""
        if value.measure not in ("share", "points") or value.low is None or value.low != value.high:
            return None
        shares = [
            (one, low) for one in self._index.scope_values(clause.anchor) if (low := _share(one.mention)) is not None
        ]
        for one, greater in shares if len(shares) <= _MOST_SHARES else ():
            for other, lesser in shares:
                if greater <= lesser or not (self._is_told(one) or self._is_told(other) or _compares(clause.clause)):
                    continue
                mixed = greater - lesser if value.measure == "share" else (greater / lesser - 1) * 100
                if abs(value.low - mixed) <= value.step * _HALF:
                    return Place(one.record, one.mention.start, one.mention.end)
        return None

    def _is_told(self, cell: ValueCell) -> bool:
        """Returns whether the claim states a value of the evidence."""
        return any(
            fact.standing in HELD
            and fact.place is not None
            and (fact.place.record, fact.place.start) == (cell.record, cell.mention.start)
            for clause in self._clauses
            for fact in clause.facts
        )


def _compares(clause: Clause) -> bool:
    return clause.marked("@change", "@comparison") is not None


def _share(mention: Mention) -> Decimal | None:
    value = mention.value
    single = isinstance(value, Quantity) and value.measure == "share" and value.low == value.high
    return value.low or None if single and isinstance(value, Quantity) else None


def _is_hours_off(claimed: Instant, shown: Instant) -> bool:
    """Returns whether two instants with zones are whole hours apart, as clocks of two zones are."""
    if shown.seconds is None or shown.offset is None:
        return False
    if claimed.month is None or shown.month is None:
        gap = difference(_clock(shown), _clock(claimed))
    else:
        year = claimed.year and shown.year
        gap = difference(_plain(shown, year), _plain(claimed, year))
    if not isinstance(gap, Quantity) or gap.low is None:
        return False
    hours = gap.low // _HOUR if gap.low >= 0 else -(-gap.low // _HOUR) - (1 if -gap.low % _HOUR else 0)
    rest = gap.low - hours * _HOUR
    return rest < claimed.width and 0 < abs(hours) <= _MOST_HOURS


def _plain(value: Instant, year: int | None) -> Instant:
    return replace(value, year=value.year if year else None, bound="", about=False)


def _clock(value: Instant) -> Instant:
    return replace(value, year=None, month=None, day=None, bound="", about=False)
