"""Says what of an output the claims and the question speak of, so that a summary shows just that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.trace.condensers.model import Focus

_MAX_QUOTES: Final = 12  # quotations of one call
_MAX_WORDS: Final = 16  # words that are looked up in one output: each is a search through it
_MAX_TEXT_CHARS: Final = 4_000  # of claims and question together
_FEWEST_LETTERS: Final = 3
_WORD = re.compile(r"[a-z0-9][a-z0-9_.:/@-]*[a-z0-9]|[\u4e00-\u9fff]{2,}")
_NAME = re.compile(r"[0-9_.:/@-]")
_MAX_WORD_CHARS: Final = 60


@record
class Spoken:
    """What is spoken of one call or of all: texts of claims and question, and quotations from the call's output."""

    texts: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


class FocusMaker:
    """Makes the focus for each call of a session.

    `by_invocation` holds what the claims that are bound to a call say and quote, `anywhere` what the other claims and
    the question say. `common` are words that any text has.
    """

    def __init__(
        self,
        by_invocation: Mapping[str, Spoken] | None = None,
        anywhere: Iterable[str] = (),
        common: frozenset[str] = frozenset(),
    ) -> None:
        self._by_invocation = by_invocation or {}
        self._anywhere = tuple(anywhere)
        self._common = common
        self._read: dict[str, tuple[str, ...]] = {}

    def of(self, invocation_ids: Iterable[str]) -> Focus:
        """Returns the focus for the calls of one item."""
        own = [self._by_invocation[name] for name in invocation_ids if name in self._by_invocation]
        texts = [text for spoken in own for text in spoken.texts]
        quotes = dict.fromkeys(quote for spoken in own for quote in spoken.quotes)
        return Focus(tuple(quotes)[:_MAX_QUOTES], self._words([*texts, *self._anywhere]))

    def _words(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Returns the words of texts, the first texts first, names before plain words."""
        found: dict[str, None] = {}
        room = _MAX_TEXT_CHARS
        for text in texts:
            found.update(dict.fromkeys(self._words_of(text[: max(room, 0)])))
            room -= len(text)
            if room <= 0 or len(found) >= _MAX_WORDS:
                break
        return tuple(found)[:_MAX_WORDS]

    def _words_of(self, text: str) -> tuple[str, ...]:
        """Returns the telling words of one text, names first. Every call asks for the same texts: read once."""
        known = self._read.get(text)
        if known is None:
            words = _WORD.findall(text.lower())
            own = dict.fromkeys(
                word[:_MAX_WORD_CHARS] for word in words if len(word) >= _FEWEST_LETTERS or not word.isascii()
            )
            told = [word for word in own if word not in self._common]
            known = self._read[text] = tuple(sorted(told, key=lambda word: not _NAME.search(word)))
        return known


NOTHING_SPOKEN: Final = FocusMaker()
