"""Condenses what no other condenser knows: what claims speak of, then the beginning."""

from __future__ import annotations

from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick
from evidencegate_server.trace.condensers.reading import read

_KEYS: Final = JsonKeys()


class PlainCondenser:
    """Text of any form."""

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the lines that claims speak of and the first ones."""
        reading = read(text, focus, _KEYS)
        reading.lines.add_head()
        return pick(reading.lines, max_chars, write=reading.write)


def first_lines(text: str, max_chars: int) -> Condensed:
    """Returns the first lines of a text as they stand."""
    lines = Lines(text)
    lines.add_head()
    return pick(lines, max_chars)
