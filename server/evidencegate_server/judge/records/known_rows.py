"""Reads rows that tools print without a header, by the columns that the lexicon gives them."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.judge.records.builder import Builder, Draft
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.lexicon.format_words import FormatWords, RowFormat, Separation

_ANY: Final = {
    Separation.GAP: r"\S++(?: \S++)*+",
    Separation.BLANK: r"(?:\"[^\"]*+\"|\[[^\]]*+\]|\S++)",
}
_BETWEEN: Final = {Separation.GAP: r"(?:\t\s*+| {2,}+)", Separation.BLANK: r"\s++"}
# How many columns tell that a line may have the format at all.
_TOLD_BY: Final = 3
_WRAPPED: Final = {'"': '"', "[": "]", "{": "}"}


class _Format:
    __slots__ = ("begin", "columns", "name", "pattern")

    def __init__(self, entry: RowFormat) -> None:
        between = _BETWEEN[entry.separation]
        pattern = ""
        self.begin = "".join(
            f"{between if number else ''}(?:{column.shape or _ANY[entry.separation]})"
            for number, column in enumerate(entry.columns[:_TOLD_BY])
        )
        for number, column in enumerate(entry.columns):
            shape = f"({column.shape or _ANY[entry.separation]})"
            part = f"{between}{shape}" if number else shape
            pattern += f"(?:{part})?" if column.optional else part
        self.columns = [column.name for column in entry.columns]
        if entry.rest:
            pattern += rf"(?:{between}(\S.*))?"
            self.columns.append(entry.rest)
        self.name = entry.name
        self.pattern = re.compile(pattern)


class KnownRows:
    """Knows the formats of the lexicon."""

    def __init__(self, words: FormatWords) -> None:
        self._formats = [_Format(entry) for entry in words.rows]
        self._begins = re.compile("|".join(f"(?:{known.begin})" for known in self._formats))

    def read(self, builder: Builder, draft: Draft | None, parent: int, start: int, end: int) -> Draft | None:
        """Reads the row into a record, `draft` or a new one; returns None where the line has no known format."""
        view = builder.view
        if self._begins.match(view, start, end) is None:
            return None
        for known in self._formats:
            found = known.pattern.fullmatch(view, start, end)
            if found is None:
                continue
            row = draft or builder.open(RecordKind.ROW, parent, "", start)
            for number, name in enumerate(known.columns, 1):
                left, right = found.span(number)
                if left < 0 or right <= left:
                    continue
                if right - left > 1 and _WRAPPED.get(view[left]) == view[right - 1]:
                    left, right = left + 1, right - 1
                if right > left:
                    builder.field(row, name, left, right)
            row.end = end
            return row
        return None
