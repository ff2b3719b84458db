"""Makes evidence quick to ask: where a word stands, which values a record has, which records are of one thing."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.frame_layout import MARKS, frames_of_cell, frames_of_lines, is_value
from evidencegate_server.judge.alignment.frames import TOLD, WANTED, Frame, Frames, Mark
from evidencegate_server.judge.records.model import Cell, CellKind, Evidence, Record, RecordKind
from evidencegate_server.judge.values.model import Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term, Vocabulary, narrow
from evidencegate_server.lexicon.concept_words import NOT
from evidencegate_server.lexicon.concept_words import Link as LinkWords

_EMPTY: Final[frozenset[str]] = frozenset()
_NONE: Final[frozenset[int]] = frozenset()
_SHORTEST_ID: Final = 8  # with the sign before it
_MOST_JOINED: Final = 6
_ASSIGNS: Final = re.compile(r"[\"']?[ \t]*[:=][ \t]*[\"']?")
_BEFORE_OBJECT: Final = 8  # characters between the key of an object and what it holds
_LONGEST_KEY: Final = 48
_LONGEST_TITLE: Final = 64
_MOST_VALUES: Final = 300
_OPTIONS: Final = re.compile(r"[A-Za-z]+(?:/[A-Za-z]+)+")
_FAILED: Final = "failed"
_BESIDE: Final = 24  # code points between a word and that it failed
_PART: Final = re.compile(r"[.;\n\u3002\uff1b]")
_PROMPTS: Final = ("$", "#", ">", "kubectl ", "mysql>", "PromQL", "promql")
_WORD: Final = re.compile(r"[A-Za-z0-9]+")
_FEWEST_DIGITS: Final = 3
_ID: Final = re.compile(r"[0-9a-z]{8,64}\Z|[0-9a-f]{8}-[0-9a-f-]{4,40}\Z")
_MOST_PLACES: Final = 200  # of one name: a name that is everywhere tells nothing apart


@record
class ValueCell:
    """A value of the evidence with all that names it.

    `names` are what its own key says, `label` what names its record, `around` both the label and, for a value in prose,
    the words of its text. `order` is its place among all values. `arrow` is `first` or `second` where the text tells of
    a change at this place (`8 -> 5`), else empty.
    """

    record: int
    cell: Cell
    mention: Mention
    names: frozenset[str]
    around: frozenset[str]
    order: int
    label: frozenset[str]
    arrow: str = ""


@record
class Place:
    """Where something stands in the evidence."""

    record: int
    start: int
    end: int
    in_name: bool = False  # a part of a machine's name, which says nothing


@record
class Link:
    """An idiom of a tool in the evidence. `usual` says that it mostly means a thing; `denied` that it denies it."""

    place: Place
    usual: bool
    denied: bool


@record
class Flag:
    """A yes, a no or a count beside a key: whether what the key names is there."""

    place: Place
    holds: bool


class EvidenceIndex:
    """What one claim's evidence holds. Made once for each evidence; read only after that."""

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
        self._lowered = [narrow(text).lower() for text in evidence.texts]
        self._by_source: list[tuple[list[int], list[int]]] = self._starts()
        self.places: dict[str, list[Place]] = {}
        self.names: list[frozenset[str]] = []
        self.key_names: list[frozenset[str]] = []
        self.terms: list[list[Term]] = [[] for _ in self.records]
        self.values: list[ValueCell] = []
        self._marks: list[list[Mark]] = [[] for _ in evidence.texts]
        self._framed: list[list[Frame]] = [[] for _ in evidence.texts]
        self.blocks: dict[tuple[int, int], list[int]] = {}
        for one in self.records:
            if one.label and one.kind is RecordKind.OBJECT:
                self.blocks.setdefault((one.source, one.parent), []).append(one.index)
        self._labels: list[frozenset[str]] = []
        self.flags: dict[str, list[Flag]] = {}
        self.conditions: set[tuple[str, int]] = set()
        self._labels_at = self._labelled()
        self._read()
        self._frame_specifications()
        self.frames = tuple(self._read_frames(source) for source in range(len(evidence.texts)))
        self._all_keys = frozenset(name for names in self.key_names for name in names)
        self._barrier = [self._parts_rows(one) for one in self.records]
        self.sections = self._read_sections()
        self.links: dict[str, list[Link]] = {}
        self._read_links()
        self.by_record: dict[int, list[ValueCell]] = {}
        for one_value in self.values:
            if not self.is_asked(one_value.record):
                self.by_record.setdefault(one_value.record, []).append(one_value)
        self.instants = [one for one in self.values if isinstance(one.mention.value, Instant)]
        self._scopes: dict[int, list[ValueCell]] = {}
        self._by_measure: dict[str, tuple[list[Decimal], list[ValueCell]]] = {}
        self.at_place = {(one.record, one.mention.start): one for one in self.values}
        self.cells = sum(len(one.cells) for one in self.records)
        self._joins = self._shared_ids()

    def _starts(self) -> list[tuple[list[int], list[int]]]:
        starts: list[tuple[list[int], list[int]]] = [([], []) for _ in self.evidence.texts]
        for one in self.records:
            starts[one.source][0].append(one.start)
            starts[one.source][1].append(one.index)
        return starts

    def record_at(self, source: int, place: int) -> int:
        """Returns the innermost record at a place of a text, -1 where there is none."""
        starts, indexes = self._by_source[source]
        at = bisect_right(starts, place) - 1
        if at < 0:
            return -1
        index = indexes[at]
        while index >= 0 and self.records[index].end <= place:
            index = self.records[index].parent
        return index

    def _read(self) -> None:
        own = self._read_words()
        for one in self.records:
            label = self.vocabulary.key_names(one.label) if one.label else _EMPTY
            above = label if one.parent < 0 else label | self._labels[one.parent]
            self._labels.append(above)
            if not _KEYED.isdisjoint(above):
                self._framed[one.source].append(Frame(one.start, one.end, above & _KEYED))
            keys: set[str] = set()
            columns = self._columns(one, label)
            in_text = above | own[one.index]
            title = self._title(one)
            for cell in one.cells:
                names = self.vocabulary.key_names(cell.key) if cell.key else _EMPTY
                if cell.key in columns:
                    names = names | columns[cell.key]
                keys |= names
                if not _KEYED.isdisjoint(names) and cell.kind is not CellKind.IN_TEXT:
                    self._frame_value(one, cell, names)
                self._read_flags(one, cell, names)
                self._read_values(one, cell, names, in_text if cell.kind is CellKind.IN_TEXT else above | title)
            self.key_names.append(frozenset(keys | label))
            self.names.append(frozenset(own[one.index] | keys | label))

    def _title(self, one: Record) -> frozenset[str]:
        """Returns what a field that names an alert says the figures beside it are of."""
        titling = self.vocabulary.traits["titling"]
        return frozenset(
            name
            for cell in one.cells
            if cell.key and cell.kind is not CellKind.IN_TEXT and titling & self.vocabulary.key_names(cell.key)
            for name in self.vocabulary.key_names(cell.text[:_LONGEST_TITLE])
        )

    def _is_framing_name(self, term: Term, text: str) -> bool:
        """Returns whether a name tells a frame (`dry_run`, `desiredState`); a host's name does not (`pay.example`)."""
        return not _KEYED.isdisjoint(term.names) and not _DOTTED.search(text, term.start, term.end)

    def _frame_specifications(self) -> None:
        """Notes what a specification wants where the status beside it says what there is: `spec`, `status`."""
        status = {(one.source, one.parent): one for one in self.records if one.label == "status"}
        for one in self.records:
            beside = status.get((one.source, one.parent)) if one.label == "spec" else None
            known = frozenset(cell.key for cell in beside.cells) if beside is not None else _EMPTY
            self._framed[one.source] += (
                Frame(cell.start, cell.end, frozenset((WANTED,))) for cell in one.cells if cell.key in known
            )

    def _frame_value(self, one: Record, cell: Cell, names: frozenset[str]) -> None:
        """Notes a value under a key that says that it is no observation: `expected: 3`, `simulated: true`."""
        whole = TOLD in names and cell.text.strip().strip('"').lower() in _YES
        start, end = (one.start, one.end) if whole else (cell.start, cell.end)
        self._framed[one.source].append(Frame(start, end, names & _KEYED))

    def _read_frames(self, source: int) -> Frames:
        """Returns the stretches of a text that tell no observation."""
        text, marks, found = self.evidence.texts[source], self._marks[source], self._framed[source]
        found += frames_of_lines(text, marks)
        if marks or "?" in text or "？" in text or "吗" in text:
            starts = [mark.start for mark in marks]
            for index in self._by_source[source][1]:
                one = self.records[index]
                for cell in one.cells:
                    if cell.kind is CellKind.IN_TEXT:
                        continue
                    own = marks[bisect_left(starts, cell.start) : bisect_left(starts, cell.end)]
                    is_prose = cell.kind is CellKind.TEXT and one.kind in (RecordKind.SENTENCE, RecordKind.LINE)
                    found += frames_of_cell(text, cell.start, cell.end, own, is_prose=is_prose)
                    if any(TOLD in mark.names and is_value(text, mark, cell.start, cell.end) for mark in own):
                        found.append(Frame(one.start, one.end, frozenset((TOLD,))))
        return Frames(found)

    def _read_words(self) -> list[set[str]]:
        """Notes where each word stands, and returns the words of each record."""
        own: list[set[str]] = [set() for _ in self.records]
        labelled = self._labels_at
        for source, text in enumerate(self.evidence.texts):
            for term in self.vocabulary.terms(text):
                # The name of an object is said of that object, not of what it stands in.
                known = labelled.get((source, term.start)) if term.is_name else None
                index = self.record_at(source, term.start) if known is None else known
                if index < 0:
                    continue
                place = Place(index, term.start, term.end, term.names[0][0] in "=+")
                own[index].update(term.names)
                self.terms[index].append(term)
                if not MARKS.isdisjoint(term.names) and (not place.in_name or self._is_framing_name(term, text)):
                    self._marks[source].append(Mark(term.names, term.start, term.end))
                for name in term.names:
                    self.places.setdefault(name, []).append(place)
        return own

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
        return self.vocabulary.column_names(
            frozenset(cell.key for cell in one.cells if cell.kind is CellKind.FIELD and len(cell.key) < _LONGEST_KEY)
        )

    def _read_values(self, one: Record, cell: Cell, names: frozenset[str], around: frozenset[str]) -> None:
        """Notes the values of a cell with all that names them."""
        label = self._labels[one.index]
        text = self.evidence.texts[one.source]
        whole = _whole_of(cell)
        for mention in cell.values:
            local = names | self._local(one, cell, mention)
            if mention is whole:
                local = local | _TOTAL
            order = len(self.values)
            self.values.append(ValueCell(one.index, cell, mention, local, around, order, label, _arrow(text, mention)))

    def _read_flags(self, one: Record, cell: Cell, names: frozenset[str]) -> None:
        """Notes what a cell says by a yes, a no or a count."""
        if cell.kind is not CellKind.TEXT:
            self._flag(one.index, cell, names)
        if cell.key.lower() == "status" and cell.text.strip('"').lower() in ("true", "false"):
            self._flag_type(one, cell)

    def _flag(self, index: int, cell: Cell, names: frozenset[str]) -> None:
        """Notes what a yes, a no or a count says of the concepts of its key."""
        says = holds(cell)
        if says is None or (cell.kind is CellKind.IN_TEXT and any(name.startswith("@negation") for name in names)):
            return  # 4 not closed says nothing of those that are
        place = Place(index, cell.start, cell.end)
        for name in names:
            if cell.kind is CellKind.IN_TEXT and not names.isdisjoint(self.vocabulary.opposites.get(name, ())):
                continue  # 0 Succeeded / 4 Failed: which of both it counts is not known
            denied = name[0] == "!"
            self.flags.setdefault(name.removeprefix("!"), []).append(Flag(place, says != denied))

    def _read_sections(self) -> dict[str, tuple[Place, ...]]:
        """Returns the blocks beside others of their kind (the containers of a pod) by their labels."""
        found: dict[str, tuple[Place, ...]] = {}
        for one in self.records:
            if one.label and one.kind is RecordKind.OBJECT and self._barrier[one.index]:
                place = Place(one.index, one.start, one.start + len(one.label))
                found[one.label] = (*found.get(one.label, ()), place)
        return found

    def _read_links(self) -> None:
        """Notes what the idioms of tools say: texts in a record, and forms of a column's value."""
        for source, text in enumerate(self.evidence.texts):
            self._read_text_links(source, text)
        for one in self.records:
            for cell in one.cells:
                if cell.kind is CellKind.FIELD:
                    self._read_column_links(one.index, cell)

    def _read_text_links(self, source: int, text: str) -> None:
        for word in _WORD.finditer(text):
            for wanted, link in self.vocabulary.links_by_opener.get(word.group(), ()):
                if text.startswith(wanted, word.start()):
                    self._linked_at(source, word.start(), word.start() + len(wanted), link)
        for wanted, link in self.vocabulary.links_by_text:
            at = text.find(wanted)
            while at >= 0:
                self._linked_at(source, at, at + len(wanted), link)
                at = text.find(wanted, at + len(wanted))

    def _read_column_links(self, index: int, cell: Cell) -> None:
        for link in self.vocabulary.links_by_column.get(cell.key.lower(), ()):
            if cell.text.strip() in link.cells if link.cells else _has_form(cell, link.form):
                self._add_link(link, Place(index, cell.start, cell.end))

    def _linked_at(self, source: int, start: int, end: int, link: LinkWords) -> None:
        if not _edges(self.evidence.texts[source], start, end):
            return
        index = self.record_at(source, start)
        if index >= 0 and self._is_key(index, start, end):
            return
        if index >= 0 and (not link.near or any(near in self.text_of(index) for near in link.near)):
            self._add_link(link, Place(index, start, end))

    def _is_key(self, index: int, start: int, end: int) -> bool:
        """Returns whether a stretch is a key with a no (Leader: none) or the end of one with a yes: its field tells."""
        is_end = start > 0 and self.text_at(index, start - 1, start) == "_"
        return any(
            cell.kind is CellKind.FIELD
            and 0 <= cell.start - end <= _BEFORE_OBJECT
            and (says := holds(cell)) is not None
            and (is_end or not says)
            and _ASSIGNS.fullmatch(self.text_at(index, end, cell.start)) is not None
            for cell in self.records[index].cells
        )

    def _add_link(self, link: LinkWords, place: Place) -> None:
        denied = NOT in link.claim
        for name in link.claim:
            if name != NOT:
                self.links.setdefault(name, []).append(Link(place, link.label == "usual", denied))

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
        """Returns whether the evidence says right there that something failed: in an idiom for both, or close by."""
        if any(
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

    def text_of(self, index: int) -> str:
        """Returns a record's own text."""
        one = self.records[index]
        return self.evidence.texts[one.source][one.start : one.end]

    def is_asked(self, record: int) -> bool:
        """Returns whether a record is a command line: what was asked names things, and says nothing of them."""
        one = self.records[record]
        return one.kind is RecordKind.HEADING and self.text_of(record).lstrip().startswith(_PROMPTS)

    def text_at(self, record: int, start: int, end: int) -> str:
        """Returns a stretch of the text that a record stands in."""
        return self.evidence.texts[self.records[record].source][start:end]

    def line(self, place: Place) -> tuple[int, int]:
        """Returns where the line of a place begins and ends in its text."""
        text = self.evidence.texts[self.records[place.record].source]
        end = text.find("\n", place.end)
        return text.rfind("\n", 0, place.start) + 1, end if end >= 0 else len(text)

    def _shared_ids(self) -> dict[int, frozenset[int]]:
        """Returns for each record the others that share a long identifier with it, where few do."""
        holders: dict[str, list[int]] = {}
        for name, places in self.places.items():
            if (
                name[0] == "="
                and len(name) > _SHORTEST_ID
                and sum(sign.isdigit() for sign in name) >= _FEWEST_DIGITS
                and _ID.match(name, 1)
            ):
                holders[name] = sorted({place.record for place in places})
        joined: dict[int, set[int]] = {}
        for records in holders.values():
            if 1 < len(records) <= _MOST_JOINED:
                for one in records:
                    joined.setdefault(one, set()).update(records)
        return {one: frozenset(others) for one, others in joined.items()}

    def joined(self, one: int, other: int) -> bool:
        """Returns whether two records name one long identifier (a node's ID, a trace ID) that few others name."""
        return other in self._joins.get(one, _NONE)

    def _local(self, one: Record, cell: Cell, mention: Mention) -> frozenset[str]:
        """Returns what stands right before a value that shares its field with others (`5 (limit: 18872)`)."""
        if cell.kind is not CellKind.FIELD or len(cell.values) < 2:
            return _EMPTY
        start = max((other.end for other in cell.values if other.end <= mention.start), default=cell.start)
        return self.vocabulary.key_names(self.evidence.texts[one.source][start : mention.start][-_LONGEST_KEY:])

    def _flag_type(self, one: Record, status: Cell) -> None:
        """Notes a condition of its own (type: Ready, status: "False")."""
        for cell in one.cells:
            if cell.key.lower() in ("type", "condition"):
                for term in self.vocabulary.terms(cell.text):
                    for name in term.names:
                        place = Place(one.index, status.start, status.end)
                        holds = status.text.strip('"').lower() == "true"
                        self.flags.setdefault(name, []).append(Flag(place, holds))
                        self.conditions.add((name, one.index))

    def _parts_rows(self, one: Record) -> bool:
        """Returns whether a record is one of several of its kind, which must not be mixed up."""
        if one.group >= 0:
            return len(self.groups[one.group]) > 1
        if one.parent < 0 or one.kind is not RecordKind.OBJECT:
            return False
        if not any(sign.isdigit() for sign in one.label) and any(
            self.vocabulary.kind(name) in ("statistic", "side", "attribute")
            for name in self.vocabulary.key_names(one.label)
        ):
            return False  # limits and requests are two figures of one thing, not two things
        keys = {cell.key for cell in one.cells}
        for other in self.children[one.parent]:
            if other != one.index and len(keys) > 1:
                others = {cell.key for cell in self.records[other].cells}
                if len(others) > 1 and 2 * len(keys & others) >= min(len(keys), len(others)):
                    return True
        return False

    def in_scope(self, anchor: int, other: int) -> bool:
        """Returns whether what `other` holds is said of the anchor: no row but the anchor's own lies between."""
        if anchor == other:
            return True
        records = self.records
        if records[anchor].source != records[other].source:
            return False
        above = set()
        at = anchor
        while at >= 0:
            above.add(at)
            at = records[at].parent
        at = other
        while at >= 0 and at not in above:
            if self._barrier[at]:
                return False
            at = records[at].parent
        return at >= 0

    def scope_values(self, anchor: int) -> list[ValueCell]:
        """Returns the values that are said of an anchor: its own, those above, and those below that no row parts off.

        At most some hundreds: what has more is no one thing.
        """
        found = self._scopes.get(anchor)
        if found is None:
            found = self._scopes[anchor] = []
            seen: set[int] = set()
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
            waiting.extend(child for child in reversed(self.children[at]) if child in seen or not self._barrier[child])

    def near(self, measure: str, low: Decimal, high: Decimal) -> list[ValueCell]:
        """Returns the amounts of a measure between two bounds."""
        keys, cells = self._ordered(measure)
        return cells[bisect_left(keys, low) : bisect_right(keys, high)]

    def _ordered(self, measure: str) -> tuple[list[Decimal], list[ValueCell]]:
        if measure not in self._by_measure:
            pairs = []
            for one in self.values:
                value = one.mention.value
                if isinstance(value, Quantity) and value.measure == measure:
                    key = value.low if value.low is not None else value.high
                    if key is not None:
                        pairs.append((key, one.order, one))
            pairs.sort(key=lambda pair: pair[:2])
            self._by_measure[measure] = ([pair[0] for pair in pairs], [pair[2] for pair in pairs])
        return self._by_measure[measure]

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
                if _stands_alone(text, at, end):
                    index = self._labels_at.get((source, at), -1)
                    index = self._record_by(source, at) if index < 0 else index
                    if index >= 0:
                        found.append(Place(index, at, end))
                at = text.find(name, end)
        return found

    def is_tail(self, place: Place) -> bool:
        """Returns whether a name is the end of a longer one."""
        text = self._lowered[self.records[place.record].source]
        return place.start > 1 and text[place.start - 1] in "-_." and text[place.start - 2].isalnum()

    def _record_by(self, source: int, place: int) -> int:
        """Returns the innermost record at a place, else the one before it, else the first of the text."""
        index = self.record_at(source, place)
        if index >= 0:
            return index
        starts, indexes = self._by_source[source]
        at = bisect_right(starts, place) - 1
        return indexes[max(at, 0)] if indexes else -1

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
        return not (self._barrier[left] and self._barrier[right])

    def knows(self, name: str) -> bool:
        """Returns whether the evidence has a word or a key for something."""
        return name in self.places or name in self._all_keys or name in self.links


_TOTAL: Final = frozenset({"total"})


def _whole_of(cell: Cell) -> Mention | None:
    """Returns the second number of a field that says how many of how many (1/3), None where it says another thing."""
    if len(cell.values) < 2 or _FRACTION.fullmatch(cell.text.strip()) is None:
        return None
    return cell.values[-1]


_KEYED: Final = frozenset((WANTED, TOLD))
_DOTTED: Final = re.compile("[./:@]")

# What a field says without a word of its own.
_NO: Final = frozenset(
    {"false", "no", "none", "<none>", "(none)", "null", "nil", "off", "-", "--", "", "[]", "{}", "n/a"}
)
_YES: Final = frozenset({"true", "yes", "on"})


def holds(cell: Cell) -> bool | None:
    """Returns the yes or no of a field, a count as whether there is one; None where it says neither."""
    text = cell.text.strip().strip('"').lower()
    if text in _NO:
        return False
    if text in _YES:
        return True
    if len(cell.values) == 1:
        value = cell.values[0].value
        if isinstance(value, Quantity) and value.low is not None and value.low == value.high:
            return value.low > 0
    return None


def _arrow(text: str, mention: Mention) -> str:
    behind = text[mention.end : mention.end + _NEAR_ARROW]
    if behind.lstrip().startswith(_ARROWS):
        return "first"
    before = text[max(0, mention.start - _NEAR_ARROW) : mention.start]
    if before.rstrip().endswith(_ARROWS):
        return "second"
    # `to 5 from 2`, `from 2 to 5`: both words, or it is no change.
    if before.endswith(" from ") and (
        _TO_BEHIND.match(behind) or _TO_BEFORE.search(text, max(0, mention.start - 30), mention.start)
    ):
        return "first"
    if before.endswith(" to ") and (
        _FROM_BEHIND.match(behind) or _FROM_BEFORE.search(text, max(0, mention.start - 30), mention.start)
    ):
        return "second"
    return ""


_ARROWS: Final = ("->", "=>", "\u2192")
_NEAR_ARROW: Final = 6
_TO_BEHIND: Final = re.compile(r" ?to ")
_FROM_BEHIND: Final = re.compile(r" ?from")
_TO_BEFORE: Final = re.compile(r" to \S{1,16} from $")
_FROM_BEFORE: Final = re.compile(r" from \S{1,16} to $")


def _has_form(cell: Cell, form: str | None) -> bool:
    text = cell.text.strip()
    if form == "empty":
        return text.lower() in _EMPTY_TEXTS
    parts = _FRACTION.match(text)
    if form in ("fewer", "equal"):
        if parts is None:
            return False
        left, right = int(parts[1]), int(parts[2])
        return left < right if form == "fewer" else left == right > 0
    number = _NUMBER.match(text)
    if number is None:
        return False
    return float(number[0]) == 0 if form == "zero" else float(number[0]) > 0


_EMPTY_TEXTS: Final = frozenset({"", "-", "<none>", "(none)", "none", "[]", "{}", "<nil>", "()"})
_FRACTION: Final = re.compile(r"(\d{1,9})/(\d{1,9})\b")
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")


def _edges(text: str, start: int, end: int) -> bool:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    return not (before.isalnum() and text[start].isalnum()) and not (after.isalnum() and text[end - 1].isalnum())


_INNER: Final = re.compile(r"[0-9a-z\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2079\u2150-\u215e]")


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Returns whether letters or digits do not go on at either side."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    if _INNER.match(before) and _INNER.match(text[start]):
        return False
    if _INNER.match(after) and _INNER.match(text[end - 1]):
        return False
    # 1.2 is not in 1.2.3, nor v2.3 in v2.30; node-1 is not in node-1.5.
    return not (after == "." and end + 1 < len(text) and text[end + 1].isdigit() and text[end - 1].isdigit())
