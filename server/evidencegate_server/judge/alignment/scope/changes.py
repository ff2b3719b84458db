"""Checks that a figure went from one value to another, in the direction that a clause tells."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.model import HELD, IN_SERIES, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.scope.scene import NOTHING, Finding, Scene, pair_of, single
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

DIRECTIONS: Final = ("@change.up", "@change.down")
_CHANGE: Final = "change."
_ARROWS: Final = ("->", "→", "=>", "to", "到", "至", "变", "改")


def moved(scene: Scene, name: str, term: Term, alignment: ClauseAlignment) -> list[Fact]:
    """Returns how a rise or fall to one value stands beside the row before, where there is one."""
    cell = next(
        (
            found
            for fact in alignment.facts
            if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None
            if (found := scene.index.at_place.get((fact.place.record, fact.place.start))) is not None
        ),
        None,
    )
    if cell is not None and _is_turned(scene, name, cell):
        place = Place(cell.record, cell.mention.start, cell.mention.end)
        return [Fact(FactKind.ORDER, Standing.PART, term.start, term.end, "it moved the other way", place)]
    own = None if cell is None else single(cell)
    rows = scene.rows.rows(alignment.anchor)
    if cell is None or own is None or alignment.anchor not in rows or rows.index(alignment.anchor) == 0:
        return []
    before = scene.same_key(rows[rows.index(alignment.anchor) - 1], cell.cell)
    if before is None or len(before.values) != 1:
        return []
    value = before.values[0].value
    if not isinstance(value, Quantity) or value.low is None or value.measure != own[1] or value.low == own[0]:
        return []
    rises = own[0] > value.low
    if rises == name.endswith("up"):
        return []
    place = Place(rows[rows.index(alignment.anchor) - 1], before.start, before.end)
    return [Fact(FactKind.ORDER, Standing.PART, term.start, term.end, "it moved the other way", place)]


def _is_turned(scene: Scene, name: str, cell: ValueCell) -> bool:
    """Returns whether the word right before a figure says that it moved the other way."""
    terms = scene.index.terms[cell.record]
    at = bisect_left(terms, cell.mention.start, key=lambda term: term.start) - 1
    other = DIRECTIONS[1] if name == DIRECTIONS[0] else DIRECTIONS[0]
    return at >= 0 and other in terms[at].names and cell.mention.start - terms[at].end <= 1


def changed(scene: Scene, name: str, alignment: ClauseAlignment) -> Finding:
    """Checks that the first value of a clause stands before the second, for one key, or with an arrow between."""
    index = scene.index
    pair = pair_of(alignment.clause)
    if pair is None:
        return NOTHING
    first, second = pair
    if name in DIRECTIONS and not _goes(first, second, up=name.endswith("up")):
        return Standing.IN_CONFLICT, None
    olds = [one for one in index.values if compare(first.value, one.mention.value) is Relation.EQUAL]
    news = [one for one in index.values if compare(second.value, one.mention.value) is Relation.EQUAL]
    backward: Place | None = None
    for old in olds[:50]:
        for new in news[:50]:
            if not (_one_series(scene, old, new) and _is_of_both(scene, alignment, old, new)):
                continue
            place = Place(new.record, new.mention.start, new.mention.end)
            forward = old.arrow == "first" if old.record == new.record and old.arrow else old.order < new.order
            if forward:
                return Standing.DERIVABLE, place
            backward = backward or place
    if backward is not None:
        return Standing.IN_CONFLICT, backward
    return NOTHING


def _is_of_both(scene: Scene, alignment: ClauseAlignment, old: ValueCell, new: ValueCell) -> bool:
    """Returns whether two values are both of what the clause names."""
    index = scene.index
    if old.record == new.record:
        return True
    for fact in alignment.facts:
        if fact.kind is not FactKind.NAME or fact.standing not in HELD or fact.place is None:
            continue
        name = index.text_at(fact.place.record, fact.place.start, fact.place.end)
        for one in (old.record, new.record):
            if not index.in_scope(one, fact.place.record) and name not in index.text_of(one):
                return False
    return True


def in_series(alignment: ClauseAlignment, extra: Sequence[Fact]) -> ClauseAlignment:
    """Returns a clause with both values of a change as derivable that stands in two rows of one series."""
    pair = pair_of(alignment.clause)
    shown = next((one for one in extra if one.why.startswith(_CHANGE) and one.standing is Standing.DERIVABLE), None)
    if pair is None or shown is None:
        return alignment
    starts = {mention.outer_start for mention in pair}
    ways = {
        term.start: "increase" in term.names
        for term in alignment.clause.terms
        if ("increase" in term.names) != ("decrease" in term.names)
    }
    alignment = replace(alignment, facts=tuple(_with_way(fact, pair, ways, shown) for fact in alignment.facts))
    facts = tuple(
        replace(fact, standing=Standing.DERIVABLE, why=IN_SERIES, place=fact.place or shown.place)
        if fact.kind is FactKind.VALUE and fact.start in starts and fact.standing in (Standing.SILENT, Standing.PART)
        else fact
        for fact in alignment.facts
    )
    return replace(alignment, facts=facts)


def _with_way(fact: Fact, pair: tuple[Mention, Mention], ways: Mapping[int, bool], shown: Fact) -> Fact:
    """Returns a word for a rise or fall as borne out by a change that goes its way, as in conflict with another."""
    if fact.start not in ways or fact.kind not in (FactKind.WORD, FactKind.STATE):
        return fact
    if not _goes(*pair, up=ways[fact.start]):
        return replace(fact, kind=FactKind.ORDER, standing=Standing.IN_CONFLICT, why="it moved the other way")
    return fact if fact.standing in HELD else replace(fact, standing=Standing.DERIVABLE, place=shown.place)


def _one_series(scene: Scene, old: ValueCell, new: ValueCell) -> bool:
    index = scene.index
    one, other = index.records[old.record], index.records[new.record]
    if old.record == new.record:
        if old.arrow and new.arrow:
            return old.arrow != new.arrow
        text = index.evidence.texts[one.source]
        first, last = sorted((old.mention, new.mention), key=lambda mention: mention.start)
        between = text[first.end : last.start].lower()
        return len(between) < 40 and any(sign in between for sign in _ARROWS)
    return old.cell.key == new.cell.key and one.source == other.source and one.group >= 0 and other.group >= 0


def _goes(first: Mention, second: Mention, *, up: bool) -> bool:
    """Returns whether the second of two amounts is the greater one, or the lesser."""
    one, other = first.value, second.value
    if not (isinstance(one, Quantity) and isinstance(other, Quantity)) or one.low is None or other.low is None:
        return True
    return one.low != other.low and (other.low > one.low) == up


def change_mark(clause: Clause) -> str:
    """Returns the mark of a clause that a change is checked at, so that it is checked once."""
    marks = {name for name, _ in clause.marks}
    for name in ("@change.turn", "@change.up", "@change.down"):
        if name in marks:
            return name
    return "@change.target" if {"@change.source", "@change.target"} <= marks else ""
