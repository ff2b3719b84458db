"""Condenses metrics and alerts: names, services and values first, and no alert that the output does not have."""

from __future__ import annotations

from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys, is_json, lay_out, writer
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick, tidy_line
from evidencegate_server.trace.condensers.policy import MetricWords

_TELLING: Final = 2.0


class MetricCondenser:
    """Samples, series and alerts, JSON or text. Each line is one of them as it stands: nothing is computed."""

    def __init__(self, words: MetricWords) -> None:
        self._words = words
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the telling samples or alerts."""
        json = is_json(text)
        lines = Lines(lay_out(text) if json else text)
        lines.add_focus(focus)
        lines.add_words(self._words.telling, _TELLING)
        lines.add_head()
        return pick(lines, max_chars, write=writer(self._keys, focus.quotes) if json else tidy_line)
