"""Works out how long it took from one thing that a claim tells of to another, by the times of their records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.values.compare import AGREEING, compare, difference
from evidencegate_server.judge.values.model import Instant, Mention, Quantity

_MOST_RECORDS: Final = 8
_TIME: Final = "time"


def passage(mention: Mention, clauses: Sequence[ClauseAlignment], at: int, index: EvidenceIndex) -> Place | None:
    """Returns the later of two moments that lie as far apart as a clause says.

    Its own facts stand in the record of the one, and facts of the claim in that of the other: nothing else is tried,
    for among the times of a log some pair is always so far apart.
    """
    value = mention.value
    if not isinstance(value, Quantity) or value.measure != _TIME:
        return None
    own = _records(clauses[at : at + 1])[:_MOST_RECORDS]
    others = _records(clauses)[:_MOST_RECORDS]
    moments = {record: _moment(record, index) for record in (*own, *others)}
    for first in own:
        for second in others:
            one, other = moments[first], moments[second]
            if first == second or one is None or other is None:
                continue
            gap = _gap(one, other) if index.records[first].source == index.records[second].source else None
            if gap is not None and compare(value, gap) in AGREEING:
                later = max(one, other, key=lambda cell: cell.order)
                return Place(later.record, later.mention.start, later.mention.end)
    return None


def _records(clauses: Sequence[ClauseAlignment]) -> list[int]:
    """Returns the records that clauses tell of, in the order of what stands there."""
    found: dict[int, None] = {}
    for clause in clauses:
        if clause.anchor >= 0:
            found[clause.anchor] = None
        for fact in clause.facts:
            if fact.standing in HELD and fact.place is not None:
                found[fact.place.record] = None
    return list(found)


def _moment(record: int, index: EvidenceIndex) -> ValueCell | None:
    """Returns when a record was written: its own time, or that of the line that it belongs to."""
    while record >= 0:
        for one in index.by_record.get(record, ()):
            value = one.mention.value
            if isinstance(value, Instant) and value.seconds is not None:
                return one
            if one.cell.key == _TIME and index.records[record].kind is RecordKind.LINE:
                return one if isinstance(value, Quantity) and value.measure == _TIME else None
        record = index.records[record].parent
    return None


def _gap(one: ValueCell, other: ValueCell) -> Quantity | None:
    first, second = one.mention.value, other.mention.value
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        if first.low is None or second.low is None:
            return None
        apart = abs(second.low - first.low)
        return replace(first, low=apart, high=apart, step=max(first.step, second.step))
    gap = difference(second, first)
    if not isinstance(gap, Quantity) or gap.low is None or gap.low != gap.high:
        return None
    return replace(gap, low=abs(gap.low), high=abs(gap.low))
