"""Doubts that what the evidence denies in one way only is denied altogether, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.denial import DENYING, denied_in_evidence
from evidencegate_server.judge.alignment.model import HELD, FactKind
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told

_WORD: Final = re.compile(r"[a-z]{4,}")
_STATEMENT_END: Final = re.compile(r"[.,;:!?\n]|$")
_MOST: Final = 200  # code points behind what is denied
_WHY: Final = "another denial stands there"


def denied_otherwise(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each denied word that no list knows, where claim or evidence says more of it than the other.

    `Not singing into a microphone` does not say that nobody sings. Of a word that the lexicon knows the rest is known
    as well; of another one only its letters are, so that all that is said with it has to be the same.
    """
    for at, told in enumerate(scene.told):
        affirms = not scene.clauses[at].clause.marked(*DENYING)
        for one in told:
            if affirms and _is_denied_word(scene, one):
                yield Doubt(one.fact, "denied there")
            if one.fact.kind is not FactKind.DENIAL or one.term is None or not one.term.is_unknown:
                continue
            lacks = any(
                fact.kind is FactKind.WORD and fact.standing not in HELD and fact.weight >= 1
                for fact in scene.clauses[at].facts
            )
            if lacks or _is_narrower(scene, one):
                yield Doubt(one.fact, _WHY)


def _is_denied_word(scene: Scene, one: Told) -> bool:
    """Returns whether a word that no list knows is denied where it stands (not humming)."""
    if one.fact.kind is not FactKind.WORD or one.term is None or not one.term.is_unknown:
        return False
    return denied_in_evidence(scene.index, one.place)


def _is_narrower(scene: Scene, one: Told) -> bool:
    """Returns whether the evidence goes on behind the word with words that the claim has not."""
    text = scene.evidence_of(one.place)
    end = _STATEMENT_END.search(text, one.place.end, min(len(text), one.place.end + _MOST))
    rest = text[one.place.end : one.place.end + _MOST if end is None else end.start()]
    return any(word not in scene.lowered for word in _WORD.findall(rest.lower()))
