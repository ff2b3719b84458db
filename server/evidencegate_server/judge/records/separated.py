"""Reads tables whose cells one sign separates and no rule frames: CSV with commas or semicolons, bare bars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.records.builder import Builder
from evidencegate_server.judge.records.columns import Span
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.records.source import Line

# A quoted cell can hold the sign; `""` in it is a quote.
_CELLS: Final = {
    ",": re.compile(r'"(?:[^"\n]|"")*+"(?=,|$)|[^,"\n][^,\n]*+|(?=,|$)'),
    ";": re.compile(r'"(?:[^"\n]|"")*+"(?=;|$)|[^;"\n][^;\n]*+|(?=;|$)'),
    "|": re.compile(r"[^|\n]*+"),
}
# A header names columns: words, perhaps with a unit in brackets, and nothing that a sentence or a pair has.
_HEADER: Final = re.compile(r"\"?[A-Za-z_%#@\u3400-\u9fff][\w %()（）/.+<>*&°€$'?\[\]-]{0,47}\"?")
_NUMBER: Final = re.compile(r"\"?[-+]?[$\u00a5\u20ac]?\d[\d.,_]*(?: ?[%A-Za-z\u00b5/]{1,8})?\"?(?: ?\u00b1.*)?")
_LEAST_COLUMNS: Final = 3
_MOST_COLUMNS: Final = 64
_LONGEST_HEADER: Final = 1000
_DIGIT: Final = re.compile(r"\d")


@record
class Layout:
    """How a table separates its cells, and how many of them a row has."""

    sign: str
    columns: int


def layout(lines: Sequence[Line], at: int) -> Layout | None:
    """Returns how the table separates its cells whose header stands at a line; None where none begins."""
    bare = lines[at].bare
    if len(bare) > _LONGEST_HEADER or at + 1 >= len(lines) or lines[at + 1].indent != lines[at].indent:
        return None
    following = lines[at + 1].bare
    for sign in ("|", ",", ";"):
        if sign not in bare or sign not in following:
            continue
        names = _names(bare, sign)
        if names and not _is_listed(names, bare, sign) and _is_first_row(names, _texts(following, sign), sign):
            return Layout(sign, len(names))
        if (
            len(names) >= _LEAST_COLUMNS
            and f"{sign} " not in bare
            and _goes_on(names, lines[at + 1 : at + 3], lines[at].indent, sign)
        ):
            return Layout(sign, len(names))
    return None


def _goes_on(names: Sequence[str], rows: Sequence[Line], indent: int, sign: str) -> bool:
    """Tells whether two rows without a number stand below a header without one, both with as many cells."""
    return (
        len(rows) == 2
        and not any(_DIGIT.search(name) for name in names)
        and all(row.indent == indent and len(_texts(row.bare, sign)) == len(names) for row in rows)
    )


def _names(bare: str, sign: str) -> list[str]:
    """Returns the names of a header's columns, none where the line is no header."""
    # A blank stands behind each comma or none, and before each bar.
    spaced = bare.count(f"{sign} ")
    if (sign != "|" and spaced not in (0, bare.count(sign))) or (sign == "|" and " | " not in bare):
        return []
    names = _texts(bare, sign)
    if not 2 <= len(names) <= _MOST_COLUMNS or not all(_HEADER.fullmatch(name) for name in names[1:]):
        return []
    if names[0] and _HEADER.fullmatch(names[0]) is None:
        return []
    return names if len({name.lower() for name in names}) == len(names) else []


def _is_first_row(names: Sequence[str], cells: Sequence[str], sign: str) -> bool:
    """Tells whether a row can stand below a header: as many cells, one of them a number where the header has a word."""
    if len(names) != len(cells) or len(names) < (_LEAST_COLUMNS if sign != "|" else 2):
        return False
    numbers = [at for at, cell in enumerate(cells) if _NUMBER.fullmatch(cell)]
    if len(names) < _LEAST_COLUMNS:
        return numbers == [1] and cells[0].lower() != names[0].lower()
    return bool(numbers) and not all(_DIGIT.search(name) for name in names)


def _is_listed(names: Sequence[str], bare: str, sign: str) -> bool:
    """Tells whether what looks like a header may be a list in a sentence: blanks behind its commas, and no unit."""
    return f"{sign} " in bare and sign != "|" and not any("[" in name or "_" in name or "." in name for name in names)


def _texts(bare: str, sign: str) -> list[str]:
    return [bare[start:end] for start, end in _cells(bare, 0, len(bare), sign)]


def _cells(view: str, start: int, end: int, sign: str) -> list[Span]:
    """Returns the spans of the cells between two places, without blanks and quotes around them."""
    spans: list[Span] = []
    at = start
    while at <= end:
        found = _CELLS[sign].match(view, at, end)
        if found is None:
            return []
        left, right = found.span()
        at = right + 1
        while left < right and view[left] in " \t":
            left += 1
        while right > left and view[right - 1] in " \t":
            right -= 1
        if right - left > 1 and view[left] == view[right - 1] == '"':
            left, right = left + 1, right - 1
        spans.append((left, right))
        if len(spans) > _MOST_COLUMNS:
            return []
    return spans


class SeparatedReader:
    """Reads one table at a time."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def read(self, lines: Sequence[Line], at: int, found: Layout, parent: int) -> int:
        """Reads the table whose header stands at `at` and returns the index of the line behind it."""
        builder = self._builder
        header = lines[at]
        names = [builder.text[start:end] for start, end in _cells(builder.view, header.left, header.end, found.sign)]
        group = builder.group()
        stop = at + 1
        while stop < len(lines) and lines[stop].indent == header.indent:
            line = lines[stop]
            cells = _cells(builder.view, line.left, line.end, found.sign)
            if len(cells) != found.columns:
                break
            row = builder.open(RecordKind.ROW, parent, "", line.left, group)
            row.end = line.end
            for name, (start, end) in zip(names, cells, strict=True):
                if end > start:
                    builder.field(row, name, start, end)
            stop += 1
        return stop
