"""Says how well a cell of the evidence fits what a clause says of a value, beside the value itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.places import ValueCell
from evidencegate_server.judge.alignment.wanted import Wanted
from evidencegate_server.judge.records.model import TIMES
from evidencegate_server.judge.values.compare import Relation
from evidencegate_server.judge.values.model import Mention, Quantity

_AROUND: Final = 0.6  # what a match counts in the label or prose around a cell instead of its key
_EVENT: Final = 1.0  # the name of the event that was seen so often
_MISMATCH: Final = 1.5
_AT_ANCHOR: Final = 0.1
_NOTHING: Final[frozenset[str]] = frozenset()
# A figure that is one of these is one whatever else its key names (used_memory_peak).
_EXTREMES: Final = frozenset(
    {"maximum", "minimum", "percentile", "median", "p75", "p90", "p95", "p99", "p999", "delta"}
)
_TOTAL: Final = "total"
_SUMMED: Final = frozenset({"total", "allocated"})
_TELLING: Final = frozenset({"attribute", "state", "event"})
_RESOURCES: Final = frozenset({"size", "cores"})  # measures

# What a figure is only where the claim says so too: a limit, a peak, a target is no plain reading.
_STRICT: Final = frozenset(
    {"limit", "lower_limit", "soft_limit", "hard_limit", "backoff_limit", "requested", "threshold", "quota", "capacity"}
    | {"desired", "target", "expected", "default", "initial", "baseline", "forecast", "committed", "delta"}
    | {"maximum", "minimum", "percentile", "median", "p75", "p90", "p95", "p99", "p999", "deviation"}
    | {"free", "unused", "idle_count"}
)


@record
class Fit:
    """A cell beside what a clause wants of a value."""

    cell: ValueCell
    relation: Relation
    score: float
    matched: float
    clash: bool


@record
class _Figure:
    """What kind of figure a cell is by its key and label: all `named` there, sorted by what it says."""

    named: frozenset[str]
    statistics: frozenset[str]
    kinds: frozenset[str]  # statistics and sides
    attributes: frozenset[str]  # but those that say little
    resources: frozenset[str]
    settings: frozenset[str]


class Fitter:
    """Holds the cells of one evidence against what clauses say of their values."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index
        vocabulary = index.vocabulary
        self._akin = vocabulary.akin
        self._resources = vocabulary.traits["resource"]
        self._settings = vocabulary.traits["setting"]
        self._generic = vocabulary.traits["generic"]
        self._neutral = vocabulary.traits["neutral"]
        self._allotted = vocabulary.traits["allotted"]
        self._figures: dict[tuple[frozenset[str], frozenset[str], bool], _Figure] = {}
        # A clause is held against one record after the other, most of which are told of the same cells.
        self._known: dict[tuple[int, int], tuple[float, bool]] = {}

    def fit(self, wanted: Wanted, cell: ValueCell, relation: Relation, anchor: int) -> Fit:
        """Returns how well a cell fits: what its key and what is around it name of what is wanted.

        Whoever asks keeps what is wanted for as long as the fitter, so that it is known by its identity.
        """
        key = (id(wanted), cell.order)
        known = self._known.get(key)
        if known is None:
            clash = isinstance(cell.mention.value, Quantity) and self._clashes(wanted, cell)
            known = self._known[key] = (self._matched(wanted, cell), clash)
        score, clash = known
        if clash:
            score -= _MISMATCH
        if cell.record == anchor:
            score += _AT_ANCHOR
        return Fit(cell, relation, score, known[0], clash)

    def _matched(self, wanted: Wanted, cell: ValueCell) -> float:
        """Returns the weight of what is wanted that a cell has in its key, or nearly."""
        names, around, akin = cell.names, cell.around, self._akin
        matched = 0.0
        for meant, weight in wanted.names:
            for name in meant:
                if name in names:
                    matched += weight
                    break
                if name in around or (name in akin and not names.isdisjoint(akin[name])):
                    matched += weight * _AROUND
                    break
        if cell.cell.key == TIMES and not wanted.named.isdisjoint(names):
            matched += _EVENT
        return matched

    def closest_fits(self, wanted: Wanted, cell: ValueCell) -> bool:
        """Returns whether the word closest to a value, where it is no word for any figure, is beside the cell too."""
        if not wanted.closest:
            return True
        for name in wanted.closest:
            near = self._akin.get(name, _NOTHING) | {name}
            if not (near.isdisjoint(cell.names) and near.isdisjoint(cell.around)):
                return True
            if name[0] == "~" and not name.isascii() and name[-2:] in cell.cell.key:
                return True
        return False

    def is_alone(self, cell: ValueCell, mention: Mention) -> bool:
        """Returns whether a record has no other amount of the measure, so that there is nothing to mix up."""
        if cell.cell.key == TIMES:
            return False
        measure = mention.value.measure if isinstance(mention.value, Quantity) else ""
        return (
            sum(
                isinstance(value.value, Quantity) and value.value.measure == measure
                for one in self._index.records[cell.record].cells
                if one.key != TIMES  # how often a row was seen is said of it, and by no word in it
                for value in one.values
            )
            <= 1
        )

    def _clashes(self, wanted: Wanted, cell: ValueCell) -> bool:
        """Returns whether a cell holds another kind of figure than a clause speaks of.

        A limit is no usage, whichever side names it; memory is not disk where both sides name what they measure.
        """
        akin, asked = self._akin, wanted.asked
        figure = self._figure(cell)
        named = figure.named
        kinds = figure.kinds if figure.statistics.isdisjoint(asked) else figure.kinds & _EXTREMES
        for name in kinds:
            if name in asked or not asked.isdisjoint(akin.get(name, _NOTHING)):
                continue
            if self._is_excluded(name, wanted) or (name in _STRICT and not self._alternative(cell, name, asked)):
                return True
        for meant in wanted.statistics:
            if not any(
                name in named or self._may_go_unsaid(name, cell) or not named.isdisjoint(akin.get(name, _NOTHING))
                for name in meant
            ):
                return True
        if any(named.isdisjoint(meant) and self._index.names[cell.record].isdisjoint(meant) for meant in wanted.wholes):
            return True  # a share of something else
        if cell.arrow and cell.arrow == wanted.arrow:
            return True
        if (figure.attributes - asked or figure.resources - asked) and any(
            self._is_missed(meant, cell, named) for meant in wanted.attributes
        ):
            return True
        if figure.resources - asked and any(self._is_missed(meant, cell, named) for meant in wanted.resources):
            return True
        return bool(figure.settings) and figure.settings.isdisjoint(asked)

    def _is_excluded(self, name: str, wanted: Wanted) -> bool:
        """Returns whether a word of a key means what cannot be where something is that the claim tells of its value."""
        vocabulary, of_it = self._index.vocabulary, wanted.of_it
        return not (
            of_it.isdisjoint(vocabulary.excludes.get(name, _NOTHING))
            and of_it.isdisjoint(vocabulary.opposites.get(name, _NOTHING))
        )

    def _is_missed(self, meant: Sequence[str], cell: ValueCell, named: frozenset[str]) -> bool:
        """Returns whether a cell is told of without the attribute that a clause names, which the evidence knows."""
        around = cell.around  # as large as its record is long, so it is asked and not copied
        if any(name in named or name in around for name in meant):
            return False
        return not self._resources.isdisjoint(meant) or any(self._index.knows(name) for name in meant)

    def _figure(self, cell: ValueCell) -> _Figure:
        value = cell.mention.value
        is_resource = isinstance(value, Quantity) and value.measure in _RESOURCES
        key = (cell.names, cell.label, is_resource)
        if key not in self._figures:
            kinds = self._index.vocabulary.kinds
            named = cell.names | cell.label
            if not named.isdisjoint(self._allotted) and not (is_resource or self._is_allotted(named)):
                named -= self._allotted
            kind_of = [(name, kinds[name]) for name in named if name in kinds]
            statistics = frozenset(name for name, kind in kind_of if kind == "statistic")
            self._figures[key] = _Figure(
                named,
                statistics,
                statistics | {name for name, kind in kind_of if kind == "side"},
                frozenset(name for name, kind in kind_of if kind == "attribute") - self._generic,
                named & self._resources,
                named & self._settings,
            )
        return self._figures[key]

    def _may_go_unsaid(self, name: str, cell: ValueCell) -> bool:
        """Returns whether a figure may be of a statistic that its key does not name.

        A row of several is no total, unless what they stand under adds up (the allocated resources of a node). The
        most of a series is one of its samples.
        """
        if self._index.sampled.is_extreme(cell.record, name):
            return True
        if name not in self._neutral or name != _TOTAL:
            return name in self._neutral
        return not self._index.barrier[cell.record] or not _SUMMED.isdisjoint(cell.label)

    def _is_allotted(self, named: frozenset[str]) -> bool:
        """Returns whether a word like request is said of a resource, or is the only one that tells of a figure."""
        kinds = self._index.vocabulary.kinds
        return not named.isdisjoint(self._resources) or not any(kinds.get(name) in _TELLING for name in named)

    def _alternative(self, cell: ValueCell, name: str, asked: frozenset[str]) -> bool:
        """Returns whether a word of the key means something else beside the statistic, and that is what is asked."""
        return any(
            not term.is_name and name in term.names and asked.intersection(term.names)
            for term in self._index.vocabulary.terms(cell.cell.key)
        )
