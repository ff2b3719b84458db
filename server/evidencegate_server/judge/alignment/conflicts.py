"""Finds what the evidence speaks against in a claim that is aligned: what it tells of is shown, and shown otherwise.

Nothing here makes a fact stand. A fact conflicts only with a record that the claim quotes, and only where both what it
is told of and what is told of that are found there; all else stays undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.mistold import MistoldValues
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.other_rows import RowConflicts
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.rivals import Rivals
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.values.model import Quantity

_OF_ROWS: Final = frozenset({FactKind.NAME, FactKind.STATE, FactKind.VALUE})

Against = tuple[str, Place]
"""Why a fact is in conflict, and the place that says so."""


def settle(
    clauses: Sequence[ClauseAlignment], index: EvidenceIndex, focus: frozenset[int] | None
) -> tuple[ClauseAlignment, ...]:
    """Returns the clauses with those facts in conflict that the evidence speaks against."""
    finder = _Finder(clauses, index, focus)
    return tuple(finder.settled(clause) for clause in clauses)


class _Finder:
    """Asks each way to speak against the facts of one claim."""

    def __init__(self, clauses: Sequence[ClauseAlignment], index: EvidenceIndex, focus: frozenset[int] | None) -> None:
        self._index = index
        self._focus = focus
        self._rows = RowConflicts(clauses, index)
        self._mistold = MistoldValues(clauses, index)
        self._rivals = Rivals(clauses, index)

    def settled(self, clause: ClauseAlignment) -> ClauseAlignment:
        """Returns a clause with its facts in conflict where something speaks against them."""
        facts = tuple(self._settled(clause, fact) for fact in clause.facts)
        return clause if facts == clause.facts else replace(clause, facts=facts)

    def _settled(self, clause: ClauseAlignment, fact: Fact) -> Fact:
        if fact.standing is Standing.IN_CONFLICT:
            return fact
        against = self._against(clause, fact)
        if against is None or not self._is_quoted(against[1], clause.anchor):
            return fact
        return replace(fact, standing=Standing.IN_CONFLICT, why=against[0], place=against[1])

    def _is_quoted(self, place: Place, anchor: int) -> bool:
        if self._focus is None or place.record == anchor or place.record in self._focus:
            return True
        if anchor < 0:
            return False
        # A sentence in an entry (the statement of a slow query) is quoted with what the entry says of it.
        told = self._index.records[anchor]
        return told.kind is RecordKind.SENTENCE and told.parent == place.record

    def _against(self, clause: ClauseAlignment, fact: Fact) -> Against | None:
        if fact.kind is FactKind.VALUE and _tells_a_change(clause):
            return None  # one of its values is of another time
        if fact.kind in _OF_ROWS:
            place = self._rows.place(clause, fact)
            if place is not None:
                return "another row has it", place
        if fact.kind is not FactKind.VALUE or fact.standing in HELD:
            return None
        mention = mention_of(clause.clause, fact.start)
        if mention is None:
            return None
        return self._mistold.against(clause, mention) or self._rivals.against(clause, mention)


def _tells_a_change(clause: ClauseAlignment) -> bool:
    """Returns whether a clause tells of a change between two values (from 2 to 3)."""
    amounts = [one.value.measure for one in clause.clause.values if isinstance(one.value, Quantity)]
    return clause.clause.marked("@change") is not None and len(amounts) > len(set(amounts))
