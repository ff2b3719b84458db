"""Condenses what kubectl prints: the header, rows and events that are out of order, then the first lines."""

from __future__ import annotations

from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick
from evidencegate_server.trace.condensers.policy import KubectlWords
from evidencegate_server.trace.condensers.reading import read

_TELLING: Final = 2.0
_LAST: Final = 0.5  # events stand at the end of a description


class KubectlCondenser:
    """Tables, descriptions and events, text or JSON."""

    def __init__(self, words: KubectlWords) -> None:
        self._words = words
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the telling lines under their header."""
        reading = read(text, focus, self._keys)
        reading.lines.add_words(self._words.telling, _TELLING)
        reading.lines.add_tail(_LAST)
        reading.lines.add_head()
        if not reading.is_json:
            reading.lines.keep_first(besides=_is_label)
        return pick(reading.lines, max_chars, write=reading.write)


def _is_label(line: str) -> bool:
    """Returns whether a line only names what follows, such as `stdout:`."""
    return line.endswith(":") and " " not in line
