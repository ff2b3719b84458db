"""Finds the value that the evidence shows in the place of a claim's: of the same thing and figure, and another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.fit import Fit, Fitter
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ClauseAlignment
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.values import ANOTHER, OTHER, OTHER_UNIT, SAME, compared, is_small_count
from evidencegate_server.judge.alignment.wanted import Wanted, WantedReader
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.values.compare import Relation
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity

_EVEN: Final = 0.05  # fits that lie no further apart are equal
_CLOSE: Final = 0.3  # the same where the claim's own value is there and a rival is asked for
_BETTER: Final = 0.6  # by what a rival has to fit better than the place where the claim's value is
_SAID_MORE: Final = 0.3  # by what it has to be named better
_SWAPPED: Final = 0.3  # by what two values fit better in each other's place
_SOME: Final = 0.3  # of all that is said of a value, where it stands nowhere in what is spoken of
_HALF: Final = 0.5
_NEAR: Final = 0.5  # from here on, a word belongs to the value and not to another one of its clause
_POWERS: Final = range(-6, 7)
_TELLING: Final = 2  # digits of a number that is not met by chance
_ROUGH: Final = Decimal("0.005")

_SWAPPED_WITH: Final = "another value of the claim stands there"
_BEYOND: Final = "its highest or lowest value lies outside"


@record
class _Read:
    """A value of a claim with what is said of it and the cells of its record: those with it and those without."""

    wanted: Wanted
    same: Sequence[Fit]
    others: Sequence[Fit]

    @property
    def best(self) -> Fit | None:
        """Returns the cell with the value that fits best."""
        return max(self.same, key=lambda fit: fit.score, default=None)


class Rivals:
    """Holds the values of a claim against those that the evidence shows in their place."""

    def __init__(self, clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> None:
        self._clauses = clauses
        self._index = index
        self._fitter = Fitter(index)
        self._reader = WantedReader(index)
        self._read: dict[int, _Read] = {}

    def against(self, clause: ClauseAlignment, mention: Mention) -> tuple[str, Place] | None:
        """Returns why a value is in conflict and the place that shows another one, None where it is not."""
        value = mention.value
        if clause.anchor < 0 or isinstance(value, Instant):
            return None
        read = self._reading(clause, mention)
        for why, fit in (
            (OTHER_UNIT, self._scaled(mention, value, read)),
            (_SWAPPED_WITH, self._swapped(mention, value, read)),
            (_BEYOND, _beyond(value, read)),
            (ANOTHER, self._figure(clause, mention, read)),
        ):
            if fit is not None:
                cell = fit.cell
                return why, Place(cell.record, cell.mention.start, cell.mention.end)
        return None

    def _reading(self, clause: ClauseAlignment, mention: Mention) -> _Read:
        known = self._read.get(id(mention))
        if known is None:
            wanted = self._reader.read(clause.clause, mention)
            fits = [
                self._fitter.fit(wanted, cell, relation, clause.anchor)
                for cell in self._index.scope_values(clause.anchor)
                if (relation := compared(mention.value, cell.mention.value)) in SAME or relation in OTHER
            ]
            known = self._read[id(mention)] = _Read(
                wanted,
                [fit for fit in fits if fit.relation in SAME],
                [fit for fit in fits if fit.relation in OTHER],
            )
        return known

    def _scaled(self, mention: Mention, value: Quantity, read: _Read) -> Fit | None:
        """Returns the cell that has the figure in another unit, or a power of ten away."""
        if read.same or value.low is None or value.low != value.high or is_small_count(mention):
            return None
        return next(
            (
                fit
                for fit in read.others
                if not fit.clash and (fit.relation is Relation.SCALE or _is_power_away(value, fit.cell.mention.value))
            ),
            None,
        )

    def _swapped(self, mention: Mention, value: Quantity, read: _Read) -> Fit | None:
        """Returns the cell of another value of the claim, where both fit better in each other's place."""
        own = read.best
        for clause, other in self._others(mention) if own is not None else ():
            if not isinstance(other.value, Quantity) or other.value.measure != value.measure:
                continue
            if min(value.digits, other.value.digits) < _TELLING:
                continue
            its = self._reading(clause, other)
            if own is None or its.best is None:
                continue
            there = _at(read.others, its.best.cell)
            here = _at(its.others, own.cell)
            if there is None or here is None or there.clash or here.clash:
                continue
            gains = (there.score - own.score, here.score - its.best.score)
            if min(gains) >= -_EVEN and sum(gains) >= _SWAPPED:
                return there
        return None

    def _others(self, mention: Mention) -> Iterator[tuple[ClauseAlignment, Mention]]:
        for clause in self._clauses:
            if clause.anchor >= 0:
                yield from ((clause, other) for other in clause.clause.values if other is not mention)

    def _figure(self, clause: ClauseAlignment, mention: Mention, read: _Read) -> Fit | None:
        """Returns the one cell that is of the figure that a value is told of and that the claim does not state."""
        rivals = [
            fit
            for fit in read.others
            if not fit.clash
            and (fit.cell.cell.kind is CellKind.FIELD or not is_small_count(mention))
            and not (read.best is not None and self._index.is_above(fit.cell.record, clause.anchor))
            and not any(compared(other.value, fit.cell.mention.value) in SAME for _, other in self._others(mention))
        ]
        best = read.best
        if best is None or all(fit.clash for fit in read.same):
            least = _SOME * read.wanted.total if best is None else max(fit.matched for fit in read.same)
            top = _alone([fit for fit in rivals if read.wanted.figures & fit.cell.names], _EVEN)
            if top is not None and top.matched >= max(least, _EVEN):
                return top
        if best is None or clause.clause.marked("@comparison.highest", "@comparison.lowest"):
            return None
        top = _alone(rivals, _CLOSE)
        return top if top is not None and self._is_better(top, best, read.wanted) else None

    def _is_better(self, top: Fit, best: Fit, wanted: Wanted) -> bool:
        """Returns whether a field is what a value is told of, and the place where the value is is not."""
        neutral = self._index.vocabulary.traits["neutral"]  # any figure may be the current one
        return (
            top.cell.cell.kind is CellKind.FIELD
            and top.score >= best.score + _BETTER
            and top.matched >= best.matched + _SAID_MORE
            and any(
                weight >= _NEAR
                and any(
                    name in top.cell.names and name not in best.cell.names and name not in neutral for name in meant
                )
                for meant, weight in wanted.names
            )
        )


def _alone(fits: Sequence[Fit], margin: float) -> Fit | None:
    """Returns the fit that is best, None where others come close that show another value."""
    top = max(fits, key=lambda fit: fit.score, default=None)
    if top is None:
        return None
    shown = top.cell.mention.value
    close = (fit for fit in fits if fit.score >= top.score - margin)
    return top if all(compared(fit.cell.mention.value, shown) is Relation.EQUAL for fit in close) else None


def _at(fits: Sequence[Fit], cell: ValueCell) -> Fit | None:
    return next((fit for fit in fits if fit.cell.order == cell.order), None)


def _beyond(value: Quantity, read: _Read) -> Fit | None:
    """Returns a maximum above the upper bound that a value sets, or a minimum below the lower one."""
    if (value.low is None) == (value.high is None) or any(not fit.clash for fit in read.same):
        return None
    name = "maximum" if value.low is None else "minimum"
    return next(
        (
            fit
            for fit in read.others
            if name in fit.cell.names and fit.matched >= _HALF * read.wanted.total > 0 and not _is_within(value, fit)
        ),
        None,
    )


def _is_within(value: Quantity, fit: Fit) -> bool:
    """Returns whether an extreme lies on the near side of a bound, where it says nothing against it."""
    shown = fit.cell.mention.value
    if not isinstance(shown, Quantity) or shown.low is None:
        return True
    return shown.low <= value.high if value.high is not None else value.low is not None and shown.low >= value.low


def _is_power_away(claimed: Quantity, shown: Quantity | Instant) -> bool:
    """Returns whether two numbers have the same digits, as far as the claim writes them, and not the same place."""
    if not isinstance(shown, Quantity) or claimed.measure != shown.measure or shown.low != shown.high:
        return False
    if not claimed.low or not shown.low or claimed.digits < _TELLING or (claimed.measure == COUNT and shown.unit):
        return False
    slack = max(claimed.step / 2, abs(claimed.low) * _ROUGH)
    return any(power and abs(shown.low.scaleb(power) - claimed.low) <= slack for power in _POWERS)
