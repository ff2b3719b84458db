"""Binds the values of a clause to the cells that fit them best: rivals that fit better decide against it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex, Place, ValueCell
from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.judge.vocabulary import meant as meant_by

_SAME: Final = frozenset({Relation.EQUAL, Relation.INSIDE, Relation.WEAKER})
_OTHER: Final = frozenset({Relation.OUTSIDE, Relation.SCALE})
_WEIGHT: Final = {"statistic": 1.2, "attribute": 1.0, "side": 1.2, "state": 0.8, "event": 0.8, "thing": 0.5, "": 0.7}
_FAR: Final = 0.3  # what a word counts for a value that another value of the clause is closer to
_AROUND: Final = 0.6  # what a match counts in the label or prose around a cell instead of its key
_MISMATCH: Final = 1.5
_UNASKED: Final = 0.25  # a statistic or side in the key that the claim does not speak of
# What a figure is of where its clause does not say.
_IMPLIED: Final = {"time": ("latency", "duration"), "share": ("ratio",), "size": ("size",)}
_NAMED: Final = 0.5  # what each name of a figure that its cell bears out adds to its worth
_BEFORE: Final = 0.7
_COUNTED: Final = 0.8
_CLOSE: Final = 6  # code points between a value and the word that it is of
_WINDOWS: Final = frozenset({"last", "@time_scope.window", "interval", "duration"})
_FEW: Final = 9
_MOST_CANDIDATES: Final = 400
_NEAR: Final = Decimal("0.08")  # of both bounds together: binary and decimal prefixes differ by a tenth at most
_LEAST: Final = Decimal("-1e30")
_GREATEST: Final = Decimal("1e30")
_ALSO: Final = {"cores": ("time", "share"), "time": ("cores",), "share": ("points",)}
_UNITS: Final = ("time", "size", "share", "count/time", "cores")
_MANY_BYTES: Final = 4_096

_NOTHING: Final[frozenset[str]] = frozenset()


# What a figure is only where the claim says so too: a limit, a peak, a target is no plain reading.
_STRICT: Final = frozenset(
    {
        "limit",
        "lower_limit",
        "soft_limit",
        "hard_limit",
        "requested",
        "threshold",
        "quota",
        "capacity",
        "desired",
        "target",
    }
    | {
        "expected",
        "default",
        "maximum",
        "minimum",
        "percentile",
        "median",
        "p75",
        "p90",
        "p95",
        "p99",
        "p999",
        "deviation",
    }
    | {"delta", "committed", "forecast", "baseline", "initial", "backoff_limit", "free", "unused", "idle_count"}
)
_UNRIVALLED: Final = 9.0
_CLEAR: Final = 0.9  # a rival has to fit so much better to speak against a value


@record
class Wanted:
    """What a clause says of one of its values: names with weights."""

    names: tuple[tuple[tuple[str, ...], float], ...]
    statistics: tuple[tuple[str, ...], ...]
    attributes: tuple[tuple[str, ...], ...]
    total: float
    arrow: str
    asked: frozenset[str]
    figures: frozenset[str]
    closest: tuple[str, ...]
    is_window: bool


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

    def __init__(self, index: EvidenceIndex, focus: frozenset[int] | None = None) -> None:
        self._index = index
        self._focus = focus
        vocabulary = index.vocabulary
        self._akin = vocabulary.akin
        self._resources = vocabulary.traits["resource"]
        self._settings = vocabulary.traits["setting"]
        self._generic = vocabulary.traits["generic"]
        self._neutral = vocabulary.traits["neutral"]
        self._light = vocabulary.traits["light"]
        self._relations: dict[tuple[int, int], Relation] = {}
        self._wanted: dict[int, Wanted] = {}
        self._holders: dict[int, tuple[int, ...]] = {}

    def holders(self, mention: Mention) -> tuple[int, ...]:
        """Returns the records that have the value, whatever it says there."""
        key = id(mention)
        if key not in self._holders:
            self._holders[key] = tuple(
                {one.record: None for one in self._candidates(mention) if self._relation(mention, one) in _SAME}
            )
        return self._holders[key]

    def _candidates(self, mention: Mention) -> list[ValueCell]:
        """Returns the values of the evidence that may be the same: those close to it in size."""
        index = self._index
        value = mention.value
        if isinstance(value, Instant):
            return index.instants[:_MOST_CANDIDATES]
        if value.low is None or value.high is None:
            low = value.low if value.low is not None else _LEAST
            high = value.high if value.high is not None else _GREATEST
            return index.near(value.measure, low, high)[:_MOST_CANDIDATES]
        low, high = sorted((value.low, value.high))
        slack = (abs(low) + abs(high)) * _NEAR
        found: list[ValueCell] = []
        for measure in dict.fromkeys((value.measure, COUNT, *_ALSO.get(value.measure, ()))):
            found += index.near(measure, low - slack, high + slack)
        if value.measure == COUNT:
            for measure in _UNITS:
                found += index.near(measure, low - slack, high + slack)
        return found[:_MOST_CANDIDATES]

    def facts(self, clause: Clause, anchor: int) -> list[Fact]:
        """Returns how each value of a clause stands beside an anchor."""
        return [self._fact(clause, mention, anchor) for mention in clause.values]

    def _relation(self, mention: Mention, cell: ValueCell) -> Relation:
        key = (id(mention), cell.order)
        found = self._relations.get(key)
        if found is None:
            found = self._relations[key] = _compare(mention.value, cell.mention.value)
        return found

    def _fact(self, clause: Clause, mention: Mention, anchor: int) -> Fact:
        wanted = self._want(clause, mention)
        same: Fit | None = None
        other: Fit | None = None
        for cell in self._index.scope_values(anchor) if anchor >= 0 else ():
            relation = self._relation(mention, cell)
            if relation is Relation.INCOMPARABLE:
                continue
            fit = self._fit(wanted, cell, relation, anchor)
            if relation in _OTHER and self._is_claimed(clause, mention, cell):
                continue
            if relation in _SAME:
                same = fit if same is None or fit.score > same.score else same
            elif relation in _OTHER:
                other = fit if other is None or fit.score > other.score else other
        return self._verdict(mention, wanted, same, other, anchor)

    def _closest_fits(self, wanted: Wanted, cell: ValueCell) -> bool:
        """Returns whether the word closest to a value, where it is no word for any figure, is beside the cell too."""
        if not wanted.closest:
            return True
        shown = cell.names | cell.around
        for name in wanted.closest:
            if name in shown or self._akin.get(name, _NOTHING) & shown:
                return True
            if name[0] == "~" and not name.isascii() and name[-2:] in cell.cell.key:
                return True
        return False

    def _is_alone(self, cell: ValueCell, mention: Mention) -> bool:
        """Returns whether a record has no other amount of the measure, so that there is nothing to mix up."""
        measure = mention.value.measure if isinstance(mention.value, Quantity) else ""
        return (
            sum(
                isinstance(value.value, Quantity) and value.value.measure == measure
                for one in self._index.records[cell.record].cells
                for value in one.values
            )
            <= 1
        )

    def _is_claimed(self, clause: Clause, mention: Mention, cell: ValueCell) -> bool:
        """Returns whether another value of the clause is what a cell has: then it is no rival."""
        return any(other is not mention and self._relation(other, cell) is Relation.EQUAL for other in clause.values)

    def _verdict(self, mention: Mention, wanted: Wanted, same: Fit | None, other: Fit | None, anchor: int) -> Fact:
        def fact(standing: Standing, why: str, fit: Fit | None = None) -> Fact:
            place = None
            if fit is None and _is_small_count(mention):
                return Fact(
                    FactKind.VALUE, Standing.SILENT, mention.outer_start, mention.outer_end, "counted by no figure"
                )
            if fit is not None:
                place = Place(fit.cell.record, fit.cell.mention.start, fit.cell.mention.end)
            worth = 1.0
            if fit is not None:
                worth += min(2, len(wanted.figures & (fit.cell.names | fit.cell.label))) * _NAMED
            return Fact(FactKind.VALUE, standing, mention.outer_start, mention.outer_end, why, place, worth)

        name = self._as_name(mention, anchor) if same is None else None
        if name is not None:
            return Fact(FactKind.NAME, Standing.STATED, mention.start, mention.end, "named there", name)
        instant = isinstance(mention.value, Instant)
        if same is not None:
            lead = _UNRIVALLED if other is None else same.score - other.score
            if (
                other is not None
                and lead <= -_CLEAR
                and other.matched >= 0.9 * wanted.total > 0
                and wanted.figures & other.cell.names
            ):
                return fact(Standing.IN_CONFLICT, "what it is said of has another value", other)
            if same.clash:
                return fact(Standing.SILENT, "the value is another kind of figure", same)
            if instant:
                return fact(Standing.STATED, "the value is there", same)
            if lead < -0.05:
                return fact(Standing.SILENT, "another value fits better", other)
            if wanted.is_window and not (same.cell.names | same.cell.around) & _WINDOWS:
                return fact(Standing.PART, "the length is there, and no such stretch", same)
            if not self._closest_fits(wanted, same.cell) and not self._is_alone(same.cell, mention):
                return fact(Standing.PART, "the value is there, the word beside it is not", same)
            if same.matched == 0 and (wanted.total >= 0.5 or (wanted.names and not self._is_alone(same.cell, mention))):
                return fact(Standing.PART, "the value is there, what it is of is not", same)
            return fact(Standing.STATED, "the value is there", same)
        if (
            other is not None
            and not other.clash
            and (self._focus is None or other.cell.record == anchor or other.cell.record in self._focus)
        ):
            if wanted.total > 0 and other.matched >= 0.75 * wanted.total and wanted.figures & other.cell.names:
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
        is_window = _is_window(clause, mention)
        closest: tuple[str, ...] = ()
        least = _CLOSE
        statistics: list[tuple[str, ...]] = []
        attributes: list[tuple[str, ...]] = []
        total = 0.0
        for term in clause.terms:
            if term.is_name or (clause.is_chinese and term.is_unknown and term.names[0].isascii()):
                continue
            if is_window:
                break
            near = _nearest(clause.values, term) is mention
            gap = max(mention.outer_start - term.end, term.start - mention.outer_end)
            meant = tuple(
                name
                for name in meant_by(term)
                if name[0] != "@" and vocabulary.kind(name.removeprefix("!")) not in ("soft", "name")
            )
            if not meant:
                continue
            kinds = [vocabulary.kind(name.removeprefix("!")) for name in meant]
            weight = max(_WEIGHT.get(kind, 0.7) for kind in kinds) * (1.0 if near else _FAR)
            names.append((meant, weight))
            if 0 <= mention.outer_start - term.end <= 1 and kinds[0] in ("thing", "attribute"):
                weight += _BEFORE  # port 8080, revision 3: the noun says what the number is
            if near and gap < least and (term.is_unknown or kinds[0] in ("attribute", "statistic", "side", "event")):
                closest, least = (meant if self._tells(term, meant, kinds) else ()), gap
            if near and any(self._index.knows(name) for name in meant):
                total += weight if kinds[0] in ("attribute", "statistic", "side") else weight * 0.5
            if near and all(kind == "statistic" for kind in kinds):
                statistics.append(meant)
            if near and all(kind == "attribute" for kind in kinds) and not self._generic.intersection(meant):
                attributes.append(meant)
        if mention.counted:
            for term in vocabulary.terms(mention.counted):
                counted = tuple(name for name in meant_by(term) if name[0] != "@" and vocabulary.kind(name) != "soft")
                if counted and not any(other == counted for other, _ in names):
                    names.append((counted, 0.6))
                    total += 0.3
        arrow = ""
        if clause.marked("@order.after", "@time_scope.now", "@time_scope.still"):
            arrow = "first"
        elif clause.marked("@order.before", "@time_scope.earlier"):
            arrow = "second"
        asked = {name for choice, _ in names for name in choice}
        if clause.marked("@comparison.highest", "@quantifiers.once", "@time_scope.earlier"):
            asked.add("maximum")
        if clause.marked("@comparison.lowest", "@quantifiers.once", "@time_scope.earlier"):
            asked.add("minimum")
        figures = {
            name
            for choice, weight in names
            if weight >= 1.0
            for name in choice
            if vocabulary.kind(name) in ("attribute", "statistic", "side")
        }
        if isinstance(mention.value, Quantity) and mention.value.measure == COUNT:
            # How often something happened: the event is what is counted.
            figures |= {
                name
                for choice, weight in names
                if weight >= _COUNTED
                for name in choice
                if vocabulary.kind(name) == "event"
            }
        if not figures and isinstance(mention.value, Quantity) and mention.value.measure in _IMPLIED:
            names.append((_IMPLIED[mention.value.measure], 0.5))
        wanted = Wanted(
            tuple(names),
            tuple(statistics),
            tuple(attributes),
            total,
            arrow,
            frozenset(asked),
            frozenset(figures),
            closest,
            is_window,
        )
        self._wanted[key] = wanted
        return wanted

    def _clashes(self, wanted: Wanted, cell: ValueCell) -> bool:
        """Returns whether a cell holds another kind of figure than a clause speaks of.

        A limit is no usage, whichever side names it; memory is not disk where both sides name what they measure.
        """
        vocabulary = self._index.vocabulary
        asked = wanted.asked
        named = cell.names | cell.label
        both = any(vocabulary.kinds.get(name) == "statistic" for name in named & asked)
        for name in () if both else named:
            kind = vocabulary.kinds.get(name)
            if kind not in ("statistic", "side") or name in asked or self._akin.get(name, _NOTHING) & asked:
                continue
            excluded = vocabulary.excludes.get(name, _NOTHING) | vocabulary.opposites.get(name, _NOTHING)
            if excluded & asked or (name in _STRICT and not self._alternative(cell, name, asked)):
                return True
        shown = named | cell.around
        for meant in wanted.statistics:
            if not any(
                name in named or name in self._neutral or self._akin.get(name, _NOTHING) & named for name in meant
            ):
                return True
        if cell.arrow and cell.arrow == wanted.arrow:
            return True
        own = {name for name in named if vocabulary.kinds.get(name) == "attribute" and name not in self._generic}
        missed = any(
            not any(name in shown for name in meant)
            and (self._resources.intersection(meant) or any(self._index.knows(name) for name in meant))
            for meant in wanted.attributes
        )
        if missed and (own - asked or named & self._resources - asked):
            return True
        return bool(named & self._settings) and not named & self._settings & asked

    def _alternative(self, cell: ValueCell, name: str, asked: frozenset[str]) -> bool:
        """Returns whether a word of the key means something else beside the statistic, and that is what is asked."""
        return any(
            not term.is_name and name in term.names and asked.intersection(term.names)
            for term in self._index.vocabulary.terms(cell.cell.key)
        )

    def _tells(self, term: Term, meant: tuple[str, ...], kinds: list[str]) -> bool:
        """Returns whether a word tells what a figure beside it is of."""
        if term.is_unknown:
            return not term.names[0].isascii() and len(term.names[0]) > 2
        return kinds[0] in ("attribute", "side", "event") and not (self._generic | self._light).intersection(meant)

    def _fit(self, wanted: Wanted, cell: ValueCell, relation: Relation, anchor: int) -> Fit:
        score = matched = 0.0
        for meant, weight in wanted.names:
            for name in meant:
                if name in cell.names:
                    score += weight
                    matched += weight
                    break
                if self._akin.get(name, _NOTHING) & cell.names:
                    score += weight * _AROUND
                    matched += weight * _AROUND
                    break
                if name in cell.around:
                    score += weight * _AROUND
                    matched += weight * _AROUND
                    break
        clash = isinstance(cell.mention.value, Quantity) and self._clashes(wanted, cell)
        if clash:
            score -= _MISMATCH
        if cell.record == anchor:
            score += 0.1
        return Fit(cell, relation, score, matched, clash)


def _is_small_count(mention: Mention) -> bool:
    """Returns whether a number counts a few things by name (two pods), which evidence shows and seldom writes."""
    value = mention.value
    return (
        isinstance(value, Quantity)
        and value.measure == COUNT
        and bool(mention.counted)
        and value.low == value.high
        and value.low is not None
        and 1 < value.low <= _FEW
    )


def _is_window(clause: Clause, mention: Mention) -> bool:
    """Returns whether a length of time only says which stretch is meant (the last 5 minutes)."""
    return (
        isinstance(mention.value, Quantity)
        and mention.value.measure == "time"
        and any(
            0 <= mention.outer_start - term.end <= 1
            and ("last" in term.names or any(name.startswith("@time_scope.window") for name in term.names))
            for term in clause.terms
        )
    )


def _compare(claim: Quantity | Instant, evidence: Quantity | Instant) -> Relation:
    """Returns how two values stand, a bare number of many bytes taken as such, a stated bound as the value it names."""
    if isinstance(claim, Instant) and claim.bound:
        claim = replace(
            claim, bound=""
        )  # since 10:05 names 10:05; whether the time since is covered is another question
    relation = compare(claim, evidence)
    if not (isinstance(claim, Quantity) and isinstance(evidence, Quantity)):
        return relation
    if (
        relation is Relation.INCOMPARABLE
        and claim.measure == "size"
        and evidence.measure == COUNT
        and evidence.low is not None
        and evidence.low >= _MANY_BYTES
    ):
        return compare(claim, replace(evidence, measure="size", unit="B"))
    if relation is Relation.OPEN and claim.low is not None and claim.low == claim.high:
        bound = evidence.low if evidence.high is None else evidence.high if evidence.low is None else None
        if bound is not None and compare(claim, replace(evidence, low=bound, high=bound)) is Relation.EQUAL:
            return Relation.WEAKER
    return relation


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
