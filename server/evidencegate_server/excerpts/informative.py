"""Decides whether an excerpt says enough to prove something."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.excerpts.model import MismatchReason
from evidencegate_server.lexicon.excerpt_words import FunctionWords
from evidencegate_server.text.chars import CJK_RANGES
from evidencegate_server.text.words_regex import LazyPattern, alternation

_TOKEN: Final = re.compile(r"\w+")
_CJK: Final = LazyPattern(f"[{CJK_RANGES}]")
_LATIN_WORD: Final = LazyPattern(rf"[^\W\d_{CJK_RANGES}]+")
_ASCII_WORD: Final = re.compile(r"\b[a-z]+(?=[^a-z])")  # what follows shows that it is no cut-off word
_ASCII_LETTERS: Final = re.compile(r"[a-z]+")
_FIRST: Final = 40  # so many characters of an excerpt nearly always say enough
_LETTER: Final = re.compile(r"[^\W\d_]")
_LONG_WORD: Final = re.compile(r"[A-Za-z]{8,}")
_LONG_CJK: Final = LazyPattern(f"[{CJK_RANGES}]{{3,}}")


class Informative:
    """Tells an excerpt that states something from one that any text could hold."""

    __slots__ = (
        "_chinese",
        "_chinese_characters",
        "_english",
        "_min_cjk",
        "_min_single_token",
        "_min_tokens",
        "_min_weight",
    )

    def __init__(
        self, words: FunctionWords, *, min_weight: int, min_tokens: int, min_cjk: int, min_single_token: int
    ) -> None:
        self._english = frozenset(words.english)
        self._chinese_characters = frozenset("".join(words.chinese))
        self._chinese = LazyPattern(alternation(words.chinese))
        self._min_weight = min_weight
        self._min_tokens = min_tokens
        self._min_cjk = min_cjk
        self._min_single_token = min_single_token

    def fault(self, text: str) -> MismatchReason | None:
        """Returns why a text says too little, or None where it says enough.

        A long word settles it, as it mostly does, or several words or a run of ideographs.
        """
        match = _LONG_WORD.search(text)
        if match is not None:
            word = match[0]
            length = len(word)
            if length >= self._min_weight and length >= self._min_single_token and word.lower() not in self._english:
                return None
        return None if self._is_plain(text, long_word=match is not None) else self._fault(text)

    def _is_plain(self, text: str, *, long_word: bool) -> bool:
        """Returns whether several words settle the question, or a run of ideographs where there is no long word."""
        if text.isascii():
            words = _ASCII_WORD.findall(f"{text} "[:_FIRST].lower())
            return (
                len(words) >= self._min_tokens
                and len("".join(words)) >= self._min_weight
                and not self._english.issuperset(words)
            )
        if long_word:
            return False
        match = _LONG_CJK.search(text)
        if match is None:
            return False
        run = match[0]
        return (
            len(run) >= self._min_cjk
            and 2 * len(run) >= self._min_weight
            and not self._chinese_characters.issuperset(run)
        )

    def _fault(self, text: str) -> MismatchReason | None:
        tokens = _TOKEN.findall(text)
        joined = "".join(tokens)
        cjk = 0 if text.isascii() else len(_CJK.findall(text))
        weight = len(joined) - joined.count("_") + cjk
        if weight < self._min_weight:
            return MismatchReason.TOO_SHORT
        if (
            len(tokens) < self._min_tokens
            and cjk < self._min_cjk
            and max(map(len, tokens), default=0) < self._min_single_token
        ):
            return MismatchReason.TOO_SHORT
        if _LETTER.search(joined) is None:
            return MismatchReason.NO_LETTER
        if self._is_function_words(text, cjk):
            return MismatchReason.FUNCTION_WORDS
        return None

    def _is_function_words(self, text: str, cjk: int) -> bool:
        english = self._english
        if text.isascii():
            return english.issuperset(_ASCII_LETTERS.findall(text.lower()))
        for match in _LATIN_WORD.finditer(text):
            if match[0].lower() not in english:
                return False
        return not (cjk and _CJK.search(self._chinese.sub("", text)))
