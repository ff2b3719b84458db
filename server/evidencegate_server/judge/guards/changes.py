"""Doubts that a figure changed where the evidence only has what it is now: one point is no rise and no fall."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, IN_SERIES, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import ValueCell
from evidencegate_server.judge.alignment.scope.scene import pair_of
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.judge.values.model import Instant
from evidencegate_server.words import Verification

_WAYS: Final = ("@change.up", "@change.down")
# Words of the evidence that tell that something changed, whichever way: which way is checked elsewhere.
_CHANGES: Final = (
    "@change.up", "@change.down", "@change.turn", "@change.by_up", "@change.by_down", "increase", "decrease", "scale",
    "scale_up", "scale_down", "upgrade", "downgrade", "rollback", "expand", "shrink", "deploy", "change",
)  # fmt: skip
_BARE: Final = re.compile(r"(?:up|down) to\b", re.IGNORECASE)
_SIDES: Final = re.compile(r"-+>|=+>|\u2192|\u21d2|\bfrom\b|[\u4ece\u7531]", re.IGNORECASE)
_TIMES: Final = frozenset({"time", "timestamp", "ts", "date", "datetime", "t", "时间", "时刻", "日期"})
_WHY: Final = "only what it is now is shown, and no change"


def unmoved(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each rise or fall to a figure or version of which the evidence shows one point alone."""
    seen: list[Fact] = []
    for clause in scene.clauses:
        figures = [fact for fact in clause.facts if fact.kind is FactKind.VALUE and fact.standing in HELD]
        for name, term in clause.clause.marks:
            if name not in _WAYS or _BARE.match(scene.text, term.start) or pair_of(clause.clause) is not None:
                continue
            if not seen and not _is_told(scene, clause) and not _is_series(scene, figures):
                fact = Fact(FactKind.ORDER, Standing.SILENT, term.start, term.end, _WHY)
                yield Doubt(fact, _WHY, Verification.OVERSTATED)
        seen += figures


def _is_told(scene: Scene, clause: ClauseAlignment) -> bool:
    """Returns whether the lines or records that a clause is aligned with tell of a change in words or by an arrow."""
    index = scene.index
    told = {fact.place.record for fact in clause.facts if fact.standing in HELD and fact.place is not None}
    told |= {clause.anchor} if clause.anchor >= 0 else set()
    records = {at for one in told for at in index.above(one)} | told
    if any(place.record in records for name in _CHANGES for place in index.places.get(name, ())):
        return True
    places = [fact.place for fact in clause.facts if fact.standing in HELD and fact.place is not None]
    return any(_SIDES.search(scene.evidence_of(place), *index.line(place)) for place in places)


def _is_series(scene: Scene, figures: list[Fact]) -> bool:
    """Returns whether figures are points of a series: rows that have times, or a list of values."""
    for fact in figures:
        if fact.standing is Standing.DERIVABLE or fact.why == IN_SERIES or fact.place is None:
            return True
        cell = scene.index.at_place.get((fact.place.record, fact.place.start))
        if cell is None or _has_others(scene, cell):
            return True
    return False


def _has_others(scene: Scene, cell: ValueCell) -> bool:
    """Returns whether a figure stands among others of its key that were read at other times."""
    index = scene.index
    if cell.arrow or len(cell.cell.values) > 1:
        return True
    timed = any(isinstance(one.mention.value, Instant) for one in index.by_record.get(cell.record, ()))
    if not timed and not any(one.key.lower() in _TIMES for one in index.records[cell.record].cells):
        return False
    return any(one.record != cell.record and one.cell.key == cell.cell.key for one in index.values)
