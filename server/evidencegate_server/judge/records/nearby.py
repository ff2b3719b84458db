"""Finds the few words beside a value that say what it is a value of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.values.model import Mention

# A word, a run of Chinese, or a mark that bounds a clause. A comma inside a number is never reached, since numbers are
# no words.
_TOKEN: Final = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff]+|[^\W\d\u3400-\u9fff\uf900-\ufaff][\w.@/%+-]*|[,;()\[\]{}<>|，；。！？（）【】:：=]|[.!?](?=\s|$)"
)
_SOFT: Final = frozenset(":：=<>")
_OPENING: Final = frozenset("([{<（【")

# How far the words of a value reach: further before than behind, as both languages put the name first. Two Chinese
# characters count as one word.
_WORDS_BEFORE: Final = 4
_WORDS_BEHIND: Final = 3


class Surroundings:
    """The words of one stretch of prose, for the values in it."""

    __slots__ = ("_connectors", "_mentions", "_starts", "_text", "_words")

    def __init__(self, text: str, mentions: Sequence[Mention], connectors: frozenset[str]) -> None:
        self._text = text
        self._connectors = connectors
        self._mentions = mentions
        self._words = [(found.start(), found.end(), found[0]) for found in _TOKEN.finditer(text)]
        self._starts = [word[0] for word in self._words]

    def key(self, at: int, offset: int) -> str:
        """Returns the words beside the mention at index `at`; mentions count from `offset` before the text."""
        mention = self._mentions[at]
        start, end = mention.start - offset, mention.end - offset
        before = self._before(at, start, offset)
        behind = self._behind(at, end, offset)
        if not before and not behind:
            before = self._before(at, start, offset, past_opening=True)
        if before and behind:
            return f"{before} {behind}"
        return before or behind

    def _before(self, at: int, start: int, offset: int, *, past_opening: bool = False) -> str:
        words: list[str] = []
        budget = _WORDS_BEFORE
        content = False
        previous = at - 1
        mentions = self._mentions
        place = bisect_left(self._starts, start) - 1
        while place >= 0 and budget > 0:
            word_start, word_end, word = self._words[place]
            place -= 1
            if word_end > start:
                continue
            while previous >= 0 and mentions[previous].start - offset >= word_end:
                if content:
                    return " ".join(reversed(words))
                previous -= 1
            if previous >= 0 and mentions[previous].end - offset > word_start:
                # The words of an earlier value, its unit for one, name nothing here.
                if content:
                    break
                continue
            if len(word) == 1 and not word.isalnum() and word != "_":
                if word in _SOFT:
                    if content:
                        break
                    continue
                if past_opening and word in _OPENING and not content:
                    continue
                break
            if word[0] >= "\u3400":
                word = word[-2 * budget :]
                budget -= (len(word) + 1) // 2
            else:
                word = word.rstrip(".,/-+")
                budget -= 1
            words.append(word)
            content = content or word.lower() not in self._connectors
        return " ".join(reversed(words))

    def _behind(self, at: int, end: int, offset: int) -> str:
        words: list[str] = []
        budget = _WORDS_BEHIND
        mentions = self._mentions
        limit = mentions[at + 1].start - offset if at + 1 < len(mentions) else len(self._text)
        place = bisect_left(self._starts, end)
        count = len(self._words)
        while place < count and budget > 0:
            word_start, _, word = self._words[place]
            place += 1
            if word in _SOFT:
                # What ends with a colon is the name of what follows.
                return ""
            if word_start >= limit or (len(word) == 1 and not word.isalnum()):
                break
            if word[0] >= "\u3400":
                word = word[: 2 * budget]
                budget -= (len(word) + 1) // 2
            else:
                word = word.rstrip(".,/-+")
                budget -= 1
            words.append(word)
        return " ".join(words)
