"""Checks that most or nearly all of something is where a clause says: of a column, of a figure, of the lines."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, NAMED, ClauseAlignment, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.values.model import Quantity

_Verdict = tuple[Standing, Place | None]
_SILENT: Final[_Verdict] = (Standing.SILENT, None)
_MORE_THAN_HALF: Final = Decimal("0.5")
_NEARLY_ALL: Final = Decimal("0.9")
_NEARLY: Final = ("nearly", "almost", "\u51e0\u4e4e", "\u7edd\u5927")
_SAYING: Final = frozenset({"attribute", "statistic", "event", "state", "side", "thing"})
_MOST_ROWS: Final = 400


def most_of(word: str, alignment: ClauseAlignment, whole: ValueCell | None, index: EvidenceIndex) -> _Verdict:
    """Returns how a most stands. `word` is the one that says it; `whole` the figure that the claim stated last."""
    least = _NEARLY_ALL if word.lower().startswith(_NEARLY) else _MORE_THAN_HALF
    if alignment.anchor < 0:
        return _SILENT
    for check in (_of_column, _of_lines):
        found = check(alignment, least, index)
        if found is not None:
            return found
    return _of_figure(alignment, least, whole, index) or _SILENT


def _of_column(alignment: ClauseAlignment, least: Decimal, index: EvidenceIndex) -> _Verdict | None:
    """Compares the figure of the anchor's row that a clause names with the sum of its column."""
    rows = _rows(alignment.anchor, index)
    wanted = _names(alignment, index, {"attribute", "statistic"})
    cell = next((one for one in index.by_record.get(alignment.anchor, ()) if wanted & one.names), None)
    own = None if cell is None else _amount(cell)
    if cell is None or own is None or len(rows) < 2 or not _names_row(alignment):
        return None
    total, highest = Decimal(0), Decimal(0)
    for row in rows:
        for other in index.by_record.get(row, ()):
            if other.cell.key == cell.cell.key and (value := _amount(other)) is not None:
                total += value[0]
                highest = max(highest, value[0])
    place = Place(cell.record, cell.mention.start, cell.mention.end)
    if not total or own[0] < 0:
        return None
    if own[0] / total > least:
        return Standing.DERIVABLE, place
    return (Standing.IN_CONFLICT if own[0] < highest else Standing.SILENT), place


def _of_lines(alignment: ClauseAlignment, least: Decimal, index: EvidenceIndex) -> _Verdict | None:
    """Counts the lines that say what a clause says, and those of them that name what it names last."""
    names = [fact.place for fact in alignment.facts if fact.kind is FactKind.NAME and fact.why == NAMED]
    said = [
        [name for name in term.names if index.vocabulary.kind(name) in ("state", "event")]
        for term in alignment.clause.terms
        if term.names[0][0] not in "=+"
    ]
    said = [choice for choice in said if choice]
    rows = _rows(alignment.anchor, index)
    last = names[-1] if names else None
    if not said or last is None or len(rows) < 2:
        return None
    having = [row for row in rows if all(any(index.says(name, row) for name in choice) for choice in said)]
    named = {place.record for place in index.find(index.text_at(last.record, last.start, last.end).lower())}
    of_name = sum(row in named for row in having)
    if len(having) < 2:
        return None
    share = Decimal(of_name) / len(having)
    if share > least:
        return Standing.DERIVABLE, last
    return (Standing.IN_CONFLICT if share < _MORE_THAN_HALF else Standing.SILENT), last


def _of_figure(
    alignment: ClauseAlignment, least: Decimal, whole: ValueCell | None, index: EvidenceIndex
) -> _Verdict | None:
    """Compares the figure that a clause names with the one that the claim stated before, of the same record."""
    all_of_it = None if whole is None else _amount(whole)
    if whole is None or all_of_it is None or not all_of_it[0]:
        return None
    wanted = _names(alignment, index, _SAYING) - whole.names
    best: ValueCell | None = None
    for one in index.by_record.get(whole.record, ()):
        value = _amount(one)
        if one.order == whole.order or value is None or value[1] != all_of_it[1] or not wanted & one.names:
            continue
        if best is not None:
            return None  # which of two is meant is not told
        best = one
    if best is None:
        return None
    part = _amount(best)
    assert part is not None
    place = Place(best.record, best.mention.start, best.mention.end)
    if least < part[0] / all_of_it[0] <= 1:
        return Standing.DERIVABLE, place
    return (Standing.IN_CONFLICT if part[0] / all_of_it[0] < _MORE_THAN_HALF else Standing.SILENT), place


def _rows(anchor: int, index: EvidenceIndex) -> Sequence[int]:
    group = index.records[anchor].group
    return index.groups[group][:_MOST_ROWS] if group >= 0 else ()


def _names(alignment: ClauseAlignment, index: EvidenceIndex, kinds: set[str] | frozenset[str]) -> set[str]:
    light = index.vocabulary.traits["light"] | index.vocabulary.traits["generic"]
    return {
        name
        for term in alignment.clause.terms
        if term.names[0][0] not in "=+"
        for name in term.names
        if index.vocabulary.kind(name) in kinds and name not in light
    }


def _names_row(alignment: ClauseAlignment) -> bool:
    """Returns whether a clause names something of the anchor's own row."""
    return any(
        fact.kind is FactKind.NAME
        and fact.standing in HELD
        and fact.place is not None
        and fact.place.record == alignment.anchor
        for fact in alignment.facts
    )


def _amount(one: ValueCell) -> tuple[Decimal, str] | None:
    value = one.mention.value
    if isinstance(value, Quantity) and value.low is not None and value.low == value.high:
        return value.low, value.measure
    return None
