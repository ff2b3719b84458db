"""Undoes one level of escaping in a text, with the way back to the original."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Final

_SHORT_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_JSON_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\"\\/bfnrt])"
)
_NAMED_ENTITIES: Final = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " "}
_HTML_ENTITY: Final = re.compile(r"&(?:(lt|gt|amp|quot|apos|nbsp)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_LAST_CODE_POINT: Final = 0x10FFFF


class Rewritten:
    """A text in which each match of a pattern was replaced, with the way back to the original."""

    __slots__ = ("_edits", "_original", "_pattern", "_replace", "text")

    def __init__(self, original: str, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str] | str) -> None:
        self._original = original
        self._pattern = pattern
        self._replace = replace
        self._edits: tuple[list[int], list[int], list[int], list[int]] | None = None
        self.text = pattern.sub(replace, original)

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Returns the half-open range of the original for a non-empty range of the rewritten text."""
        return self._original_range(start)[0], self._original_range(end - 1)[1]

    def _original_range(self, position: int) -> tuple[int, int]:
        new_starts, new_ends, old_starts, old_ends = self._edited()
        index = bisect_right(new_starts, position) - 1
        if index < 0:
            return position, position + 1
        if position < new_ends[index]:
            return old_starts[index], old_ends[index]
        old = old_ends[index] + position - new_ends[index]
        return old, old + 1

    def _edited(self) -> tuple[list[int], list[int], list[int], list[int]]:
        if self._edits is None:
            new_starts, new_ends, old_starts, old_ends = [], [], [], []
            shift = 0
            replace = self._replace
            for match in self._pattern.finditer(self._original):
                start, end = match.span()
                new_start = start + shift
                new_end = new_start + len(match.expand(replace) if isinstance(replace, str) else replace(match))
                new_starts.append(new_start)
                new_ends.append(new_end)
                old_starts.append(start)
                old_ends.append(end)
                shift = new_end - end
            self._edits = new_starts, new_ends, old_starts, old_ends
        return self._edits


def unescape_json(text: str) -> Rewritten:
    """Undoes JSON string escapes once. What is no valid escape stays."""
    return Rewritten(text, _JSON_ESCAPE, _json_character)


def unescape_html(text: str) -> Rewritten:
    """Undoes HTML entities once: the five of XML, the no-break space, and numbered ones. Others stay."""
    return Rewritten(text, _HTML_ENTITY, _html_character)


def drop_quotes(text: str) -> Rewritten:
    """Drops quote marks that do not stand between two letters or digits."""
    return Rewritten(text, _QUOTE, "")


_QUOTE: Final = re.compile(r"[\"'](?!\w)|(?<!\w)[\"']")


def _json_character(match: re.Match[str]) -> str:
    escape = match[0]
    if escape[1] != "u":
        return _SHORT_ESCAPES[escape[1]]
    code = int(escape[2:6], 16)
    if len(escape) > 6:
        code = 0x10000 + ((code - 0xD800) << 10) + int(escape[8:12], 16) - 0xDC00
    return chr(code)


def _html_character(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED_ENTITIES[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code <= _LAST_CODE_POINT else match[0]
