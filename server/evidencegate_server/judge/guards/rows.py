"""Doubts that a claim goes on with the figure of another row: one request's status told with another one's duration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind
from evidencegate_server.judge.alignment.places import ValueCell
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.judge.values.compare import AGREEING, compare
from evidencegate_server.judge.values.model import COUNT, Instant, Quantity

_WHY: Final = "another row's figure"
_FIRM: Final = frozenset({FactKind.NAME, FactKind.STATE, FactKind.DENIAL})
# What leads on to another row, or speaks of several.
_LEADING_ON: Final = ("@order", "@change", "@quantifiers", "@comparison", "@time_scope")


def of_the_next_row(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for a clause of bare figures that stand in a sibling of the row which the clause before tells of.

    That row has another figure of the same kind, so that the one told is none of its own.
    """
    index = scene.index
    for before, one in zip(scene.clauses, scene.clauses[1:], strict=False):
        if before.anchor < 0 or index.records[before.anchor].group < 0 or not _goes_on(one.clause):
            continue
        if not any(_is_value_of(fact, before.anchor) for fact in before.facts):
            continue
        for fact in one.facts:
            other = _elsewhere(fact, before.anchor, index)
            if other is not None and not _tells_more(one, other.record) and _has_its_own(index, before.anchor, other):
                yield Doubt(fact, _WHY)


def _goes_on(clause: Clause) -> bool:
    """Returns whether a clause names nothing of its own and leads to nothing else."""
    return (
        not any(term.is_name for term in clause.terms)
        and not any(isinstance(value.value, Instant) for value in clause.values)
        and clause.marked(*_LEADING_ON) is None
    )


def _is_value_of(fact: Fact, row: int) -> bool:
    return fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None and fact.place.record == row


def _elsewhere(fact: Fact, row: int, index: EvidenceIndex) -> ValueCell | None:
    """Returns the figure that bears out a fact where it stands in a sibling of a row."""
    place = fact.place
    if fact.kind is not FactKind.VALUE or fact.standing not in HELD or place is None or place.record == row:
        return None
    if index.records[place.record].group != index.records[row].group:
        return None
    return index.at_place.get((place.record, place.start))


def _tells_more(clause: ClauseAlignment, row: int) -> bool:
    """Returns whether something else than figures bears a clause out in a row: it tells of that one then."""
    return any(
        fact.kind in _FIRM and fact.standing in HELD and fact.place is not None and fact.place.record == row
        for fact in clause.facts
    )


def _has_its_own(index: EvidenceIndex, row: int, other: ValueCell) -> bool:
    """Returns whether a row has figures of its own of a sibling's kind, and none that agrees with the sibling's.

    Amounts with a unit are of one kind by what they measure, plain numbers by their key and place in the row.
    """
    wanted = other.mention.value
    if not isinstance(wanted, Quantity):
        return False
    theirs, ours = index.by_record.get(other.record, []), index.by_record.get(row, [])
    if wanted.measure == COUNT:
        at = theirs.index(other)
        ours = ours[at : at + 1] if len(ours) == len(theirs) and ours[at].cell.key == other.cell.key else []
    own = [one.mention.value for one in ours if isinstance(one.mention.value, Quantity)]
    own = [value for value in own if value.measure == wanted.measure]
    return bool(own) and all(compare(wanted, value) not in AGREEING for value in own)
