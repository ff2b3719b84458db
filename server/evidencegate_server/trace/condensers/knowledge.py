"""Condenses what was looked up in runbooks, skills and past cases: what was found, then the passages that matter."""

from __future__ import annotations

from evidencegate_server.trace.condensers.json_text import JsonKeys, is_json, lay_out, writer
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import pick, tidy_line
from evidencegate_server.trace.condensers.policy import KnowledgeWords


class KnowledgeCondenser:
    """Documents with titles, layers and relevance, JSON or prose."""

    def __init__(self, words: KnowledgeWords) -> None:
        self._keys = JsonKeys(words.first_keys, words.dropped_keys)

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the beginning, which names the document, and the passages that claims speak of."""
        json = is_json(text)
        lines = Lines(lay_out(text) if json else text)
        lines.add_focus(focus)
        lines.add_head()
        lines.keep_first()
        return pick(lines, max_chars, write=writer(self._keys, focus.quotes) if json else tidy_line)
