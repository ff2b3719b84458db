"""Condenses logs: the lines that claims speak of, those that tell of a fault, then the first."""

from __future__ import annotations

from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick
from evidencegate_server.trace.condensers.policy import LogWords
from evidencegate_server.trace.condensers.reading import read

_TELLING: Final = 2.0
_LAST: Final = 0.5


class LogCondenser:
    """Log lines, plain or JSON. Of lines that differ in their digits alone the first one is shown."""

    def __init__(self, words: LogWords) -> None:
        self._words = words
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the telling lines."""
        reading = read(text, focus, self._keys)
        reading.lines.add_words(self._words.telling, _TELLING)
        reading.lines.add_tail(_LAST)
        reading.lines.add_head()
        return pick(reading.lines, max_chars, write=reading.write, unlike=True)
