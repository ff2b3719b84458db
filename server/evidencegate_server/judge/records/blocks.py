"""Reads a text block by block: tells what each line begins and hands it to the reader for that."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.judge.records import bars, json_text, separated
from evidencegate_server.judge.records.bars import BarReader
from evidencegate_server.judge.records.builder import Builder, Draft
from evidencegate_server.judge.records.headings import TITLE, HeadingRules
from evidencegate_server.judge.records.json_text import JsonReader
from evidencegate_server.judge.records.known_rows import KnownRows
from evidencegate_server.judge.records.log_lines import Head, LogHeads
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.records.outline import Outline
from evidencegate_server.judge.records.pairs import PairReader, is_row_mark
from evidencegate_server.judge.records.prose import sentences
from evidencegate_server.judge.records.separated import SeparatedReader
from evidencegate_server.judge.records.source import Line, is_pair_comment
from evidencegate_server.judge.records.tables import TableReader
from evidencegate_server.judge.records.traces import TraceReader
from evidencegate_server.lexicon.format_words import FormatWords

_JSON_TAIL: Final = re.compile(r"(?<![\w\"'])\{ ?\"[^\"\\\n]*+\"\s*+:")
_STREAM: Final = re.compile(r"[\w./-]+ +\| *")
_METRIC: Final = re.compile(
    r"(?P<name>[a-zA-Z_:][\w:]*|(?=\{\w+=\"[^\"\n]*\"[,}]))\{(?P<labels>[^{}]*)\}\s+(?:=>\s*)?(?P<value>[-+]?[\d.][\w.+-]*|NaN)(?:\s+@?\[?(?P<time>[\d.]+)\]?)?"
)
_NUMBERS: Final = re.compile(r"[-+\d.,%]+(?:\s+[-+\d.,%]+)+")
_LABEL_AND_HEADERS: Final = re.compile(r"([\w-]+): +([A-Za-z%][\w%/-]*(?: +[A-Za-z%][\w%/-]*)+)")
_BARE_METRIC: Final = re.compile(r"(?P<name>[a-zA-Z]\w*_\w+) (?P<value>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)")
_AFTER_TIME: Final = re.compile(r"\d\d[:时]\d\d[:分]\d\d秒?(?: [AaPp][Mm])?\s+[A-Za-z%]")
_LABEL: Final = re.compile(r"([a-zA-Z_]\w*)=\"([^\"\n]*)\"")
_LOWER: Final = re.compile(r"[a-z(]")
_TERMINAL: Final = ".。!！?？;；:："
# Log lines may be indented a little, frames and blocks are more.
_MOST_LOG_INDENT: Final = 4
# So many lines with their colons below each other are no accident.
_LEAST_FLUSH: Final = 3
_FLUSH_WITHIN: Final = 3
_WRAPPED_LENGTH: Final = 50
_TITLE_WORDS: Final = 8


def _heads_timed(head: Head, line: Line) -> bool:
    """Tells whether a line with a time at its head can be the header of a table of samples."""
    return head.parts[0][0] == "time" and bool(_AFTER_TIME.match(line.bare))


class BlockRules:
    """What the lexicon says about layouts, ready for use. One serves all texts."""

    def __init__(self, words: FormatWords) -> None:
        self.words = words
        self.headings = HeadingRules(words)
        self.rows = KnownRows(words)
        self.heads = LogHeads(words)
        self.speakers = frozenset(words.speakers)


class TextReader:
    """Reads one text."""

    def __init__(self, builder: Builder, rules: BlockRules, lines: list[Line]) -> None:
        self._builder = builder
        self._rules = rules
        self._lines = lines
        self._view = builder.view
        self._outline = Outline(builder, self._is_flush_right)
        self._at = 0
        self._json = JsonReader(builder)
        self._pairs = PairReader(builder, self._outline, self._json, rules.speakers)
        self._tables = TableReader(builder, rules.words)
        self._bars = BarReader(builder)
        self._separated = SeparatedReader(builder)
        self._traces = TraceReader(builder)
        # Siblings that are read one by one: log lines, JSON lines, rows of a known format.
        self._log_group = -1
        self._row_group = -1
        self._chain: Draft | None = None

    def read(self) -> None:
        """Reads all lines. Raises Full where the builder has its fill."""
        lines = self._lines
        at = 0
        count = len(lines)
        while at < count:
            line = lines[at]
            if line.indent < 0:
                self._outline.blank()
                at += 1
                continue
            self._at = at
            at = max(self._block(at, line), at + 1)
        self._outline.settle()

    def _is_flush_right(self, colon: int) -> bool:
        """Tells whether this line and two beside it have their colon in a column, and keys of different lengths."""
        count = 0
        indents: set[int] = set()
        for line in self._lines[max(self._at - _FLUSH_WITHIN, 0) : self._at + _FLUSH_WITHIN + 1]:
            if line.indent < 0:
                continue
            at = colon - line.indent
            if at > 0 and line.bare[at : at + 1] in (":", "："):
                count += 1
                if at + 1 < len(line.bare):
                    indents.add(line.indent)
            elif count < _LEAST_FLUSH:
                count = 0
                indents.clear()
        return count >= _LEAST_FLUSH and len(indents) > 1

    def _block(self, at: int, line: Line) -> int:
        """Reads what begins at a line and returns the index of the line behind it."""
        bare = line.bare
        first = bare[0]
        outline = self._outline
        following = self._lines[at + 1] if at + 1 < len(self._lines) else None
        if ":" in bare:
            if following is not None and following.indent > line.indent and self._labelled_row(line, following):
                return at + 2
            if stop := self._pairs.quick(line, following):
                return self._line_of(stop, at)
        if first in '{["}]' and (behind := self._begin_json(at, line)):
            return behind
        if (behind := self._heading(at, line, following)) or (behind := self._table(at, line)):
            return behind
        head = self._rules.heads.head(self._view, line.left, line.end) if line.indent <= _MOST_LOG_INDENT else None
        if head is None or head.parts[0][0] == "level" or _heads_timed(head, line):
            headers = self._tables.size(self._lines, at)
            if headers:
                return self._tables.read(self._lines, at, headers, outline.under(line.indent))
        # A level without a time says nothing of a log where the line stands in a block.
        if head is not None and (line.indent == 0 or head.parts[0][0] != "level"):
            return self._log_line(at, line, head)
        return self._plain(at, line, following)

    def _labelled_row(self, line: Line, following: Line) -> bool:
        """Reads a label with headers behind it and a line of numbers below them (`avg-cpu:  %user %idle`)."""
        if not _NUMBERS.fullmatch(following.bare):
            return False
        head = _LABEL_AND_HEADERS.fullmatch(line.bare)
        if head is None:
            return False
        names, numbers = head[2].split(), following.bare.split()
        if len(names) != len(numbers) or len(names) < 2:
            return False
        builder = self._builder
        parent = self._outline.under(line.indent)
        row = builder.open(RecordKind.ROW, parent, head[1], line.left)
        at = following.left
        for name, number in zip(names, numbers, strict=True):
            at = self._view.index(number, at)
            builder.field(row, name, at, at + len(number))
            at += len(number)
        row.end = following.end
        return True

    def _table(self, at: int, line: Line) -> int:
        """Reads a table with bars, commas or semicolons; 0 where none begins."""
        bare = line.bare
        if ("|" in bare or "│" in bare or bare[0] == "+") and bars.is_table(self._lines, at):
            return self._bars.read(self._lines, at, self._outline.under(line.indent))
        if "," in bare or "|" in bare or ";" in bare:
            found = separated.layout(self._lines, at)
            if found is not None:
                return self._separated.read(self._lines, at, found, self._outline.under(line.indent))
        return 0

    def _heading(self, at: int, line: Line, following: Line | None) -> int:
        """Reads a heading or a line that only separates; 0 for another."""
        bare = line.bare
        first = bare[0]
        outline = self._outline
        if first == "*" and is_row_mark(bare):
            return at + 1
        before = self._lines[at - 1].bare if at else ""
        level = self._rules.headings.level(before, bare, following.bare if following is not None else "")
        if level == -2 and not (first == "+" and bars.is_table(self._lines, at)):
            return at + 1
        if level >= 0 and not (level > TITLE and first == "#" and is_pair_comment(bare)):
            outline.heading(level, line.left, line.end)
            self._chain = None
            self._log_group = self._row_group = -1
            return at + 1
        return 0

    def _begin_json(self, at: int, line: Line) -> int:
        """Reads JSON that begins with the line; 0 where it is none."""
        view, first = self._view, line.bare[0]
        outline = self._outline
        if first in "}]":
            return at + 1 if not line.bare.strip("}], ;") else 0
        if first == '"':
            if not json_text.begins_inside(view, line.left):
                return 0
            stop = self._json.members(line.left, len(view), outline.under(line.indent))
            return self._line_of(stop, at)
        if not json_text.begins(view, line.left):
            return 0
        if first == "[" and self._rules.heads.head(view, line.left, line.end) is not None:
            return 0
        parent = outline.under(line.indent)
        before = self._row_group
        if before < 0:
            self._row_group = self._builder.group()
        stop = self._json.read(line.left, len(view), parent, "", self._row_group)
        return self._line_of(stop, at)

    def _line_of(self, stop: int, at: int) -> int:
        """Returns the index of the line behind the one that `stop` lies in."""
        lines = self._lines
        at += 1
        while at < len(lines) and lines[at].start < stop:
            at += 1
        return at

    def _log_line(self, at: int, line: Line, head: Head) -> int:
        builder = self._builder
        outline = self._outline
        inside = line.indent > 0 and outline.holds(line.indent)
        parent = outline.under(line.indent) if inside else outline.top()
        self._chain = None
        if self._log_group < 0:
            self._log_group = builder.group()
        draft = builder.open(RecordKind.LINE, parent, "", line.left, self._log_group)
        draft.end = line.end
        for key, start, end in head.parts:
            while start < end and self._view[start] == " ":
                start += 1
            while end > start and self._view[end - 1] == " ":
                end -= 1
            if key == "time":
                builder.field(draft, key, start, end)
            else:
                builder.plain(draft, key, start, end)
        if not inside and head.parts[0][0] != "level":
            outline.line = draft
        return self._message(at, draft, head.message, line.end)

    def _message(self, at: int, draft: Draft, start: int, end: int) -> int:
        """Reads what a log line says, from `start` on, and returns the index of the line behind it."""
        view = self._view
        while start < end and view[start] in " \t":
            start += 1
        if start >= end:
            return at + 1
        if view[start] == "{" and json_text.begins(view, start):
            return self._line_of(self._json.read(start, end, draft.index, into=draft), at)
        if self._rules.rows.read(self._builder, draft, -1, start, end) is not None:
            return at + 1
        tail = _JSON_TAIL.search(view, start, end) if '{"' in view[start:end] or '{ "' in view[start:end] else None
        stop = tail.start() if tail is not None else end
        while stop > start and view[stop - 1] in " \t":
            stop -= 1
        if stop > start:
            self._builder.prose(draft, "message", start, stop)
        if tail is not None:
            return self._line_of(self._json.read(tail.start(), end, draft.index, into=draft), at)
        if view[start:end].startswith("Traceback (most recent call last)"):
            return self._traces.python_frames(self._lines, at + 1, draft)
        return at + 1

    def _plain(self, at: int, line: Line, following: Line | None) -> int:
        """Reads a line that begins no table, no JSON, no log line and no heading."""
        bare = line.bare
        behind, chain = self._traces.read(self._lines, at, self._holder(line), self._chain)
        if behind > at:
            self._chain = chain
            return behind
        if "{" in bare and (behind := self._braces(at, line)):
            return behind
        if (metric := _BARE_METRIC.fullmatch(self._view, line.left, line.end)) is not None:
            return self._metric(at, line, metric)
        if self._is_row(line) and self._known_row(line):
            return at + 1
        if bare[0] == "#":
            if at and self._lines[at - 1].bare[:1] != "#" and is_pair_comment(bare):
                self._outline.begins_anew(line.indent, line.left)
            lead = len(bare) - len(bare.lstrip("# "))
            line = Line(line.start, line.left + lead, line.end, line.indent, bare[lead:])
        stop = self._pairs.read(line, following)
        if stop:
            return self._line_of(stop, at)
        return self._prose(at, line, following)

    def _holder(self, line: Line) -> int:
        return self._outline.inner() if line.indent > 0 else self._outline.base()

    def _is_row(self, line: Line) -> bool:
        bare = line.bare
        return "  " in bare or "\t" in bare or bare.count(" ") >= 7

    def _known_row(self, line: Line) -> bool:
        builder, outline = self._builder, self._outline
        drafts = len(builder.drafts)
        row = self._rules.rows.read(builder, None, self._holder(line), line.left, line.end)
        if row is None:
            return False
        outline.settle()
        if self._row_group < 0:
            self._row_group = builder.group()
        row.group = self._row_group
        assert len(builder.drafts) > drafts
        return True

    def _braces(self, at: int, line: Line) -> int:
        """Reads a metric with its labels, or JSON behind the name of a stream; 0 for neither."""
        builder, outline, view = self._builder, self._outline, self._view
        metric = _METRIC.fullmatch(view, line.left, line.end)
        if metric is not None:
            return self._metric(at, line, metric)
        tail = _JSON_TAIL.search(view, line.left, line.end)
        if tail is None:
            return 0
        stream = _STREAM.match(view, line.left, tail.start())
        parent = outline.under(line.indent)
        if stream is not None and stream.end() == tail.start():
            if self._log_group < 0:
                self._log_group = builder.group()
            name = builder.text[line.left : stream.end()].rstrip(" |")
            draft = builder.open(RecordKind.LINE, parent, name, line.left, self._log_group)
        else:
            draft = builder.open(RecordKind.SENTENCE, parent, "", line.left)
            stop = tail.start()
            while stop > line.left and view[stop - 1] in " \t":
                stop -= 1
            builder.prose(draft, "", line.left, stop)
        draft.end = line.end
        return self._line_of(self._json.read(tail.start(), len(view), draft.index, into=draft), at)

    def _metric(self, at: int, line: Line, metric: re.Match[str]) -> int:
        """Reads a sample in the exposition format of Prometheus, or as promtool prints it, with or without a name."""
        builder = self._builder
        parent = self._outline.under(line.indent)
        if self._row_group < 0:
            self._row_group = builder.group()
        row = builder.open(RecordKind.ROW, parent, metric["name"], line.left, self._row_group)
        if "labels" in metric.re.groupindex:
            for label in _LABEL.finditer(self._view, *metric.span("labels")):
                builder.plain(row, label[1], *label.span(2))
        builder.field(row, metric["name"] or "value", *metric.span("value"))
        if "time" in metric.re.groupindex and metric["time"]:
            builder.field(row, "time", *metric.span("time"))
        row.end = line.end
        return at + 1

    def _prose(self, at: int, line: Line, following: Line | None) -> int:
        """Reads sentences; lines that one paragraph is wrapped into are read together."""
        builder, outline, lines = self._builder, self._outline, self._lines
        goes_on = outline.continues(line.indent)
        if goes_on is not None:
            draft, index = goes_on
            cell = draft.cells[index]
            del draft.cells[index:]
            builder.field(draft, cell.key, cell.start, line.end)
            return at + 1
        if self._is_title(line, following):
            outline.opens(line.indent, builder.text[line.left : line.end], line.left, line.end)
            return at + 1
        if outline.line is not None:
            draft = outline.line
            if line.indent > 0 or not outline.blocks:
                builder.prose(draft, "message", line.left, line.end)
                return at + 1
        end = line.end
        last = line
        at += 1
        while at < len(lines) and self._wraps(last, lines[at]):
            last = lines[at]
            end = last.end
            at += 1
        parent = outline.under(line.indent, beside=True)
        for left, right in sentences(self._view, line.left, end):
            draft = builder.open(RecordKind.SENTENCE, parent, "", left)
            builder.prose(draft, "", left, right)
            draft.end = right
        return at

    def _is_title(self, line: Line, following: Line | None) -> bool:
        """Tells whether a short line stands over deeper ones."""
        if following is None or following.indent <= line.indent or following.bare[0] in "^~":
            return False
        bare = line.bare
        return bare[-1] not in _TERMINAL + ",，" and bare.count(" ") < _TITLE_WORDS and "，" not in bare

    def _wraps(self, last: Line, line: Line) -> bool:
        if line.indent != last.indent or last.bare[-1] in _TERMINAL or len(last.bare) < _WRAPPED_LENGTH:
            return False
        return (
            _LOWER.match(line.bare) is not None
            and "=" not in line.bare[:30]
            and "  " not in line.bare
            and "\t" not in line.bare
        )
