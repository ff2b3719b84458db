"""Doubts that something was so during, before or after what the evidence does not have (发布后, 压测期间)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, FactKind
from evidencegate_server.judge.guards.scene import Doubt, Scene, content
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.words import Verification

_WHEN: Final = ("@order.during", "@order.after", "@order.before")
_WORDS: Final = frozenset({FactKind.WORD, FactKind.STATE})
_WHY: Final = "not said to be then"


def beside_another(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each Chinese word right before one for an order in time of which nothing is shown.

    Where a cause is only guessed at, how it came about is a part of the guess.
    """
    marked = [[clause.clause.marked(mark) for clause in scene.clauses] for mark in ("@hedges", "@cause")]
    if all(any(found) for found in marked):
        return
    for one in scene.clauses:
        if not one.clause.is_chinese:
            continue
        facts = {fact.start: fact for fact in one.facts if fact.kind in _WORDS}
        for name, mark in one.clause.marks:
            if not name.startswith(_WHEN):
                continue
            told = [facts[term.start] for term in _right_before(one.clause.terms, mark) if term.start in facts]
            if told and not any(fact.standing in HELD for fact in told):
                yield Doubt(told[0], _WHY, Verification.OVERSTATED)


def _right_before(terms: Sequence[Term], mark: Term) -> list[Term]:
    """Returns the words that go on up to a mark without a blank, nearest first."""
    found: list[Term] = []
    at = mark.start
    for term in reversed(terms):
        if term.end == at and content(term):
            found.append(term)
            at = term.start
        elif term.end <= at:
            break
    return found
