"""Works out what share a part is of its whole (`busy 36, total 48`), and what the rows of a column come to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.differences import WHOLE
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ClauseAlignment
from evidencegate_server.judge.alignment.operands import (
    Operand,
    Outcome,
    operands,
    records_of,
    said,
    settled,
)
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT, ZERO

_SHARE: Final = "share"
# What counts the part that a rate is named by.
_PARTS_OF: Final = {
    "hit_ratio": frozenset({"hit"}),
    "miss_ratio": frozenset({"miss"}),
    "error_rate": frozenset({"error", "failed", "fail_event"}),
    "success_rate": frozenset({"succeeded"}),
}
_OF: Final = re.compile(r"\s*of\s+(?:all\s+)?(?:the |its |their |these |those )?", re.IGNORECASE)
_AMONG: Final = re.compile(r"[^\d,\uff0c]{0,10}(?:\u4e2d|\u91cc)\u6709? ?")
_OF_SO_MANY: Final = re.compile(rf"{_OF.pattern}(?:[A-Za-z][\w'\u2019-]* ){{0,3}}", re.IGNORECASE)
_NEXT: Final = 24  # code points that the noun of a whole may take
_IN_ALL: Final = "total"
_TOGETHER: Final = re.compile(
    r"\btogether\b|\u5171|\u5408\u8ba1|\u603b\u5171|\u603b\u8ba1|\u52a0\u8d77\u6765", re.IGNORECASE
)
# Figures that do not add up.
_NO_SUMMANDS: Final = frozenset(
    {"average", "maximum", "minimum", "percentile", "median", "p75", "p90", "p95", "p99", "p999", "deviation", "ratio"}
    | {"limit", "threshold", "target", "identifier", "port", "version", "priority", "timestamp"}
)
_NO_SUMS: Final = frozenset({_SHARE, "points", "celsius", "fahrenheit"})
_LEAST_ROWS: Final = 2
_MOST_ROWS: Final = 200
_MOST_LISTS: Final = 8


def share_of_whole(
    mention: Mention, clauses: Sequence[ClauseAlignment], at: int, rows_of: RowReader, text: str
) -> Place | None:
    """Returns where a share comes from: the part that a clause names and its whole, in one record."""
    value, index, alignment = mention.value, rows_of.index, clauses[at]
    if not isinstance(value, Quantity) or value.measure != _SHARE or alignment.anchor < 0:
        return None
    wanted = said(clauses, at, index, WHOLE)
    wanted = wanted.union(*(_PARTS_OF[name] for name in wanted & _PARTS_OF.keys()))
    of_what = _named_whole(mention, alignment, text)
    stated = stated_whole(mention, alignment, text)
    outcomes: list[Outcome] = []
    for record in records_of(alignment, rows_of):
        own = [one for one in operands(record, index) if one.measure != _SHARE]
        for part in own:
            for whole, amount in _wholes(part, own, of_what, stated, index):
                distinct = (
                    (wanted & part.cell.names) - (whole.cell.names if whole is not part else frozenset()) - of_what
                )
                if distinct and amount >= part.amount and amount > 0:
                    fit = len(distinct) + len(wanted & part.cell.names & whole.cell.names) / 2
                    outcomes.append(Outcome(EXACT.divide(part.amount, amount), _SHARE, fit, part.place))
    return settled(value, outcomes)


def stated_whole(mention: Mention, alignment: ClauseAlignment, text: str) -> Mention | None:
    """Returns the amount that a share is told of: 2 % of the 800 calls, 800 次调用中有 2%."""
    for other in alignment.clause.values:
        if other.start > mention.start and _OF_SO_MANY.fullmatch(text, mention.outer_end, other.outer_start):
            return other
        if other.end < mention.start and _AMONG.fullmatch(text, other.end, mention.outer_start):
            return other
    return None


def _named_whole(mention: Mention, alignment: ClauseAlignment, text: str) -> frozenset[str]:
    """Returns what the noun means that a share is told of (12 % of the visits)."""
    of = _OF.match(text, mention.outer_end)
    if of is None:
        return frozenset()
    return frozenset(
        name
        for term in alignment.clause.terms
        if term.start == of.end() and term.end - term.start <= _NEXT
        for name in term.names
        if name[0] not in "@=+"
    )


def _wholes(
    part: Operand, own: Sequence[Operand], of_what: frozenset[str], stated: Mention | None, index: EvidenceIndex
) -> Iterator[tuple[Operand, Decimal]]:
    """Returns the wholes of a part: what is called one, what the clause calls one, and the part with its opposite."""
    opposites = index.vocabulary.opposites
    against = frozenset(other for name in part.cell.names for other in opposites.get(name, ()))
    if part.cell.names & WHOLE:
        return
    for other in own:
        if other is part or other.measure != part.measure:
            continue
        if stated is not None:
            if compare(stated.value, other.cell.mention.value) is Relation.EQUAL:
                yield other, other.amount
        elif other.cell.names & WHOLE or (other.cell.names & of_what and not part.cell.names & of_what):
            yield other, other.amount
        elif other.cell.names & against and not any(one.cell.names & WHOLE for one in own):
            yield part, EXACT.add(part.amount, other.amount)


def sum_of_column(
    mention: Mention, clauses: Sequence[ClauseAlignment], at: int, rows_of: RowReader, text: str
) -> Place | None:
    """Returns the first cell of the column that a clause names, where its rows come to a value in all."""
    value, index, clause = mention.value, rows_of.index, clauses[at].clause
    if not isinstance(value, Quantity) or value.measure in _NO_SUMS:
        return None
    if not any(_IN_ALL in term.names for term in clause.terms) and not _TOGETHER.search(text, clause.start, clause.end):
        return None
    wanted = said(clauses, at, index, frozenset({_IN_ALL}))
    own = rows_of.rows(clauses[at].anchor)
    groups = [own] if own else list(index.groups.values())[:_MOST_LISTS]
    outcomes: list[Outcome] = []
    for rows in groups:
        spoken = rows_of.spoken_of(rows, clause, text) if len(rows) >= _LEAST_ROWS else ()
        if len(spoken) >= _LEAST_ROWS:
            outcomes += _sums(spoken, wanted, index)
    return settled(value, outcomes)


def _sums(rows: Sequence[int], wanted: frozenset[str], index: EvidenceIndex) -> Iterator[Outcome]:
    """Returns what the columns come to that a clause names; all rows need an amount, and one that adds up."""
    columns: dict[str, list[Operand]] = {}
    for row in rows[:_MOST_ROWS]:
        for one in operands(row, index):
            if one.cell.cell.kind is CellKind.FIELD:
                columns.setdefault(one.cell.cell.key, []).append(one)
    for cells in columns.values():
        names = cells[0].cell.names
        if len(cells) != len(rows) or len({one.measure for one in cells}) > 1 or names & _NO_SUMMANDS:
            continue
        if wanted & names:
            total = ZERO
            for one in cells:
                total = EXACT.add(total, one.amount)
            yield Outcome(total, cells[0].measure, float(len(wanted & names)), cells[0].place)
