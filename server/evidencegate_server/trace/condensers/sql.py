"""Condenses rows of a database: the header, the rows that claims speak of, then the first rows."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick, tidy_line
from evidencegate_server.trace.condensers.reading import read

# A line that only frames a table; stars begin a row that is written downwards.
_FRAME = re.compile(r"^[-+=|* ]{3,}\n?", re.MULTILINE)
_KEYS: Final = JsonKeys()


class SqlCondenser:
    """Tables with or without borders, rows written one field a line, JSON rows."""

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the header and rows."""
        reading = read(text, focus, _KEYS, plain=_without_frame, write=_write_row)
        reading.lines.add_head()
        if not reading.is_json:
            reading.lines.keep_first()
        return pick(reading.lines, max_chars, write=reading.write)


def _write_row(line: str) -> str:
    return tidy_line(line.strip().strip("|"))


def _without_frame(text: str) -> str:
    return _FRAME.sub("", text)
