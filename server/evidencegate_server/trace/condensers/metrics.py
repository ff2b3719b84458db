"""Condenses metrics and alerts: names, services and values first, and no alert that the output does not have."""

from __future__ import annotations

from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick
from evidencegate_server.trace.condensers.policy import MetricWords
from evidencegate_server.trace.condensers.reading import read

_TELLING: Final = 2.0


class MetricCondenser:
    """Samples, series and alerts, JSON or text. Each line is one of them as it stands: nothing is computed."""

    def __init__(self, words: MetricWords) -> None:
        self._words = words
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the telling samples or alerts."""
        reading = read(text, focus, self._keys)
        reading.lines.add_words(self._words.telling, _TELLING)
        reading.lines.add_head()
        return pick(reading.lines, max_chars, write=reading.write)
