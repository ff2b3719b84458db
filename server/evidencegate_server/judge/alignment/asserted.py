"""Takes the force from facts that stand where the evidence tells no observation, and from a claim that only asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.frames import (
    DENIED,
    HEDGED,
    NEGATED,
    NONE,
    NOT_SEEN,
    SUPPOSED,
    TOLD,
    WANTED,
    Frame,
)
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, NAMED, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.lexicon.concept_words import NOT

_ENDS_ASKING: Final = re.compile(r"[?？]\s*$|[吗呢][。？?]?\s*$")
_BEGINS_ASKING: Final = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should)\s", re.IGNORECASE
)
_TELLS_WHEN: Final = re.compile(r"\bwhen\b|时(?=[会就将才，,])", re.IGNORECASE)
_WHEN: Final = "when"
# What a claim says that tells the same as a frame.
_SAYS_SO: Final = {
    WANTED: frozenset((WANTED, "desired", "expected", "target", "@purpose", "@advice")),
    TOLD: frozenset((TOLD,)),
    DENIED: frozenset((NEGATED, NOT_SEEN, NONE)),
    HEDGED: frozenset((HEDGED,)),
    SUPPOSED: frozenset((SUPPOSED, _WHEN)),
    **dict.fromkeys((NEGATED, NONE), frozenset((NEGATED, NOT_SEEN, NONE, NOT, "@quantifiers.never"))),
}
_LETTER: Final = re.compile(r"[^\W\d_]")
_NOTHING: Final[frozenset[str]] = frozenset()
_FREE: Final = frozenset((FactKind.WORD, FactKind.SCOPE, FactKind.CAUSE, FactKind.ORDER))


def asserted(clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with those facts doubted that the evidence has only as asked, wanted, played or supposed."""
    if _BEGINS_ASKING.match(text) is not None or _ENDS_ASKING.search(text) is not None:
        return [_with(clause, [_doubted(fact, "only asked") for fact in clause.facts]) for clause in clauses]
    said = frozenset(name for clause in clauses for term in clause.clause.terms for name in term.names)
    if _TELLS_WHEN.search(text) is not None:
        said |= {_WHEN}
    if DENIED in said:
        return [_with(clause, [_doubted(fact, "denied as a whole") for fact in clause.facts]) for clause in clauses]
    return [
        _with(clause, [_held_up(fact, clause.anchor, index, said, text) for fact in clause.facts]) for clause in clauses
    ]


def _with(clause: ClauseAlignment, facts: Sequence[Fact]) -> ClauseAlignment:
    return ClauseAlignment(clause.clause, clause.anchor, tuple(facts))


def _held_up(fact: Fact, anchor: int, index: EvidenceIndex, said: frozenset[str], text: str) -> Fact:
    if fact.standing not in HELD:
        return fact
    if fact.kind is FactKind.NAME and fact.why == NAMED and _LETTER.search(text, fact.start, fact.end) is not None:
        return fact  # a thing is there, whatever is told of it
    at = fact.place.record if fact.place is not None else anchor
    if at < 0:
        return fact
    one = index.records[at]
    start = fact.place.start if fact.place is not None else one.start
    if any(not _says_so(frame, said) for frame in index.frames[one.source].around(start)):
        return _doubted(fact, "told there as no observation")
    return fact


def _says_so(frame: Frame, said: frozenset[str]) -> bool:
    return all(not said.isdisjoint(frame.said if kind == NOT else _SAYS_SO.get(kind, _NOTHING)) for kind in frame.kinds)


def _doubted(fact: Fact, why: str) -> Fact:
    """Returns a fact that no longer bears a claim; a word that others can make up for only goes unsaid."""
    if fact.kind in _FREE:
        return replace(fact, standing=Standing.SILENT if fact.standing in HELD else fact.standing, why=why)
    return replace(fact, kind=FactKind.DENIAL, standing=Standing.PART, why=why) if fact.standing in HELD else fact
