"""Works out which way a figure went where a clause only tells that it rose, fell or stayed as it was.

A change is shown by the figures of one thing: on both sides of an arrow, each behind its time in one sentence, or in
the rows of a series. One that goes up and down goes no way, and a figure under another name tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.denial import DENYING
from evidencegate_server.judge.alignment.fit import Fitter
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.scope.scene import Scene, place_of, single
from evidencegate_server.judge.alignment.scope.times import is_in_time
from evidencegate_server.judge.alignment.wanted import WantedReader
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.compare import Relation, difference
from evidencegate_server.judge.values.model import Instant
from evidencegate_server.judge.vocabulary import Term

_UP: Final = "increase"
_DOWN: Final = "decrease"
_FLAT: Final = "trend.flat"
_WHY: Final = "the figures there went so"
_OTHERWISE: Final = "it moved the other way"
_MAY_TELL: Final = frozenset({FactKind.WORD, FactKind.STATE})
_SOFT: Final = {"soft"}
_THING: Final = {"thing"}
_FEWEST: Final = 2
_MOST_ROWS: Final = 400


@record
class _Way:
    """How a figure went: `up` says that it rose, None that it stayed as it was; `place` is where it ended."""

    up: bool | None
    place: Place


def with_ways(alignment: ClauseAlignment, scene: Scene) -> ClauseAlignment:
    """Returns a clause with its bare rise, fall or standstill borne out, or gainsaid, by how the figures there went.

    A clause with amounts or times of its own is left as it is: its change is looked for by these.
    """
    clause = alignment.clause
    if alignment.anchor < 0 or clause.values or clause.marked(*DENYING) is not None:
        return alignment
    told = {term.start: _UP in term.names for term in clause.terms if _tells_way(term)}
    open_ = [fact for fact in alignment.facts if _is_open(fact, told)]
    way = _way(scene, alignment) if open_ else None
    if way is None:
        return alignment
    return replace(
        alignment,
        facts=tuple(_settled(fact, told.get(fact.start), way) if fact in open_ else fact for fact in alignment.facts),
    )


def _tells_way(term: Term) -> bool:
    return (_UP in term.names) != (_DOWN in term.names)


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
    """Returns how the figures went that a clause names, None where several went differently or none is there."""
    index, clause = scene.index, alignment.clause
    values = index.by_record.get(alignment.anchor, [])
    there = [*_arrows(values), *_timed(values)] or _rows(scene, alignment)
    found = [
        _gone(series)
        for series in there
        if _is_named(clause, series[0], index) and not _clashes(clause, series[-1], index)
    ]
    first = found[0] if found else None
    if first is None or any(way is None or way.up != first.up for way in found):
        return None
    return first


def _is_named(clause: Clause, figure: ValueCell, index: EvidenceIndex) -> bool:
    """Returns whether a clause names a figure, and no other one: all its words for figures are the figure's own.

    A thing may be named in passing (of the queue), but a resource may not (memory); a word that no list knows has to
    stand in the figure's record.
    """
    by_span: dict[tuple[int, int], list[Term]] = {}
    for term in clause.terms:
        if not (term.is_name or term.names[0][0] == "@" or _tells_way(term)):
            by_span.setdefault((term.start, term.end), []).append(term)
    resources = index.vocabulary.traits["resource"]
    named = False
    for terms in by_span.values():
        kinds = {index.vocabulary.kind(name) for term in terms for name in term.names if name[0] != "@"}
        if kinds <= _SOFT:
            continue
        own = [term for term in terms if not figure.names.isdisjoint(term.names)]
        if any(not resources.isdisjoint(term.names) and term not in own for term in terms):
            return False
        named = named or bool(own)
        if own or kinds <= _THING:
            continue
        if not (terms[0].is_unknown and not index.names[figure.record].isdisjoint(terms[0].names)):
            return False
    return named


def _clashes(clause: Clause, figure: ValueCell, index: EvidenceIndex) -> bool:
    """Returns whether a figure is of another kind than the clause speaks of (a limit is no usage), as if told there."""
    end = clause.end
    told = replace(figure.mention, start=end, end=end, outer_start=end, outer_end=end)
    wanted = WantedReader(index).read(replace(clause, values=(told,)), told)
    return Fitter(index).fit(wanted, figure, Relation.EQUAL, figure.record).clash


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
    """Returns whether each time is surely later than the one before."""
    gaps = (difference(second.mention.value, first.mention.value) for first, second in pairwise(times))
    return all(gap is not None and gap.low is not None and gap.low > 0 for gap in gaps)


def _rows(scene: Scene, alignment: ClauseAlignment) -> Iterator[Sequence[ValueCell]]:
    """Yields the figures of the samples of a metric, or of the rows of a list in time, by their keys."""
    lists = _lists(scene, alignment)
    # One sample goes no way, and then it is not known of all that are meant.
    if lists and sum(map(len, lists)) <= _MOST_ROWS and min(map(len, lists)) >= _FEWEST:
        for rows in lists:
            yield from _by_key(scene.index, rows)


def _lists(scene: Scene, alignment: ClauseAlignment) -> list[Sequence[int]]:
    """Returns the rows of each series that a clause can mean: where it names no metric, those beside it as well."""
    index, anchor = scene.index, alignment.anchor
    samples = index.sampled.rows_of
    metric = anchor if samples(anchor) else index.records[anchor].parent
    if samples(metric):
        beside = (metric,) if _names_record(alignment, metric) else (metric, *scene.rows.rows(metric))
        return [found for one in dict.fromkeys(beside) if (found := samples(one))]
    rows = scene.rows.rows(anchor)
    is_series = len(rows) <= _MOST_ROWS and is_in_time(scene, rows) and not _are_mixed(index, rows)
    return [rows] if is_series else []


def _names_record(alignment: ClauseAlignment, record: int) -> bool:
    return any(
        fact.kind is FactKind.NAME and fact.standing in HELD and fact.place is not None and fact.place.record == record
        for fact in alignment.facts
    )


def _by_key(index: EvidenceIndex, rows: Sequence[int]) -> Iterator[Sequence[ValueCell]]:
    """Yields the figures of several rows under each key that all of them have."""
    found: dict[str, list[ValueCell]] = {}
    for row in rows:
        for one in index.by_record.get(row, ()):
            if single(one) is not None:
                found.setdefault(one.cell.key, []).append(one)
    yield from (series for series in found.values() if len(series) == len(rows))


def _are_mixed(index: EvidenceIndex, rows: Sequence[int]) -> bool:
    """Returns whether rows are of several things, or out of the order of their times."""
    if len({_without_figures(index, row) for row in rows}) > 1:
        return True
    times = [next((one for one in index.by_record.get(row, ()) if _is_time(one)), None) for row in rows]
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
    amounts = [found for one in series if (found := single(one)) is not None]
    if len(amounts) != len(series) or len({measure for _, measure in amounts}) != 1:
        return None
    steps = {(second > first) - (second < first) for (first, _), (second, _) in pairwise(amounts)}
    if {1, -1} <= steps:
        return None
    return _Way(None if steps == {0} else 1 in steps, place_of(series[-1]))
