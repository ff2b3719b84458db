"""Condenses what was looked up in runbooks, skills and past cases: what was found, then the passages that matter."""

from __future__ import annotations

from evidencegate_server.trace.condensers.json_text import JsonKeys
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick
from evidencegate_server.trace.condensers.policy import KnowledgeWords
from evidencegate_server.trace.condensers.reading import read


class KnowledgeCondenser:
    """Documents with titles, layers and relevance, JSON or prose."""

    def __init__(self, words: KnowledgeWords) -> None:
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the beginning, which names the document, and the passages that claims speak of."""
        reading = read(text, focus, self._keys)
        reading.lines.add_head()
        reading.lines.keep_first()
        return pick(reading.lines, max_chars, write=reading.write)
