"""Says whether one text says another: the same words in the same order, denied as often."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.lexicon.model import Lexicon

_TOKEN = re.compile(r"[a-z0-9][a-z0-9_.:/@%-]*[a-z0-9%]|[a-z0-9]|[\u3400-\u9fff]")
_MOST_TOKENS: Final = 200  # of one sentence; what is longer is not compared to its end
_NOT: Final = re.compile(r"n['’]t\b")


@record
class Said:
    """What a text says: its words in order without those that any text has, and how often it denies.

    `complete` is false where only the first words of a text that is too long were taken.
    """

    tokens: tuple[str, ...]
    denials: int
    complete: bool = True


class Covering:
    """Compares texts with the words of one lexicon."""

    def __init__(self, lexicon: Lexicon, min_cover: float) -> None:
        self._common = frozenset(lexicon.function_words.english)
        self._min_cover = min_cover
        english = (*lexicon.polarity.english.negators, *lexicon.polarity.english.absences)
        chinese = lexicon.polarity.chinese
        self._english = _one_of(sorted(set(english), key=len, reverse=True), words=True)
        self._chinese = _one_of(sorted(chinese.negators, key=len, reverse=True))
        self._exceptions = _one_of(sorted(chinese.exceptions, key=len, reverse=True))

    def said(self, text: str) -> Said:
        """Returns what a text says."""
        plain = text.lower()
        tokens = [token for token in _TOKEN.findall(plain) if token not in self._common]
        bare = self._exceptions.sub(" ", plain)
        denials = len(self._english.findall(bare)) + len(_NOT.findall(bare)) + len(self._chinese.findall(bare))
        return Said(tuple(tokens[:_MOST_TOKENS]), denials, complete=len(tokens) <= _MOST_TOKENS)

    def covers(self, whole: Said, part: Said) -> bool:
        """Returns whether most of the words of `part` stand in `whole` in the same order, denied as often.

        Of a part that is not complete that is said of its first words alone; see `bears_out`.
        """
        if not part.tokens or whole.denials != part.denials:
            return False
        needed = self._min_cover * len(part.tokens)
        if len(whole.tokens) < needed:
            return False
        return _common_length(whole.tokens, part.tokens) >= needed

    def bears_out(self, known: Said, told: Said) -> bool:
        """Returns whether what is known says all that is told: nothing of it is left unread."""
        return told.complete and self.covers(known, told)


def _one_of(phrases: Sequence[str], *, words: bool = False) -> re.Pattern[str]:
    either = "|".join(map(re.escape, phrases)) or r"(?!)"
    return re.compile(rf"\b(?:{either})\b" if words else either)


def _common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Returns how many tokens two texts share in one order.

    That is their longest common subsequence, found on bits (Hyyrö 2004): each token of `first` takes a few operations
    on one whole number, however long `second` is.
    """
    places: dict[str, int] = {}
    for at, token in enumerate(second):
        places[token] = places.get(token, 0) | 1 << at
    every = (1 << len(second)) - 1
    row = every
    for token in first:
        here = row & places.get(token, 0)
        if here:
            row = (row + here | row - here) & every
    return len(second) - row.bit_count()
