"""Doubts that an amount is the free, requested or allowed part of something, where the evidence knows no such part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, FactKind, Standing
from evidencegate_server.judge.guards.occasions import is_somewhere
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.judge.values.model import COUNT, Quantity
from evidencegate_server.judge.vocabulary import Term

_PORTIONS: Final = frozenset(
    {"free", "available", "requested", "limit", "reserved", "cached", "swap", "idle", "remaining", "quota", "peak"}
)
_WHY: Final = "nothing there tells of such a part"


def of_no_portion(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each word that says which part of something an amount is, and that stands nowhere."""
    for clause in scene.clauses:
        held = {fact.start for fact in clause.facts if fact.standing in HELD}
        figures = [
            value
            for value in clause.clause.values
            if isinstance(value.value, Quantity)
            and value.value.measure not in ("", COUNT)
            and value.outer_start in held
        ]
        derived = any(fact.kind is FactKind.VALUE and fact.standing is Standing.DERIVABLE for fact in clause.facts)
        for term in clause.clause.terms if figures and not derived else ():
            if term.start in held or not _is_portion(scene, term, figures[0].outer_start):
                continue
            if not is_somewhere(scene, term):
                fact = next((one for one in clause.facts if one.start == term.start), clause.facts[0])
                yield Doubt(fact, _WHY)


def _is_portion(scene: Scene, term: Term, figure: int) -> bool:
    """Returns whether a word says which part an amount is; `requests` does only as a verb, before its amount."""
    if _PORTIONS.isdisjoint(term.names) or not scene.text[term.start].isascii():
        return False
    return term.names[0] != "request" or term.end + 1 == figure
