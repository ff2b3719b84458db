"""Doubts what a claim says on top of a fact: that it was on purpose, for hours, for everybody, or harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.words import Verification

_ADVERB: Final = re.compile(r"\b[a-z]{3,}ly\b")
_WHY: Final = "said nowhere"


def on_top(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each remark, and each adverb of manner, that the evidence does not make."""
    texts = scene.index.evidence.texts
    for said, shown in scene.words.asides:
        found = said.search(scene.text)
        if found is not None and not any(shown.search(text) for text in texts):
            yield _doubt(found.start(), found.end())
    known = {fact.start for clause in scene.clauses for fact in clause.facts if fact.standing in HELD}
    for adverb in _ADVERB.finditer(scene.lowered):
        if adverb.group() in scene.words.plain_adverbs or adverb.start() in known:
            continue
        stem = adverb.group()[:-2].rstrip("i")
        if not any(stem in text for text in scene.index.lowered):
            yield _doubt(adverb.start(), adverb.end())


def _doubt(start: int, end: int) -> Doubt:
    return Doubt(Fact(FactKind.WORD, Standing.FOREIGN, start, end, _WHY), _WHY, Verification.OVERSTATED)
