"""Binds the values of a clause to the cells that fit them best: rivals that fit better decide against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex, Place, ValueCell
from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_SAME: Final = frozenset({Relation.EQUAL, Relation.INSIDE, Relation.WEAKER})
_OTHER: Final = frozenset({Relation.OUTSIDE, Relation.SCALE})
_WEIGHT: Final = {"statistic": 1.2, "attribute": 1.0, "side": 1.2, "state": 0.8, "event": 0.8, "thing": 0.5, "": 0.7}
_FAR: Final = 0.3  # what a word counts for a value that another value of the clause is closer to
_AROUND: Final = 0.6  # what a match counts in the label or prose around a cell instead of its key
_MISMATCH: Final = 1.5
_UNASKED: Final = 0.25  # a statistic or side in the key that the claim does not speak of
# Statistics that a figure may be without the claim's saying so.
_NEUTRAL: Final = frozenset({"current", "total", "last", "measured", "used", "final", "active_count", "ready_count"})
_UNRIVALLED: Final = 9.0
_CLEAR: Final = 0.9  # a rival has to fit so much better to speak against a value


@record
class Wanted:
    """What a clause says of one of its values: names with weights."""

    names: tuple[tuple[tuple[str, ...], float], ...]
    statistics: frozenset[str]
    total: float


@record
class Fit:
    """A cell beside what a clause wants of a value."""

    cell: ValueCell
    relation: Relation
    score: float
    matched: float
    clash: bool


class ValueAligner:
    """Says how the values of a clause stand beside one record and what belongs to it."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index
        self._relations: dict[tuple[int, int], Relation] = {}
        self._wanted: dict[int, Wanted] = {}
        self._holders: dict[int, tuple[int, ...]] = {}

    def holders(self, mention: Mention) -> tuple[int, ...]:
        """Returns the records that have the value, whatever it says there."""
        key = id(mention)
        if key not in self._holders:
            self._holders[key] = tuple(
                {one.record: None for one in self._index.values if self._relation(mention, one) in _SAME}
            )
        return self._holders[key]

    def facts(self, clause: Clause, anchor: int) -> list[Fact]:
        """Returns how each value of a clause stands beside an anchor."""
        return [self._fact(clause, mention, anchor) for mention in clause.values]

    def _relation(self, mention: Mention, cell: ValueCell) -> Relation:
        key = (id(mention), cell.order)
        found = self._relations.get(key)
        if found is None:
            found = self._relations[key] = compare(mention.value, cell.mention.value)
        return found

    def _fact(self, clause: Clause, mention: Mention, anchor: int) -> Fact:
        wanted = self._want(clause, mention)
        same: Fit | None = None
        other: Fit | None = None
        for cell in self._index.values:
            relation = self._relation(mention, cell)
            if relation is Relation.INCOMPARABLE or anchor < 0 or not self._index.in_scope(anchor, cell.record):
                continue
            fit = self._fit(wanted, cell, relation, anchor)
            if relation in _SAME:
                same = fit if same is None or fit.score > same.score else same
            elif relation in _OTHER:
                other = fit if other is None or fit.score > other.score else other
        return self._verdict(mention, wanted, same, other, anchor)

    def _verdict(self, mention: Mention, wanted: Wanted, same: Fit | None, other: Fit | None, anchor: int) -> Fact:
        def fact(standing: Standing, why: str, fit: Fit | None = None) -> Fact:
            place = None
            if fit is not None:
                place = Place(fit.cell.record, fit.cell.mention.start, fit.cell.mention.end)
            return Fact(FactKind.VALUE, standing, mention.outer_start, mention.outer_end, why, place)

        name = self._as_name(mention, anchor) if same is None else None
        if name is not None:
            return Fact(FactKind.NAME, Standing.STATED, mention.start, mention.end, "named there", name)
        instant = isinstance(mention.value, Instant)
        if same is not None:
            lead = _UNRIVALLED if other is None else same.score - other.score
            if other is not None and lead <= -_CLEAR and other.matched >= 0.9 * wanted.total > 0:
                return fact(Standing.IN_CONFLICT, "what it is said of has another value", other)
            if same.clash:
                return fact(Standing.SILENT, "the value is another kind of figure", same)
            if instant:
                return fact(Standing.STATED, "the value is there", same)
            if lead < -0.05:
                return fact(Standing.SILENT, "another value fits better", other)
            if same.matched == 0 and lead < 0.3 and wanted.total > 0:
                return fact(Standing.PART, "the value is there, what it is of is not", same)
            return fact(Standing.STATED, "the value is there", same)
        if other is not None and not other.clash:
            if wanted.total > 0 and other.matched >= 0.75 * wanted.total:
                return fact(Standing.IN_CONFLICT, "what it is said of has another value", other)
            if other.relation is Relation.SCALE and other.score > -0.5:
                return fact(Standing.IN_CONFLICT, "the same figure has another unit", other)
        if self.holders(mention):
            return fact(Standing.SILENT, "the value stands elsewhere")
        return fact(Standing.FOREIGN, "the value stands nowhere")

    def _as_name(self, mention: Mention, anchor: int) -> Place | None:
        """Returns where a bare number stands as a part of a name (a port, an ID)."""
        value = mention.value
        if anchor < 0 or isinstance(value, Instant) or value.measure != COUNT or value.low is None or mention.counted:
            return None
        text = str(value.low)
        if len(text) < 2 or not text.isdigit():
            return None
        index = self._index
        return next(
            (
                place
                for place in index.find(text)
                if index.in_scope(anchor, place.record) or index.joined(anchor, place.record)
            ),
            None,
        )

    def _want(self, clause: Clause, mention: Mention) -> Wanted:
        key = id(mention)
        if key in self._wanted:
            return self._wanted[key]
        vocabulary = self._index.vocabulary
        names: list[tuple[tuple[str, ...], float]] = []
        statistics: set[str] = set()
        total = 0.0
        for term in clause.terms:
            kinds = [vocabulary.kind(name) for name in term.names if name[0] not in "@="]
            if not kinds or kinds[0] in ("soft", "name") or term.is_name:
                continue
            near = _nearest(clause.values, term) is mention
            meant = tuple(
                name for name in term.names if name[0] not in "@=" and vocabulary.kind(name) not in ("soft", "name")
            )
            if not meant:
                continue
            kinds = [vocabulary.kind(name) for name in meant]
            weight = max(_WEIGHT.get(kind, 0.7) for kind in kinds) * (1.0 if near else _FAR)
            names.append((meant, weight))
            if near and any(self._index.knows(name) for name in meant):
                total += weight if kinds[0] in ("attribute", "statistic", "side") else weight * 0.5
                if all(kind in ("statistic", "side") for kind in kinds):
                    statistics.update(meant)
        if mention.counted:
            for term in vocabulary.terms(mention.counted):
                for name in term.names:
                    if name[0] not in "@=" and vocabulary.kind(name) not in ("soft",):
                        names.append(((name,), 0.6))
                        total += 0.3
        wanted = Wanted(tuple(names), frozenset(statistics), total)
        self._wanted[key] = wanted
        return wanted

    def _fit(self, wanted: Wanted, cell: ValueCell, relation: Relation, anchor: int) -> Fit:
        vocabulary = self._index.vocabulary
        score = matched = 0.0
        for meant, weight in wanted.names:
            for name in meant:
                if name in cell.names:
                    score += weight
                    matched += weight
                    break
                if name in cell.around:
                    score += weight * _AROUND
                    matched += weight * _AROUND
                    break
        clash = unasked = False
        asked = {name for meant, _ in wanted.names for name in meant}
        for name in cell.names:
            kind = vocabulary.kinds.get(name)
            if kind in ("statistic", "side") and name not in asked:
                excluded = vocabulary.excludes.get(name, frozenset()) | vocabulary.opposites.get(name, frozenset())
                if excluded & asked:
                    score -= _MISMATCH
                    clash = True
                elif kind == "statistic" and name not in _NEUTRAL:
                    score -= _MISMATCH / 2
                    clash = True
                else:
                    unasked = True
        if unasked:
            score -= _UNASKED
        for name in wanted.statistics - cell.names - cell.around:
            score -= 0.5
        if cell.record == anchor:
            score += 0.1
        return Fit(cell, relation, score, matched, clash)


def _nearest(values: Iterable[Mention], term: Term) -> Mention | None:
    """Returns the value that a word stands closest to; an instant only where there is no amount."""
    values = [value for value in values if isinstance(value.value, Quantity)] or values
    best: Mention | None = None
    least = 1 << 30
    for value in values:
        gap = value.outer_start - term.end if value.outer_start >= term.end else term.start - value.outer_end + 1
        if gap < least:
            best, least = value, gap
    return best
