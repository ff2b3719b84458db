"""Doubts that something was done, where a claim has the right thing and figure and another verb than any there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, FactKind
from evidencegate_server.judge.alignment.scope.scene import pair_of
from evidencegate_server.judge.guards.occasions import is_somewhere
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.judge.guards.statements import is_verb
from evidencegate_server.words import Verification

_DONE: Final = re.compile(
    r"\b(?:was|were|been|being|got|has|have|had)\s+(?:[a-z]+ly\s+|just\s+|once\s+|not\s+|again\s+)?$", re.IGNORECASE
)
_PAST: Final = re.compile(r"[a-z]+(?:ed|own|ung|oke|ent|ost|ept)\b", re.IGNORECASE)
_WHY: Final = "nothing there says that this was done"


def done_nowhere(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each verb of a claim, told as done, of which the evidence has no word at all."""
    for clause in scene.clauses:
        if clause.clause.marked("@hedges") is not None or pair_of(clause.clause) is not None:
            continue  # a guess, and a rise or fall from one figure to another, are judged as such
        words = {term.start: term for term in clause.clause.terms}
        for fact in clause.facts:
            term = words.get(fact.start)
            if term is None or fact.standing in HELD or fact.kind not in (FactKind.WORD, FactKind.STATE):
                continue
            if fact.weight < 1:
                continue
            known = is_verb(term, scene.index.vocabulary)
            if not (known or term.is_unknown) or not scene.text[fact.start].isascii():
                continue
            done = _DONE.search(scene.text, clause.clause.start, fact.start) is not None
            alone = known and not any(
                other is not term and is_verb(other, scene.index.vocabulary) for other in words.values()
            )
            if not (done or alone) or _PAST.match(scene.text, fact.start) is None:
                continue
            if not is_somewhere(scene, term):
                yield Doubt(fact, _WHY, Verification.OVERSTATED)
