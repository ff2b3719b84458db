"""Condenses logs: the lines that claims speak of, those that tell of a fault, then the first."""

from __future__ import annotations

from typing import Final

from evidencegate_server.trace.condensers.json_text import JsonKeys, is_json, lay_out, writer
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick, tidy_line
from evidencegate_server.trace.condensers.policy import LogWords

_TELLING: Final = 2.0
_LAST: Final = 0.5


class LogCondenser:
    """Log lines, plain or JSON. Of lines that differ in their digits alone the first one is shown."""

    def __init__(self, words: LogWords) -> None:
        self._words = words
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the telling lines."""
        json = is_json(text)
        lines = Lines(lay_out(text) if json else text)
        lines.add_focus(focus)
        lines.add_words(self._words.telling, _TELLING)
        lines.add_tail(_LAST)
        lines.add_head()
        return pick(lines, max_chars, write=writer(self._keys, focus.quotes) if json else tidy_line, unlike=True)
