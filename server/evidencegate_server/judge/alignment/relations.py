"""Checks what a claim says between its clauses: that one thing caused another, or came before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, NAMED, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.ordering import in_order
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.records.model import Cell
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import Quantity

_NAMING: Final = frozenset({"reason", "error", "message", "description", "cause_word"})
_REASONS: Final = frozenset({"reason", "cause_word"})
_BACKWARD: Final = "cause.backward"
_STATEMENT: Final = 80  # code points between the two sides of one statement
_LONGEST_CHAIN: Final = 240  # the same where a program wraps one error in another (pull "x": dial tcp: timeout)
_CHAIN: Final = re.compile(r"\A[^，。；!?]*[\w\")]: [a-z][^，。；!?]*\Z")
_SAYS_WHY: Final = (": ", "\uff1a", "(", "\uff08", "\u2014")


def relate(clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with their marks of cause and order checked against their neighbours."""
    found: list[ClauseAlignment] = []
    for at, clause in enumerate(clauses):
        facts = list(clause.facts)
        for number, fact in enumerate(facts):
            if fact.standing is not Standing.SILENT:
                continue
            if fact.kind is FactKind.CAUSE:
                facts[number] = _cause(fact, at, clauses, index)
        found.append(ClauseAlignment(clause.clause, clause.anchor, tuple(facts)))
    return in_order(found, index, text)


def _cause(fact: Fact, at: int, clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> Fact:
    """Returns a cause as stated where one record (or two of one thing) has both sides and says that it is a reason."""
    if fact.why == _BACKWARD and not _gives_reason(fact, clauses[at]):
        return fact
    sides = [clauses[at]]
    if at:
        sides.append(clauses[at - 1])
    elif len(clauses) > 1:
        sides.append(clauses[1])
    anchors = [side.anchor for side in sides]
    if any(
        anchor < 0 or not any(one.standing in HELD for one in side.facts)
        for anchor, side in zip(anchors, sides, strict=True)
    ):
        return fact
    if len(anchors) == 2 and not (
        index.in_scope(anchors[0], anchors[1])
        or index.in_scope(anchors[1], anchors[0])
        or _tells_of(sides[1], anchors[0], index)
        or _tells_of(sides[0], anchors[1], index)
    ):
        return fact
    held = [[one.place for one in side.facts if one.standing in HELD and one.place is not None] for side in sides]
    records = [place.record for places in held for place in places]
    for record in dict.fromkeys([*anchors, *records]):
        place = _names_reason(record, [place for places in held for place in places], index)
        if place is not None:
            return replace(fact, standing=Standing.STATED, place=place)
    place = _one_statement(held, index)
    return fact if place is None else replace(fact, standing=Standing.STATED, place=place)


def _gives_reason(mark: Fact, clause: ClauseAlignment) -> bool:
    """Returns whether what a clause says behind its `because` is shown; where it ends there, the next one says it."""
    behind = [term for term in clause.clause.terms if term.start >= mark.end]
    return not behind or any(one.start >= mark.end and one.standing in HELD for one in clause.facts)


def _tells_of(side: ClauseAlignment, record: int, index: EvidenceIndex) -> bool:
    """Returns whether the record of one side tells of the other too: it has its name and one of its figures."""
    names = [one for one in side.facts if one.kind is FactKind.NAME and one.why == NAMED and one.place is not None]
    texts = {index.text_at(one.place.record, one.place.start, one.place.end).lower() for one in names if one.place}
    if not any(place.record == record for text in texts for place in index.find(text)):
        return False
    claimed = [value.value for value in side.clause.values if isinstance(value.value, Quantity)]
    return any(
        compare(value, one.mention.value) is Relation.EQUAL
        for value in claimed
        for one in index.by_record.get(record, ())
    )


def _names_reason(record: int, held: Sequence[Place], index: EvidenceIndex) -> Place | None:
    """Returns where a record says that it gives a reason: a word of cause, or a field for one that has a side in it."""
    for term in index.terms[record]:
        if term.names[0][0] not in "=+" and term.brings("@cause."):
            return Place(record, term.start, term.end)
    one = index.records[record]
    if any(name.startswith("@cause.") for name in index.vocabulary.key_names(one.label)) and one.label:
        return Place(record, one.start, one.end)
    for cell in one.cells:
        named = index.vocabulary.key_names(cell.key) & _NAMING if cell.key else frozenset()
        if (
            named
            and any(place.record == record and cell.start <= place.start < cell.end for place in held)
            and not (named.isdisjoint(_REASONS) and _all_inside(record, cell, held))
        ):
            return Place(record, cell.start, cell.end)
    return None


def _all_inside(record: int, cell: Cell, held: Sequence[Place]) -> bool:
    """Returns whether all that is shown stands in one message, which gives no reason for what it tells itself."""
    return all(place.record == record and cell.start <= place.start < cell.end for place in held)


def _one_statement(held: Sequence[Sequence[Place]], index: EvidenceIndex) -> Place | None:
    """Returns the short statement of both sides with a colon or bracket between (`skipped: lock file present`)."""
    for first in held[0]:
        for second in held[-1]:
            if first.record != second.record or first.start == second.start:
                continue
            left, right = sorted((first, second), key=lambda place: place.start)
            between = index.text_at(left.record, left.end, right.start)
            if "\n" in between:
                continue
            is_short = len(between) <= _STATEMENT and any(sign in between for sign in _SAYS_WHY)
            if is_short or (len(between) <= _LONGEST_CHAIN and _CHAIN.search(between) is not None):
                return Place(left.record, left.start, right.end)
    return None
