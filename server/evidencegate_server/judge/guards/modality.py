"""Doubts what a claim tells as ahead, needed or tried (将, 需要, 试图) where the evidence tells it as done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.guards.matching import outside
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told
from evidencegate_server.words import Verification

_WHY: Final = "told as done there"
_NEAR: Final = 12  # code points between such a word and what it governs
_AROUND: Final = 300  # code points at each side of what is told


def governed(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each verb or figure behind a word that makes it no fact, where the text has no such word."""
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        if not clause.is_chinese or clause.marked("@hedges", "@conditions") is not None:
            continue
        for term in clause.terms:
            if scene.text[term.start : term.end] not in scene.words.modal_zh:
                continue
            verb = next((one for one in told if one.fact.start >= term.end), None)
            if verb is None or verb.fact.start - term.end > _NEAR or not (verb.is_verb or verb.is_value):
                continue
            if not _is_so_there(scene, verb):
                yield Doubt(verb.fact, _WHY, Verification.OVERSTATED)


def _is_so_there(scene: Scene, verb: Told) -> bool:
    """Returns whether the text has a word that makes something no fact around where it tells it."""
    text = scene.evidence_of(verb.place)
    start, end = max(0, verb.place.start - _AROUND), min(len(text), verb.place.end + _AROUND)
    found = [*scene.words.modal.finditer(text, start, end), *scene.words.ahead.finditer(text, start, end)]
    return bool(outside(found, list(scene.words.unsaid.finditer(text, start, end))))
