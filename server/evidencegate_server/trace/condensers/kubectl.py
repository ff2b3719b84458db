"""Condenses what kubectl prints: the header, rows and events that are out of order, then the first lines."""

from __future__ import annotations

from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys, is_json, lay_out, writer
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick, tidy_line
from evidencegate_server.trace.condensers.policy import KubectlWords

_TELLING: Final = 2.0
_LAST: Final = 0.5  # events stand at the end of a description


class KubectlCondenser:
    """Tables, descriptions and events, text or JSON."""

    def __init__(self, words: KubectlWords) -> None:
        self._words = words
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the telling lines under their header."""
        json = is_json(text)
        lines = Lines(lay_out(text) if json else text)
        lines.add_focus(focus)
        lines.add_words(self._words.telling, _TELLING)
        lines.add_tail(_LAST)
        lines.add_head()
        if not json:
            lines.keep_first(besides=_is_label)
        return pick(lines, max_chars, write=writer(self._keys, focus.quotes) if json else tidy_line)


def _is_label(line: str) -> bool:
    """Returns whether a line only names what follows, such as `stdout:`."""
    return line.endswith(":") and " " not in line
