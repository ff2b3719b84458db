"""Reads tables whose columns bars separate: markdown, mysql, psql, etcdctl."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.records.builder import Builder
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.records.source import Line

_RULE: Final = re.compile(r"[-+|:= ]*-[-+|:= ]*")
_CELL: Final = re.compile(r"\s*([^|│]*?)\s*(?:[|│]|$)")


def is_table(lines: Sequence[Line], at: int) -> bool:
    """Tells whether a table with bars begins at the line."""
    bare = lines[at].bare
    if bare[0] in "|│" and bare.count("|") + bare.count("│") >= 2:
        return True
    if bare[0] == "+" and is_rule(bare):
        return at + 1 < len(lines) and lines[at + 1].bare[:1] in ("|", "│")
    if " | " not in bare and "│" not in bare:
        return False
    return at + 1 < len(lines) and lines[at + 1].indent >= 0 and is_rule(lines[at + 1].bare)


def is_rule(bare: str) -> bool:
    """Tells whether a line is a rule between header and rows."""
    return len(bare) > 2 and bare[0] in "-+|:=" and _RULE.fullmatch(bare) is not None


def _is_framed(lines: Sequence[Line], at: int) -> bool:
    """Tells whether the bar that a table begins with is its frame and stands for no empty first header."""
    bare = lines[at].bare
    if bare[0] not in "|│" or bare[-1] in "|│":
        return True
    following = next((line for line in lines[at + 1 : at + 3] if line.indent >= 0 and not is_rule(line.bare)), None)
    return following is None or following.bare[0] in "|│"


class BarReader:
    """Reads one table at a time."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def read(self, lines: Sequence[Line], at: int, parent: int) -> int:
        """Reads the table at `at` and returns the index of the line behind it."""
        builder = self._builder
        group = builder.group()
        names: list[str] | None = None
        stop = at
        rows: list[list[tuple[int, int]]] = []
        places: list[Line] = []
        ruled = False
        framed = _is_framed(lines, at)
        while stop < len(lines) and lines[stop].indent >= 0:
            line = lines[stop]
            if is_rule(line.bare):
                ruled = ruled or len(rows) == 1
            elif "|" in line.bare or "│" in line.bare:
                rows.append(self._split(line, framed=framed))
                places.append(line)
            else:
                break
            stop += 1
        if rows and (ruled or (len(rows) > 1 and self._is_header(rows[0], rows[1]))):
            names = [builder.text[start:end] for start, end in rows[0]]
            rows, places = rows[1:], places[1:]
        for cells, line in zip(rows, places, strict=True):
            row = builder.open(RecordKind.ROW, parent, "", line.left, group)
            row.end = line.end
            for index, (start, end) in enumerate(cells):
                name = names[index] if names is not None and index < len(names) else ""
                if end > start:
                    builder.field(row, name, start, end)
        return max(stop, at + 1)

    def _split(self, line: Line, *, framed: bool) -> list[tuple[int, int]]:
        view = self._builder.view
        start, end = line.left, line.end
        if framed and view[start] in "|│":
            start += 1
        if view[end - 1] in "|│" and end - 1 > start:
            end -= 1
        spans = []
        at = start
        while at <= end:
            found = _CELL.match(view, at, end)
            if found is None:
                break
            left, right = found.span(1)
            if right - left > 2 and view[left] == "`" == view[right - 1]:
                left, right = left + 1, right - 1
            spans.append((left, right))
            if found.end() >= end and (found.end() == found.end(1) or view[found.end() - 1] not in "|│"):
                break
            at = found.end()
        return spans

    def _is_header(self, first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]) -> bool:
        """Tells whether a first row without a rule below it names the columns: it has no numbers, the next one has."""
        if len(first) != len(second):
            return False
        view = self._builder.view
        top = "".join(view[start:end] for start, end in first)
        return not any(char.isdigit() for char in top) and "`" not in top
