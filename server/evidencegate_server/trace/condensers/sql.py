"""Condenses rows of a database: the header, the rows that claims speak of, then the first rows."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys, is_json, lay_out, writer
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick, tidy_line

_FRAME = re.compile(
    r"^[-+=|* ]{3,}\n?", re.MULTILINE
)  # a line that only frames a table; stars begin a row written downwards
_KEYS: Final = JsonKeys()


class SqlCondenser:
    """Tables with or without borders, rows written one field a line, JSON rows."""

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the header and rows."""
        json = is_json(text)
        lines = Lines(lay_out(text) if json else _FRAME.sub("", text))
        lines.add_focus(focus)
        lines.add_head()
        if not json:
            lines.keep_first()
        return pick(lines, max_chars, write=writer(_KEYS, focus.quotes) if json else _write_row)


def _write_row(line: str) -> str:
    return tidy_line(line.strip().strip("|"))
