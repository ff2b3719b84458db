"""Checks that all rows of a list have what a clause says, or one alone."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.denial import denied_in_evidence
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.scope.comparing import compared_with_bound
from evidencegate_server.judge.alignment.scope.listing import listed_have
from evidencegate_server.judge.alignment.scope.scene import NOTHING, Finding, Scene, single
from evidencegate_server.judge.alignment.scope.told import told_of_all, told_of_one
from evidencegate_server.judge.alignment.values import SAME
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.values.compare import compare
from evidencegate_server.judge.values.model import COUNT

_OWN: Final = ("their ", "its ", "of their ", "of its ")
_ALL_THERE_IS: Final = frozenset({"total", "maximum", "limit", "capacity", "desired", "quota"})
_COMPARED: Final = ("@comparison.greater", "@comparison.less")
_BOTH: Final = "@quantifiers.both"
_ONE_COUNT: Final = 60  # code points within which figures are parts of one count (0 Active / 2 Failed)


def all_of(scene: Scene, _name: str, alignment: ClauseAlignment) -> Finding:
    """Checks that every member that the clause speaks of has what it states."""
    found = _of_list(scene, _name, alignment)
    mark = alignment.clause.marked(_name)
    if found[0] in HELD or mark is None:
        return found
    place = told_of_all(scene, alignment, mark, 2 if _name == _BOTH else 0) or listed_have(scene, alignment, mark)
    if place is not None:
        return Standing.DERIVABLE, place
    compared = next((mark for mark in alignment.clause.marks if mark[0] in _COMPARED), None)
    compares = NOTHING if compared is None else compared_with_bound(scene, *compared, alignment)
    return compares if compares[0] in HELD else found


def _of_list(scene: Scene, _name: str, alignment: ClauseAlignment) -> Finding:
    """Checks that every row of the anchor's list has the value or state that the clause states."""
    anchor = alignment.anchor
    mark = alignment.clause.marked(_name)
    if mark is not None and scene.text[mark.end :].lstrip().lower().startswith(_OWN):
        return NOTHING  # all their containers: of each, and not of all rows
    rows = scene.rows.rows(anchor)
    spoken = scene.rows.spoken_of(rows, alignment.clause, scene.text) if len(rows) > 1 else ()
    if len(spoken) > 1:
        verdict = _rows_hold(scene, spoken, alignment)
        if verdict is not None:
            return verdict
    counted = _counted_all(scene, alignment)
    if counted is not None:
        return Standing.DERIVABLE, counted
    told = any(
        fact.kind is FactKind.VALUE and (cell := scene.cell_of(fact)) is not None and cell.kind is CellKind.FIELD
        for fact in alignment.facts
    )
    if len(spoken) < 2 or not told or alignment.clause.marked("@quantifiers.whole"):
        return NOTHING
    return _rows_have(scene, spoken, alignment)


def _rows_hold(scene: Scene, rows: Sequence[int], alignment: ClauseAlignment) -> Finding | None:
    """Returns whether rows of a list are all in the states that a clause tells; None where it tells none."""
    if not scene.rows.told(alignment.clause, scene.text):
        return None
    holding = scene.rows.in_states(rows, alignment.clause, scene.text)
    if holding is None:
        return NOTHING
    other = next((row for row in rows if row not in holding), None)
    if other is not None:
        one = scene.index.records[other]
        return _exception(scene, Place(other, one.start, one.end))
    return _rows_have(scene, rows, alignment)


def _rows_have(scene: Scene, rows: Sequence[int], alignment: ClauseAlignment) -> Finding:
    """Returns whether rows of a list all have the values that a clause states of one of them."""
    for fact in alignment.facts:
        cell = scene.cell_of(fact) if fact.kind is FactKind.VALUE else None
        value = mention_of(alignment.clause, fact.start)
        if cell is None or cell.kind is not CellKind.FIELD or value is None:
            continue
        for row in rows:
            other = scene.same_key(row, cell)
            if other is None or not other.values:
                return NOTHING
            if compare(value.value, other.values[0].value) not in SAME:
                return _exception(scene, Place(row, other.start, other.end))
    one = scene.index.records[alignment.anchor]
    return Standing.DERIVABLE, Place(alignment.anchor, one.start, one.end)


def _exception(scene: Scene, place: Place) -> Finding:
    """Returns what a row that is not as the others comes to: nothing, where a clause before says of which all."""
    return (Standing.SILENT if scene.ranged else Standing.IN_CONFLICT), place


def _counted_all(scene: Scene, alignment: ClauseAlignment) -> Place | None:
    """Returns the figure that shows that all there are have what the clause states.

    The count of those that have it is the count of all (active 50 of max 50, 2 calls and 2 successes), or nothing
    is counted beside it (0 active, 0 succeeded, 2 failed).
    """
    index = scene.index
    vocabulary = index.vocabulary
    counts: list[tuple[ValueCell, Decimal]] = []
    for fact in alignment.facts:
        if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None:
            one = index.at_place.get((fact.place.record, fact.place.start))
            own = None if one is None else single(one)
            if one is not None and own is not None and own[1] == COUNT and own[0] > 1:
                counts.append((one, own[0]))
    said = {
        name
        for term in alignment.clause.terms
        for name in term.names
        if vocabulary.kind(name) in ("state", "event", "statistic")
    }
    for one, number in counts:
        near = [
            (other, value[0])
            for other in index.by_record.get(one.record, ())
            if other.order != one.order and (value := single(other)) is not None and value[1] == COUNT
        ]
        # Two figures of one name are no count of all beside one of those that have it: web-1 3 times, web-2 3 times.
        having = [(other, value) for other, value in near if said & other.names and other.names != one.names]
        if any(value == number for _, value in having) or (
            said & one.names and any(value == number and other.names & _ALL_THERE_IS for other, value in near)
        ):
            return Place(one.record, one.mention.start, one.mention.end)
        beside = [value for other, value in near if abs(other.mention.start - one.mention.start) <= _ONE_COUNT]
        if said & one.names and beside and not any(beside):
            return Place(one.record, one.mention.start, one.mention.end)
    return None


def only_one(scene: Scene, name: str, alignment: ClauseAlignment) -> Finding:
    """Checks that no other member than those that the clause names has what it states."""
    found = _only_row(scene, alignment)
    mark = alignment.clause.marked(name)
    place = told_of_one(scene, alignment, mark) if found[0] not in HELD and mark is not None else None
    return found if place is None else (Standing.DERIVABLE, place)


def _only_row(scene: Scene, alignment: ClauseAlignment) -> Finding:
    """Checks that no other row of the anchor's list has the state or value that the clause states."""
    cell = next((cell for fact in alignment.facts if (cell := scene.cell_of(fact)) is not None), None)
    rows = scene.rows.rows(alignment.anchor)
    if cell is None or cell.kind is CellKind.TEXT or len(rows) < 2:
        return NOTHING
    for row in rows:
        other = scene.same_key(row, cell)
        if row != alignment.anchor and (other is None or other.text.strip().lower() == cell.text.strip().lower()):
            return NOTHING
    return Standing.DERIVABLE, Place(alignment.anchor, cell.start, cell.end)


def is_gainsaid(scene: Scene, alignment: ClauseAlignment) -> bool:
    """Returns whether what is said of the anchor also denies a state of the clause or has its opposite."""
    index, anchor = scene.index, alignment.anchor
    opposites = index.vocabulary.opposites
    for term in scene.rows.states(alignment.clause):
        for name in term.names:
            for other, gainsays in ((name, True), *((opposite, False) for opposite in opposites.get(name, ()))):
                for place in index.places.get(other, ()):
                    if index.in_scope(anchor, place.record) and denied_in_evidence(index, place) == gainsays:
                        return True
    return False
