"""Counts the members of a list of which a clause tells something (eight failed logins, 三个会话卡在锁上)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.alignment.scope.members import having, siblings, tells
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity

_FEWEST: Final = 2
_OF_WHICH: Final = "\u7684"  # what stands before it says which are counted
_FIRM: Final = (FactKind.STATE, FactKind.VALUE, FactKind.DENIAL)
_SAYING: Final = (*_FIRM, FactKind.WORD)


@record
class _Lists:
    """One evidence with its lists, and the claim's text."""

    index: EvidenceIndex
    rows: RowReader
    text: str


def counted_members(
    mention: Mention, clauses: Sequence[ClauseAlignment], at: int, rows_of: RowReader, text: str
) -> Place | None:
    """Returns one of as many members as a value counts: those that have all that the clause names and tells.

    A clause that only names another (the first had five, the second three) goes on with what the one before it tells.
    Where something firm is told that the evidence does not bear out, the members cannot be told apart.
    """
    value = mention.value
    if not isinstance(value, Quantity) or value.low is None or value.low != value.high or value.low < _FEWEST:
        return None
    if not mention.counted:
        return None
    told = _told(clauses, at)
    if text[: mention.outer_start].rstrip().endswith(_OF_WHICH):
        told = [(clause, fact) for clause, fact in told if clause is clauses[at] and fact.start < mention.start]
    if not told or any(fact.standing not in HELD for _, fact in told if fact.kind in _FIRM and fact.weight >= 1):
        return None
    known = [(clause, fact) for clause, fact in told if tells(fact) or fact.kind is FactKind.NAME]
    base = next((fact.place.record for _, fact in known if fact.kind is not FactKind.NAME and fact.place), -1)
    if base >= 0 and _is_figure(mention, known, base, rows_of.index):
        return None
    ground = _Lists(rows_of.index, rows_of, text)
    rows = siblings(ground, base) if base >= 0 else ()
    left = set(rows)
    for clause, fact in known:
        found = having(ground, rows, fact, clause, counted=True) if fact.standing in HELD else None
        if found is None:
            return None
        left &= found or left  # what no row says stands over them all
    if len(left) != value.low or len(left) == len(rows):
        return None
    one = rows_of.record(base)
    return Place(base, one.start, one.end)


def goes_on(mention: Mention, clauses: Sequence[ClauseAlignment], at: int) -> bool:
    """Returns whether a clause only counts on, for another, what the one before it tells (A had two, B three)."""
    counts = {one.outer_start for one in clauses[at].clause.values if one.counted}
    own = [fact for fact in clauses[at].facts if fact.start not in counts]
    before = clauses[at - 1].clause.values if at else ()
    return not _says(own) and any(one.counted and one.counted[:1] == mention.counted[:1] for one in before)


def _is_figure(
    mention: Mention, known: Sequence[tuple[ClauseAlignment, Fact]], base: int, index: EvidenceIndex
) -> bool:
    """Returns whether a member has a field with a figure of what is counted: restarts are no rows."""
    words = {name for term in index.vocabulary.terms(mention.counted) for name in term.names}
    for clause, fact in known:
        words |= {name for term in clause.clause.terms if term.start == fact.start for name in term.names}
    return any(
        one.cell.kind is CellKind.FIELD and not one.names.isdisjoint(words)
        for one in index.by_record.get(base, ())
        if isinstance(one.mention.value, Quantity) and one.mention.value.measure == COUNT
    )


def _told(clauses: Sequence[ClauseAlignment], at: int) -> list[tuple[ClauseAlignment, Fact]]:
    """Returns what a clause tells of those that it counts, with what the one that it goes on from does."""
    found: list[tuple[ClauseAlignment, Fact]] = []
    for before in range(at, -1, -1):
        clause = clauses[before]
        counts = {one.outer_start for one in clause.clause.values if one.counted}
        own = [fact for fact in clause.facts if fact.start not in counts]
        if before != at:
            own = [fact for fact in own if fact.kind is not FactKind.NAME or not found or _says(own)]
        found += [(clause, fact) for fact in own if fact.kind in (*_SAYING, FactKind.NAME)]
        if _says(own):
            return found
        if before != at:
            found = [(one, fact) for one, fact in found if one is not clause]
    return []


def _says(facts: Sequence[Fact]) -> bool:
    return any(fact.kind in _SAYING and fact.weight >= 1 and fact.standing in HELD for fact in facts)
