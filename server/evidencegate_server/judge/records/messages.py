"""Finds the values of messages that tools always word alike, under the names that the lexicon gives them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter

from evidencegate_server.lexicon.format_words import FormatWords

Span = tuple[int, int, str]
"""Where a value begins and ends, and its name."""


class _Message:
    __slots__ = ("has", "names", "shape")

    def __init__(self, has: str, shape: str) -> None:
        self.has = has
        self.shape = re.compile(shape)
        self.names = tuple(self.shape.groupindex)


class KnownMessages:
    """Knows the messages of the lexicon."""

    def __init__(self, words: FormatWords) -> None:
        self._messages = tuple(_Message(entry.has, entry.shape) for entry in words.messages)

    def of(self, text: str) -> TextMessages:
        """Returns the messages that a text can have at all."""
        return TextMessages(tuple(one for one in self._messages if one.has in text))


class TextMessages:
    """Finds in stretches of one text the messages that it has."""

    def __init__(self, messages: tuple[_Message, ...] = ()) -> None:
        self._messages = messages

    def values(self, stretch: str, offset: int) -> list[Span]:
        """Returns the values of the messages in a stretch, in order; offsets count from `offset`."""
        found: list[Span] = []
        for one in self._messages:
            if one.has not in stretch:
                continue
            for message in one.shape.finditer(stretch):
                for name in one.names:
                    start, end = message.span(name)
                    if start >= 0 and end > start:
                        found.append((offset + start, offset + end, name))
        return apart(found) if len(found) > 1 else found


def apart(spans: Sequence[Span]) -> list[Span]:
    """Returns spans in order of place, without those that begin inside another.

    Of two that begin together the one that was given first stays.
    """
    kept: list[Span] = []
    for span in sorted(spans, key=itemgetter(0)):
        if not kept or kept[-1][1] <= span[0]:
            kept.append(span)
    return kept
