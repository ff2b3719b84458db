"""Doubts that something was done by what it was done to (denied by a role, where the evidence has it denied for it)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place

_BEFORE: Final = 40  # code points before a name that tell what it is to an event
_BY: Final = re.compile(r"(?:\bby(?: the| an?)?(?: [\w-]+)?\s*|[\u88ab\u7531][\u3400-\u9fff]{0,6}\s*)$", re.IGNORECASE)
_TO: Final = re.compile(r"\b(?:for|to|of)(?: [\w-]+)?[ :='\"]*$", re.IGNORECASE)


def not_by(facts: Sequence[Fact], index: EvidenceIndex, text: str, start: int) -> list[Fact]:
    """Returns a doubt for each name that a clause tells as who did something and the evidence as what it was done to.

    `start` is where the clause begins.
    """
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
        and _BY.search(text, max(start, fact.start - _BEFORE), fact.start)
    ]


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
