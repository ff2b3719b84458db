"""Checks what a clause says of time: the last, since, again, earlier, always."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.alignment.denial import DENYING
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.scope.scene import NOTHING, Finding, Scene
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import Record, RecordKind
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_LEADING: Final = 2  # cells, one of which has the time in a list in time
_TIMES: Final = ("times", "次")


def last_facts(scene: Scene, alignment: ClauseAlignment) -> list[Fact]:
    """Returns a doubt where a clause tells of the last, or since when, and another row in time is the last."""
    clause, anchor = alignment.clause, alignment.anchor
    term = _last_or_since(clause)
    if term is None or anchor < 0:
        return []
    rows = scene.rows.rows(anchor)
    if len(rows) < 2 or anchor == rows[-1] or not is_in_time(scene, rows):
        return []
    one = scene.index.records[rows[-1]]
    place = Place(rows[-1], one.start, one.end)
    return [Fact(FactKind.SCOPE, Standing.PART, term.start, term.end, "another is the last", place)]


def _last_or_since(clause: Clause) -> Term | Mention | None:
    last = next((term for term in clause.terms if "last" in term.names and _is_row(term, clause)), None)
    if last is not None:
        return last
    since = (value for value in clause.values if isinstance(value.value, Instant) and value.value.bound == "since")
    return next(since, None)


def is_in_time(scene: Scene, rows: Sequence[int]) -> bool:
    """Returns whether the first rows of a list have a time, a row or object at its head."""
    return bool(rows) and all(_is_timed(scene, scene.index.records[row]) for row in rows[:3])


def _is_timed(scene: Scene, row: Record) -> bool:
    cells = row.cells if row.kind is RecordKind.LINE else row.cells[:_LEADING]
    if any(isinstance(value.value, Instant) for cell in cells for value in cell.values):
        return True
    return row.kind is RecordKind.ROW and bool(cells) and "time" in scene.index.vocabulary.key_names(cells[0].key)


def denied_earlier(scene: Scene, _name: str, alignment: ClauseAlignment) -> Finding:
    """Lets an earlier stand but for one that denies (never before), which no present state proves."""
    if alignment.clause.marked(*DENYING):
        return NOTHING
    one = scene.index.records[alignment.anchor] if alignment.anchor >= 0 else None
    return NOTHING if one is None else (Standing.DERIVABLE, Place(alignment.anchor, one.start, one.end))


def again(scene: Scene, _name: str, alignment: ClauseAlignment) -> Finding:
    """Checks an again by another row of the anchor's list that has what the clause names and tells.

    Where the clause names its time, the other row has to be an earlier one.
    """
    index, kind = scene.index, scene.index.vocabulary.kind
    if any(_is_several_times(value) for value in scene.claimed):
        one = index.records[max(alignment.anchor, 0)]
        return Standing.DERIVABLE, Place(one.index, one.start, one.end)  # the claim counts them itself
    told = [
        {name for name in term.names if name[0] == "=" or kind(name) in ("state", "event")}
        for term in alignment.clause.terms
    ]
    told = [names for names in told if names]
    timed = any(isinstance(value.value, Instant) for value in alignment.clause.values)
    for row in scene.rows.rows(alignment.anchor):
        if row == alignment.anchor or (timed and row > alignment.anchor):
            continue
        if told and all(not names.isdisjoint(index.names[row]) for names in told):
            one = index.records[row]
            return Standing.DERIVABLE, Place(row, one.start, one.end)
    return NOTHING


def since(scene: Scene, name: str, alignment: ClauseAlignment) -> Finding:
    """Checks a since or from by the instant that it names: whether the time after it is covered, `_last` asks.

    A word for up to now (至今) on a denial says no more than not yet.
    """
    mark = alignment.clause.marked(name)
    if mark is not None and "@time_scope.until" in mark.names:
        yet = next((fact for fact in alignment.facts if fact.kind is FactKind.DENIAL), None)
        if yet is not None and yet.standing in HELD:
            return Standing.DERIVABLE, yet.place
    for fact in alignment.facts:
        if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None:
            cell = scene.index.at_place.get((fact.place.record, fact.place.start))
            if cell is not None and isinstance(cell.mention.value, Instant):
                return Standing.DERIVABLE, fact.place
    return NOTHING


def always(scene: Scene, _name: str, alignment: ClauseAlignment) -> Finding:
    """Checks an always by a figure for how long it has been so."""
    for _, cell in scene.bound:
        if cell.names & scene.traits["lasting"]:
            return Standing.DERIVABLE, Place(cell.record, cell.mention.start, cell.mention.end)
    own = (
        [one for one in scene.index.scope_values(alignment.anchor) if one.names & scene.traits["lasting"]]
        if alignment.anchor >= 0
        else []
    )
    ages = {
        one.order for one in own for value in scene.claimed if compare(value.value, one.mention.value) is Relation.EQUAL
    }
    found = next((one for one in own if one.order in ages), None)
    return (
        NOTHING if found is None else (Standing.DERIVABLE, Place(found.record, found.mention.start, found.mention.end))
    )


def _is_row(term: Term, clause: Clause) -> bool:
    """Returns whether a last is the last of several, and no stretch of time (the last 5 minutes) or part of a name."""
    if term.names[0][0] in "=+":
        return False
    return not lasts(term, clause)


def lasts(term: Term, clause: Clause) -> bool:
    """Returns whether a word says how long something went on, not that it rose or fell (持续约三分钟)."""
    return any(
        isinstance(value.value, Quantity) and value.value.measure == "time" and 0 <= value.outer_start - term.end <= 2
        for value in clause.values
    )


def _is_several_times(mention: Mention) -> bool:
    value = mention.value
    return (
        isinstance(value, Quantity)
        and value.measure == COUNT
        and mention.counted.lower().startswith(_TIMES)
        and value.low is not None
        and value.low > 1
    )
