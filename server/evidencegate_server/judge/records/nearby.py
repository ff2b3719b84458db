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
_MARKS: Final = frozenset(",;()[]{}<>|，；。！？（）【】:：=.!?")
_SOFT: Final = frozenset(":：=<>")
_OPENING: Final = frozenset("([{<（【")

# How far the words of a value reach: further before than behind, as both languages put the name first. So many Chinese
# characters count as one word.
_CHARACTERS: Final = 3
_WORDS_BEFORE: Final = 4
_WORDS_BEHIND: Final = 3
_MOST_LOOKED: Final = 32  # words or values, so that a long row of times costs no more than its length


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
        """Returns the words in front, back to a mark, to an earlier value, or as far as the budget goes."""
        words: list[str] = []
        budget = _WORDS_BEFORE
        content = False
        previous = at - 1
        mentions = self._mentions
        place = bisect_left(self._starts, start) - 1
        furthest = max(0, place + 1 - _MOST_LOOKED)
        earliest = max(0, at - _MOST_LOOKED)
        while place >= furthest and budget > 0:
            word_start, word_end, word = self._words[place]
            place -= 1
            if word_end > start:
                continue
            # An earlier value ends the words, unless none of them says anything (`0.6 s -> 2.1 s`, `35 of 40`).
            while previous >= earliest and mentions[previous].start - offset >= word_end and not content:
                previous -= 1
            if previous < earliest and earliest > 0:
                break
            over = mentions[previous].end - offset if previous >= 0 else 0
            if over > word_start:
                if content:
                    break
                # Its unit names nothing here; what is written on to it does.
                word = word[over - word_start :]
            if word in _MARKS:
                if not content and (word in _SOFT or (past_opening and word in _OPENING)):
                    continue
                break
            if word:
                word, cost = _cut(word, -budget)
                budget -= cost
                words.append(word)
                content = content or word.lower() not in self._connectors
        return " ".join(reversed(words))

    def _behind(self, at: int, end: int, offset: int) -> str:
        """Returns the words that follow, up to a mark or the next value."""
        words: list[str] = []
        budget = _WORDS_BEHIND
        mentions = self._mentions
        limit = mentions[at + 1].start - offset if at + 1 < len(mentions) else len(self._text)
        place = bisect_left(self._starts, end)
        if place and (last := self._words[place - 1])[1] > end and last[2][0] >= "\u3400":
            word, cost = _cut(last[2][end - last[0] :], budget)
            budget -= cost
            words.append(word)
        while place < len(self._words) and budget > 0:
            word_start, _, word = self._words[place]
            place += 1
            if word_start >= limit:
                break
            if word in _SOFT:
                # What ends with a colon is the name of what follows.
                return ""
            if word in _MARKS:
                break
            word, cost = _cut(word, budget)
            budget -= cost
            words.append(word)
        return " ".join(words)


def _cut(word: str, budget: int) -> tuple[str, int]:
    """Returns as much of a word as the budget allows, from its end where it is negative, and what that costs."""
    if word[0] < "\u3400":
        return word.rstrip(".,/-+") or word, 1
    word = word[_CHARACTERS * budget :] if budget < 0 else word[: _CHARACTERS * budget]
    return word, (len(word) + _CHARACTERS - 1) // _CHARACTERS
