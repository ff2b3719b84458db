"""Doubts that a claim goes on with the figure of another row: one request's status told with another one's duration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told
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
    for (before, told_before), (one, told) in pairwise(zip(scene.clauses, scene.told, strict=True)):
        row = before.anchor
        if row < 0 or not _goes_on(one.clause) or not any(_is_figure_of(row, each) for each in told_before):
            continue
        for figure in told:
            if (
                figure.is_value
                and _is_sibling(scene.index, row, figure.place)
                and not _tells_more(told, figure.place.record)
                and _has_its_own(scene.index, row, figure.place)
            ):
                yield Doubt(figure.fact, _WHY)


def _goes_on(clause: Clause) -> bool:
    """Returns whether a clause names nothing of its own and leads to nothing else."""
    return (
        not any(term.is_name for term in clause.terms)
        and not any(isinstance(value.value, Instant) for value in clause.values)
        and clause.marked(*_LEADING_ON) is None
    )


def _is_figure_of(row: int, told: Told) -> bool:
    return told.is_value and told.place.record == row


def _is_sibling(index: EvidenceIndex, row: int, place: Place) -> bool:
    return place.record != row and index.records[place.record].group == index.records[row].group >= 0


def _tells_more(told: Sequence[Told], row: int) -> bool:
    """Returns whether something else than figures bears a clause out in a row: it tells of that one then."""
    return any(one.fact.kind in _FIRM and one.place.record == row for one in told)


def _has_its_own(index: EvidenceIndex, row: int, place: Place) -> bool:
    """Returns whether a row has figures of its own of the kind of a sibling's at a place, and none that agrees with it.

    Amounts with a unit are of one kind by what they measure, plain numbers by their key and place in the row.
    """
    other = index.at_place.get((place.record, place.start))
    wanted = None if other is None else other.mention.value
    if other is None or not isinstance(wanted, Quantity):
        return False
    theirs, ours = index.by_record.get(other.record, ()), index.by_record.get(row, ())
    if wanted.measure == COUNT:
        ours = _in_its_place(other, theirs, ours)
    own = [
        value for one in ours if isinstance(value := one.mention.value, Quantity) and value.measure == wanted.measure
    ]
    return bool(own) and all(compare(wanted, value) not in AGREEING for value in own)


def _in_its_place(other: ValueCell, theirs: Sequence[ValueCell], ours: Sequence[ValueCell]) -> list[ValueCell]:
    """Returns the figure of a row that stands where another one does in a row of as many, under the same key."""
    if len(theirs) != len(ours):
        return []
    return [own for one, own in zip(theirs, ours, strict=True) if one is other and own.cell.key == other.cell.key]
