"""Doubts that something was done by what it was done to (denied by a role, where the evidence has it denied for it)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause

_BEFORE: Final = 40  # code points before a name that tell what it is to an event
_BY: Final = re.compile(r"(?:\bby(?: the| an?)?(?: [\w-]+)?\s*|[\u88ab\u7531][\u3400-\u9fff]{0,6}\s*)$", re.IGNORECASE)
_TO: Final = re.compile(r"\b(?:for|to|of)(?: [\w-]+)?[ :='\"]*$", re.IGNORECASE)
# Followed by a restart, going by these lines, by way of: nobody does anything there.
_NOBODY: Final = re.compile(
    r"\b(?:followed\b[^,;.]*|preceded|going|judging|sorted|grouped|divided)\s*\Z", re.IGNORECASE
)
# Stands right behind a Chinese verb and behind no noun (marked as failed): nobody is named there.
_ENDS_A_VERB: Final = re.compile(r"\u6210(?!\u529f|\u5458)|\u4e3a(?!\u4e86)|[\u4e86\u8fc7\u6389]")
_SAYS: Final = ("event", "state")


def not_by(facts: Sequence[Fact], index: EvidenceIndex, text: str, clause: Clause) -> list[Fact]:
    """Returns a doubt for each name that a clause tells as who did what the evidence has done to it."""
    start = clause.start
    return [
        Fact(FactKind.ORDER, Standing.SILENT, fact.start, fact.end, "done to it, not by it", fact.place)
        for fact in facts
        if fact.kind is FactKind.NAME
        and fact.standing in HELD
        and fact.place is not None
        and _BY.search(text, max(start, fact.start - _BEFORE), fact.start)
        and (_is_done_to(fact.place, index) or _stands_behind(fact, facts, index))
    ] + [
        Fact(FactKind.ORDER, Standing.SILENT, fact.start, fact.end, "by whom is not said", fact.place)
        for fact in facts
        if fact.kind is FactKind.WORD
        and fact.standing not in HELD
        and (sign := _BY.search(text, max(start, fact.start - _BEFORE), fact.start)) is not None
        and _is_somebody(fact, sign.start(), clause, index, text)
    ]


def _is_somebody(fact: Fact, sign: int, clause: Clause, index: EvidenceIndex, text: str) -> bool:
    """Returns whether a word behind a `by` tells who did it: in Chinese (\u88ab) the verb itself may stand there."""
    if text[sign].isascii():
        return _NOBODY.search(text, clause.start, sign) is None
    if _ENDS_A_VERB.match(text, fact.end):
        return False
    kind = index.vocabulary.kind
    behind = (name for term in clause.terms if term.start >= fact.end for name in (term.names or ("",)))
    return any(kind(name) in _SAYS or name[0] == "~" for name in behind)


def _is_done_to(place: Place, index: EvidenceIndex) -> bool:
    return _TO.search(index.text_at(place.record, max(0, place.start - _BEFORE), place.start)) is not None


def _stands_behind(name: Fact, facts: Sequence[Fact], index: EvidenceIndex) -> bool:
    """Returns whether the evidence names a thing behind what it is told to have done, and does not say by it."""
    assert name.place is not None
    done = [fact for fact in facts if fact.kind is FactKind.STATE and fact.end <= name.start and fact.place is not None]
    last = max(done, key=lambda fact: fact.end, default=None)
    if last is None or last.place is None or last.place.record != name.place.record:
        return False
    before = index.text_at(name.place.record, max(0, name.place.start - _BEFORE), name.place.start)
    return last.place.end <= name.place.start and _BY.search(before) is None
