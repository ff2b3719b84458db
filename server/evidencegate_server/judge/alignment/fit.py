"""Says how well a cell of the evidence fits what a clause says of a value, beside the value itself."""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.places import ValueCell
from evidencegate_server.judge.alignment.wanted import Wanted
from evidencegate_server.judge.values.compare import Relation
from evidencegate_server.judge.values.model import Mention, Quantity

_AROUND: Final = 0.6  # what a match counts in the label or prose around a cell instead of its key
_MISMATCH: Final = 1.5
_AT_ANCHOR: Final = 0.1
_NOTHING: Final[frozenset[str]] = frozenset()
# A figure that is one of these is one whatever else its key names (used_memory_peak).
_EXTREMES: Final = frozenset(
    {"maximum", "minimum", "percentile", "median", "p75", "p90", "p95", "p99", "p999", "delta"}
)
_TOTAL: Final = "total"
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

    def fit(self, wanted: Wanted, cell: ValueCell, relation: Relation, anchor: int) -> Fit:
        """Returns how well a cell fits: what its key and what is around it name of what is wanted."""
        matched = 0.0
        for meant, weight in wanted.names:
            for name in meant:
                if name in cell.names:
                    matched += weight
                    break
                if name in cell.around or self._akin.get(name, _NOTHING) & cell.names:
                    matched += weight * _AROUND
                    break
        score = matched
        clash = isinstance(cell.mention.value, Quantity) and self._clashes(wanted, cell)
        if clash:
            score -= _MISMATCH
        if cell.record == anchor:
            score += _AT_ANCHOR
        return Fit(cell, relation, score, matched, clash)

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
        measure = mention.value.measure if isinstance(mention.value, Quantity) else ""
        return (
            sum(
                isinstance(value.value, Quantity) and value.value.measure == measure
                for one in self._index.records[cell.record].cells
                for value in one.values
            )
            <= 1
        )

    def _clashes(self, wanted: Wanted, cell: ValueCell) -> bool:
        """Returns whether a cell holds another kind of figure than a clause speaks of.

        A limit is no usage, whichever side names it; memory is not disk where both sides name what they measure.
        """
        vocabulary = self._index.vocabulary
        asked = wanted.asked
        named = cell.names | cell.label
        if named & self._allotted and not self._is_allotted(cell, named):
            named -= self._allotted
        both = any(vocabulary.kinds.get(name) == "statistic" for name in named & asked)
        for name in named & _EXTREMES if both else named:
            kind = vocabulary.kinds.get(name)
            if kind not in ("statistic", "side") or name in asked or self._akin.get(name, _NOTHING) & asked:
                continue
            excluded = vocabulary.excludes.get(name, _NOTHING) | vocabulary.opposites.get(name, _NOTHING)
            if excluded & wanted.of_it or (name in _STRICT and not self._alternative(cell, name, asked)):
                return True
        around = cell.around  # as large as its record is long, so it is asked and not copied
        for meant in wanted.statistics:
            if not any(
                name in named or self._may_go_unsaid(name, cell) or self._akin.get(name, _NOTHING) & named
                for name in meant
            ):
                return True
        if cell.arrow and cell.arrow == wanted.arrow:
            return True
        own = {name for name in named if vocabulary.kinds.get(name) == "attribute" and name not in self._generic}
        missed = any(
            not any(name in named or name in around for name in meant)
            and (self._resources.intersection(meant) or any(self._index.knows(name) for name in meant))
            for meant in wanted.attributes
        )
        if missed and (own - asked or named & self._resources - asked):
            return True
        return bool(named & self._settings) and not named & self._settings & asked

    def _may_go_unsaid(self, name: str, cell: ValueCell) -> bool:
        """Returns whether a figure may be of a statistic that its key does not name. A row of several is no total."""
        return name in self._neutral and not (name == _TOTAL and self._index.barrier[cell.record])

    def _is_allotted(self, cell: ValueCell, named: frozenset[str]) -> bool:
        """Returns whether a value under a word like request is an amount of a resource, or has no other word."""
        value, kinds = cell.mention.value, self._index.vocabulary.kinds
        if isinstance(value, Quantity) and value.measure in _RESOURCES:
            return True
        return bool(named & self._resources) or not any(kinds.get(name) in _TELLING for name in named)

    def _alternative(self, cell: ValueCell, name: str, asked: frozenset[str]) -> bool:
        """Returns whether a word of the key means something else beside the statistic, and that is what is asked."""
        return any(
            not term.is_name and name in term.names and asked.intersection(term.names)
            for term in self._index.vocabulary.terms(cell.cell.key)
        )
