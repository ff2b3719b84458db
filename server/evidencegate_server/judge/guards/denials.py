"""Doubts that what the evidence denies in one way only is denied altogether, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.denial import DENYING, denied_in_evidence
from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told

_WORD: Final = re.compile(r"[a-z]{4,}")
_STATEMENT_END: Final = re.compile(r"[.,;:!?\n]|$")
_MOST: Final = 200  # code points behind what is denied
_NO: Final = re.compile(r"no\b", re.IGNORECASE)
_BEHIND_NO: Final = re.compile(r"\b(?:no|without|zero)\s+(?:[a-z]+\s+)?$", re.IGNORECASE)
_BEFORE: Final = 24
_WHY: Final = "another denial stands there"


def denied_otherwise(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each denied word that no list knows, where claim or evidence says more of it than the other.

    `Not singing into a microphone` does not say that nobody sings. Of a word that the lexicon knows the rest is known
    as well; of another one only its letters are, so that all that is said with it has to be the same.
    """
    for at, told in enumerate(scene.told):
        mark = scene.clauses[at].clause.marked("@negation.before")
        first = mark is not None and not scene.text[scene.clauses[at].clause.start : mark.start].strip()
        if mark is not None and first and _NO.match(scene.text, mark.start) and not _is_denied(scene, at):
            fact = Fact(FactKind.DENIAL, Standing.SILENT, mark.start, mark.end, _WHY)
            yield Doubt(fact, "nothing there denies it")
        affirms = not scene.clauses[at].clause.marked(*DENYING)
        for one in told:
            if affirms and (_is_denied_word(scene, one) or _is_none(scene, one)):
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


def _is_none(scene: Scene, one: Told) -> bool:
    """Returns whether a thing that a claim has stands only behind a `no` (reported no incident)."""
    if one.fact.kind is not FactKind.WORD or one.term is None or one.fact.weight < 1 or not one.is_prose:
        return False
    places = [place for name in one.term.names for place in scene.index.places.get(name, ())]
    return bool(places) and all(
        _BEHIND_NO.search(scene.evidence_of(place), max(0, place.start - _BEFORE), place.start) for place in places
    )


def _is_denied(scene: Scene, at: int) -> bool:
    """Returns whether anything of a clause that says `no` is borne out as denied, by a figure or by a state."""
    held = (fact for fact in scene.clauses[at].facts if fact.standing in HELD)
    return any(fact.kind not in (FactKind.NAME, FactKind.WORD) for fact in held)


def _is_narrower(scene: Scene, one: Told) -> bool:
    """Returns whether the evidence goes on behind the word with words that the claim has not."""
    text = scene.evidence_of(one.place)
    end = _STATEMENT_END.search(text, one.place.end, min(len(text), one.place.end + _MOST))
    rest = text[one.place.end : one.place.end + _MOST if end is None else end.start()]
    return any(word not in scene.lowered for word in _WORD.findall(rest.lower()))
