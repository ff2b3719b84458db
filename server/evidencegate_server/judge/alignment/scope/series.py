"""Checks that a clause tells of the right sample of a series: the first, the last, or the one that holds now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.moments import Moment, moment_of
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.scope.scene import NOTHING, Finding, Scene
from evidencegate_server.judge.alignment.scope.times import is_in_time
from evidencegate_server.judge.alignment.values import is_small_count
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.records.model import Cell, CellKind

_TOLD: Final = frozenset({FactKind.VALUE, FactKind.STATE, FactKind.DENIAL})


def at_an_end(scene: Scene, _name: str, alignment: ClauseAlignment) -> Finding:
    """Bears out a word for the first or the last sample where the clause was found in it."""
    told = moment_of(alignment.clause, scene.text, scene.index.vocabulary)
    rows = _samples(scene, alignment) if told is not None else ()
    if not rows or told is None:
        return NOTHING
    meant = _meant(rows, told[0])
    one = scene.index.records[meant]
    if alignment.anchor in (meant, one.parent) or _says_same(scene, alignment, meant):
        return Standing.DERIVABLE, Place(meant, one.start, one.end)
    return NOTHING


def sample_facts(scene: Scene, alignment: ClauseAlignment) -> list[Fact]:
    """Returns a conflict where a clause tells of one end of a series and was found in another sample."""
    anchor = alignment.anchor
    told = moment_of(alignment.clause, scene.text, scene.index.vocabulary)
    if told is None or not any(fact.kind in _TOLD and fact.standing in HELD for fact in alignment.facts):
        return []
    rows = _samples(scene, alignment)
    if anchor not in rows:
        return []
    is_sample = bool(scene.index.sampled.rows_of(scene.index.records[anchor].parent))
    if not is_sample and next(_figures(scene, alignment), None) is None:
        return []  # of lines, each of which tells of an event of its own, only a figure goes on
    moment, term = told
    meant = _meant(rows, moment)
    if (moment is Moment.NOW and not is_sample) or meant == anchor or _says_same(scene, alignment, meant):
        return []
    one = scene.index.records[meant]
    why = "the first sample says another thing" if moment is Moment.FIRST else "the last sample says another thing"
    return [Fact(FactKind.SCOPE, Standing.IN_CONFLICT, term.start, term.end, why, Place(meant, one.start, one.end))]


def _samples(scene: Scene, alignment: ClauseAlignment) -> Sequence[int]:
    """Returns the samples of what a clause tells of: of one metric, or the rows of one list in time.

    Of rows and lines of several things only those count that have what the clause names, and its figure's key.
    """
    anchor = alignment.anchor
    if anchor < 0:
        return ()
    index = scene.index
    rows: Sequence[int] = index.sampled.rows_of(anchor) or index.sampled.rows_of(index.records[anchor].parent)
    if not rows and is_in_time(scene, listed := scene.rows.rows(anchor)):
        rows = _of_one_thing(scene, alignment, listed)
    return rows if len(rows) > 1 else ()


def _of_one_thing(scene: Scene, alignment: ClauseAlignment, rows: Sequence[int]) -> list[int]:
    """Returns the rows of a list that have what a clause names, and the figure that it tells."""
    places = scene.index.places
    named = [
        {place.record for name in term.names[:1] for place in places.get(name, ())}
        for term in alignment.clause.terms
        if term.is_name
    ]
    named = [having for having in named if not having.isdisjoint(rows)]
    told = next(_figures(scene, alignment), None)
    return (
        []
        if told is None
        else [row for row in rows if all(row in having for having in named) and scene.same_key(row, told) is not None]
    )


def _meant(rows: Sequence[int], moment: Moment) -> int:
    """Returns the sample at an end of a series; a query returns them in the order of time."""
    return rows[0] if moment is Moment.FIRST else rows[-1]


def _figures(scene: Scene, alignment: ClauseAlignment) -> Iterator[Cell]:
    """Yields the cells of the figures that a clause tells, but for those that count things or have no name."""
    for fact in alignment.facts:
        mention = mention_of(alignment.clause, fact.start) if fact.kind is FactKind.VALUE else None
        if mention is None or is_small_count(mention):
            continue
        cell = scene.cell_of(fact)
        if cell is not None and cell.key and cell.kind is not CellKind.TEXT:
            yield cell


def _says_same(scene: Scene, alignment: ClauseAlignment, meant: int) -> bool:
    """Returns whether a sample has the figures that a clause tells of the one that it was found in."""
    cells = [cell for fact in alignment.facts if (cell := scene.cell_of(fact)) is not None]
    others = [(cell, scene.same_key(meant, cell)) for cell in cells]
    return bool(others) and all(other is not None and other.text == cell.text for cell, other in others)
