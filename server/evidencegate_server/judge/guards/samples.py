"""Doubts what a claim takes from a metric's label whose figure says that it is not so (code="500" is 0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.denial import DENYING
from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.judge.guards.scene import Doubt, Scene

_WHY: Final = "its figure there does not say that it is so"


def counted_none(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each label that a clause states, where the clause neither denies it nor tells its figure."""
    sampled = scene.index.sampled
    if not sampled:
        return
    for at, told in enumerate(scene.told):
        if scene.clauses[at].clause.marked(*DENYING):
            continue
        stated = {(one.place.record, one.place.start) for one in told if one.is_value}
        for one in told:
            if one.fact.kind is FactKind.DENIAL or sampled.doubted(one.place.record, one.place.start) is None:
                continue
            figures = sampled.figures_of(one.place.record)
            if not any((index, cell.start) in stated for index, cell, _ in figures):
                yield Doubt(one.fact, _WHY)
