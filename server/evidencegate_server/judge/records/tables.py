"""Reads tables that are set in columns: a header line, perhaps a rule of dashes, and rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.records import columns
from evidencegate_server.judge.records.builder import Builder, Draft
from evidencegate_server.judge.records.columns import Ruler, Span
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.records.samples import heads_samples, timed
from evidencegate_server.judge.records.source import Line, is_pair_comment
from evidencegate_server.lexicon.format_words import FormatWords

_GAP: Final = re.compile(r"\S(?:\t\s*|[ ]{2,})\S")
_RULE: Final = re.compile(r"[-=+|][-=+| \t]*[-=+|]|-+")
_DASHES: Final = re.compile(r"[-=]+")
_HEADER_WORD: Final = (
    r"(?:[A-Za-z%#_(/.\u3400-\u9fff*~][\w%#()/.+:~*@|-]*+|-+[\w%/()]*+-*+|[&|](?=\s|$)"
    r"|\d{1,3}(?:st|nd|rd|th|%|min|m|s)|%\S+)"
)
_HEADER: Final = re.compile(rf"{_HEADER_WORD}(?:\s++{_HEADER_WORD})*+")
_NUMBER: Final = re.compile(r"[-+]?\d")
_PAIR: Final = re.compile(r":\s|=|：")
_GROUPS: Final = re.compile(r"-{2,}[\w %/()]+-{2,}|procs -")
_GROUP: Final = re.compile(r"-*([A-Za-z][\w /()]*?)-+|-+([A-Za-z]\w*)")
# A name in camel case or with a number: a cell rather than a header.
_VALUE: Final = re.compile(r"[a-z]*[A-Z][a-z]+[A-Z]\w*|\S*\d\S*")

# A key left of the table: what is described goes on.
_LEFT_KEY: Final = re.compile(r"[A-Za-z][\w./-]*(?: [\w./-]+){0,3}:(?:\s|$)")

_MOST_COLUMNS: Final = 64
_LONGEST_HEADER: Final = 1000
_LONGEST_SMALL_WORD: Final = 16
_LEAST_COLUMNS: Final = 2
_LEAST_PLAIN_COLUMNS: Final = 3


class _Column:
    __slots__ = ("name", "span")

    def __init__(self, name: str, span: Span) -> None:
        self.name = name
        self.span = span


class TableReader:
    """Reads one table at a time."""

    def __init__(self, builder: Builder, words: FormatWords) -> None:
        self._builder = builder
        self._rest = frozenset(words.rest_columns)
        self._parts = {entry.header: entry.parts for entry in words.split_columns}

    def size(self, lines: Sequence[Line], at: int) -> int:
        """Returns how many header lines a table has that begins at `at`, rules of dashes included; 0 for no table."""
        if at + 1 >= len(lines) or lines[at + 1].indent < 0 or is_pair_comment(lines[at + 1].bare):
            return 0
        bare = lines[at].bare
        behind = timed(bare)
        if not behind:
            return self._plain_size(lines, at)
        return int(self._is_header(bare[behind:]) and heads_samples(bare[behind:], lines[at + 1].bare))

    def _plain_size(self, lines: Sequence[Line], at: int) -> int:
        """Returns the same for a table whose header is nothing but words."""
        first, second = lines[at], lines[at + 1]
        bare = first.bare
        if "  " not in bare and "\t" not in bare and bare.count(" ") < _LEAST_PLAIN_COLUMNS - 1:
            return 0
        if not self._is_header(bare):
            return 0
        third = lines[at + 2] if at + 2 < len(lines) and lines[at + 2].indent >= 0 else None
        if third is not None:
            if _is_rule(second):
                return 2 if _ruled(first, second) else 0
            if _is_rule(third) and len(columns.tokens(third.bare)) >= _LEAST_COLUMNS and self._is_header(second.bare):
                return 3 if at + 3 < len(lines) and lines[at + 3].indent >= 0 else 0
            if ("--" in bare or bare[0] == "p") and _GROUPS.search(bare) and self._is_header(second.bare):
                return 2
            if self._is_two_storied(first, second, third):
                return 2
        strict = _is_strict(bare) or _heads_numbers(bare, second, third) or _heads_words(bare, second, third)
        return 1 if strict and _is_row(bare, second.bare, first.indent) else 0

    def _is_two_storied(self, first: Line, second: Line, third: Line) -> bool:
        """Tells whether two lines are one header, whose first names several columns of the second each."""
        if (
            third.indent < 0
            or _NUMBER.search(first.bare)
            or _NUMBER.search(second.bare)
            or not _NUMBER.search(third.bare)
        ):
            return False
        above, below = len(columns.fields(first.bare)), len(columns.fields(second.bare))
        if not 1 < above < below or not len(columns.fields(third.bare)) >= below:
            return False
        return _is_strict(first.bare) and self._is_header(second.bare) and _is_strict(second.bare)

    def _is_header(self, bare: str) -> bool:
        """Tells whether a line consists of what headers consist of: words, few of them with numbers."""
        if len(bare) > _LONGEST_HEADER or bare[-1] in ".:;,。：，" or _HEADER.fullmatch(bare) is None:
            return False
        words = bare.split()
        if not _LEAST_COLUMNS <= len(words) <= 2 * _MOST_COLUMNS:
            return False
        values = sum(1 for word in words if _VALUE.fullmatch(word) is not None and not word.isupper())
        return values * 3 <= len(words)

    def read(self, lines: Sequence[Line], at: int, headers: int, parent: int) -> int:
        """Reads the table that begins at `at` with so many header lines and returns the index of the line behind."""
        view = self._builder.view
        head = at + headers
        raws = []
        for line in lines[head : head + columns.SAMPLED_LINES]:
            if line.indent < 0 or line.bare.startswith("$ "):
                break
            raws.append(view[line.start : line.end])
        made = self._columns(lines, at, headers, raws)
        group = self._builder.group()
        names = [column.name for column in made]
        grouped = headers == 2 and _GROUPS.search(lines[at].bare) is not None
        # How many columns there are where each word of the header is one; -1 where dashes say how wide columns are.
        words = len(lines[head - 1].bare.split()) if headers == 1 or not _is_rule(lines[head - 1]) else -1
        tight = grouped or len(columns.fields(lines[head - 1].bare)) < words
        takes_rest = grouped or names[-1].lower() in self._rest
        last = -1
        anchor = -1
        for number in range(head, len(lines)):
            line = lines[number]
            if _is_rule(line):
                continue
            if line.indent >= 0 and (behind := timed(line.bare)) and last >= 0 and self._is_header(line.bare[behind:]):
                break  # the headers come again
            raw = view[line.start : line.end]
            cells = _cells(raw, made, words, tight=tight, takes_rest=takes_rest) if line.indent >= 0 else []
            filled = len(cells) - cells.count(None)
            # A row with a first cell alone is what the rows without one stand under, as in the rules of an ingress.
            opens = filled == 1 and cells[0] is not None and _is_deeper(lines, number)
            wanted = _LEAST_COLUMNS if len(made) > _LEAST_COLUMNS or last < 0 else 1
            if (filled < wanted and not opens) or self._is_other(lines, number, at, first=last < 0, tight=tight):
                break
            holder = anchor if anchor >= 0 and cells[0] is None else parent
            row = self._builder.open(RecordKind.ROW, holder, "", line.left, group)
            row.end = line.end
            for name, cell in zip(names, cells, strict=False):
                if cell is not None:
                    self._cell(row, name, line.start + cell[0], line.start + cell[1])
            anchor = row.index if opens else anchor if holder == anchor else -1
            last = number
        return last + 1 if last >= 0 else head

    def _is_other(self, lines: Sequence[Line], at: int, header: int, *, first: bool, tight: bool) -> bool:
        """Tells whether a line under a table is no row: a command, a key, a remark, another header."""
        line = lines[at]
        bare = line.bare
        if bare.startswith("$ ") or (line.indent < lines[header].indent and bare[-1] == ":"):
            return True
        if first:
            return False
        if line.indent < min(lines[header].indent, lines[at - 1].indent) and _LEFT_KEY.match(bare) is not None:
            return True
        if not tight and "  " not in bare and "\t" not in bare and bare.count(" ") > 1:
            return True
        return line.indent == lines[header].indent and (
            bare[0] in "#[" or (bare.isupper() and self.size(lines, at) > 0)
        )

    def _cell(self, row: Draft, name: str, start: int, end: int) -> None:
        if not name and self._builder.view[end - 1] == ":":
            end -= 1
        parts = self._parts.get(name)
        if parts is not None:
            pieces = self._builder.view[start:end].split("/")
            if len(pieces) == len(parts):
                at = start
                for part, piece in zip(parts, pieces, strict=True):
                    lead = len(piece) - len(piece.lstrip())
                    self._builder.field(row, part, at + lead, at + lead + len(piece.strip()))
                    at += len(piece) + 1
                return
        self._builder.field(row, name, start, end)

    def _columns(self, lines: Sequence[Line], at: int, headers: int, raws: Sequence[str]) -> list[_Column]:
        view = self._builder.view
        texts = [view[line.start : line.end] for line in lines[at : at + headers]]
        rule = texts[-1] if headers > 1 and _is_rule(lines[at + headers - 1]) else None
        if rule is not None:
            texts = texts[:-1]
            spans = [found.span() for found in _DASHES.finditer(rule)]
            if len(spans) > 1:
                return _named(texts, spans)
        if headers == 2 and rule is None:
            if _GROUPS.search(texts[0]) is None:
                return _two_storied(texts[0], texts[1], raws)
            return _grouped(texts[0], texts[1])
        header = texts[-1]
        if behind := timed(header.lstrip()):
            return _timed_columns(header, len(header) - len(header.lstrip()) + behind)
        if header.strip().count("\t") >= _LEAST_COLUMNS - 1:
            return [_Column(header[slice(*span)], span) for span in columns.tabbed(header)]
        by_fields, by_tokens = columns.fields(header), columns.tokens(header)
        row_fields = [len(columns.fields(raw)) for raw in raws[:4]]
        row_tokens = [len(columns.tokens(raw)) for raw in raws[:4]]
        if len(by_fields) > 1 and len(by_fields) in row_fields:
            by_fields = _split_fields(header, by_fields, raws)
            return [_Column(header[slice(*span)], Ruler(header).span(span)) for span in by_fields]
        if len(by_fields) > 1 and _has_stub(by_fields, raws):
            return [
                _stub(by_fields),
                *(_Column(header[slice(*span)], Ruler(header).span(span)) for span in by_fields),
            ]
        if len(by_tokens) in row_tokens or (
            len(by_tokens) > len(by_fields) and header[slice(*by_tokens[-1])].lower() in self._rest
        ):
            return [_Column(header[slice(*span)], Ruler(header).span(span)) for span in by_tokens]
        return _stretched(header, raws)


def _timed_columns(header: str, at: int) -> list[_Column]:
    """Names the columns of a header that begins with the time of its first sample, where that ends before `at`."""
    ruler = Ruler(header)
    time = (len(header) - len(header.lstrip()), len(header[:at].rstrip()))
    spans = [(at + start, at + end) for start, end in columns.tokens(header[at:])]
    return [
        _Column("time", ruler.span(time)),
        *(_Column(header[slice(*span)], ruler.span(span)) for span in spans),
    ]


def _cells(raw: str, made: Sequence[_Column], words: int, *, tight: bool, takes_rest: bool) -> list[Span | None]:
    """Returns the span of each column's cell in a row."""
    count = len(made)
    if words >= 0:
        if "\t" in raw:
            pieces = columns.tabbed(raw)
            if len(pieces) <= count:
                return [*(piece if piece[0] < piece[1] else None for piece in pieces), *[None] * (count - len(pieces))]
        parts = columns.fields(raw)
        if len(parts) == count and (not made[0].name or _fits(raw, parts, made)):
            return list(parts)
        loose = columns.tokens(raw)
        if len(loose) == count == words and (tight or len(parts) == count):
            return list(loose)
        if len(loose) > count == words and takes_rest:
            return [*loose[: count - 1], (loose[count - 1][0], loose[-1][1])]
    return _placed(raw, made)


def _fits(raw: str, parts: Sequence[Span], made: Sequence[_Column]) -> bool:
    """Tells whether as many parts as columns stand in these columns, not one beside an empty one."""
    ruler = Ruler(raw)
    shift = 0
    for part, column in zip(parts, made, strict=True):
        start, end = ruler.span(part)
        gap = max(start - column.span[1], column.span[0] - end)
        shift = max(shift, gap)
    return shift <= 24


def _placed(raw: str, made: Sequence[_Column]) -> list[Span | None]:
    """Puts the words of a row into the columns above them."""
    ruler = Ruler(raw)
    parts = columns.fields(raw)
    spans = [column.span for column in made]
    placed: list[Span | None] = [None] * len(made)
    for part in parts:
        on_screen = ruler.span(part)
        touched = [i for i, span in enumerate(spans) if on_screen[0] < span[1] and span[0] < on_screen[1]]
        if len(touched) <= 1:
            index = touched[0] if touched else _nearest(on_screen, spans)
            before = placed[index]
            placed[index] = part if before is None else (before[0], part[1])
            continue
        # One blank only between two columns: each word goes where it stands.
        inner = [(part[0] + s, part[0] + e) for s, e in columns.tokens(raw[part[0] : part[1]])]
        held = columns.gather([ruler.span(piece) for piece in inner], spans)
        screen = {ruler.span(piece): piece for piece in inner}
        for index, pieces in enumerate(held):
            if pieces:
                left, right = screen[pieces[0]][0], screen[pieces[-1]][1]
                before = placed[index]
                placed[index] = (left, right) if before is None else (min(before[0], left), max(before[1], right))
    return placed


def _nearest(part: Span, spans: Sequence[Span]) -> int:
    """Returns the column that a part beside all headers belongs to: the one that it begins or ends with."""
    best, least = 0, 1 << 30
    for index, span in enumerate(spans):
        gap = min(abs(part[0] - span[0]), abs(part[1] - span[1]), abs(part[0] - span[1]), abs(span[0] - part[1]))
        if gap < least:
            best, least = index, gap
    return best


def _named(texts: Sequence[str], spans: Sequence[Span]) -> list[_Column]:
    """Names the columns that dashes mark by the words above them."""
    names: list[list[str]] = [[] for _ in spans]
    for text in texts:
        held = columns.gather(columns.tokens(text), spans)
        for index, pieces in enumerate(held):
            names[index] += [text[start:end] for start, end in pieces]
    return [_Column(" ".join(words), span) for words, span in zip(names, spans, strict=True)]


def _split_fields(header: str, parts: Sequence[Span], raws: Sequence[str]) -> list[Span]:
    """Takes headers apart whose one blank runs through all rows (`PID USER` above `17 root`)."""
    spans: list[Span] = []
    for start, end in parts:
        left = start
        cut = header.find(" ", start, end)
        while cut >= 0:
            if all(
                len(raw) > cut + 1 and raw[cut] == " " and raw[cut + 1] != " " and raw[cut - 1] != " " for raw in raws
            ):
                spans.append((left, cut))
                left = cut + 1
            cut = header.find(" ", cut + 1, end)
        spans.append((left, end))
    return spans


def _is_strict(bare: str) -> bool:
    """Tells whether a header can be one without a rule below it."""
    if _PAIR.search(bare) is not None:
        return False
    words = bare.split()
    parts = len(columns.fields(bare))
    if parts < _LEAST_COLUMNS and not (len(words) >= _LEAST_PLAIN_COLUMNS and bare.upper() == bare):
        return False
    # A header has capitals or it is Chinese, or it is made of short words in small letters.
    if bare[0].isupper() or bare[0] in "%#" or "\u3400" <= bare[0] <= "\u9fff":
        return True
    if "\t" in bare or "_" in bare:
        return parts >= _LEAST_PLAIN_COLUMNS
    return len(words) >= 4 and parts >= 3 and max(map(len, words)) <= _LONGEST_SMALL_WORD


def _heads_numbers(bare: str, second: Line, third: Line | None) -> bool:
    """Tells whether a line in small letters heads rows: it has no number, they have some, and as many fields each."""
    parts = len(columns.fields(bare))
    if parts < _LEAST_PLAIN_COLUMNS or _PAIR.search(bare) is not None or any(char.isdigit() for char in bare):
        return False
    rows = [second] if third is None else [second, third]
    return all(
        len(columns.fields(row.bare)) == parts and any(_NUMBER.match(word) for word in row.bare.split()[1:])
        for row in rows
    )


def _heads_words(bare: str, second: Line, third: Line | None) -> bool:
    """Tells whether each word of a line heads a column: rows have as many, and numbers in the same places."""
    words = len(bare.split())
    if words < _LEAST_PLAIN_COLUMNS or _PAIR.search(bare) is not None or third is None:
        return False
    rows = [second.bare.split(), third.bare.split()]
    numbers = [[at for at, word in enumerate(row) if _NUMBER.match(word)] for row in rows]
    return (
        all(len(row) == words for row in rows)
        and numbers[0] == numbers[1] != []
        and 0 not in numbers[0]
        and not any(_NUMBER.match(word) for word in bare.split())
        and all("  " in row.bare for row in (second, third))
    )


def _has_stub(parts: Sequence[Span], raws: Sequence[str]) -> bool:
    """Tells whether the first column of the rows has no header."""
    fits = 0
    for raw in raws:
        row = columns.fields(raw)
        if len(row) <= len(parts) or row[0][1] > parts[0][0]:
            return False
        fits += len(row) == len(parts) + 1
    return fits > 0


def _stub(parts: Sequence[Span]) -> _Column:
    return _Column("", (0, max(parts[0][0] - 1, 1)))


def _two_storied(groups: str, header: str, raws: Sequence[str]) -> list[_Column]:
    """Names each column by the word above its own that is nearest to it, and its own."""
    tops = columns.fields(groups)
    spans = columns.fields(header)
    made = []
    for start, end in spans:
        middle = start + end
        top = min(tops, key=lambda span: (abs(span[0] + span[1] - middle), span[0]))
        made.append(_Column(f"{groups[slice(*top)]} {header[start:end]}", (start, end)))
    if _has_stub(spans, raws):
        made.insert(0, _stub(spans))
    return made


def _grouped(groups: str, header: str) -> list[_Column]:
    """Names columns by a first line that spans several of them (`-----io----`) and a second."""
    spans = columns.tokens(header)
    tops = [found.span() for found in columns.TOKEN.finditer(groups)]
    made = []
    for start, end in spans:
        top = next((groups[a:b].strip("-") for a, b in tops if a - 1 <= start and end <= b + 1), "")
        name = header[start:end]
        made.append(_Column(f"{top} {name}" if top else name, (start, end)))
    return made


def _stretched(header: str, raws: Sequence[str]) -> list[_Column]:
    """Names the stretches of screen columns that header and rows share."""
    spans = columns.stretches([header, *raws])
    ruler = Ruler(header)
    parts = columns.tokens(header)
    held = columns.gather([ruler.span(part) for part in parts], spans)
    names = {ruler.span(part): header[slice(*part)] for part in parts}
    filled = [False] * len(spans)
    for raw in raws:
        own = Ruler(raw)
        for index, pieces in enumerate(columns.gather([own.span(part) for part in columns.tokens(raw)], spans)):
            filled[index] = filled[index] or bool(pieces)
    made: list[_Column] = []
    for index, span in enumerate(spans):
        name = " ".join(names[piece] for piece in held[index])
        if name and not filled[index] and made and span[0] - made[-1].span[1] == 1:
            # `Mounted on` above `/`: the second word belongs to the first.
            made[-1] = _Column(f"{made[-1].name} {name}".strip(), (made[-1].span[0], span[1]))
        elif not name and made and span[0] - made[-1].span[1] <= 1 and index + 1 == len(spans):
            made[-1] = _Column(made[-1].name, (made[-1].span[0], span[1]))
        else:
            made.append(_Column(name, span))
    return made


def _is_deeper(lines: Sequence[Line], at: int) -> bool:
    """Tells whether the next line is indented further."""
    return at + 1 < len(lines) and lines[at + 1].indent > lines[at].indent


def _is_rule(line: Line) -> bool:
    return line.indent >= 0 and line.bare[0] in "-=+|" and len(line.bare) > 2 and _RULE.fullmatch(line.bare) is not None


def _ruled(header: Line, rule: Line) -> bool:
    """Tells whether a rule marks columns and is no underline of a title."""
    runs = len(_DASHES.findall(rule.bare))
    return runs > 1 or len(columns.fields(header.bare)) > 1


def _is_row(header: str, row: str, indent: int) -> bool:
    """Tells whether a line below a header can be its first row."""
    parts, words = columns.fields(row), row.split()
    heads, head_words = columns.fields(header), header.split()
    if len(parts) < _LEAST_COLUMNS and len(words) < len(heads):
        return False
    if len(parts) < _LEAST_COLUMNS and len(words) != len(head_words):
        return False
    if header.upper() == header:
        return True
    if len(heads) == _LEAST_COLUMNS == len(parts) and row[0].isupper() and (indent == 0 or header[:2].isupper()):
        # Two columns in the same style are a list of names and values.
        return False
    return _NUMBER.search(row) is not None or len(parts) == len(heads)
