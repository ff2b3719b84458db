"""Finds the figures that a value of a claim may be worked out from: those of what its clause names, told by their keys.

Arithmetic invites coincidence. So the operands of a sum, a difference or a share are never searched for by what comes
out: a clause has to name the operation, the keys of the operands have to bear it, and where several would fit what the
clause says they have to come to the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.values.compare import AGREEING, compare
from evidencegate_server.judge.values.model import COUNT, Quantity

_MOST_RECORDS: Final = 60
_LEAST_CELLS: Final = 2
_MOST_CELLS: Final = 40  # of one record
_CORES: Final = "cores"
_NOT_SAID: Final = frozenset("@=+")


@record
class Operand:
    """A single amount of the evidence."""

    cell: ValueCell
    amount: Decimal
    measure: str

    @property
    def place(self) -> Place:
        """Returns where it stands."""
        return Place(self.cell.record, self.cell.mention.start, self.cell.mention.end)


@record
class Outcome:
    """What operands come to, and how much of what the clause says they have in their names."""

    amount: Decimal
    measure: str
    fit: float
    place: Place


def said(clauses: Sequence[ClauseAlignment], at: int, index: EvidenceIndex, but: frozenset[str]) -> frozenset[str]:
    """Returns what the words of a clause mean, without names, marks, words that tell nothing, and what `but` has.

    A clause that says nothing else (`the memory quota | has 26 GiB left`) goes on with what the one before it says.
    """
    own = _said(clauses[at], index)
    if not own - but and at and clauses[at - 1].anchor == clauses[at].anchor:
        own |= _said(clauses[at - 1], index)
    return own - but


def _said(alignment: ClauseAlignment, index: EvidenceIndex) -> frozenset[str]:
    kind = index.vocabulary.kind
    return frozenset(
        name
        for term in alignment.clause.terms
        if not term.is_name
        for name in term.names
        if name[0] not in _NOT_SAID and kind(name.removeprefix("!")) != "soft"
    )


def records_of(alignment: ClauseAlignment, rows_of: RowReader) -> list[int]:
    """Returns the records that a clause may tell of: those that it names, else its own and the rest of their list."""
    index = rows_of.index
    named = dict.fromkeys(
        fact.place.record
        for fact in alignment.facts
        if fact.kind is FactKind.NAME and fact.standing in HELD and fact.place is not None
    )
    numbered = dict.fromkeys(
        fact.place.record
        for fact in alignment.facts
        if fact.kind is FactKind.VALUE and fact.standing is Standing.STATED and fact.place is not None
    )
    for records in (named, numbered):
        own = [record for record in records if len(index.by_record.get(record, ())) >= _LEAST_CELLS]
        if own:
            return own
    found = dict.fromkeys([alignment.anchor, *rows_of.rows(alignment.anchor)])
    for one in index.scope_values(alignment.anchor):
        found.setdefault(one.record)
    return list(found)[:_MOST_RECORDS]


def operands(record: int, index: EvidenceIndex) -> list[Operand]:
    """Returns the single amounts of a record."""
    found = []
    for one in index.by_record.get(record, ())[:_MOST_CELLS]:
        value = one.mention.value
        if isinstance(value, Quantity) and value.low is not None and value.low == value.high:
            found.append(Operand(one, value.low, value.measure))
    return found


def pairs(record: int, index: EvidenceIndex) -> Iterator[tuple[Operand, Operand]]:
    """Returns each two amounts of one measure that a record has."""
    own = operands(record, index)
    for first in own:
        for second in own:
            if first is not second and first.measure == second.measure:
                yield first, second


def fit(wanted: frozenset[str], one: Operand, index: EvidenceIndex) -> float:
    """Returns how much of what a clause says an amount has in its names; half as much counts what its record has."""
    cell = one.cell
    own = wanted & (cell.names | cell.label)
    return len(own) + len((wanted & index.names[cell.record]) - own) / 2


def settled(value: Quantity, outcomes: list[Outcome]) -> Place | None:
    """Returns where a value comes from: of the outcomes of its measure, those that fit best have it, all of them."""
    outcomes = [one for one in outcomes if _is_of_measure(value, one.measure)]
    best = max((one.fit for one in outcomes), default=0.0)
    places = []
    for one in outcomes:
        if one.fit == best:
            if not comes_to(value, one.amount, one.measure):
                return None
            places.append(one.place)
    return places[0] if places else None


def comes_to(value: Quantity, amount: Decimal, measure: str) -> bool:
    """Returns whether a value is an amount, as far as it is written."""
    if not _is_of_measure(value, measure):
        return False
    exact = Quantity(amount, amount, value.measure, Decimal(0), 28, value.unit, loose=value.loose)
    return compare(value, exact) in AGREEING


def _is_of_measure(value: Quantity, measure: str) -> bool:
    """Returns whether amounts of a measure can be what a value says; cores are mostly written without a unit."""
    return measure == value.measure or (value.measure == _CORES and measure == COUNT)
