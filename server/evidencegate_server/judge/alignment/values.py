"""Binds the values of a clause to the cells that fit them best: rivals that fit better decide against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.fit import Fit, Fitter
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.alignment.parts import is_code, is_port, is_stretch, is_told_as_port, share_of
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.wanted import Wanted, WantedReader
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.values.compare import Relation, compare, written, written_in_units
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity

SAME: Final = frozenset({Relation.EQUAL, Relation.INSIDE, Relation.WEAKER})
"""How a cell stands to a value that it has."""
OTHER: Final = frozenset({Relation.OUTSIDE, Relation.SCALE})
"""How a cell stands to a value in whose place it has another one."""
_NAMED: Final = 0.5  # what each name of a figure that its cell bears out adds to its worth
_MOST_NAMED: Final = 2
# Of these a bound is the value itself: a threshold of 30 s is written as `> 30s`.
_BOUNDS: Final = frozenset(
    {
        "threshold",
        "limit",
        "lower_limit",
        "soft_limit",
        "hard_limit",
        "quota",
        "target",
        "timeout",
        "maximum",
        "minimum",
    }
)
# Keys of a window that a query looked at.
_RANGES: Final = frozenset({"range", "~window", "start_time", "end_time", "@time_scope.since", "@change.source"})
_WINDOWS: Final = frozenset({"last", "@time_scope.window", "interval", "duration"})
_AGO: Final = re.compile(r" ?(?:ago\b|(?:\u4e4b|\u4ee5)?\u524d(?!\u540e))", re.IGNORECASE)
_LAST_SEEN: Final = re.compile(r"last[ _-]?(?:seen|active|contact|heartbeat|run|updated?)", re.IGNORECASE)
_MANY_OF: Final = re.compile(r"(?<![\w.,])(\d[\d,]*) (?:out )?of (?:the |its |all |their )?$")
_REACH: Final = 40  # code points before a value
_FEW: Final = 9
_ONCE: Final = "once"
_MOST_CANDIDATES: Final = 400
_NEAR: Final = Decimal("0.08")  # of both bounds together: binary and decimal prefixes differ by a tenth at most
_LEAST: Final = Decimal("-1e30")
_GREATEST: Final = Decimal("1e30")
_ALSO: Final = {"cores": ("time", "share"), "time": ("cores",), "share": ("points",)}
_UNITS: Final = ("time", "size", "share", "count/time", "cores")
_MANY_BYTES: Final = 4_096
_CLEAR: Final = 0.9  # a rival has to fit so much better to speak against a value
_EVEN: Final = 0.05  # a rival that fits better by no more is none
_NEARLY_ALL: Final = 0.9  # of what is said of a value, for a rival to conflict where the value is there
_MOSTLY: Final = 0.75  # the same where it is not
_POOR: Final = -0.5  # a cell that fits no better is of something else
_MUCH: Final = 0.5  # a clause that says so much of its value has to find some of it
_RATE: Final = "/time"
# What the keys of the two ends of something name (startsAt, endsAt).
_ENDS: Final = (frozenset({"start", "start_time", "started", "starting"}), frozenset({"end_time", "ended"}))
_SEEN: Final = " (x"  # behind how long ago the event of a row was seen last (9m28s (x4 over 9m35s))
_TELLING: Final = 2  # digits of a number that is not met by chance
ANOTHER_KIND: Final = "the value is another kind of figure"
"""Why a value does not stand that only a limit, a peak or a total has."""
ANOTHER: Final = "what it is said of has another value"
"""Why a value is in conflict with the cell that it is told of."""
OTHER_UNIT: Final = "the same figure has another unit"
"""Why a value is in conflict that is right but for its scale."""


class ValueAligner:
    """Says how the values of a clause stand beside one record and what belongs to it."""

    def __init__(self, index: EvidenceIndex, focus: frozenset[int] | None = None, text: str = "") -> None:
        self._index = index
        self._focus = focus
        self._text = text
        self._fitter = Fitter(index)
        self._reader = WantedReader(index)
        self._relations: dict[int, dict[int, Relation]] = {}  # by the mention, then the order of the cell
        self._holders: dict[int, tuple[int, ...]] = {}

    def holders(self, mention: Mention) -> tuple[int, ...]:
        """Returns the records that have the value, whatever it says there."""
        key = id(mention)
        if key not in self._holders:
            self._holders[key] = tuple(
                {
                    cell.record: None
                    for cell, relation in self._related(mention, self._candidates(mention))
                    if relation in SAME
                }
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

    def _related(self, mention: Mention, cells: Iterable[ValueCell]) -> Iterator[tuple[ValueCell, Relation]]:
        """Yields the cells with how a value stands to each."""
        known = self._relations.setdefault(id(mention), {})
        value = mention.value
        for cell in cells:
            relation = known.get(cell.order)
            if relation is None:
                relation = known[cell.order] = compared(value, cell.mention.value)
            yield cell, relation

    def _fact(self, clause: Clause, mention: Mention, anchor: int) -> Fact:
        wanted = self._reader.read(clause, mention)
        counts_few = is_small_count(mention)
        is_alone = len(clause.values) == 1
        same: Fit | None = None
        others: list[Fit] = []
        for cell, relation in self._related(mention, self._in_reach(clause, mention, anchor)):
            if relation is Relation.INCOMPARABLE or (counts_few and _has_unit(cell)):
                continue
            if relation in SAME:
                fit = self._fitter.fit(wanted, cell, relation, anchor)
                same = fit if same is None or fit.score > same.score else same
            elif relation in OTHER and (is_alone or not self._is_claimed(clause, mention, cell)):
                others.append(self._fitter.fit(wanted, cell, relation, anchor))
        if same is not None and self._is_ago(mention, same.cell):
            others = []  # what happened so long ago is told by no length and no age
        return self._verdict(mention, wanted, same, others, anchor)

    def _is_ago(self, mention: Mention, cell: ValueCell) -> bool:
        """Returns whether a length of time is told as passed since something on both sides (3m2s ago, 3 分钟前)."""
        text = self._index.evidence.texts[self._index.records[cell.record].source]
        if _AGO.match(self._text, mention.end) is None:
            return False
        return _AGO.match(text, cell.mention.end) is not None or _LAST_SEEN.fullmatch(cell.cell.key) is not None

    def _in_reach(self, clause: Clause, mention: Mention, anchor: int) -> list[ValueCell]:
        """Returns the cells that can hold a value: those said of the anchor.

        The bound of a window (after 10:05) can also stand in another block of the same report: it holds for all of it.
        """
        if anchor < 0:
            return []
        if self._index.is_variable(anchor):
            rows = self._named_rows(clause, self._index.records[anchor].group)
            if rows:
                return [cell for row in rows for cell in self._index.by_record.get(row, ())]
        found = self._index.scope_values(anchor)
        if not isinstance(mention.value, Instant) or not mention.value.bound:
            return found
        records = self._index.records
        known = {cell.order for cell in found}
        return found + [
            cell
            for cell in self._index.instants
            if cell.order not in known
            and not _RANGES.isdisjoint(cell.names)
            and records[cell.record].group < 0
            and records[cell.record].source == records[anchor].source
        ]

    def _named_rows(self, clause: Clause, group: int) -> list[int]:
        """Returns the rows of a list that have a machine's name of a clause."""
        index = self._index
        found = {place.record for term in clause.terms if term.is_name for place in index.places.get(term.names[0], ())}
        return sorted(row for row in found if index.records[row].group == group)

    def _is_total(self, mention: Mention) -> bool:
        """Returns whether a rate has the number of what is shown as a total."""
        value = mention.value
        if not isinstance(value, Quantity) or not value.measure.endswith(_RATE) or not value.low:
            return False
        measure = value.measure.removesuffix(_RATE).removeprefix("count")
        number = written(value)
        return any(
            isinstance(one.mention.value, Quantity)
            and one.mention.value.measure == measure
            and written(one.mention.value) == number
            for one in self._index.values
        )

    def _is_known(self, mention: Mention) -> bool:
        """Returns whether a value is nothing new: its number stands somewhere, or what it could follow from."""
        value = mention.value
        index = self._index
        if isinstance(value, Instant) or value.low is None or value.low != value.high:
            return False
        if value.measure == "time" and len(index.instants) > 1:
            return True
        numbers = {number for number in written_in_units(value) if len(number) >= _TELLING}
        if not numbers:
            return False
        return bool(value.measure == COUNT and index.find(str(value.low))) or any(
            isinstance(one.mention.value, Quantity) and written(one.mention.value) in numbers for one in index.values
        )

    def _is_claimed(self, clause: Clause, mention: Mention, cell: ValueCell) -> bool:
        """Returns whether another value of the clause is what a cell has: then it is no rival."""
        return any(
            relation is Relation.EQUAL
            for other in clause.values
            if other is not mention
            for _, relation in self._related(other, (cell,))
        )

    def _verdict(self, mention: Mention, wanted: Wanted, same: Fit | None, others: Sequence[Fit], anchor: int) -> Fact:
        """Returns how a value stands by the best cell that has it and those that have another one."""
        if same is not None:
            return self._beside_same(mention, wanted, same, others, anchor)
        name = self._as_name(mention, anchor)
        if name is not None:
            return Fact(FactKind.NAME, Standing.STATED, mention.start, mention.end, "named there", name)
        other = _best(others)
        if other is not None and not (wanted.names_one or wanted.wholes) and self._may_conflict(other, anchor):
            if _is_of_figure(wanted, other, _MOSTLY) and _is_plain(mention, other, others):
                return _told(mention, wanted, Standing.IN_CONFLICT, ANOTHER, other)
            if other.relation is Relation.SCALE and other.score > _POOR:
                return _told(mention, wanted, Standing.IN_CONFLICT, OTHER_UNIT, other)
        if is_small_count(mention):
            return _untold(mention, Standing.SILENT, "counted by no figure")
        if self.holders(mention):
            return _untold(mention, Standing.SILENT, "the value stands elsewhere")
        if self._is_total(mention):
            return _untold(mention, Standing.SILENT, ANOTHER_KIND)
        if self._is_known(mention):
            return _untold(mention, Standing.SILENT, "the number stands elsewhere")
        return _untold(mention, Standing.FOREIGN, "the value stands nowhere")

    def _beside_same(self, mention: Mention, wanted: Wanted, same: Fit, others: Sequence[Fit], anchor: int) -> Fact:
        """Returns how a value stands that a cell has, where `others` are its rivals."""
        other = _best(others)
        if (
            other is not None
            and not wanted.wholes  # a share of one whole says nothing of a share of another
            and not self._index.is_above(other.cell.record, anchor)
            and same.score - other.score <= -_CLEAR
            and _is_of_figure(wanted, other, _NEARLY_ALL)
            and _is_plain(mention, other, others)
            and (same.clash or other.cell.cell.kind is CellKind.FIELD)
        ):
            return _told(mention, wanted, Standing.IN_CONFLICT, ANOTHER, other)
        if same.clash:
            return _told(mention, wanted, Standing.SILENT, ANOTHER_KIND, same)
        if isinstance(mention.value, Instant):
            if self._is_of_another_event(wanted, same.cell):
                return _told(mention, wanted, Standing.PART, "the time of something else", same)
            return _told(mention, wanted, Standing.STATED, "the value is there", same)
        if other is not None and same.score - other.score < -_EVEN:
            return _told(mention, wanted, Standing.SILENT, "another value fits better", other)
        doubt = self._doubt(mention, wanted, same)
        if doubt and not self._is_whole_beside(mention, same.cell):
            return _told(mention, wanted, Standing.PART, doubt, same)
        return _told(mention, wanted, Standing.STATED, "the value is there", same)

    def _is_of_another_event(self, wanted: Wanted, cell: ValueCell) -> bool:
        """Returns whether a field has the time of an event (startsAt) and a clause tells when another one was."""
        kind = self._index.vocabulary.kind
        if cell.cell.kind is not CellKind.FIELD:
            return False
        if not any(kind(name) in ("event", "state") for name in wanted.asked):
            return False
        return any(not ends.isdisjoint(cell.names) and ends.isdisjoint(wanted.asked) for ends in _ENDS)

    def _doubt(self, mention: Mention, wanted: Wanted, same: Fit) -> str:
        """Returns why a value that is there may be of something else, empty for no doubt."""
        cell = same.cell
        shown = cell.mention.value
        if cell.cell.kind is CellKind.IN_TEXT and not isinstance(shown, Instant):
            why = self._is_of_all(mention, cell)
            if why:
                return why
        if shown.about and not mention.value.about and not self._is_ago(mention, cell):
            return "only a rough value is there"
        if _is_bound(shown) and not _is_bound(mention.value) and not (wanted.asked | cell.names) & _BOUNDS:
            return "only a bound is there"
        if cell.cell.text.find(_SEEN, cell.mention.end - cell.cell.start) >= 0 and is_stretch(
            self._text, mention.start, mention.end
        ):
            return "how long ago it was seen last, and not over how long"
        if self._is_ago(mention, cell):
            return ""
        if wanted.is_window and not (cell.names | cell.around) & _WINDOWS:
            return "the length is there, and no such stretch"
        if not self._fitter.closest_fits(wanted, cell) and not self._fitter.is_alone(cell, mention):
            return "the value is there, the word beside it is not"
        if same.matched == 0 and (wanted.total >= _MUCH or (wanted.names and not self._fitter.is_alone(cell, mention))):
            return "the value is there, what it is of is not"
        return ""

    def _is_whole_beside(self, mention: Mention, cell: ValueCell) -> bool:
        """Returns whether a claim tells of so many of so many, both in one record: the second needs no word."""
        before = self._text[max(0, mention.outer_start - _REACH) : mention.outer_start]
        part = _MANY_OF.search(before)
        if cell.cell.kind is not CellKind.FIELD or part is None:
            return False
        return any(
            isinstance(one.mention.value, Quantity)
            and one.order != cell.order
            and one.cell.kind is CellKind.FIELD
            and one.mention.value.measure == COUNT
            and str(one.mention.value.low) == part[1].replace(",", "")
            for one in self._index.by_record.get(cell.record, ())
        )

    def _is_of_all(self, mention: Mention, cell: ValueCell) -> str:
        """Returns why a number in a text is not what a claim counts, empty where it may be."""
        text = self._index.evidence.texts[self._index.records[cell.record].source]
        claimed = share_of(self._text, mention.start, mention.end)
        shown = share_of(text, cell.mention.start, cell.mention.end)
        if (shown == "whole" and claimed != shown) or (shown == "part" and claimed == "whole"):
            return "the number of some is not that of all"
        if mention.counted and is_code(text, cell.mention.start, cell.mention.end):
            return "the number is a name there"
        if is_port(text, cell.mention.start) and not is_told_as_port(self._text, mention.start):
            return "the number is a port there"
        return ""

    def _may_conflict(self, other: Fit, anchor: int) -> bool:
        """Returns whether another value can speak against one: the same kind of figure, in what the claim quotes.

        A number of what is denied (4 not closed) is no number of the rest.
        """
        if other.clash or "@negation.before" in other.cell.names:
            return False
        return self._focus is None or other.cell.record == anchor or other.cell.record in self._focus

    def _as_name(self, mention: Mention, anchor: int) -> Place | None:
        """Returns where a bare number stands as a part of a name (a port, an ID)."""
        value = mention.value
        if (
            anchor < 0
            or isinstance(value, Instant)
            or value.measure != COUNT
            or value.low is None
            or value.low != value.high
            or mention.counted
        ):
            return None
        text = str(value.low)
        if len(text) < 2 or not text.isdigit():
            return None
        index = self._index
        return next(
            (
                place
                for place in index.find(text)
                if (place.record, place.start) not in index.at_place  # there it is a value, and was found to be another
                and (index.in_scope(anchor, place.record) or index.joined(anchor, place.record))
            ),
            None,
        )


def _told(mention: Mention, wanted: Wanted, standing: Standing, why: str, fit: Fit) -> Fact:
    """Returns how a value stands beside a cell; it is worth more where the cell's names say what it is of."""
    cell = fit.cell
    place = Place(cell.record, cell.mention.start, cell.mention.end)
    worth = 1.0 + min(_MOST_NAMED, len(wanted.figures & (cell.names | cell.label))) * _NAMED
    return Fact(FactKind.VALUE, standing, mention.outer_start, mention.outer_end, why, place, worth)


def _untold(mention: Mention, standing: Standing, why: str) -> Fact:
    return Fact(FactKind.VALUE, standing, mention.outer_start, mention.outer_end, why)


def _is_of_figure(wanted: Wanted, fit: Fit, share: float) -> bool:
    """Returns whether a cell is of the figure that a clause speaks of, by its key and by a share of all words."""
    return wanted.total > 0 and fit.matched >= share * wanted.total and bool(wanted.figures & fit.cell.names)


def _is_bound(value: Quantity | Instant) -> bool:
    return isinstance(value, Quantity) and (value.low is None or value.high is None)


def _best(fits: Sequence[Fit]) -> Fit | None:
    return max(fits, key=lambda fit: fit.score, default=None)


def _is_plain(mention: Mention, rival: Fit, others: Sequence[Fit]) -> bool:
    """Returns whether it is plain which figure a value would have to be: no other one fits as well.

    A few things that are counted in passing (the two samples) meet only a field, never a number in prose.
    """
    if is_small_count(mention) and rival.cell.cell.kind is not CellKind.FIELD:
        return False
    shown = rival.cell.mention.value
    return all(
        other.score < rival.score - _EVEN or compare(other.cell.mention.value, shown) is Relation.EQUAL
        for other in others
    )


def is_small_count(mention: Mention) -> bool:
    """Returns whether a number counts a few things by name (two pods), which evidence shows and seldom writes."""
    value = mention.value
    return (
        isinstance(value, Quantity)
        and value.measure == COUNT
        and bool(mention.counted)
        and value.low == value.high
        and value.low is not None
        and (1 < value.low <= _FEW or mention.counted.lower() == _ONCE)
    )


def _has_unit(cell: ValueCell) -> bool:
    """Returns whether a value is an amount of something else than things: three times are no 3 ms."""
    value = cell.mention.value
    return isinstance(value, Quantity) and value.measure not in (COUNT, "count/time")


def compared(claim: Quantity | Instant, evidence: Quantity | Instant) -> Relation:
    """Returns how two values stand: a bare number of many bytes taken as such, a stated bound as the value it names."""
    if isinstance(claim, Instant) and claim.bound:
        # Since 10:05 names 10:05; whether the time since is covered is another question.
        claim = replace(claim, bound="")
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
