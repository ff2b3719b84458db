"""Holds one evidence text in the forms that comparing needs, each made at most once and only when asked for."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.text.fold import Folder
from evidencegate_server.text.folded import FoldedText
from evidencegate_server.text.rewrite import Rewritten, drop_quotes, unescape_html, unescape_json

_JSON_START: Final = re.compile(r'[ \t\r\n]{0,256}[{\["]')


class TextView:
    """A text to search: the original, or the original with one level of escaping undone."""

    __slots__ = ("_folded", "_has_sequences", "_is_json", "_is_plain", "_rewritten", "_unquoted", "text")

    def __init__(self, text: str, rewritten: Rewritten | None = None) -> None:
        self.text = text
        self._has_sequences: bool | None = None
        self._is_json: bool | None = None
        self._is_plain: bool | None = None
        self._rewritten = rewritten
        self._folded: FoldedText | None = None
        self._unquoted: Rewritten | None = None

    @property
    def is_json(self) -> bool:
        """Whether it looks like a JSON text as it was stored."""
        if self._is_json is None:
            self._is_json = self._rewritten is None and _JSON_START.match(self.text) is not None
        return self._is_json

    @property
    def is_plain(self) -> bool:
        """Whether folding changes no character."""
        if self._is_plain is None:
            self._is_plain = self.text.isascii() and not self.has_sequences
        return self._is_plain

    @property
    def has_sequences(self) -> bool:
        """Whether there may be terminal sequences in it."""
        if self._has_sequences is None:
            self._has_sequences = "\x1b" in self.text or "\x9b" in self.text
        return self._has_sequences

    def folded(self, folder: Folder) -> FoldedText:
        """Returns the folded text."""
        if self._folded is None:
            self._folded = FoldedText(self.text, folder)
        return self._folded

    def unquoted(self, folder: Folder) -> Rewritten:
        """Returns the folded text in lower case without quote marks."""
        if self._unquoted is None:
            self._unquoted = drop_quotes(self.folded(folder).lowered)
        return self._unquoted

    def hides_control(self, start: int, end: int, said: str) -> bool:
        """Returns whether a range has a line break or tab that came of an escape and that a quotation does not have.

        The text may hold no escapes at all, only a path with backslashes that looks like some.
        """
        if self._rewritten is None:
            return False
        found = self.text[start:end]
        breaks = "\n" in found or "\r" in found
        if breaks and "\n" not in said and "\r" not in said:
            return self._came_of_escapes(start, end, "\n\r")
        return "\t" in found and "\t" not in said and self._came_of_escapes(start, end, "\t")

    def _came_of_escapes(self, start: int, end: int, controls: str) -> bool:
        assert self._rewritten is not None
        for position in range(start, end):
            if self.text[position] in controls:
                first, last = self._rewritten.original_span(position, position + 1)
                if last - first > 1:
                    return True
        return False

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Returns the half-open range of the evidence's original text for a non-empty range of this view."""
        return (start, end) if self._rewritten is None else self._rewritten.original_span(start, end)


class EvidenceText:
    """The text of one evidence ref.

    `original` is exactly what was persisted. Everything derived from it is made on the first question and kept, so an
    object that outlives a request serves the next one at no cost. Not safe for two threads at the same time beyond
    doing work twice.
    """

    __slots__ = ("_html", "_json", "_view", "original")

    def __init__(self, original: str) -> None:
        self.original = original
        self._view: TextView | None = None
        self._json: TextView | None = None
        self._html: TextView | None = None

    def view(self) -> TextView:
        """Returns the text as it is."""
        if self._view is None:
            self._view = TextView(self.original)
        return self._view

    def json_unescaped(self) -> TextView | None:
        """Returns the text with JSON escapes undone once, or None where there are none."""
        if "\\" not in self.original:
            return None
        if self._json is None:
            rewritten = unescape_json(self.original)
            self._json = TextView(rewritten.text, rewritten)
        return self._json

    def html_unescaped(self) -> TextView | None:
        """Returns the text with HTML entities undone once, or None where there are none."""
        if "&" not in self.original:
            return None
        if self._html is None:
            rewritten = unescape_html(self.original)
            self._html = TextView(rewritten.text, rewritten)
        return self._html
