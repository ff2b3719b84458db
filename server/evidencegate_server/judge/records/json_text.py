"""Reads JSON into records: whole, cut off, begun in the middle, with single quotes, or inside a string."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from evidencegate_server.judge.records.builder import Builder, Draft
from evidencegate_server.judge.records.model import RecordKind

# Deeper objects are read as if they stood in the one at this depth.
_MOST_DEPTH: Final = 64

_SKIP: Final = r"[\s,.…]*+"
_BARE: Final = r"[-+]?\d[\w.+-]*+(?![^\s,}\]])|(?:true|false|null|True|False|None|NaN|undefined)\b"
# A value as a shell prints it: ISODate("..."), NumberLong(12), Timestamp(1, 2).
_CALL: Final = r"(?:new )?[A-Z]\w{2,20}\((?:\"[^\"\n]*\"|[\w ,.:+-]*)\)"


class _Grammar(NamedTuple):
    """How JSON is written with one kind of quote.

    Groups: closer, key, key without quotes, string, bare value, opener.
    """

    member: re.Pattern[str]
    element: re.Pattern[str]
    cut: re.Pattern[str]


def _grammar(mark: str, inner: str) -> _Grammar:
    string = f"{mark}({inner}){mark}"
    value = rf"(?:{string}|({_BARE}|{_CALL})|([{{\[]))"
    key = rf"(?:{mark}({inner}){mark}|([A-Za-z_$@][\w.$@/-]*+))\s*+:\s*+"
    return _Grammar(
        re.compile(rf"{_SKIP}(?:([}}\]])|{key}{value})"),
        re.compile(rf"{_SKIP}(?:([}}\]])|()(){value})"),
        re.compile(rf"{_SKIP}(?:{key})?(?:{mark})?([^\n]*)"),
    )


_DOUBLE: Final = _grammar('"', r"(?:[^\"\\\n]|\\.)*+")
_SINGLE: Final = _grammar("'", r"(?:[^'\\\n]|\\.)*+")
_ESCAPED: Final = _grammar(r"\\\"", r"(?:[^\"\\\n]|\\[^\"\n])*+")

_BEGIN: Final = re.compile(r"[\[{]\s*+(?:[{\[}\]]|(\\?[\"'])|[A-Za-z_$][\w.$]*+\s*+:(?=\s)|-?\d[\d.]*\s*[,\]]|$)")
_MEMBER_BEGIN: Final = re.compile(r"\"[^\"\\\n]*+\"\s*+:")
_EMBEDDED: Final = re.compile(r"\s*(?:\{\s*\\\"|\[\s*\{\s*\\\")")
_SAMPLE: Final = re.compile(r"\[\s*(\d[\d.]*)\s*,\s*\"?([^\"\]\s]*)\"?\s*\]")
_SAMPLES: Final = re.compile(r"\[\s*(?=\[)")
_SAMPLES_NEAR: Final = re.compile(r"[\s,]*\"values?\"\s*:")
_GAP: Final = re.compile(r"[\s,]*")

_QUOTE: Final = re.compile(r"[\"']")
_QUOTE_WITHIN: Final = 400

_NAME_KEYS: Final = frozenset({"key", "name", "k"})
_VALUE_KEYS: Final = frozenset({"value", "v"})
_TYPE_KEYS: Final = frozenset({"type", "valuetype"})


class _Frame:
    """An open object or array. `draft` takes the cells; `label` names the members of an array."""

    __slots__ = ("draft", "group", "is_array", "label", "own")

    def __init__(self, draft: Draft, label: str, group: int, *, is_array: bool, own: bool) -> None:
        self.draft = draft
        self.label = label
        self.group = group
        self.is_array = is_array
        self.own = own


def begins(view: str, at: int) -> bool:
    """Tells whether JSON begins at the bracket at `at`."""
    return _BEGIN.match(view, at) is not None


def begins_inside(view: str, at: int) -> bool:
    """Tells whether the members of an object begin at `at`."""
    return _MEMBER_BEGIN.match(view, at) is not None


class JsonReader:
    """Reads one value after the other into a builder."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def read(self, at: int, end: int, parent: int, label: str = "", group: int = -1, into: Draft | None = None) -> int:
        """Reads the value whose bracket is at `at` and returns where it ends, at most `end`.

        The members go `into` a record that is already open, or to a new one with `label` and `group` under `parent`.
        """
        view = self._builder.view
        found = _BEGIN.match(view, at)
        mark = (found and found[1]) or _first_quote(view, at)
        grammar = _SINGLE if mark == "'" else _ESCAPED if mark[0] == "\\" else _DOUBLE
        builder = self._builder
        if view[at] == "{":
            own = into is None
            draft = into or builder.open(RecordKind.OBJECT, parent, label, at, group)
            frame = _Frame(draft, "", -1, is_array=False, own=own)
        else:
            # The members of a list at the top stand in no record of their own, unless they are plain values.
            after = _GAP.match(view, at + 1)
            following = view[after.end()] if after is not None and after.end() < len(view) else ""
            if into is None and following not in "{[":
                into = builder.open(RecordKind.OBJECT, parent, label, at, group)
            if into is None:
                into = Draft(parent, parent, RecordKind.OBJECT, label, group, at)
            frame = _Frame(into, label, builder.group(), is_array=True, own=False)
        return self._run(grammar, at + 1, end, [frame], nested=mark[0] == "\\")

    def members(self, at: int, end: int, parent: int, label: str = "") -> int:
        """Reads the members of an object whose opening bracket is not there."""
        draft = self._builder.open(RecordKind.OBJECT, parent, label, at)
        return self._run(_DOUBLE, at, end, [_Frame(draft, "", -1, is_array=False, own=True)], nested=False)

    def _run(self, grammar: _Grammar, at: int, end: int, frames: list[_Frame], *, nested: bool) -> int:
        builder = self._builder
        view = builder.view
        member, element = grammar.member, grammar.element
        too_deep = 0
        frame = frames[-1]
        while True:
            found = (element if frame.is_array else member).match(view, at, end)
            if found is None:
                return self._cut(grammar, at, end, frames)
            which = found.lastindex
            at = found.end()
            if which == 1:
                if too_deep:
                    too_deep -= 1
                    continue
                frames.pop()
                self._close(frame, at, frames)
                if not frames:
                    return at
                frame = frames[-1]
                continue
            key = frame.label if frame.is_array else found[2] if found[2] is not None else found[3]
            if which == 4:
                self._string(frame.draft, key, found.start(4), found.end(4), nested=nested)
            elif which == 5:
                builder.field(frame.draft, key, found.start(5), at)
            elif len(frames) >= _MOST_DEPTH:
                too_deep += 1
            else:
                opened = self._open(frame, key, at - 1, end)
                if isinstance(opened, int):
                    at = opened
                else:
                    frame = opened
                    frames.append(frame)

    def _string(self, draft: Draft, key: str, start: int, stop: int, *, nested: bool) -> None:
        view = self._builder.view
        holds_json = not nested and stop - start > 3 and view[start] in "{[ " and _EMBEDDED.match(view, start, stop)
        if not holds_json:
            self._builder.field(draft, key, start, stop)
            return
        while view[start] == " ":
            start += 1
        if view[start] == "{":
            child = self._builder.open(RecordKind.OBJECT, draft.index, key, start)
            self.read(start, stop, draft.index, into=child)
        else:
            self.read(start, stop, draft.index, label=key, into=draft)

    def _open(self, frame: _Frame, key: str, at: int, end: int) -> _Frame | int:
        """Opens the object or array at `at`, or reads a small one in one go and returns where it ends."""
        builder = self._builder
        view = builder.view
        gap = _GAP.match(view, at + 1, end)
        inner = gap.end() if gap is not None else at + 1
        if inner < end and view[inner] in "}]":
            # That something is empty is told by a cell of its own.
            builder.plain(frame.draft, key, at, inner + 1)
            return inner + 1
        if view[at] == "{":
            group = frame.group if frame.is_array else -1
            draft = builder.open(RecordKind.OBJECT, frame.draft.index, key, at, group)
            return _Frame(draft, "", -1, is_array=False, own=True)
        if key in ("value", "values") and not frame.is_array:
            stop = self._samples(frame.draft, key, at, end)
            if stop:
                return stop
        return _Frame(frame.draft, key, builder.group(), is_array=True, own=False)

    def _samples(self, draft: Draft, key: str, at: int, end: int) -> int:
        """Reads Prometheus samples, `[time, "value"]` or a list of these; 0 where there are none."""
        builder = self._builder
        name = next((cell.text for cell in draft.cells if cell.key == "__name__"), "value")
        found = _SAMPLE.match(builder.view, at, end)
        if key == "value":
            if found is None:
                return 0
            builder.field(draft, "time", *found.span(1))
            builder.field(draft, name, *found.span(2))
            return found.end()
        opening = _SAMPLES.match(builder.view, at, end)
        if opening is None:
            return 0
        found = _SAMPLE.match(builder.view, opening.end(), end)
        if found is None:
            return 0
        group = builder.group()
        while found is not None:
            row = builder.open(RecordKind.ROW, draft.index, key, found.start(), group)
            builder.field(row, "time", *found.span(1))
            builder.field(row, name, *found.span(2))
            row.end = at = found.end()
            gap = _GAP.match(builder.view, at, end)
            at = gap.end() if gap is not None else at
            found = _SAMPLE.match(builder.view, at, end)
        if at < end and builder.view[at] == "]":
            at += 1
        return at

    def _close(self, frame: _Frame, at: int, frames: list[_Frame]) -> None:
        draft = frame.draft
        if at > draft.end:
            draft.end = at
        if not frame.own or not frames or not draft.cells:
            return
        cells = draft.cells
        holder = frames[-1]
        first = cells[0].key
        if first[0:1] == "$" and len(cells) == 1:
            # {"$date": ...}: the wrapper says the type only.
            if self._builder.drop(draft):
                start, end = cells[0].start, cells[0].end
                self._builder.field(holder.draft, draft.label, start, end)
        elif len(cells) <= 3 and first.lower() in _NAME_KEYS | _VALUE_KEYS | _TYPE_KEYS and frames:
            self._pair(draft, holder)
        elif draft.label == "metric" and _SAMPLES_NEAR.match(self._builder.view, at) and self._builder.drop(draft):
            holder.draft.cells += cells

    def _pair(self, draft: Draft, holder: _Frame) -> None:
        """Turns {"key": "a", "value": 1} into a cell of the record around it."""
        name = value = None
        for cell in draft.cells:
            key = cell.key.lower()
            if key in _NAME_KEYS and name is None:
                name = cell
            elif key in _VALUE_KEYS and value is None:
                value = cell
            elif key not in _TYPE_KEYS:
                return
        if name is None or value is None or not name.text or not self._builder.drop(draft):
            return
        if draft.parent != holder.draft.index or holder.draft.index == draft.index:
            return
        self._builder.field(holder.draft, name.text, value.start, value.end)

    def _cut(self, grammar: _Grammar, at: int, end: int, frames: list[_Frame]) -> int:
        """Ends where the text is no JSON any more; what still stands on the line is the last value."""
        builder = self._builder
        found = grammar.cut.match(builder.view, at, end)
        stop = at
        if found is not None:
            key = found[1] or found[2] or (frames[-1].label if frames[-1].is_array else "")
            start = found.start(3)
            stop = found.end()
            while stop > start and builder.view[stop - 1] in " \t,":
                stop -= 1
            if key and stop > start:
                builder.field(frames[-1].draft, key, start, stop)
            else:
                stop = at
        for frame in reversed(frames):
            frame.draft.end = max(frame.draft.end, stop)
        return max(stop, at)


def _first_quote(view: str, at: int) -> str:
    """Returns the quote that an object without quoted keys uses for its strings."""
    found = _QUOTE.search(view, at, at + _QUOTE_WITHIN)
    return found[0] if found is not None else '"'
