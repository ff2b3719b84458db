"""Holds the records of evidence as the tree that they are."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.envelopes import envelopes
from evidencegate_server.judge.alignment.naming import naming_of
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.sampled import SampledFigures, read_sampled
from evidencegate_server.judge.records.model import Cell, CellKind, Evidence, Record, RecordKind
from evidencegate_server.judge.vocabulary import Vocabulary

_MOST_OF_VARIABLE: Final = 3  # cells: its name, its value and perhaps its unit
_FEWEST_KEYS: Final = 2  # of an object that can be one of several
_MOST_KINDS: Final = 256  # of keys that the objects in one are compared by
_PROMPTS: Final = ("$", "#", ">", "kubectl ", "mysql>", "PromQL", "promql")


class RecordTree:
    """The records of one evidence, how they stand in each other, and which of them tell of one thing."""

    def __init__(self, evidence: Evidence, vocabulary: Vocabulary) -> None:
        self.evidence = evidence
        self.records = evidence.records
        self.vocabulary = vocabulary
        self.depth: list[int] = []
        self.children: list[list[int]] = [[] for _ in self.records]
        self.groups: dict[int, list[int]] = {}
        for one in self.records:
            self.depth.append(0 if one.parent < 0 else self.depth[one.parent] + 1)
            if one.parent >= 0:
                self.children[one.parent].append(one.index)
            if one.group >= 0:
                self.groups.setdefault(one.group, []).append(one.index)
        self._above: dict[int, set[int]] = {}
        self.by_source: list[tuple[list[int], list[int]]] = self._starts()
        self._kinds: dict[int, Counter[frozenset[str]]] = {}
        self.naming = [naming_of(one, vocabulary) for one in self.records]
        for rows in self.groups.values():
            self._name_variables(rows)
        self.barrier = [self._parts_rows(one) for one in self.records]
        self.sampled = SampledFigures(read_sampled(self.records, self.children, evidence.texts, vocabulary), vocabulary)
        # By record the stretches whose words name states and say none.
        self.unsaid = dict((*self.sampled.unsaid(), *envelopes(self.records, self.children)))

    def _starts(self) -> list[tuple[list[int], list[int]]]:
        starts: list[tuple[list[int], list[int]]] = [([], []) for _ in self.evidence.texts]
        for one in self.records:
            starts[one.source][0].append(one.start)
            starts[one.source][1].append(one.index)
        return starts

    def record_at(self, source: int, place: int) -> int:
        """Returns the innermost record at a place of a text, -1 where there is none."""
        starts, indexes = self.by_source[source]
        at = bisect_right(starts, place) - 1
        if at < 0:
            return -1
        index = indexes[at]
        while index >= 0 and self.records[index].end <= place:
            index = self.records[index].parent
        return index

    def record_by(self, source: int, place: int) -> int:
        """Returns the innermost record at a place, else the one before it, else the first of the text."""
        index = self.record_at(source, place)
        if index >= 0:
            return index
        starts, indexes = self.by_source[source]
        at = bisect_right(starts, place) - 1
        return indexes[max(at, 0)] if indexes else -1

    def text_of(self, index: int) -> str:
        """Returns a record's own text."""
        one = self.records[index]
        return self.evidence.texts[one.source][one.start : one.end]

    def text_at(self, record: int, start: int, end: int) -> str:
        """Returns a stretch of the text that a record stands in."""
        return self.evidence.texts[self.records[record].source][start:end]

    @cached_property
    def lowered(self) -> tuple[str, ...]:
        """The texts in lower case, for who looks for a word as it is written."""
        return tuple(text.lower() for text in self.evidence.texts)

    def above(self, record: int) -> Iterator[int]:
        """Returns a record and those that it stands in, from the inside out."""
        while record >= 0:
            yield record
            record = self.records[record].parent

    def field_at(self, place: Place) -> Cell | None:
        """Returns the field whose value a place is in, None for a key and for prose."""
        start = place.start
        for cell in self.records[place.record].cells:
            if cell.start <= start < cell.end and cell.kind is CellKind.FIELD:
                return cell
        return None

    def cell_at(self, place: Place) -> Cell | None:
        """Returns the cell that a place is in, be it a field or a text of its own; None for a key."""
        return next(
            (
                cell
                for cell in self.records[place.record].cells
                if cell.kind is not CellKind.IN_TEXT and cell.start <= place.start < cell.end
            ),
            None,
        )

    def line(self, place: Place) -> tuple[int, int]:
        """Returns where the line of a place begins and ends in its text."""
        text = self.evidence.texts[self.records[place.record].source]
        end = text.find("\n", place.end)
        return text.rfind("\n", 0, place.start) + 1, end if end >= 0 else len(text)

    def is_unsaid(self, index: int, start: int) -> bool:
        """Returns whether a place is in a metric's name or label, or in what wraps an answer."""
        return any(first <= start < end for first, end in self.unsaid.get(index, ()))

    def is_asked(self, record: int) -> bool:
        """Returns whether a record is a command line: what was asked names things, and says nothing of them."""
        one = self.records[record]
        return one.kind is RecordKind.HEADING and self.text_of(record).lstrip().startswith(_PROMPTS)

    def _parts_rows(self, one: Record) -> bool:
        """Returns whether a record is one of several of its kind, which must not be mixed up."""
        if one.group >= 0:
            return len(self.groups[one.group]) > 1 and not self.is_variable(one.index)
        if one.parent < 0 or one.kind is not RecordKind.OBJECT:
            return False
        if not any(sign.isdigit() for sign in one.label) and any(
            self.vocabulary.kind(name) in ("statistic", "side", "attribute")
            for name in self.vocabulary.key_names(one.label)
        ):
            return False  # limits and requests are two figures of one thing, not two things
        keys = self._keys(one)
        if len(keys) < _FEWEST_KEYS:
            return False
        kinds = self._kinds_of_children(one.parent)
        # Another one has the very same keys; or they are of so many kinds that no two are told to be of one thing.
        if kinds[keys] > 1 or len(kinds) > _MOST_KINDS:
            return True
        return any(
            len(other) >= _FEWEST_KEYS and 2 * len(keys & other) >= min(len(keys), len(other))
            for other in kinds
            if other != keys
        )

    def _keys(self, one: Record) -> frozenset[str]:
        return frozenset(cell.key for cell in one.cells)

    def _kinds_of_children(self, parent: int) -> Counter[frozenset[str]]:
        """Returns how many records in another one have the same keys; counted once for all of them."""
        if parent not in self._kinds:
            self._kinds[parent] = Counter(self._keys(self.records[child]) for child in self.children[parent])
        return self._kinds[parent]

    def _name_variables(self, rows: Sequence[int]) -> None:
        """Adds to the names of variables what their tool means by them, as for the columns of a table."""
        names = {row: self.naming[row].variable for row in rows if self.is_variable(row)}
        meanings = self.vocabulary.column_names(frozenset(names.values())) if names else {}
        for row, name in names.items():
            if name in meanings:
                naming = self.naming[row]
                self.naming[row] = replace(naming, readings=naming.readings | meanings[name])

    def is_variable(self, index: int) -> bool:
        """Returns whether a row is a figure with its name: a list of those is of one thing."""
        return bool(self.naming[index].readings) and len(self.records[index].cells) <= _MOST_OF_VARIABLE

    def is_parted(self, anchor: int, other: int) -> bool:
        """Returns whether a record is, or stands in, one of several rows that the anchor is not in."""
        return self._meeting(anchor, other) is None

    def is_above(self, other: int, anchor: int) -> bool:
        """Returns whether a record holds a row, one of several: its figures are those of all of them."""
        if anchor < 0 or not self.barrier[anchor]:
            return False
        at = self.records[anchor].parent
        while at >= 0 and at != other:
            at = self.records[at].parent
        return at >= 0

    def in_scope(self, anchor: int, other: int) -> bool:
        """Returns whether what `other` holds is said of the anchor: no row but the anchor's own lies between."""
        if anchor == other:
            return True
        records = self.records
        if records[anchor].source != records[other].source:
            return False
        if self.is_variable(anchor) and records[anchor].group == records[other].group:
            return True
        meeting = self._meeting(anchor, other)
        return meeting is not None and meeting >= 0

    def _meeting(self, anchor: int, other: int) -> int | None:
        """Returns the innermost record that two stand in, -1 where that is none; None where a row parts them.

        Only rows that `other` stands in part them: what is said of a whole list is said of each row.
        """
        above = self._above.get(anchor)
        if above is None:
            above = self._above[anchor] = set()
            at = anchor
            while at >= 0:
                above.add(at)
                at = self.records[at].parent
        at = other
        while at >= 0 and at not in above:
            if self.barrier[at]:
                return None
            at = self.records[at].parent
        return at

    def linked(self, one: int, other: int) -> bool:
        """Returns whether two records tell of one thing: one stands in the other, or no list of things parts them."""
        if one == other:
            return True
        records, depth = self.records, self.depth
        if records[one].source != records[other].source:
            return False
        left, right = one, other
        while depth[left] > depth[right]:
            parent = records[left].parent
            if parent == right:
                return True
            left = parent
        while depth[right] > depth[left]:
            parent = records[right].parent
            if parent == left:
                return True
            right = parent
        while records[left].parent != records[right].parent:
            left, right = records[left].parent, records[right].parent
        if left == right:
            return True
        if records[left].group >= 0 and records[left].group == records[right].group:
            return False
        return not (self.barrier[left] and self.barrier[right])
