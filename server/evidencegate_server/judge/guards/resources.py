"""Doubts that what the evidence tells of one resource (insufficient cpu) is told of another (memory)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, FactKind, Standing
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told

_WHY: Final = "told of another resource"
_ITS_OWN: Final = 1.0  # what a word weighs that says something of its own


def of_another_resource(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each resource of a claim that stands nowhere, or beside whose state another one stands."""
    resources = scene.index.vocabulary.traits["resource"]
    for at, one in enumerate(scene.clauses):
        named = {name for term in one.clause.terms for name in term.names if name in resources}
        if not named:
            continue
        starts = {term.start for term in one.clause.terms if not named.isdisjoint(term.names)}
        for fact in one.facts:
            if fact.start in starts and fact.standing is Standing.FOREIGN and fact.weight >= _ITS_OWN:
                yield Doubt(fact, _WHY)
        if any(fact.start in starts and fact.kind is FactKind.WORD and fact.standing in HELD for fact in one.facts):
            continue
        for told in scene.told[at]:
            if told.is_verb and told.is_prose and _is_of_others(scene, told, named, resources):
                yield Doubt(told.fact, _WHY)


def _is_of_others(scene: Scene, told: Told, named: set[str], resources: frozenset[str]) -> bool:
    """Returns whether the statement that tells a state names other resources, and none of those of the claim."""
    line = scene.lines.line(told.place)
    statement = line.statements[line.at(told.place.start)]
    shown = {name for term in statement.terms for name in term.names if name in resources}
    return bool(shown) and shown.isdisjoint(named)
