"""Works out values that the evidence does not write: exact arithmetic over few values that are bound already.

Arithmetic invites coincidence, so nothing is searched at large: a duration between the moments of two clauses that
follow each other or of one record, a figure of two values that the claim itself states, a count of the rows of which
a clause is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex, Place, ValueCell
from evidencegate_server.judge.alignment.model import ClauseAlignment, FactKind, Standing
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.values.compare import Relation, compare, difference
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity

_SAME: Final = frozenset({Relation.EQUAL, Relation.INSIDE})
_OPEN: Final = frozenset({Standing.FOREIGN, Standing.SILENT, Standing.PART})
_MOST_INSTANTS: Final = 12


def derive(clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> list[ClauseAlignment]:
    """Returns the clauses with those values derivable that follow exactly from what is bound."""
    found: list[ClauseAlignment] = []
    for at, clause in enumerate(clauses):
        facts = list(clause.facts)
        changed = False
        for number, fact in enumerate(facts):
            if fact.kind not in (FactKind.VALUE, FactKind.WORD) or fact.standing not in _OPEN:
                continue
            mention = mention_of(clause.clause, fact.start)
            if mention is None:
                continue
            place = _derived(mention, clause, clauses[max(0, at - 2) : at + 2], clauses, index)
            if place is not None:
                facts[number] = replace(
                    fact, kind=FactKind.VALUE, standing=Standing.DERIVABLE, why="follows exactly", place=place
                )
                changed = True
        found.append(ClauseAlignment(clause.clause, clause.anchor, tuple(facts)) if changed else clause)
    return found


def _derived(
    mention: Mention,
    clause: ClauseAlignment,
    near: Sequence[ClauseAlignment],
    clauses: Sequence[ClauseAlignment],
    index: EvidenceIndex,
) -> Place | None:
    value = mention.value
    if not isinstance(value, Quantity):
        return None
    if value.measure == "time":
        return _duration(value, near, index)
    if value.measure in ("share", "points"):
        return _of_stated(value, clauses, index)
    if value.measure == COUNT:
        return _count(value, mention, clause, index)
    return None


def _duration(value: Quantity, near: Sequence[ClauseAlignment], index: EvidenceIndex) -> Place | None:
    """Returns the later of two moments that lie as far apart as the value says."""
    records = list(dict.fromkeys(one.anchor for one in near if one.anchor >= 0))
    moments = [
        one
        for one in index.instants
        if one.record in records and isinstance(one.mention.value, Instant) and one.mention.value.seconds is not None
    ][:_MOST_INSTANTS]
    for first in moments:
        for second in moments:
            if second.order <= first.order:
                continue
            gap = difference(second.mention.value, first.mention.value)
            if isinstance(gap, Quantity) and gap.low is not None:
                if gap.low < 0:
                    gap = replace(gap, low=-gap.low, high=-gap.low)
                if compare(value, gap) in _SAME:
                    return Place(second.record, second.mention.start, second.mention.end)
    return None


def _of_stated(value: Quantity, clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> Place | None:
    """Returns where a share or a difference comes from: two values that the claim states."""
    bound = list(_bound(clauses, index))
    for first in bound:
        for second in bound:
            one, other = first.mention.value, second.mention.value
            if first is second or not (isinstance(one, Quantity) and isinstance(other, Quantity)):
                continue
            if one.measure != other.measure or one.low is None or other.low is None or not other.low:
                continue
            if value.measure == "points" and one.measure == "share":
                results = [(one.low - other.low) * 100]
            else:
                results = [one.low / other.low, one.low / other.low - 1]
            for result in results:
                if result > 0 and _equals(value, result):
                    return Place(first.record, first.mention.start, first.mention.end)
    return None


def _equals(value: Quantity, result: Decimal) -> bool:
    exact = Quantity(result, result, value.measure, Decimal(0), 28, value.unit)
    return compare(value, exact) in _SAME


def _bound(clauses: Iterable[ClauseAlignment], index: EvidenceIndex) -> Iterable[ValueCell]:
    for clause in clauses:
        for fact in clause.facts:
            if fact.kind is FactKind.VALUE and fact.standing is Standing.STATED and fact.place is not None:
                cell = index.at_place.get((fact.place.record, fact.place.start))
                if cell is not None:
                    yield cell


def _count(value: Quantity, mention: Mention, clause: ClauseAlignment, index: EvidenceIndex) -> Place | None:
    """Returns a row of the list whose rows of which the clause is true are as many as the value says."""
    if clause.anchor < 0 or not mention.counted:
        return None
    group = index.records[clause.anchor].group
    rows = index.groups.get(group, []) if group >= 0 else []
    wanted = [
        tuple(name for name in term.names if name[0] not in "@=" or name[0] == "=")
        for term in clause.clause.terms
        if {index.vocabulary.kind(name) for name in term.names} & {"state", "event"} or term.is_name
    ]
    stated = [
        index.at_place[fact.place.record, fact.place.start]
        for fact in clause.facts
        if fact.kind is FactKind.VALUE
        and fact.standing is Standing.STATED
        and fact.place is not None
        and (fact.place.record, fact.place.start) in index.at_place
    ]
    if not rows or not (wanted or stated or len(rows) == value.low):
        return None
    matching = 0
    for row in rows:
        if all(any(_holds(index, row, name) for name in choice) for choice in wanted) and all(
            _has(index, row, one) for one in stated
        ):
            matching += 1
    exact = Quantity(Decimal(matching), Decimal(matching), COUNT, Decimal(1), len(str(matching)))
    one = index.records[clause.anchor]
    if matching and compare(value, exact) in _SAME:
        return Place(clause.anchor, one.start, one.end)
    # Of three nodes two run: the other number is how many there are.
    whole = replace(exact, low=Decimal(len(rows)), high=Decimal(len(rows)))
    several = sum(isinstance(one.value, Quantity) and one.value.measure == COUNT for one in clause.clause.values) > 1
    return Place(clause.anchor, one.start, one.end) if several and compare(value, whole) in _SAME else None


def _holds(index: EvidenceIndex, row: int, name: str) -> bool:
    """Returns whether a row is in a state or has a name: its field says yes, or the word stands in it."""
    flags = [flag.holds for flag in index.flags.get(name, ()) if flag.place.record == row]
    return any(flags) if flags else name in index.names[row]


def _has(index: EvidenceIndex, row: int, cell: ValueCell) -> bool:
    return any(other.key == cell.cell.key and other.text == cell.cell.text for other in index.records[row].cells)
