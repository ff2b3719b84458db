"""Doubts that a change goes the way that a claim tells it: from what to what, which is the old and which the new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.guards.matching import places, stands_at
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.words import Verification

_ARROW: Final = re.compile(r"\s*(?:-+>|=+>|\u2192|\u21d2)\s*")
_MOVES: Final = re.compile(
    r"^\s*(?:-+>|=+>|\u2192|\u21d2|[\w ,()]{0,30}\b(?:to|into)\b(?:\s+[a-z]+)?|[\u3400-\u9fff]{0,8}[到至为成])"
    r"\s*[\"'(]?$",
    re.IGNORECASE,
)
_TO: Final = re.compile(
    r"(?:\b(?:over|went|switched|moved|changed|failed|migrated|shifted|became|is|now|back|up|down|\w+ed|rose|fell|grew"
    r"|shrank|sank|set|cut) (?:\w+ )?to\s*(?:the\s+)?|\b(?:is|are) (?:(?:now|still|currently) )?(?:at )?|[到至为]\s*)$",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"(?:\bfrom(?: the)?|\u4ece|\u7531)\s*$", re.IGNORECASE)
_BY: Final = re.compile(r"\bby (?:about |roughly |some |over |more than )?$|[了]\s*$", re.IGNORECASE)
_BESIDE: Final = 24
_GOES: Final = re.compile(
    r"\s*(?:-+>|=+>|\u2192|\u21d2)\s*|\s+(?:to|into)\s+(?:the\s+)?|\s*[\u3400-\u9fff]{0,6}[\u5230\u81f3\u4e3a\u6210]\s*"
)
_BEHIND_ARROW: Final = re.compile(r"(?:(?:-+>|=+>|\u2192|\u21d2)\s*|\bto |[\u5230\u81f3\u4e3a]\s*)$")
_WHY: Final = "the other way round"


def turned(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each change that the evidence tells the other way round."""
    facts = sorted(
        (
            fact
            for clause in scene.clauses
            for fact in clause.facts
            if fact.kind in (FactKind.VALUE, FactKind.NAME, FactKind.WORD)
            and fact.standing in HELD
            and fact.place is not None
        ),
        key=lambda fact: fact.start,
    )
    for at, first in enumerate(facts):
        for second in facts[at + 1 : at + 4]:
            if (
                second.start >= first.end
                and _MOVES.match(scene.text[first.end : second.start])
                and _is_turned(scene, first, second)
            ):
                yield Doubt(second, _WHY, Verification.CONTRADICTED)
    for fact in facts:
        side = _claimed_side(scene, fact)
        if side and _shown_side(scene, fact) == -side:
            yield Doubt(fact, _WHY, Verification.CONTRADICTED)
        elif fact.kind is FactKind.VALUE and fact.standing is Standing.STATED and _is_difference(scene, fact):
            yield Doubt(fact, "what it went from or to, and not by how much", Verification.CONTRADICTED)


def _is_difference(scene: Scene, fact: Fact) -> bool:
    """Returns whether a claim says that a figure changed by what the evidence says that it went from or to."""
    before = scene.text[max(0, fact.start - _BESIDE) : fact.start]
    return _BY.search(before) is not None and scene.text[fact.start - 1] == " " and _shown_side(scene, fact) != 0


def _is_turned(scene: Scene, first: Fact, second: Fact) -> bool:
    """Returns whether the evidence goes from the second to the first, and nowhere from the first to the second."""
    one, other = _said(scene, first), _said(scene, second)
    if not one or not other or one == other:
        return False
    texts = {scene.evidence_of(fact.place): None for fact in (first, second) if fact.place is not None}
    return any(_goes(text, other, one) and not _goes(text, one, other) for text in texts)


def _said(scene: Scene, fact: Fact) -> str:
    assert fact.place is not None
    return scene.evidence_of(fact.place)[fact.place.start : fact.place.end].strip()


def _goes(text: str, one: str, other: str) -> bool:
    """Returns whether a text goes from one to another: by an arrow, a `to`, a 到."""
    for at in places(text, one):
        found = _GOES.match(text, at + len(one))
        if found is not None and stands_at(text, other, found.end(), found.end() + len(other) + 1) == found.end():
            return True
    return False


def _claimed_side(scene: Scene, fact: Fact) -> int:
    """Returns -1 where a claim calls something the old side of a change, 1 for the new one, 0 for neither."""
    if fact.kind is FactKind.WORD and not scene.text[fact.start].isascii():
        return 0
    before = scene.text[max(0, fact.start - _BESIDE) : fact.start]
    behind = scene.text[fact.end : fact.end + _BESIDE]
    if _TO.search(before) is not None:
        return 1
    if _FROM.search(before) is not None:
        return -1
    if re.match(r"\s*(?:is|are|was|became)\s+(?:the\s+|an?\s+)?", behind) or re.match(r"\s*[是为]", behind):
        if scene.words.new.search(behind):
            return 1
        if scene.words.old.search(behind):
            return -1
    return 0


def _shown_side(scene: Scene, fact: Fact) -> int:
    """Returns on which side of arrows something stands in the evidence: -1 before, 1 behind, 0 for none or both."""
    assert fact.place is not None
    text, said = scene.evidence_of(fact.place), _said(scene, fact)
    old = new = False
    for at in places(text, said):
        before = text[max(0, at - _BESIDE) : at]
        old = old or _ARROW.match(text, at + len(said)) is not None or _FROM.search(before) is not None
        new = new or _BEHIND_ARROW.search(before) is not None
    return 0 if old == new else -1 if old else 1
