"""Doubts that one event came before, after or during another where the times of the evidence say something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.chronology import behind
from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told
from evidencegate_server.judge.values.model import Quantity
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.words import Verification

_AFTER: Final = "@order.after"
_BEFORE: Final = "@order.before"
_THEN: Final = "@order.then"
_DURING: Final = "@order.during"
_SAME: Final = Decimal(60)  # seconds apart that two events may be told as one during the other
_LATER: Final = re.compile(r" ?(?:之|以)?后")
_WHY: Final = "its time is another one"


def out_of_order(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each order of two events that a Chinese claim tells otherwise than the evidence's times."""
    events = [one for told in scene.told for one in told if one.is_verb]
    for one in scene.clauses:
        if not one.clause.is_chinese:
            continue
        for name, mark in [*one.clause.marks, *_delays(one.clause, scene.text)]:
            sides = _sides(name, mark, one.clause.start, events)
            if sides is None:
                continue
            first, second = sides
            gap = behind(scene.index, first.place, second.place)
            if gap is None:
                continue
            if (gap < 0) if name != _DURING else (abs(gap) > _SAME):
                yield Doubt(
                    Fact(FactKind.ORDER, Standing.SILENT, mark.start, mark.end, _WHY, second.place),
                    _WHY,
                    Verification.CONTRADICTED if name != _DURING else Verification.OVERSTATED,
                )


def _delays(clause: Clause, text: str) -> Iterator[tuple[str, Term]]:
    """Returns the lengths of time after which something came (4 分钟后), as marks of an order."""
    for value in clause.values:
        if isinstance(value.value, Quantity) and value.value.measure == "time" and _LATER.match(text, value.end):
            yield _AFTER, Term((_AFTER,), value.start, value.end)


def _sides(name: str, mark: Term, start: int, events: Sequence[Told]) -> tuple[Told, Told] | None:
    """Returns the two events of a mark, the one first that is told as the earlier."""
    before = [one for one in events if one.fact.end <= mark.start]
    later = [one for one in events if one.fact.start >= mark.end]
    inside = [one for one in before if one.fact.start >= start]
    if name == _THEN or (name == _AFTER and not inside):
        return (before[-1], later[0]) if before and later else None
    if name not in (_AFTER, _BEFORE, _DURING) or not inside:
        return None
    other = later[0] if later else next((one for one in inside if one.fact.end <= inside[-1].fact.start), None)
    if other is None:
        return None
    return (other, inside[-1]) if name == _BEFORE else (inside[-1], other)
