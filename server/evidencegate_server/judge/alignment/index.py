"""Makes evidence quick to ask: where a word stands, which values a record has, which records are of one thing."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import Decimal
from operator import itemgetter
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.cell_forms import arrow_of, holds, whole_of
from evidencegate_server.judge.alignment.edges import stands_alone
from evidencegate_server.judge.alignment.frame_layout import MARKS
from evidencegate_server.judge.alignment.framing import FrameReader
from evidencegate_server.judge.alignment.idioms import IdiomReader
from evidencegate_server.judge.alignment.places import Flag, Place, ValueCell
from evidencegate_server.judge.alignment.record_tree import RecordTree
from evidencegate_server.judge.records.model import Cell, CellKind, Evidence, Record, RecordKind
from evidencegate_server.judge.values.model import Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term, Vocabulary, narrow

_EMPTY: Final[frozenset[str]] = frozenset()
_NONE: Final[frozenset[int]] = frozenset()
_SHORTEST_ID: Final = 8  # with the sign before it
_MOST_JOINED: Final = 6
_BEFORE_OBJECT: Final = 8  # characters between the key of an object and what it holds
_LONGEST_KEY: Final = 48
_LONGEST_TITLE: Final = 40
_MOST_VALUES: Final = 300
_OPTIONS: Final = re.compile(r"[A-Za-z]+(?:/[A-Za-z]+)+")
# Columns for the two sides of a change.
_SIDES: Final = {
    **dict.fromkeys(("before", "old", "previous", "变更前", "之前", "调整前", "优化前"), "first"),
    **dict.fromkeys(("after", "new", "current", "变更后", "之后", "调整后", "优化后"), "second"),
}
_FAILED: Final = "failed"
_ERROR_KEYS: Final = frozenset(
    {"error", "err", "errorcode", "error_code", "errormessage", "error_message", "exception"}
)
_ERROR_NAMES: Final = ("Error", "Exception")
_CLOSE: Final = 12  # code points before the name of an error
_BEFORE_ERROR: Final = re.compile(
    r"(?:^|[\n:>|]\s*| - |\b(?:[Cc]aused by|raised?|throws?|threw|thrown|got|with|抛出|报错)[ :]*)\Z"
)
_BEHIND_ERROR: Final = re.compile(r"\s*(?:$|[\n:;,.(\[，。；]|[-|] |at )")
_BESIDE: Final = 24  # code points between a word and that it failed
_PART: Final = re.compile(r"[.;\n\u3002\uff1b]")
_FEWEST_DIGITS: Final = 3
_ID: Final = re.compile(r"[0-9a-z]{8,64}\Z|[0-9a-f]{8}-[0-9a-f-]{4,40}\Z")
_MOST_PLACES: Final = 200  # of one name: a name that is everywhere tells nothing apart
_MOST_ROWS: Final = 400
_ROW_NAME: Final = re.compile(r"[a-z]{3,30}")
_NAMES: Final = frozenset({"name", "command"})
_TOTAL: Final = frozenset({"total"})
_NO_VALUES: Final[tuple[list[Decimal], list[ValueCell]]] = ([], [])
_KEY: Final = itemgetter(0)


class EvidenceIndex(RecordTree):
    """What one claim's evidence holds. Made once for each evidence; read only after that."""

    def __init__(self, evidence: Evidence, vocabulary: Vocabulary) -> None:
        super().__init__(evidence, vocabulary)
        self._lowered = [narrow(text).lower() for text in evidence.texts]
        self.places: dict[str, list[Place]] = {}
        self.names: list[frozenset[str]] = []
        self.key_names: list[frozenset[str]] = []
        self.terms: list[list[Term]] = [[] for _ in self.records]
        self.values: list[ValueCell] = []
        self.blocks: dict[tuple[int, int], list[int]] = {}
        for one in self.records:
            if one.label and one.kind is RecordKind.OBJECT:
                self.blocks.setdefault((one.source, one.parent), []).append(one.index)
        self._labels: list[frozenset[str]] = []
        self._titles: list[frozenset[str]] = []  # of the labels, those that say what the figures under them are
        self.flags: dict[str, list[Flag]] = {}
        self.conditions: set[tuple[str, int]] = set()
        self._labels_at = self._labelled()
        framing = FrameReader(self)
        self._read(framing)
        self.frames = framing.frames()
        self.all_keys = frozenset().union(*self.key_names)
        self.sections = self._read_sections()
        self.row_names = self._read_row_names()
        self.links = IdiomReader(self).links()
        self.by_record: dict[int, list[ValueCell]] = {}
        for one_value in self.values:
            if not self.is_asked(one_value.record):
                self.by_record.setdefault(one_value.record, []).append(one_value)
        self.instants = [one for one in self.values if isinstance(one.mention.value, Instant)]
        self._scopes: dict[int, list[ValueCell]] = {}
        self._by_measure: dict[str, tuple[list[Decimal], list[ValueCell]]] | None = None
        self.at_place = {(one.record, one.mention.start): one for one in self.values}
        self.cells = sum(len(one.cells) for one in self.records)
        self._joins = self._shared_ids()

    def _read(self, framing: FrameReader) -> None:
        own = self._read_words(framing)
        for one in self.records:
            label = self.vocabulary.key_names(one.label) if one.label else _EMPTY
            above = label if one.parent < 0 else label | self._labels[one.parent]
            self._labels.append(above)
            title = label if len(one.label) <= _LONGEST_TITLE else _EMPTY  # a query or a sentence names many figures
            self._titles.append(title if one.parent < 0 else title | self._titles[one.parent])
            framing.record(one, above)
            keys: set[str] = set()
            columns = self._columns(one, label)
            in_text = above | own[one.index]
            naming = self.naming[one.index]
            titled = above | naming.title
            for cell in one.cells:
                names = self.vocabulary.key_names(cell.key) if cell.key else _EMPTY
                if cell.key in columns:
                    names = names | columns[cell.key]
                keys |= names
                framing.cell(one, cell, names)
                if names:
                    self._read_flags(one, cell, names)
                if cell.values:
                    around = in_text if cell.kind is CellKind.IN_TEXT else titled
                    self._read_values(one, cell, naming.of(cell, names), around)
            self._read_series(one)
            self.key_names.append(frozenset(keys | label))
            self.names.append(frozenset(own[one.index] | keys | label))

    def _read_words(self, framing: FrameReader) -> list[set[str]]:
        """Notes where each word stands, and returns the words of each record."""
        own: list[set[str]] = [set() for _ in self.records]
        records, labelled, places, unsaid = self.records, self._labels_at, self.places, self.unsaid
        for source, text in enumerate(self.evidence.texts):
            starts, indexes = self.by_source[source]
            behind = 0  # the first record that begins behind the word
            innermost = -1
            for term in self.vocabulary.terms(text):
                start, names = term.start, term.names
                while behind < len(starts) and starts[behind] <= start:
                    innermost = indexes[behind]
                    behind += 1
                while innermost >= 0 and records[innermost].end <= start:
                    innermost = records[innermost].parent
                # The name of an object is said of that object, not of what it stands in.
                index = labelled.get((source, start), innermost) if labelled and term.is_name else innermost
                if index < 0:
                    continue
                place = Place(index, start, term.end, names[0][0] in "=+")
                own[index].update(names)
                self.terms[index].append(term)
                if not MARKS.isdisjoint(names):
                    framing.word(source, term, place)
                said = replace(place, in_name=False) if place.in_name and self._is_raised(place, text) else place
                if index in unsaid and self.is_unsaid(index, start):
                    names = tuple(name for name in names if name not in self.vocabulary.verbs)
                for name in names:
                    one = place if name[0] in "=+" else said
                    known = places.get(name)
                    if known is None:
                        places[name] = [one]
                    else:
                        known.append(one)
        return own

    def _is_raised(self, place: Place, text: str) -> bool:
        """Returns whether a name is an error's (TimeoutError) that a text says to have come up: what it names is said.

        A field that has such a name may set what is done about it (retry_on: TimeoutError).
        """
        if not text.endswith(_ERROR_NAMES, place.start, place.end) or self.field_at(place) is not None:
            return False
        return (
            _BEFORE_ERROR.search(text, max(0, place.start - _CLOSE), place.start) is not None
            and _BEHIND_ERROR.match(text, place.end) is not None
        )

    def _labelled(self) -> dict[tuple[int, int], int]:
        """Returns by source and place the objects whose key stands there."""
        found: dict[tuple[int, int], int] = {}
        for one in self.records:
            if one.kind is RecordKind.OBJECT and one.label and one.parent >= 0:
                text = self.evidence.texts[one.source]
                at = text.rfind(one.label, max(0, one.start - len(one.label) - _BEFORE_OBJECT), one.start)
                if at >= 0:
                    found[one.source, at] = one.index
        return found

    def _columns(self, one: Record, label: frozenset[str]) -> dict[str, frozenset[str]]:
        """Returns what the keys of a record mean by its tool; none where its label says what its figures are."""
        if any(self.vocabulary.kind(name) in ("statistic", "side") for name in label):
            return {}
        keys = [cell.key for cell in one.cells if cell.kind is CellKind.FIELD and len(cell.key) < _LONGEST_KEY]
        return self.vocabulary.column_names(frozenset(keys)) if keys else {}

    def _read_values(self, one: Record, cell: Cell, names: frozenset[str], around: frozenset[str]) -> None:
        """Notes the values of a cell with all that names them."""
        label = self._titles[one.index]
        text = self.evidence.texts[one.source]
        several = len(cell.values) > 1
        whole = whole_of(cell) if several else None
        ends = sorted(mention.end for mention in cell.values) if several and cell.kind is CellKind.FIELD else []
        for mention in cell.values:
            local = names | self._local(one, cell, mention, ends) if ends else names
            if mention is whole:
                local = local | _TOTAL
            order = len(self.values)
            self.values.append(
                ValueCell(one.index, cell, mention, local, around, order, label, self._arrow(one, cell, text, mention))
            )

    def _arrow(self, one: Record, cell: Cell, text: str, mention: Mention) -> str:
        """Returns which side of a change a value is: by an arrow or words beside it, or by columns for both sides."""
        side = _SIDES.get(cell.key.lower(), "") if cell.kind is CellKind.FIELD else ""
        if side and any(_SIDES.get(other.key.lower(), side) != side for other in one.cells):
            return side
        return arrow_of(text, mention)

    def _read_flags(self, one: Record, cell: Cell, names: frozenset[str]) -> None:
        """Notes what a cell says by a yes, a no or a count."""
        if cell.kind is not CellKind.TEXT and not self.is_unsaid(one.index, cell.start):
            self._flag(one.index, cell, names)
        if cell.key.lower() == "status" and cell.text.strip('"').lower() in ("true", "false"):
            self._flag_type(one, cell)

    def _flag(self, index: int, cell: Cell, names: frozenset[str]) -> None:
        """Notes what a yes, a no or a count says of the concepts of its key, a sample of what its labels name too."""
        told = self.sampled.told(index, cell)
        says = holds(cell) if told is None else told[1]
        if told is not None:
            names = names | told[0]
        if says is None or (cell.kind is CellKind.IN_TEXT and any(name.startswith("@negation") for name in names)):
            return  # 4 not closed says nothing of those that are
        place = Place(index, cell.start, cell.end)
        yes, no = Flag(place, says, names), Flag(place, not says, names)
        for name in names - self._beside_state(cell, names):
            if cell.kind is CellKind.IN_TEXT and not names.isdisjoint(self.vocabulary.opposites.get(name, ())):
                continue  # 0 Succeeded / 4 Failed: which of both it counts is not known
            if name[0] == "!":
                self.flags.setdefault(name[1:], []).append(no)
            else:
                self.flags.setdefault(name, []).append(yes)

    def _read_series(self, one: Record) -> None:
        """Notes what all samples of a metric agree in as said of the metric."""
        alike = self.sampled.alike(one.index)
        if alike is not None:
            self._flag(one.index, alike, self.vocabulary.key_names(alike.key))

    def _read_sections(self) -> dict[str, tuple[Place, ...]]:
        """Returns the blocks beside others of their kind (the containers of a pod) by their labels."""
        found: dict[str, tuple[Place, ...]] = {}
        for one in self.records:
            if one.label and one.kind is RecordKind.OBJECT and self.barrier[one.index]:
                place = Place(one.index, one.start, one.start + len(one.label))
                found[one.label] = (*found.get(one.label, ()), place)
        return found

    def _beside_state(self, cell: Cell, names: frozenset[str]) -> frozenset[str]:
        """Returns what the key of a yes or no names beside its state (Slave_SQL_Running is of running)."""
        if cell.values or not cell.key:
            return _EMPTY
        kind = self.vocabulary.kind
        states = [
            name for term in self.vocabulary.terms(cell.key) for name in term.names if kind(name.lstrip("!")) == "state"
        ]
        return names - {states[-1], "!" + states[-1]} if states else _EMPTY

    def _read_row_names(self) -> dict[str, list[Place]]:
        """Returns where words stand that tell the rows of a list apart: the whole field of a column of things' names.

        A service may have the name of a word that means something (checkout, cart).
        """
        found: dict[str, list[Place]] = {}
        for rows in self.groups.values():
            alone = len(rows) == 1 and self.records[rows[0]].kind is RecordKind.ROW
            if len(rows) > _MOST_ROWS or not (alone or len(rows) > 1):
                continue
            columns: dict[str, list[tuple[str, Place]]] = {}
            for row in rows:
                for cell in self.records[row].cells:
                    if cell.kind is CellKind.FIELD and not cell.values and cell.text:
                        columns.setdefault(cell.key, []).append((cell.text.lower(), Place(row, cell.start, cell.end)))
            for key, cells in columns.items():
                if len(cells) < len(rows) or not (alone or len({text for text, _ in cells}) > 1):
                    continue
                is_name = self._names_things(key) or self._is_first_column(rows[0], key)
                for text, place in cells:
                    name = text.removeprefix("/")  # a mount point
                    if (is_name or name != text) and _ROW_NAME.fullmatch(name):
                        found.setdefault(name, []).append(place)
        return found

    def _is_first_column(self, row: int, key: str) -> bool:
        """Returns whether a column is the first of its list under a key that is not known: it says what a row is of."""
        if self.records[row].kind is not RecordKind.ROW:
            return False  # the keys of an object stand in any order
        first = next((cell for cell in self.records[row].cells if cell.kind is CellKind.FIELD), None)
        names = self.vocabulary.key_names(key)
        return first is not None and first.key == key and all(name[0] in "~=+" for name in names)

    def _names_things(self, key: str) -> bool:
        return any(
            name in _NAMES or self.vocabulary.kind(name) in ("thing", "name") for name in self.vocabulary.key_names(key)
        )

    def is_option(self, place: Place) -> bool:
        """Returns whether a word is one of several that may be (Up/Down): a legend says nothing of what is."""
        if place.in_name:
            return _OPTIONS.fullmatch(self.text_at(place.record, place.start, place.end)) is not None
        text = self.evidence.texts[self.records[place.record].source]
        before, behind = text[max(0, place.start - 2) : place.start], text[place.end : place.end + 2]
        return (before[-1:] == "/" and before[:1].isalpha()) or (behind[:1] == "/" and behind[1:].isalpha())

    def says(self, name: str, record: int) -> bool:
        """Returns whether a record says that something is so, in words, by a field or in an idiom."""
        return (
            any(place.record == record and not place.in_name for place in self.places.get(name, ()))
            or any(flag.place.record == record and flag.holds for flag in self.flags.get(name, ()))
            or any(link.place.record == record and not link.denied for link in self.links.get(name, ()))
        )

    def fails(self, name: str, place: Place) -> bool:
        """Returns whether the evidence says right there that something failed: in an idiom for both, or close by.

        A record that has an error in a field of its own (errorCode: AccessDenied) tells of what failed.
        """
        if self._has_error(place.record) or any(
            link.place == place and not link.denied
            for link in self.links.get(_FAILED, ())
            if any(other.place == place for other in self.links.get(name, ()))
        ):
            return True
        return any(
            other.record == place.record
            and max(other.start - place.end, place.start - other.end) <= _BESIDE
            and not _PART.search(
                self.text_at(place.record, *sorted((min(other.end, place.end), max(other.start, place.start))))
            )
            for other in self.places.get(_FAILED, ())
            if not other.in_name
        )

    def _has_error(self, record: int) -> bool:
        return any(
            cell.kind is not CellKind.IN_TEXT and cell.key.lower() in _ERROR_KEYS and holds(cell) is None
            for cell in self.records[record].cells
        )

    def _shared_ids(self) -> dict[int, frozenset[int]]:
        """Returns for each record the others that share a long identifier with it, where few do."""
        long = [name for name in self.places if name[0] == "=" and len(name) > _SHORTEST_ID and _ID.match(name, 1)]
        joined: dict[int, set[int]] = {}
        for name in long:
            records = {place.record for place in self.places[name]}
            if 1 < len(records) <= _MOST_JOINED and sum(sign.isdigit() for sign in name) >= _FEWEST_DIGITS:
                for one in records:
                    joined.setdefault(one, set()).update(records)
        return {one: frozenset(others) for one, others in joined.items()}

    def joined(self, one: int, other: int) -> bool:
        """Returns whether two records name one long identifier (a node's ID, a trace ID) that few others name."""
        return other in self._joins.get(one, _NONE)

    def _local(self, one: Record, cell: Cell, mention: Mention, ends: Sequence[int]) -> frozenset[str]:
        """Returns what stands right before a value that shares its field with others (`5 (limit: 18872)`).

        `ends` are where the values of the field end, in order.
        """
        at = bisect_right(ends, mention.start)
        start = ends[at - 1] if at else cell.start
        return self.vocabulary.key_names(self.evidence.texts[one.source][start : mention.start][-_LONGEST_KEY:])

    def _flag_type(self, one: Record, status: Cell) -> None:
        """Notes a condition of its own (type: Ready, status: "False")."""
        for cell in one.cells:
            if cell.key.lower() in ("type", "condition"):
                for term in self.vocabulary.terms(cell.text):
                    for name in term.names:
                        place = Place(one.index, status.start, status.end)
                        holds = status.text.strip('"').lower() == "true"
                        self.flags.setdefault(name, []).append(Flag(place, holds, frozenset(term.names)))
                        self.conditions.add((name, one.index))

    def scope_values(self, anchor: int) -> list[ValueCell]:
        """Returns the values that are said of an anchor: its own, those above, and those below that no row parts off.

        At most some hundreds: what has more is no one thing.
        """
        found = self._scopes.get(anchor)
        if found is None:
            found = self._scopes[anchor] = []
            seen: set[int] = set()
            for row in self.groups.get(self.records[anchor].group, ()) if self.is_variable(anchor) else ():
                self._below(row, found, seen)
            at = anchor
            while at >= 0 and len(found) < _MOST_VALUES:
                self._below(at, found, seen)
                at = self.records[at].parent
            found.sort(key=lambda one: one.order)
        return found

    def _below(self, top: int, found: list[ValueCell], seen: set[int]) -> None:
        waiting = [top]
        while waiting and len(found) < _MOST_VALUES:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            found.extend(self.by_record.get(at, ()))
            waiting.extend(child for child in reversed(self.children[at]) if child in seen or not self.barrier[child])

    def near(self, measure: str, low: Decimal, high: Decimal) -> list[ValueCell]:
        """Returns the amounts of a measure between two bounds."""
        keys, cells = self._ordered(measure)
        return cells[bisect_left(keys, low) : bisect_right(keys, high)]

    def _ordered(self, measure: str) -> tuple[list[Decimal], list[ValueCell]]:
        if self._by_measure is None:
            pairs: dict[str, list[tuple[Decimal, ValueCell]]] = {}
            for one in self.values:
                value = one.mention.value
                if isinstance(value, Quantity):
                    key = value.low if value.low is not None else value.high
                    if key is not None:
                        pairs.setdefault(value.measure, []).append((key, one))
            self._by_measure = {}
            for name, found in pairs.items():
                found.sort(key=_KEY)  # those of one size stay in order
                self._by_measure[name] = [key for key, _ in found], [one for _, one in found]
        return self._by_measure.get(measure, _NO_VALUES)

    def is_framed(self, record: int) -> bool:
        """Returns whether a record begins where the evidence tells no observation."""
        one = self.records[record]
        return next(self.frames[one.source].around(one.start), None) is not None

    def find(self, name: str) -> list[Place]:
        """Returns where a machine's name stands as a whole token or as a part that ends at a joiner."""
        found: list[Place] = []
        for source, text in enumerate(self._lowered):
            at = text.find(name)
            while at >= 0 and len(found) < _MOST_PLACES:
                end = at + len(name)
                if stands_alone(text, at, end):
                    index = self._labels_at.get((source, at), -1)
                    index = self.record_by(source, at) if index < 0 else index
                    if index >= 0:
                        found.append(Place(index, at, end))
                at = text.find(name, end)
        return found

    def is_tail(self, place: Place) -> bool:
        """Returns whether a name is the end of a longer one."""
        text = self._lowered[self.records[place.record].source]
        return place.start > 1 and text[place.start - 1] in "-_." and text[place.start - 2].isalnum()

    def knows(self, name: str) -> bool:
        """Returns whether the evidence has a word or a key for something."""
        return name in self.places or name in self.all_keys or name in self.links
