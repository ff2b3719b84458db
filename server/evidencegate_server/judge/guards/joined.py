"""Doubts what a claim joins to a fact: a second thing that is told of its subject, what should be, and how often."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.guards.matching import stands_at
from evidencegate_server.judge.guards.occasions import is_somewhere
from evidencegate_server.judge.guards.scene import Doubt, Scene, content
from evidencegate_server.judge.guards.statements import is_actor, is_light
from evidencegate_server.words import Verification

_ALSO: Final = re.compile(
    r"\b(?:and|but|yet|or|so)\s+(?:(?:it|they|also|then|now|thus|therefore)\s+)?"
    r"(?:is|are|was|were|has been|have been|had been|has|have|had|got|gets"
    r"|should be|must be|will be|needs to be)\s+(?:[a-z]+ly\s+|still\s+|now\s+|then\s+)?"
    r"(?=[a-z])",
    re.IGNORECASE,
)
_SHOULD: Final = re.compile(
    r"\b(?:should|must|ought to|needs? to|will|is going to|are going to|is about to|are about to)\s+(?:not\s+|soon\s+)?"
    r"(?:be\s+|have\s+|have been\s+)?(?=[a-z])",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(
    r"\bfor the (?:(first)|(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)|(\d{1,3})(?:st|nd|rd|th))"
    r" time\b",
    re.IGNORECASE,
)
_ORDINALS: Final = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_JOINT: Final = re.compile(r"\b(?:and|but|while|whereas|so|which)\s", re.IGNORECASE)
_SAYING: Final = frozenset({FactKind.NAME, FactKind.STATE, FactKind.WORD, FactKind.VALUE, FactKind.DENIAL})
_TO: Final = "to "
_WHY: Final = "joined to a fact and not shown itself"
_AHEAD: Final = "told as what should be or will be, and nothing there lies ahead"
_TIMES: Final = "no count there says which time it was"


def joined(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each thing that a claim tells beside what the evidence bears out."""
    yield from _predicates(scene)
    yield from _segments(scene)
    yield from _subjects(scene)
    yield from _ahead(scene)
    yield from _which_time(scene)


def _predicates(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each state behind `and is`, `but was` that nothing bears out."""
    facts = [fact for clause in scene.clauses for fact in clause.facts]
    for found in _ALSO.finditer(scene.text):
        told = [fact for fact in facts if fact.start == found.end() and fact.kind in (FactKind.STATE, FactKind.WORD)]
        if told and not any(fact.standing in HELD for fact in told):
            yield _doubt(told[0].start, told[0].end, _WHY)


def _segments(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each stretch behind an `and` that says something and of which a name at most is shown."""
    facts = [fact for clause in scene.clauses for fact in clause.facts if fact.kind in _SAYING]
    terms = [term for clause in scene.clauses for term in clause.clause.terms if content(term)]
    for joint, behind in pairwise([*_JOINT.finditer(scene.text), None]):
        assert joint is not None
        end = len(scene.text) if behind is None else behind.start()
        own = [fact for fact in facts if joint.end() <= fact.start < end]
        lacking = [fact for fact in own if fact.standing not in HELD and fact.weight > 0]
        said = sum(joint.end() <= term.start < end for term in terms)
        if said > 1 and lacking and not any(fact.standing in HELD and not _is_old(scene, fact, joint) for fact in own):
            yield _doubt(lacking[0].start, lacking[0].end, _WHY)


def _is_old(scene: Scene, fact: Fact, joint: re.Match[str]) -> bool:
    """Returns whether a name was said before a joint already."""
    return (
        fact.kind is FactKind.NAME and stands_at(scene.text, scene.text[fact.start : fact.end], 0, joint.start()) >= 0
    )


def _subjects(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each clause behind another whose subject, a mere kind of thing, stands nowhere."""
    vocabulary = scene.index.vocabulary
    for at in range(1, len(scene.clauses)):
        clause = scene.clauses[at]
        words = scene.words_of(at)
        if not words or not words[0].is_actor or words[0].told is not None:
            continue
        first = words[0].term
        if not scene.text[first.start].isascii():
            continue  # where Chinese begins a clause, the subject may stand in the one before
        told = [one for one in words[1:] if one.told is not None]
        only_verbs = all(one.is_verb for one in told) and not any(one.told and one.told.is_value for one in told)
        if not is_actor(first, vocabulary) or not is_light(first, vocabulary) or not only_verbs or clause.clause.values:
            continue
        if told and not is_somewhere(scene, first):
            yield _doubt(first.start, first.end, _WHY)


def _ahead(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each verb behind `should` or `will` that the evidence does not tell as ahead."""
    told = [one for clause in scene.told for one in clause]
    for found in _SHOULD.finditer(scene.text):
        for one in told:
            if one.fact.start != found.end() or not one.is_verb:
                continue
            text = scene.evidence_of(one.place)
            start, end = scene.index.line(one.place)
            is_aim = text[max(start, one.place.start - len(_TO)) : one.place.start].lower() == _TO
            if not is_aim and scene.words.ahead.search(text, start, end) is None:
                yield _doubt(found.start(), one.fact.end, _AHEAD)


def _which_time(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt where a claim says which time something happened, and no number or order of that is there."""
    for found in _ORDINAL.finditer(scene.text):
        word = found.group(1) or found.group(2)
        number = found.group(3) or (str(_ORDINALS.index(word.lower()) + 2) if word and word.lower() != "first" else "1")
        wanted = rf"(?<![\w.]){number}(?:st|nd|rd|th)?(?![\w.%])" if number != "1" else r"(?!)"
        said = re.compile(rf"\b{re.escape(word)}\b|{wanted}" if word else wanted, re.IGNORECASE)
        if not any(said.search(text) for text in scene.index.evidence.texts):
            yield _doubt(found.start(), found.end(), _TIMES)


def _doubt(start: int, end: int, why: str) -> Doubt:
    return Doubt(Fact(FactKind.ORDER, Standing.SILENT, start, end, why), why, Verification.OVERSTATED)
