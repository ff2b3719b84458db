"""Reads what a clause tells of the rest of a list: of the rows that the clause before did not tell of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.model import ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.values.model import COUNT, Quantity

_REST: Final = "@quantifiers.other"
_WHOLE: Final = ("quantifiers.all", "quantifiers.each", "quantifiers.both")


def tell_rest(clauses: Sequence[ClauseAlignment], rows_of: RowReader, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with those on the rest of a list (the other three are running) held against that rest."""
    found: list[ClauseAlignment] = []
    for at, clause in enumerate(clauses):
        rest = _rest(clauses[at - 1], clause, rows_of, text) if at and clause.clause.marked(_REST) is not None else ()
        found.append(_told_of(rest, clause, rows_of, text) if rest else clause)
    return found


def _rest(before: ClauseAlignment, clause: ClauseAlignment, rows_of: RowReader, text: str) -> Sequence[int]:
    """Returns the rows of one list that the clause before tells nothing of; none where they are not known."""
    rows = rows_of.rows(before.anchor)
    if not rows or clause.anchor not in rows:
        return ()
    spoken = rows_of.spoken_of(rows, before.clause, text)
    told = rows_of.in_states(spoken, before.clause, text) if rows_of.told(before.clause, text) else None
    if told is None:
        return () if len(spoken) == len(rows) else [row for row in rows if row not in spoken]
    return [row for row in spoken if row not in told] if len(spoken) > 1 else [row for row in rows if row not in told]


def _told_of(rest: Sequence[int], clause: ClauseAlignment, rows_of: RowReader, text: str) -> ClauseAlignment:
    """Returns a clause with its count and its `all` held against the rows that it speaks of."""
    if not rows_of.told(clause.clause, text):
        return clause
    holding = rows_of.in_states(rest, clause.clause, text)
    if holding is None:
        return clause
    other = next((row for row in rest if row not in holding), None)
    shown = rest[0] if other is None else other
    one = rows_of.record(shown)
    place = Place(shown, one.start, one.end)
    standing = Standing.DERIVABLE if other is None else Standing.IN_CONFLICT
    facts: list[Fact] = []
    for fact in clause.facts:
        if fact.kind is FactKind.SCOPE and fact.why in _WHOLE:
            facts.append(replace(fact, standing=standing, place=place))
        elif fact.kind is FactKind.VALUE and _counts(clause, fact, len(rest)) and other is None:
            facts.append(replace(fact, standing=Standing.DERIVABLE, why="as many are left", place=place))
        elif fact.kind is not FactKind.NAME or fact.why != "told of another row" or other is not None:
            facts.append(fact)
    return ClauseAlignment(clause.clause, clause.anchor, tuple(facts))


def _counts(clause: ClauseAlignment, fact: Fact, rows: int) -> bool:
    """Returns whether a value of a clause counts so many rows."""
    mention = mention_of(clause.clause, fact.start)
    value = mention.value if mention is not None else None
    return isinstance(value, Quantity) and value.measure == COUNT and value.low == value.high == rows
