"""Works out what is left of a whole (`used 37, total 50`), and by how much a figure moved (`from 120 to 480`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.operands import (
    Operand,
    Outcome,
    fit,
    operands,
    pairs,
    records_of,
    said,
    settled,
)
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.values.model import Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT

# What says that a figure is the rest of a whole, what such a rest is taken from, and what is taken.
_RESTS: Final = frozenset({"free", "available", "unused"})
_LEFT: Final = frozenset({"free", "available", "unused", "leave"})
WHOLE: Final = frozenset({"total", "limit", "hard_limit", "capacity", "quota", "maximum", "allocatable", "desired"})
"""What a figure is called that others are parts of."""
_TAKEN: Final = frozenset({"used", "allocated", "active_count", "occupied"})
_OF_THE_WHOLE: Final = re.compile(r"\s*(?:/|of|out of)\s*(?:the |a |all |its )?", re.IGNORECASE)

_BY: Final = "@change.by"
_TO_VALUE: Final = frozenset({"@change.up", "@change.down", "@change.turn", "@change.target"})
_RISES: Final = frozenset({"increase"})
_FALLS: Final = frozenset({"decrease"})
_PAIR: Final = 2
_BESIDE: Final = 1  # code points between a verb of change and the difference
_REACH: Final = 24  # code points before a value of the evidence
_HUNDRED: Final = Decimal(100)


def left_over(mention: Mention, clauses: Sequence[ClauseAlignment], at: int, rows_of: RowReader) -> Place | None:
    """Returns where the rest that a clause tells of comes from: a whole and what is taken of it, in one record."""
    value, index, alignment = mention.value, rows_of.index, clauses[at]
    is_rest = any(not _RESTS.isdisjoint(term.names) for term in alignment.clause.terms)
    if not isinstance(value, Quantity) or not is_rest or alignment.anchor < 0:
        return None
    wanted = said(clauses, at, index, _LEFT)
    outcomes = []
    for record in records_of(alignment, rows_of):
        text = index.evidence.texts[index.records[record].source]
        for taken, whole in pairs(record, index):
            is_alone = sum(one.measure == whole.measure for one in operands(record, index)) == _PAIR
            if whole.amount >= taken.amount and _is_taken_of(taken, whole, text, index, is_alone=is_alone):
                rest = EXACT.subtract(whole.amount, taken.amount)
                worth = max(fit(wanted, taken, index), fit(wanted, whole, index))
                outcomes.append(Outcome(rest, whole.measure, worth, taken.place))
    return settled(value, outcomes)


def _is_taken_of(taken: Operand, whole: Operand, text: str, index: EvidenceIndex, *, is_alone: bool) -> bool:
    """Returns whether an amount is what is taken of another: by their keys, or as `18 of 40`, `18/40`."""
    between = text[taken.cell.mention.end : whole.cell.mention.start]
    if taken.cell.mention.end <= whole.cell.mention.start and _OF_THE_WHOLE.fullmatch(between):
        return True
    own, other = taken.cell.names, whole.cell.names
    if own & WHOLE or not other & WHOLE or other & _TAKEN:
        return False
    return bool(own & _TAKEN) or (is_alone and _is_plain(taken, index))


def _is_plain(one: Operand, index: EvidenceIndex) -> bool:
    """Returns whether an amount is no statistic, so that beside a whole alone it can only be what is taken of it."""
    kind, neutral = index.vocabulary.kind, index.vocabulary.traits["neutral"]
    return bool(one.cell.names) and all(name in neutral or kind(name) != "statistic" for name in one.cell.names)


def direction(mention: Mention, alignment: ClauseAlignment) -> int | None:
    """Returns 1 for a rise by a value, -1 for a fall, 0 for a difference that is neither; None where none is told."""
    clause = alignment.clause
    is_by = any(name.startswith(_BY) and 0 <= mention.outer_start - term.end <= _BESIDE for name, term in clause.marks)
    ways = set()
    for term in clause.terms:
        is_beside = 0 <= mention.outer_start - term.end <= _BESIDE
        if not (is_by or is_beside) or term.start >= mention.outer_start or not _TO_VALUE.isdisjoint(term.names):
            continue
        for name in term.names:
            if name in _RISES or name == "@change.by_up":
                ways.add(1)
            elif name in _FALLS or name == "@change.by_down":
                ways.add(-1)
    if len(ways) > 1:
        return None
    return ways.pop() if ways else (0 if is_by else None)


def moved_by(mention: Mention, clauses: Sequence[ClauseAlignment], at: int, rows_of: RowReader) -> Place | None:
    """Returns where a difference that a clause tells of comes from: the two values of a change in one record."""
    value, index, alignment = mention.value, rows_of.index, clauses[at]
    way = direction(mention, alignment)
    if not isinstance(value, Quantity) or way is None or alignment.anchor < 0:
        return None
    wanted = said(clauses, at, index, _RISES | _FALLS)
    outcomes = []
    for record in records_of(alignment, rows_of):
        before: Operand | None = None
        for one in operands(record, index):
            if one.cell.arrow == "first":
                before = one
            elif one.cell.arrow == "second" and before is not None and before.measure == one.measure:
                apart = _apart(value, before, one)
                if apart is not None and (way == 0 or (apart > 0) == (way > 0)):
                    worth = max(fit(wanted, before, index), fit(wanted, one, index))
                    outcomes.append(Outcome(abs(apart), value.measure, worth, one.place))
                before = None
    return settled(value, outcomes)


def _apart(value: Quantity, before: Operand, after: Operand) -> Decimal | None:
    """Returns how far two amounts lie apart in the terms of a value: in points, as a share of the first, in units."""
    gap = EXACT.subtract(after.amount, before.amount)
    if value.measure == "points":
        return EXACT.multiply(gap, _HUNDRED) if before.measure == "share" else None
    if value.measure == "share":
        return EXACT.divide(gap, abs(before.amount)) if before.amount and before.measure != "share" else None
    return gap if value.measure == before.measure else None


def as_difference(
    facts: Sequence[Fact],
    number: int,
    mention: Mention,
    clauses: Sequence[ClauseAlignment],
    at: int,
    rows_of: RowReader,
) -> list[Fact]:
    """Returns the facts of a clause with the value as shown that is told as a difference; a level is none."""
    fact, index, alignment = facts[number], rows_of.index, clauses[at]
    way = direction(mention, alignment)
    if way is None:
        return list(facts)
    place = moved_by(mention, clauses, at, rows_of)
    if place is None:
        cell = None if fact.place is None else index.at_place.get((fact.place.record, fact.place.start))
        is_level = fact.standing in HELD and way != 0 and not _is_difference(cell, index)
        if fact.standing is Standing.IN_CONFLICT or is_level:
            fact = replace(fact, standing=Standing.SILENT, why="told as a difference", place=None)
        return [*facts[:number], fact, *facts[number + 1 :]]
    shown = replace(fact, kind=FactKind.VALUE, standing=Standing.DERIVABLE, why="follows exactly", place=place)
    verbs = {
        term.start
        for term in alignment.clause.terms
        if term.end <= mention.outer_start and not (_RISES | _FALLS).isdisjoint(term.names)
    }
    return [
        shown
        if other == number
        else replace(one, standing=Standing.DERIVABLE, place=place)
        if one.kind is FactKind.WORD and one.start in verbs and one.standing not in HELD
        else one
        for other, one in enumerate(facts)
    ]


def _is_difference(cell: ValueCell | None, index: EvidenceIndex) -> bool:
    """Returns whether the evidence itself tells a value as a difference: by its key, or by the words before it."""
    if cell is None:
        return False
    if not cell.names.isdisjoint({*_RISES, *_FALLS, "delta"}):
        return True
    text = index.evidence.texts[index.records[cell.record].source]
    before = text[max(0, cell.mention.outer_start - _REACH) : cell.mention.outer_start].rstrip()
    if before.endswith(("+", "\u00b1")):
        return True
    terms = index.vocabulary.terms(before)
    return (
        bool(terms)
        and len(before) - terms[-1].end <= _BESIDE
        and any(name.startswith(_BY) or name in _RISES or name in _FALLS for name in terms[-1].names)
    )
