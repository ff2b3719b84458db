"""Finds lengths of time between two lines: of one request or process, or of two things that a clause compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.lines import SUBJECTS
from evidencegate_server.judge.alignment.model import HELD, NAMED, NUMBERED, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.values.compare import AGREEING, compare, difference
from evidencegate_server.judge.values.model import Instant, Quantity

_MOST_ROWS: Final = 40
_LEAST: Final = Decimal(1)  # seconds: shorter ones are too easily met by chance
_BEHIND: Final = frozenset({"lag", "out_of_sync", "respond_slowly", "replication_lag"})


@record
class Span:
    """Where a length of time ends.

    `compares` says that it lies between two things, `turned` that the evidence shows them the other way round.
    """

    place: Place
    compares: bool = False
    turned: bool = False


def named(clause: ClauseAlignment) -> list[Fact]:
    """Returns the names of a clause that stand where it was found."""
    return [
        fact
        for fact in clause.facts
        if fact.kind is FactKind.NAME and fact.standing in HELD and fact.why in (NAMED, NUMBERED)
    ]


def shown_by_span(facts: Sequence[Fact], clause: ClauseAlignment, found: Span) -> list[Fact]:
    """Returns the facts of a clause with those words borne out that say which of two is behind."""
    if not found.compares:
        return list(facts)
    behind = {term.start for term in clause.clause.terms if not _BEHIND.isdisjoint(term.names)}
    return [
        replace(fact, standing=Standing.DERIVABLE, why="the other one is ahead", place=found.place)
        if fact.start in behind and fact.kind in (FactKind.WORD, FactKind.STATE) and fact.standing not in HELD
        else fact
        for fact in facts
    ]


def span(
    value: Quantity, clause: ClauseAlignment, names: Sequence[Fact], index: EvidenceIndex, text: str
) -> Span | None:
    """Returns the length of time that a clause tells, between two lines of the evidence; None where none has it.

    Arithmetic invites coincidence. So the lines have to share a name of the clause, and only the first, the last and
    the clause's own are taken; or the clause names both.
    """
    if clause.anchor < 0 or value.low is None or value.low < _LEAST:
        return None
    return _between(value, clause, names, index, text) or _of_one(value, clause, names, index, text)


def _between(
    value: Quantity, clause: ClauseAlignment, names: Sequence[Fact], index: EvidenceIndex, text: str
) -> Span | None:
    """Returns the length between the same moment of two things that a clause names."""
    rows = [_row_of(text[fact.start : fact.end].lower(), index) for fact in names[:2]]
    if len(rows) < 2 or min(rows) < 0 or rows[0] == rows[1]:
        return None
    first, second = rows
    if index.records[first].group != index.records[second].group:
        return None
    for one in _moments(first, index):
        for other in _moments(second, index):
            if one.cell.key != other.cell.key or not one.cell.key:
                continue
            gap = difference(other.mention.value, one.mention.value)
            if _is_same(value, gap):
                said = {name for term in clause.clause.terms for name in term.names}
                turned = not _BEHIND.isdisjoint(said) and isinstance(gap, Quantity) and (gap.low or 0) < 0
                return Span(Place(other.record, other.mention.start, other.mention.end), compares=True, turned=turned)
    return None


def _row_of(name: str, index: EvidenceIndex) -> int:
    """Returns the row of a list that is of a name, -1 for none: it says so as its name, or first of all."""
    places = [place for place in index.find(name) if index.records[place.record].group >= 0]
    nearest = min(places, key=lambda place: (*_told_by(place, index), _depth(place, index)), default=None)
    return -1 if nearest is None else nearest.record


def _told_by(place: Place, index: EvidenceIndex) -> tuple[bool, bool]:
    """Returns whether the field of a place names something else (a replica's source), and whether it is no name."""
    cells = index.records[place.record].cells
    key = next((cell.key for cell in cells if cell.start <= place.start < cell.end), "")
    return key in index.vocabulary.bonds_by_key, key.lower() not in SUBJECTS


def _depth(place: Place, index: EvidenceIndex) -> int:
    return place.start - index.records[place.record].start


def _of_one(
    value: Quantity, clause: ClauseAlignment, names: Sequence[Fact], index: EvidenceIndex, text: str
) -> Span | None:
    """Returns the length between two lines of what a clause names."""
    rows = _rows(clause, names, index, text)
    if len(rows) < 2 or clause.anchor not in rows:
        return None
    at = rows.index(clause.anchor)
    pairs = [(rows[0], rows[at]), (rows[at], rows[-1]), (rows[max(at - 1, 0)], rows[at]), (rows[0], rows[-1])]
    for first, second in pairs:
        for one in _moments(first, index):
            for other in _moments(second, index) if first != second else ():
                if _is_same(value, difference(other.mention.value, one.mention.value)):
                    return Span(Place(other.record, other.mention.start, other.mention.end))
    return None


def _rows(clause: ClauseAlignment, names: Sequence[Fact], index: EvidenceIndex, text: str) -> list[int]:
    """Returns the lines beside the clause's own that hold all its names."""
    group = index.records[clause.anchor].group
    if group < 0 or not names:
        return []
    shared: set[int] | None = None
    for fact in names:
        own = {place.record for place in index.find(text[fact.start : fact.end].lower())}
        shared = own if shared is None else shared & own
    return [row for row in index.groups[group] if row in (shared or ())][:_MOST_ROWS]


def _moments(row: int, index: EvidenceIndex) -> Iterator[ValueCell]:
    return (
        one
        for one in index.by_record.get(row, ())
        if isinstance(one.mention.value, Instant) and one.mention.value.seconds is not None
    )


def _is_same(value: Quantity, gap: object) -> bool:
    if not isinstance(gap, Quantity) or gap.low is None:
        return False
    if gap.low < 0:
        gap = replace(gap, low=-gap.low, high=-gap.low)
    return compare(value, gap) in AGREEING
