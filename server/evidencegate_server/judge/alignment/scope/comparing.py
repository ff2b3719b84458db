"""Checks that one figure is greater or less than another, or the extreme of its column."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.denial import denied_in_evidence
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.scope.pairs import goes, members_of, pairs_beside
from evidencegate_server.judge.alignment.scope.scene import NOTHING, Finding, Scene, amount, place_of, single
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.values.model import Quantity
from evidencegate_server.judge.vocabulary import Term

_COMPARED: Final = frozenset({"statistic"})  # a limit, a target, a quota
_BEFORE_FIGURE: Final = 60  # code points between a minimum and the figure that it names
_SPEED: Final = re.compile("fast|quick|快")
_LASTING: Final = re.compile("slow|long|fast|quick|short|慢|长|久|快|短")
_BESIDE_WORD: Final = 24  # code points between a word of comparison and what it compares with


def extreme(scene: Scene, name: str, alignment: ClauseAlignment) -> Finding:
    """Checks that no row of the anchor's list has more (or less) in the column that the clause speaks of."""
    bound = _told_bound(scene, name, alignment)
    if bound is not None:
        return Standing.STATED, bound
    column = _column(scene, alignment) or _of_dimension(scene, name, alignment) or _told_before(scene, alignment)
    if column is None:
        return NOTHING
    highest = name.endswith("highest") != _is_of_speed(scene, name, alignment, column)
    limit = _limit_of(scene, column, "maximum" if highest else "minimum", alignment.anchor)
    if limit is not None and "limit" not in column.names:
        return Standing.STATED, place_of(limit)
    if ("maximum" if highest else "minimum") in column.names:
        return Standing.STATED, Place(column.record, column.mention.start, column.mention.end)
    return _extreme_of_rows(scene, column, alignment, highest=highest)


def _extreme_of_rows(scene: Scene, column: ValueCell, alignment: ClauseAlignment, *, highest: bool) -> Finding:
    """Returns whether no row of the anchor's list has more, or less, in a column than the anchor."""
    own = single(column)
    rows = scene.rows.rows(alignment.anchor)
    if own is None or len(rows) < 2:
        return NOTHING
    for row in rows:
        other = scene.same_key(row, column.cell)
        if other is None or row == alignment.anchor:
            continue
        for mention in other.values[:1]:
            value = mention.value
            if not isinstance(value, Quantity) or value.low is None or value.measure != own[1]:
                continue
            if (value.low > own[0]) if highest else (value.low < own[0]):
                return Standing.IN_CONFLICT, Place(row, other.start, other.end)
    return Standing.DERIVABLE, Place(alignment.anchor, column.mention.start, column.mention.end)


def _told_bound(scene: Scene, name: str, alignment: ClauseAlignment) -> Place | None:
    """Returns where the evidence calls a figure that the clause states right beside its word the most or the least."""
    bound = "maximum" if name.endswith("highest") else "minimum"
    mark = alignment.clause.marked(name)
    if mark is None:
        return None
    for fact in alignment.facts:
        if fact.kind is not FactKind.VALUE or fact.standing not in HELD or fact.place is None:
            continue
        if not -_BESIDE_WORD <= mark.start - fact.start <= _BESIDE_WORD:
            continue
        cell = scene.index.at_place.get((fact.place.record, fact.place.start))
        for place in scene.index.places.get(bound, ()) if cell is not None else ():
            if place.record == fact.place.record and 0 <= fact.place.start - place.end <= _BEFORE_FIGURE:
                between = [one for one in scene.index.by_record.get(place.record, ()) if one is not cell]
                if not any(place.end <= one.mention.start < fact.place.start for one in between):
                    return fact.place
    return None


def _word(scene: Scene, name: str, alignment: ClauseAlignment) -> str:
    """Returns a superlative as written, with the adjective behind a Chinese one (最慢)."""
    mark = alignment.clause.marked(name)
    return "" if mark is None else scene.text[mark.start : mark.end + 1].lower()


def _is_of_speed(scene: Scene, name: str, alignment: ClauseAlignment, column: ValueCell) -> bool:
    """Returns whether a word for speed is told of a length of time: the fastest took the least."""
    own = single(column)
    return own is not None and own[1] == "time" and _SPEED.search(_word(scene, name, alignment)) is not None


def _of_dimension(scene: Scene, name: str, alignment: ClauseAlignment) -> ValueCell | None:
    """Returns the only length of time that the anchor has in a field, for a clause about the slowest or longest."""
    if alignment.anchor < 0 or _LASTING.search(_word(scene, name, alignment)) is None:
        return None
    own = [
        one
        for one in scene.index.by_record.get(alignment.anchor, ())
        if one.cell.kind is CellKind.FIELD and (value := single(one)) is not None and value[1] == "time"
    ]
    return own[0] if len(own) == 1 else None


def _told_before(scene: Scene, alignment: ClauseAlignment) -> ValueCell | None:
    """Returns the figure of the anchor that the clause before states, where this one goes on about it."""
    if alignment.clause.values or not scene.bound:
        return None
    last = scene.bound[-1][1]
    return last if last.record == alignment.anchor else None


def _limit_of(scene: Scene, column: ValueCell, bound: str, anchor: int) -> ValueCell | None:
    """Returns the field that names the same figure as the most (or least) there may be."""
    own = single(column)
    cells = scene.index.scope_values(anchor) if anchor >= 0 and own is not None else []
    return next((one for one in cells if bound in one.names and single(one) == own), None)


def compared(scene: Scene, name: str, alignment: ClauseAlignment) -> Finding:
    """Checks a comparison between two figures of the claim: the last one before the word, the first behind it.

    Where no figure stands on either side (above the target), the evidence has to compare with the same word.
    """
    mark = next(term for one, term in alignment.clause.marks if one == name)
    behind = next((one for one in scene.bound if one[0] >= mark.end), None)
    before = next((one for one in reversed(scene.bound) if one[0] < mark.start), None)
    than = scene.text.find("比", alignment.clause.start, mark.start)
    if than >= 0:  # A 比 B 高出 D
        behind = next((one for one in scene.bound if than <= one[0] < mark.start), None)
        before = next((one for one in reversed(scene.bound) if one[0] < than), None)
    if before is None and behind is not None:
        before = _figure_of(scene, alignment, behind)
    if behind is None and not any(value.start >= mark.end for value in alignment.clause.values):
        found = _compared_there(scene, name, mark, alignment)
        return found if found[0] in HELD else compared_with_bound(scene, name, mark, alignment)
    if behind is None or before is None:
        return NOTHING
    left, right = _amounts(scene, before, behind)
    if left is None or right is None or left[1] != right[1] or left[0] == right[0]:
        return NOTHING
    greater = left[0] > right[0]
    denied = any(one.startswith("@negation") and term.end <= mark.start for one, term in alignment.clause.marks)
    agrees = greater == (name.endswith("greater") != denied)
    cell = before[1]
    return (Standing.DERIVABLE if agrees else Standing.IN_CONFLICT), place_of(cell)


def compared_with_bound(scene: Scene, name: str, mark: Term, alignment: ClauseAlignment) -> Finding:
    """Returns whether each member that a clause speaks of is above or below the bound of its own that it names."""
    members = members_of(scene, alignment)
    ways = {goes(pairs_beside(scene, alignment, mark, member)) for member in members}
    if len(ways) != 1:
        return NOTHING
    way = ways.pop()
    denied = any(one.startswith("@negation") and term.end <= mark.start for one, term in alignment.clause.marks)
    if way is None or (way == 0 and not denied):
        return NOTHING
    agrees = (way > 0) == name.endswith("greater") and way != 0
    if agrees == denied:
        return NOTHING
    one = scene.index.records[alignment.anchor]
    return Standing.DERIVABLE, Place(alignment.anchor, one.start, one.end)


def _figure_of(scene: Scene, alignment: ClauseAlignment, behind: tuple[int, ValueCell]) -> tuple[int, ValueCell] | None:
    """Returns the figure that a clause compares without stating it (less free space than the threshold)."""
    right = single(behind[1])
    if right is None or alignment.anchor < 0:
        return None
    vocabulary = scene.index.vocabulary
    asked = {
        name
        for term in alignment.clause.terms
        for name in term.names
        if vocabulary.kind(name) in ("statistic", "attribute")
    } - behind[1].names
    found: list[ValueCell] = []
    for one in scene.index.scope_values(alignment.anchor):
        own = single(one)
        near = one.names | {name for named in one.names for name in vocabulary.akin.get(named, ())}
        if own is not None and one.order != behind[1].order and asked & near and own[1] in (right[1], "size"):
            found.append(one)
    return (-1, found[0]) if len(found) == 1 else None


def _amounts(
    scene: Scene, before: tuple[int, ValueCell], behind: tuple[int, ValueCell]
) -> tuple[tuple[Decimal, str] | None, tuple[Decimal, str] | None]:
    """Returns two figures to compare: as the evidence has them, or as the claim does where units differ there."""
    left, right = single(before[1]), single(behind[1])
    if left is not None and right is not None and left[1] == right[1]:
        return left, right
    claimed = {value.outer_start: value for value in scene.claimed}
    return tuple(amount(claimed[at]) if (at := one[0]) in claimed else None for one in (before, behind))  # type: ignore[return-value]


def _compared_there(scene: Scene, name: str, mark: Term, alignment: ClauseAlignment) -> Finding:
    """Returns whether the evidence compares by the same word with what the clause names behind it."""
    index = scene.index
    noun = next(
        (
            term
            for term in alignment.clause.terms
            if term.start >= mark.end and any(index.vocabulary.kind(one) in _COMPARED for one in term.names)
        ),
        None,
    )
    if noun is None or alignment.clause.marked("@negation") is not None:
        return NOTHING
    words = (name, "exceed") if name.endswith("greater") else (name,)
    for word in words:
        for place in index.places.get(word, ()):
            if place.record != alignment.anchor or denied_in_evidence(index, place):
                continue
            for one in noun.names:
                for other in index.places.get(one, ()):
                    gap = max(other.start - place.end, place.start - other.end)
                    if other.record == place.record and gap <= _BESIDE_WORD:
                        return Standing.STATED, place
    return NOTHING


def _column(scene: Scene, alignment: ClauseAlignment) -> ValueCell | None:
    """Returns the value of the anchor that the clause speaks of: the one it states, else the one whose key fits."""
    index = scene.index
    own = [one for one in index.values if one.record == alignment.anchor]
    stated = {
        (fact.place.record, fact.place.start)
        for fact in alignment.facts
        if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None
    }
    for one in own:
        if (one.record, one.mention.start) in stated:
            return one
    wanted = {
        name
        for term in alignment.clause.terms
        for name in term.names
        if index.vocabulary.kind(name) in ("attribute", "statistic", "side")
    }
    best: ValueCell | None = None
    most = 0
    for one in own:
        shared = len(wanted & one.names)
        if shared > most:
            best, most = one, shared
    return best
