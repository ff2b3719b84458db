"""Collects the records of a text while it is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Protocol

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.plain import JOINT, joined, plain
from evidencegate_server.judge.records import slashes
from evidencegate_server.judge.records.messages import KnownMessages, TextMessages
from evidencegate_server.judge.records.model import TIMES, Cell, CellKind, Record, RecordKind
from evidencegate_server.judge.records.nearby import Surroundings
from evidencegate_server.judge.values.model import Mention

_WORD: Final = re.compile(r"[^\W\d_\u3400-\u9fff]{2,}|[\u3400-\u9fff]{1,2}")
# Key and value inside prose; the value ends before a separator that is followed by a blank or the end.
_INLINE: Final = re.compile(
    r"(?<![\w\"'.=&?/-])\"?([A-Za-z_][\w.\[\]/-]*)\"?=(?=[^\s=,;)])"
    r"(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s,;(){}\[\]]*[^\s,;(){}\[\].:]))"
)
# From so many words on a value is a sentence, whose numbers are named by the words beside them.
_WORDS_LOOKED_AT: Final = 120
_SENTENCE_WORDS: Final = 5
# A value with so many words beside its numbers is one as well.
_SENTENCE_REST: Final = 2
# Without a digit and without Chinese numerals a cell holds no value.
_FULL_STOPS: Final = ".!?。！？"
_CAN_HOLD_VALUE: Final = re.compile(r"[\d\u4e00-\u9fff]")
_NUMBER: Final = re.compile(r"[-+]?\d[\d.]*")
_UNIT_AT_END: Final = re.compile(r"[-+]?\d[\d.]*( ?[A-Za-zµ%]{1,5})")
# How often an event was seen, as kubectl writes it beside its age: `9m28s (x4 over 9m35s)`.
_REPEATED: Final = re.compile(r"\(x(\d{1,9}) over ")
_SHORT_VALUE: Final = 80
_REMARK: Final = re.compile(r" ?[(\uff08]")
_QUICK_LENGTH: Final = 14


class ValueSource(Protocol):
    """What reads the typed values of a text; offsets of what comes back count from `offset`."""

    def mentions(self, text: str, offset: int = 0) -> tuple[Mention, ...]:
        """Returns the values in prose."""
        ...

    def cell(self, key: str, text: str, offset: int = 0) -> tuple[Mention, ...]:
        """Returns the values of a cell, whose key or header can carry the unit."""
        ...


class Full(Exception):  # noqa: N818 a signal, no failure
    """Occurs when as many records are read as the bound allows."""


class Draft:
    """A record that is still being written."""

    __slots__ = ("cells", "end", "group", "index", "kind", "label", "parent", "start")

    def __init__(self, index: int, parent: int, kind: RecordKind, label: str, group: int, start: int) -> None:
        self.index = index
        self.parent = parent
        self.kind = kind
        self.label = label
        self.group = group
        self.start = start
        self.end = start
        self.cells: list[Cell] = []


class Builder:
    """The records of all texts so far. `begin` names the text that follows."""

    def __init__(
        self, values: ValueSource, connectors: frozenset[str], messages: KnownMessages, most_records: int
    ) -> None:
        self._values = values
        self._connectors = connectors
        self._known = messages
        self._messages = TextMessages()
        self._most_records = most_records
        self._done: list[Record] = []
        self._first = 0
        self._groups = 0
        self.drafts: list[Draft] = []
        self.text = ""
        self.view = ""
        self._source = 0
        self._joined: list[tuple[int, str]] = []

    def begin(self, source: int, text: str, view: str) -> None:
        """Starts a text; `view` is as long as what is read of `text`, with blanks for what is not to be seen."""
        self._source = source
        self.text = text
        self.view = view
        self._joined = []
        self._messages = self._known.of(view)

    def finish(self) -> None:
        """Closes the records of the text."""
        source = self._source
        drafts, first = self.drafts, self._first
        for draft in reversed(drafts):
            # A block and a log line reach as far as what stands in them.
            if draft.parent >= first:
                holder = drafts[draft.parent - first]
                if holder.end < draft.end and holder.kind is not RecordKind.HEADING:
                    holder.end = draft.end
        self._done += [
            Record(d.index, d.parent, d.kind, d.label, d.group, source, d.start, d.end, tuple(d.cells))
            for d in self.drafts
        ]
        self._first += len(self.drafts)
        self.drafts = []

    def records(self) -> tuple[Record, ...]:
        """Returns what was read."""
        return tuple(self._done)

    def group(self) -> int:
        """Returns a number for siblings that belong together."""
        self._groups += 1
        return self._groups - 1

    def open(self, kind: RecordKind, parent: int, label: str, start: int, group: int = -1) -> Draft:
        """Starts a record. Raises Full at the bound."""
        index = self._first + len(self.drafts)
        if index >= self._most_records:
            raise Full
        draft = Draft(index, parent, kind, label, group, start)
        self.drafts.append(draft)
        return draft

    def drop(self, draft: Draft) -> bool:
        """Takes the last record back; returns False where it is not the last."""
        if self.drafts[-1] is not draft:
            return False
        self.drafts.pop()
        return True

    def plain(self, draft: Draft, key: str, start: int, end: int) -> None:
        """Adds a cell whose numbers mean nothing (a stack frame, a name)."""
        draft.cells.append(Cell(CellKind.FIELD, key, self.text[start:end], start, end))
        if end > draft.end:
            draft.end = end

    def field(self, draft: Draft, key: str, start: int, end: int) -> None:
        """Adds a value under its key: as several where slashes join both, as prose where it is a sentence."""
        if end > draft.end:
            draft.end = end
        if "/" in key:
            parts = slashes.names(key)
            spans = slashes.values(self.view[start:end], len(parts)) if parts else ()
            if spans:
                self._parts(draft, parts, spans, start)
                return
        text = self.view[start:end]
        if " " in text and "=" in text and _INLINE.match(text) is not None:  # worker-7: age=41 s
            self.prose(draft, key, start, end)
            return
        if not text.isascii() or (end - start > _QUICK_LENGTH and " " in text):
            words = len(_WORD.findall(text, 0, _WORDS_LOOKED_AT))
            if words >= _SENTENCE_REST and (words >= _SENTENCE_WORDS or self._has_words_left(key, text, start)):
                self.prose(draft, key, start, end)
                return
        self._single(draft, key, start, end)

    def _single(self, draft: Draft, key: str, start: int, end: int) -> None:
        view = self.view[start:end]
        values = self._values.cell(key, view, start) if _CAN_HOLD_VALUE.search(view) is not None else ()
        draft.cells.append(Cell(CellKind.FIELD, key, self.text[start:end], start, end, values))
        if "(x" in view and (often := _REPEATED.search(view)) is not None:
            left, right = start + often.start(1), start + often.end(1)
            counts = self._values.cell(TIMES, self.view[left:right], left)
            draft.cells.append(Cell(CellKind.IN_TEXT, TIMES, self.text[left:right], left, right, counts))

    def _parts(self, draft: Draft, names: Sequence[str], spans: Sequence[tuple[int, int]], offset: int) -> None:
        """Adds what slashes joined; a unit behind the last value is that of all (`1.2/3.4 ms`)."""
        view = self.view
        left, right = spans[-1]
        unit = _UNIT_AT_END.fullmatch(view, offset + left, offset + right)
        for name, (low, high) in zip(names, spans, strict=True):
            start, end = offset + low, offset + high
            if unit is None or _NUMBER.fullmatch(view, start, end) is None:
                self._single(draft, name, start, end)
                continue
            found = self._values.cell(name, view[start:end] + unit[1], start)
            values = tuple(
                replace(mention, end=min(mention.end, end), outer_end=min(mention.outer_end, end)) for mention in found
            )
            draft.cells.append(Cell(CellKind.FIELD, name, self.text[start:end], start, end, values))

    def _has_words_left(self, key: str, text: str, start: int) -> bool:
        values = self._values.cell(key, text, start)
        if not values:
            return False
        rest = text
        for mention in reversed(values):
            rest = rest[: mention.start - start] + rest[mention.end - start :]
        return sum(1 for _ in _WORD.finditer(rest)) >= _SENTENCE_REST

    def prose(self, draft: Draft, key: str, start: int, end: int) -> None:
        """Adds a stretch of prose, its `name=value` pairs, and its values named by the words beside them."""
        view = self._flowing(draft, start, end)
        cells = draft.cells
        if end > draft.end:
            draft.end = end
        named = {left: name for left, _, name in self._messages.values(view, start)}
        spans: list[tuple[int, int, str]] = []
        if "=" in view:
            for found in _INLINE.finditer(view):
                group = found.lastindex or 1
                if group > 1:
                    left, right = start + found.start(group), start + found.end(group)
                    spans.append((left, right, named.get(left, found[1])))
        mentions = self._mentions(view, start)
        if key and mentions and mentions[0].start == start and mentions[0].counted == "":
            mentions = self._with_key(key, view, start, mentions)
        cells.append(Cell(CellKind.TEXT, key, self.text[start:end], start, end))
        if spans:
            spans = _with_units(spans, mentions)
            self._pairs(draft, spans)
            mentions = _outside(mentions, spans)
        if not mentions:
            return
        near = Surroundings(view, mentions, self._connectors)
        # A short value is named by its key as well.
        lead = f"{key} " if key and len(key) + end - start <= _SHORT_VALUE and key != "message" else ""
        for index, mention in enumerate(mentions):
            left, right = mention.start, mention.end
            name = f"{lead}{near.key(index, start)}".rstrip()
            if left in named:
                name = f"{named[left]} {name}".rstrip()
            cells.append(Cell(CellKind.IN_TEXT, name, self.text[left:right], left, right, (mention,)))

    def _with_key(self, key: str, view: str, start: int, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """Returns the values of a field, the first of them, behind which a remark stands, as its key reads it."""
        first = mentions[0]
        if _REMARK.match(view, first.end - start) is None:
            return mentions
        keyed = self._values.cell(key, view[: first.end - start], start)
        return (keyed[0], *mentions[1:]) if len(keyed) == 1 else mentions

    def _mentions(self, view: str, offset: int) -> tuple[Mention, ...]:
        """Returns the values of prose, in which a number and its unit can stand on two lines."""
        if JOINT not in view:
            return self._values.mentions(view, offset)
        form = plain(view)
        found: list[Mention] = []
        for one in self._values.mentions(form.text):
            start, end = form.written(one.start, one.end)
            left, right = form.written(one.outer_start, one.outer_end)
            found.append(
                replace(
                    one, start=start + offset, end=end + offset, outer_start=left + offset, outer_end=right + offset
                )
            )
        return tuple(found)

    def _flowing(self, draft: Draft, start: int, end: int) -> str:
        """Returns a stretch of prose as it is seen, on one line; blanks may part columns where no full stop ends it."""
        view = self.view[start:end]
        if "\n" in view or (draft.kind is RecordKind.SENTENCE and "  " in view and view[-1] in _FULL_STOPS):
            view = joined(view)
            self._joined.append((start, view))
        return view

    def flowing(self) -> str:
        """Returns the text with its prose on one line, each character at its place."""
        parts: list[str] = []
        at = 0
        for start, prose in sorted(self._joined):
            if start >= at:
                parts += [self.text[at:start], prose]
                at = start + len(prose)
        return "".join((*parts, self.text[at:])) if parts else self.text

    def _pairs(self, draft: Draft, spans: Sequence[tuple[int, int, str]]) -> None:
        for left, right, name in spans:
            parts = slashes.names(name) if "/" in name else []
            inner = slashes.values(self.view[left:right], len(parts)) if parts else ()
            if inner:
                self._parts(draft, parts, inner, left)
            else:
                self._single(draft, name, left, right)


def _with_units(spans: Sequence[tuple[int, int, str]], mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """Returns the pairs with the unit that a blank separates from the number (`time=35.2 ms`)."""
    ends = {mention.start: mention.end for mention in mentions}
    return [(left, max(right, ends.get(left, right)), name) for left, right, name in spans]


def _outside(mentions: Sequence[Mention], spans: Sequence[tuple[int, int, str]]) -> tuple[Mention, ...]:
    """Returns the mentions that no pair holds. Both come in order."""
    kept: list[Mention] = []
    at = 0
    for mention in mentions:
        while at < len(spans) and spans[at][1] <= mention.start:
            at += 1
        if at == len(spans) or mention.end <= spans[at][0]:
            kept.append(mention)
    return tuple(kept)
