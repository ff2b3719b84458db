"""Doubts figures and states that stand in a block beside the one that a clause names by a plain word (`proxy:`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing

_OWN: Final = frozenset((FactKind.VALUE, FactKind.STATE, FactKind.DENIAL))
_MOST_SIBLINGS: Final = 64


def in_own_block(clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> list[ClauseAlignment]:
    """Returns the clauses with those facts doubted that a neighbour of the named block has."""
    return [_of_clause(clause, index) for clause in clauses]


def _of_clause(clause: ClauseAlignment, index: EvidenceIndex) -> ClauseAlignment:
    if not any(fact.kind in _OWN and fact.standing in HELD and fact.place is not None for fact in clause.facts):
        return clause
    said = frozenset(
        name for term in clause.clause.terms if term.names[0][0] not in "=+@" for name in term.names if name[0] != "@"
    )
    facts = tuple(
        replace(fact, kind=FactKind.DENIAL, standing=Standing.PART, why="a neighbour of the block has it")
        if _is_neighbours(fact, said, index)
        else fact
        for fact in clause.facts
    )
    return ClauseAlignment(clause.clause, clause.anchor, facts)


def _is_neighbours(fact: Fact, said: frozenset[str], index: EvidenceIndex) -> bool:
    if fact.kind not in _OWN or fact.standing not in HELD or fact.place is None:
        return False
    record = fact.place.record
    while record >= 0:
        one = index.records[record]
        siblings = index.blocks.get((one.source, one.parent), ()) if one.label else ()
        is_other = 1 < len(siblings) <= _MOST_SIBLINGS and not _named(index, record) & said
        if is_other and any(other != record and _named(index, other) & said for other in siblings):
            return True
        record = one.parent
    return False


def _named(index: EvidenceIndex, record: int) -> frozenset[str]:
    """Returns what the label of a block names, without what names a figure (limits and requests)."""
    names = index.vocabulary.key_names(index.records[record].label)
    kind = index.vocabulary.kind
    return frozenset(name for name in names if name[0] != "@" and kind(name) not in ("statistic", "side", "attribute"))
