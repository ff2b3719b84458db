"""Doubts on what occasion something is told: after, during, under or in what the evidence does not name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.guards.scene import Doubt, Scene, content
from evidencegate_server.judge.guards.statements import is_light
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.words import Verification

# All but the last two bring in an event, whatever it is called.
_OPENER: Final = re.compile(
    r"\b(?:after|before|during|since|following|under|despite|amid|throughout|in|with)\b", re.IGNORECASE
)
# Bring in a place or what goes with it, which may as well be a mere word for its kind (in the pod).
_LOOSE: Final = frozenset({"in", "with"})
_NEAR: Final = re.compile(r"\s+(?:[a-z'-]+\s+){0,2}", re.IGNORECASE)
_WHY: Final = "an occasion that is told nowhere"
_DIGIT: Final = re.compile(r"\d")


def on_occasion(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each occasion that a claim tells and of which nothing stands in the evidence."""
    for clause in scene.clauses:
        start, end = clause.clause.start, clause.clause.end
        held = {fact.start for fact in clause.facts if fact.standing in HELD}
        figures = [value.start for value in clause.clause.values]
        for opener in _OPENER.finditer(scene.text, start, end):
            noun = next(
                (term for term in clause.clause.terms if term.start >= opener.end() and content(term)),
                None,
            )
            if noun is None or noun.start in held or any(opener.end() <= at <= noun.start for at in figures):
                continue
            if not _NEAR.fullmatch(scene.text, opener.end(), noun.start):
                continue
            if opener.group().lower() in _LOOSE and is_light(noun, scene.index.vocabulary):
                continue
            if not is_somewhere(scene, noun):
                fact = Fact(FactKind.ORDER, Standing.FOREIGN, opener.start(), noun.end, _WHY)
                yield Doubt(fact, _WHY, Verification.OVERSTATED)


def is_somewhere(scene: Scene, term: Term) -> bool:
    """Returns whether the evidence has a word, one of its meaning or one that implies it."""
    index = scene.index
    names = content(term)
    akin = (other for name in names for other in index.vocabulary.akin.get(name, ()))
    implied = (other for name in names for other in index.vocabulary.implied_by.get(name, ()))
    if any(index.places.get(name) or name in index.all_keys for name in (*names, *akin, *implied)):
        return True
    written = scene.text[term.start : term.end].lower()
    stem = re.sub(r"(?:ments?|ions?|ings?|ures?|ed|es|s)$", "", written) if len(written) > 5 else written
    return _DIGIT.search(written) is not None or any(stem in text for text in index.lowered)
