"""Works out which way a figure went where a clause only tells that it rose, fell or stayed as it was.

A change is shown by the figures of one thing: on both sides of an arrow, each behind its time in one sentence, or in
the rows of a series. One that goes up and down goes no way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.denial import DENYING
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.scope.scene import Scene, amount, place_of, single
from evidencegate_server.judge.alignment.scope.times import is_in_time
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.model import Instant, Quantity

_UP: Final = "increase"
_DOWN: Final = "decrease"
_FLAT: Final = "trend.flat"
_WHY: Final = "the figures there went so"
_OTHERWISE: Final = "it moved the other way"
_MAY_TELL: Final = frozenset({FactKind.WORD, FactKind.STATE})
_NAMING: Final = ("attribute", "thing", "side", "")
_MOST_ROWS: Final = 400


@record
class _Way:
    """How a figure went: `up` says that it rose, None that it stayed as it was; `place` is where it ended."""

    up: bool | None
    place: Place


def with_ways(alignment: ClauseAlignment, scene: Scene) -> ClauseAlignment:
    """Returns a clause with its bare rise, fall or standstill borne out, or gainsaid, by how the figures there went."""
    clause = alignment.clause
    if alignment.anchor < 0 or _tells_figures(clause) or clause.marked(*DENYING) is not None:
        return alignment
    told = {term.start: _UP in term.names for term in clause.terms if (_UP in term.names) != (_DOWN in term.names)}
    open_ = [fact for fact in alignment.facts if _is_open(fact, told)]
    if not open_:
        return alignment
    way = _way(scene, alignment)
    if way is None:
        return alignment
    return replace(
        alignment,
        facts=tuple(_settled(fact, told.get(fact.start), way) if fact in open_ else fact for fact in alignment.facts),
    )


def _tells_figures(clause: Clause) -> bool:
    """Returns whether a clause gives amounts or times of its own, by which the change is looked for elsewhere."""
    return any(isinstance(value.value, Instant | Quantity) for value in clause.values)


def _is_open(fact: Fact, told: dict[int, bool]) -> bool:
    if fact.standing in HELD or fact.standing is Standing.IN_CONFLICT:
        return False
    return (fact.kind in _MAY_TELL and fact.start in told) or fact.why == _FLAT


def _settled(fact: Fact, wants_up: bool | None, way: _Way) -> Fact:
    if way.up == wants_up:
        kind = fact.kind if wants_up is None else FactKind.STATE
        return replace(fact, kind=kind, standing=Standing.DERIVABLE, why=_WHY, place=way.place)
    if wants_up is None:
        return fact  # a little up and down may pass for steady, or not
    return replace(fact, kind=FactKind.ORDER, standing=Standing.IN_CONFLICT, why=_OTHERWISE, place=way.place)


def _way(scene: Scene, alignment: ClauseAlignment) -> _Way | None:
    """Returns how the figures went that a clause speaks of, None where several went differently or none is there."""
    found = [_gone(series) for series in _meant(scene, alignment)]
    first = found[0] if found else None
    if first is None or any(way is None or way.up != first.up for way in found):
        return None
    return first


def _meant(scene: Scene, alignment: ClauseAlignment) -> Sequence[Sequence[ValueCell]]:
    """Returns the series of the anchor that a clause names a figure of; all of them where there is one alone."""
    values = scene.index.by_record.get(alignment.anchor, [])
    all_series = [*_arrows(values), *_timed(values)] or list(_rows(scene, alignment))
    if len(all_series) <= 1:
        return all_series
    kind = scene.index.vocabulary.kind
    wanted = {
        name for term in alignment.clause.terms if not term.is_name for name in term.names if kind(name) in _NAMING
    }
    return [series for series in all_series if not wanted.isdisjoint(series[0].names)]


def _arrows(values: Sequence[ValueCell]) -> Iterator[Sequence[ValueCell]]:
    """Yields the figures on both sides of an arrow."""
    for old, new in pairwise(values):
        if old.arrow == "first" and new.arrow == "second":
            yield old, new


def _timed(values: Sequence[ValueCell]) -> Iterator[Sequence[ValueCell]]:
    """Yields figures of a sentence that follow a time each, in the order of their times."""
    found = [(time, one) for time, one in pairwise(values) if _is_time(time) and single(one) is not None]
    if len(found) > 1 and len(found) * 2 == len(values) and _ascend([time for time, _ in found]):
        yield [one for _, one in found]


def _is_time(one: ValueCell) -> bool:
    return isinstance(one.mention.value, Instant)


def _ascend(times: Sequence[ValueCell]) -> bool:
    """Returns whether each time is later than the one before, as far as they are written."""
    keys = [
        (value.year or 0, value.month or 0, value.day or 0, value.seconds or Decimal(0))
        for one in times
        if isinstance(value := one.mention.value, Instant)
    ]
    return all(first < second for first, second in pairwise(keys))


def _rows(scene: Scene, alignment: ClauseAlignment) -> Iterator[Sequence[ValueCell]]:
    """Yields the figures of the rows of a series that a clause names, or of a metric's samples."""
    index, anchor = scene.index, alignment.anchor
    samples = index.sampled.rows_of(anchor) or index.sampled.rows_of(index.records[anchor].parent)
    rows: Sequence[int] = samples
    if not samples:
        rows = scene.rows.rows(anchor)
        if not is_in_time(scene, rows) or _are_mixed(scene, rows):
            return
    if not 1 < len(rows) <= _MOST_ROWS:
        return
    by_key: dict[str, list[ValueCell]] = {}
    for row in rows:
        for one in index.by_record.get(row, ()):
            if single(one) is not None:
                by_key.setdefault(one.cell.key, []).append(one)
    wanted = {name for term in alignment.clause.terms if not term.is_name for name in term.names}
    for series in by_key.values():
        if len(series) == len(rows) and (samples or not wanted.isdisjoint(series[0].names)):
            yield series


def _are_mixed(scene: Scene, rows: Sequence[int]) -> bool:
    """Returns whether rows are of several things, or out of the order of their times."""
    if len({_without_figures(scene.index, row) for row in rows}) > 1:
        return True
    times = [next((one for one in scene.index.by_record.get(row, ()) if _is_time(one)), None) for row in rows]
    known = [one for one in times if one is not None]
    return len(known) != len(rows) or not _ascend(known)


def _without_figures(index: EvidenceIndex, row: int) -> tuple[str, ...]:
    """Returns what a row says but for its figures and times."""
    one = index.records[row]
    text = index.evidence.texts[one.source]
    spans = sorted((value.mention.start, value.mention.end) for value in index.by_record.get(row, ()))
    found: list[str] = []
    at = one.start
    for start, end in spans:
        found.append(text[at : max(at, start)].strip())
        at = max(at, end)
    return (*found, text[at : one.end].strip())


def _gone(series: Sequence[ValueCell]) -> _Way | None:
    """Returns how figures of one measure went, None where they go up and down."""
    amounts = [found for one in series if (found := amount(one.mention)) is not None]
    if len(amounts) != len(series) or len({measure for _, measure in amounts}) != 1:
        return None
    numbers = [number for number, _ in amounts]
    place = place_of(series[-1])
    if all(first == second for first, second in pairwise(numbers)):
        return _Way(None, place)
    if all(first <= second for first, second in pairwise(numbers)):
        return _Way(True, place)
    if all(first >= second for first, second in pairwise(numbers)):
        return _Way(False, place)
    return None
