"""Works out how many times as large one figure of a claim is as another that it is held against."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, FactKind, Standing
from evidencegate_server.judge.alignment.operands import Operand, Outcome, operands, said, settled
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.scope.scene import single
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT

_TIMES_AS: Final = re.compile(
    r"(?: times (?:as|what|that|those|the|its|their|more|larger|longer|higher|greater|bigger)\b|-?fold\b|\s?倍)",
    re.IGNORECASE,
)
_PAIR: Final = 2
_MOST_ROWS: Final = 200


def is_multiple(mention: Mention, text: str) -> bool:
    """Returns whether a number tells how many times as large something is (six times what, 50 倍)."""
    value = mention.value
    return isinstance(value, Quantity) and value.measure == COUNT and _TIMES_AS.match(text, mention.end) is not None


def multiple(
    mention: Mention, clauses: Sequence[ClauseAlignment], at: int, index: EvidenceIndex, text: str
) -> Place | None:
    """Returns the figure that so many times another one is which the claim states, None for none.

    It is another of the same record, or the one under the same key of a row that the claim speaks of as well. Of
    several those count that the words of the clause fit best, and these have to come to the same.
    """
    value = mention.value
    if not isinstance(value, Quantity) or not is_multiple(mention, text):
        return None
    wanted = said(clauses, at, index, frozenset())
    for shown in _stated(clauses[: at + 1], mention, index):
        outcomes = [
            Outcome(EXACT.divide(shown.amount, base.amount), COUNT, fit, base.place)
            for base, fit in _bases(shown, clauses, wanted, index)
            if base.amount > 0
        ]
        place = settled(value, outcomes)
        if place is not None:
            return place
    return None


def _stated(clauses: Sequence[ClauseAlignment], but: Mention, index: EvidenceIndex) -> Iterator[Operand]:
    """Yields the amounts that a claim states and its evidence shows, the last clause's first."""
    for alignment in reversed(clauses):
        for fact in alignment.facts:
            if fact.kind is not FactKind.VALUE or fact.standing is not Standing.STATED or fact.place is None:
                continue
            cell = index.at_place.get((fact.place.record, fact.place.start))
            amount = None if cell is None or fact.start == but.outer_start else single(cell)
            if cell is not None and amount is not None:
                yield Operand(cell, *amount)


def _bases(
    shown: Operand, clauses: Sequence[ClauseAlignment], wanted: frozenset[str], index: EvidenceIndex
) -> Iterator[tuple[Operand, float]]:
    """Yields what a figure may be held against, and how well the clause fits it."""
    own = shown.cell
    key = own.cell.key
    for other in operands(own.record, index):
        if other.measure == shown.measure and other.cell.order != own.order and other.cell.cell.key != key:
            yield other, float(len(wanted & other.cell.names - own.names))
    group = index.records[own.record].group
    rows = index.groups[group][:_MOST_ROWS] if group >= 0 else ()
    spoken: dict[int, int] = {}
    for alignment in clauses:
        for fact in alignment.facts:
            if fact.standing in HELD and fact.place is not None and fact.kind is not FactKind.VALUE:
                spoken[fact.place.record] = spoken.get(fact.place.record, 0) + 1
    for row in rows:
        if row != own.record and (len(rows) == _PAIR or row in spoken):
            for other in operands(row, index):
                if other.measure == shown.measure and other.cell.cell.key == key:
                    yield other, float(spoken.get(row, 0))
