"""Doubts facts that are the same only until one looks at how they are written: numbers of things, case, tense."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, NAMED, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.claims.model import Clause, mention_of
from evidencegate_server.judge.values.model import COUNT, Quantity
from evidencegate_server.lexicon.concept_words import NOT

_CLOSE: Final = 4  # code points between a number and the word whose name it is
_NUMBERED: Final = frozenset({"version", "port", "identifier", "revision"})
_DIGITS: Final = re.compile(r"[\d.,]+")
_IS: Final = re.compile(r"\b(?:is|are)\s+(?:(?:now|currently|still)\s+)?\Z", re.IGNORECASE)
_WAS: Final = re.compile(r"(?:\b(?:was|were|had been|used to be)\s+|曾经?|此前|原先)\Z", re.IGNORECASE)
_AGO: Final = re.compile(r"\s*(?:ago\b|前)")
_GONE: Final = re.compile(r"(?:已|过期|超期)\s*\Z")
_AHEAD: Final = re.compile(r"\bin\s+\Z", re.IGNORECASE)
_NEAR: Final = "@near"
_LOOK_BACK: Final = 24
_LONGEST_LETTER: Final = 1
_SHORTEST_ID: Final = 8


def as_spelled(clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with those facts doubted that the evidence writes as another number, name or time."""
    return [
        ClauseAlignment(
            clause.clause, clause.anchor, tuple(_looked_at(fact, clause.clause, index, text) for fact in clause.facts)
        )
        for clause in clauses
    ]


def _looked_at(fact: Fact, clause: Clause, index: EvidenceIndex, text: str) -> Fact:
    if fact.standing not in HELD or fact.place is None:
        return fact
    if fact.kind is FactKind.VALUE and fact.standing is Standing.STATED and _is_other_number(fact, clause, index, text):
        return replace(fact, standing=Standing.PART, why="another number is written there")
    if fact.kind is FactKind.NAME and fact.why == NAMED and _is_other_case(fact, index, text):
        return replace(fact, standing=Standing.SILENT, why="another name is written there")
    if fact.kind is FactKind.STATE and _is_short_of(fact, clause, index):
        return replace(fact, kind=FactKind.DENIAL, standing=Standing.PART, why="it is only near there, or not got to")
    if fact.kind is FactKind.VALUE and _is_gone_by(fact, index, text):
        return replace(fact, standing=Standing.PART, why="it is as long ago there")
    if fact.kind is FactKind.STATE and _is_past(fact, index, text):
        return replace(fact, kind=FactKind.DENIAL, standing=Standing.PART, why="it was so there, and is not said to be")
    return fact


def _shown(fact: Fact, index: EvidenceIndex) -> str:
    assert fact.place is not None
    return index.text_at(fact.place.record, fact.place.start, fact.place.end)


def _is_other_number(fact: Fact, clause: Clause, index: EvidenceIndex, text: str) -> bool:
    """Returns whether a number that names something (a port, a version, an ID) is written with other digits."""
    mention = mention_of(clause, fact.start)
    if mention is None or not isinstance(mention.value, Quantity) or mention.value.measure != COUNT:
        return False  # a time or an amount names nothing
    beside = (term for term in clause.terms if 0 <= fact.start - term.end <= _CLOSE)
    names = index.vocabulary.traits["identifying"] | _NUMBERED
    if not any(names.intersection(term.names) for term in beside):
        return False
    claimed, shown = _DIGITS.search(text, fact.start, fact.end), _DIGITS.search(_shown(fact, index))
    return claimed is not None and shown is not None and claimed[0].strip(".,") != shown[0].strip(".,")


def _is_other_case(fact: Fact, index: EvidenceIndex, text: str) -> bool:
    """Returns whether letter case tells two names apart: in a part of one letter, or in an ID."""
    claimed, shown = text[fact.start : fact.end], _shown(fact, index)
    if claimed == shown or claimed.lower() != shown.lower():
        return False
    parts = zip(re.split(r"[\W_]+", claimed), re.split(r"[\W_]+", shown), strict=True)
    return any(one != other and _tells_by_case(one) for one, other in parts)


def _tells_by_case(part: str) -> bool:
    is_id = (
        len(part) >= _SHORTEST_ID and any(sign.isdigit() for sign in part) and part not in (part.lower(), part.upper())
    )
    return len(part) <= _LONGEST_LETTER or is_id


def _is_short_of(fact: Fact, clause: Clause, index: EvidenceIndex) -> bool:
    """Returns whether the word right before a state takes it back: almost ready, 未恢复正常."""
    assert fact.place is not None
    terms = index.terms[fact.place.record]
    at = bisect_left(terms, fact.place.start, key=lambda term: term.start) - 1
    if at < 0 or fact.place.start - terms[at].end > 1:
        return False
    if _NEAR in terms[at].names:
        return clause.marked(_NEAR) is None
    return NOT in terms[at].names and clause.marked("@negation") is None


def _is_gone_by(fact: Fact, index: EvidenceIndex, text: str) -> bool:
    """Returns whether a time that a claim has ahead is one that the evidence has behind: in 3 days, 3 days ago."""
    assert fact.place is not None
    behind = index.text_at(fact.place.record, fact.place.end, fact.place.end + _LOOK_BACK)
    before = index.text_at(fact.place.record, max(0, fact.place.start - 4), fact.place.start)
    if _AGO.match(behind) is None and not _GONE.search(before):
        return False
    return _AHEAD.search(text, max(0, fact.start - 4), fact.start) is not None or text.startswith("后", fact.end)


def _is_past(fact: Fact, index: EvidenceIndex, text: str) -> bool:
    """Returns whether a claim says that something is so and the evidence that it was."""
    assert fact.place is not None
    if _IS.search(text, max(0, fact.start - _LOOK_BACK), fact.start) is None:
        return False
    start = fact.place.start
    return _WAS.search(index.text_at(fact.place.record, max(0, start - _LOOK_BACK), start)) is not None
