"""Finds the sentences of a text that a model wrote for people."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;]|\.(?=\s|$)|(?=\n)|$)")
_LIST_MARK = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)、）])[ \t]*")


def sentence_spans(text: str, begin: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Returns start and end of each sentence between two places, without list marks and blanks at its edges.

    A line end ends a sentence too; a point does where a blank follows, so that none ends inside a number or name.
    """
    for found in _SENTENCE.finditer(text, begin, len(text) if end is None else end):
        mark = _LIST_MARK.match(found[0])
        start = found.start() + (mark.end() if mark else 0)
        words = text[start : found.end()]
        start += len(words) - len(words.lstrip())
        if words.strip():
            yield start, start + len(words.strip())
