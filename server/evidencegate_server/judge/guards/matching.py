"""Finds the words of doubts.yaml in a text, as written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evidencegate_server.judge.kept import kept
from evidencegate_server.lexicon.doubt_words import DoubtWords
from evidencegate_server.lexicon.wording_words import Terms

_JOINED: Final = re.compile(r"[-_.](?=[0-9a-z])")  # order-db is not in order-db-2, nor 1.2 in 1.2.3
_NEVER: Final = r"(?!)"


class DoubtMatcher:
    """The words of one lexicon, made ready to be looked for. Holds no state."""

    def __init__(self, words: DoubtWords) -> None:
        self.undone = pattern(words.undone)
        self.verbs = pattern(words.verbs)
        self.ahead = pattern(words.ahead)
        self.said = pattern(words.said)
        self.unsaid = pattern(words.unsaid)
        self.met = pattern(words.met)
        self.bounds = pattern(words.bounds)
        self.unrelated = pattern(words.unrelated)
        self.unfinished = pattern(words.unfinished)
        self.until = pattern(words.until)
        self.ends = pattern(words.ends)
        self.old = pattern(words.old)
        self.new = pattern(words.new)
        self.heads = re.compile(
            rf"^[\s\-*#>\[\d.]*(?:(?:{_either(words.heads.en)})\b[^:：\n]{{0,40}}:\s|(?:{_either(words.heads.zh)})[^:：\n]{{0,12}}[:：])",
            re.IGNORECASE,
        )
        self.asides = tuple(map(_aside, words.asides))
        self.modal = pattern(words.modal)
        self.modal_zh = frozenset(words.modal.zh)
        self.plain_adverbs = frozenset(words.plain_adverbs)
        self.preposition = _preposition(words.prepositions)
        self.other_ends = frozenset(words.other_ends)
        self.plain_figures = frozenset(words.plain_figures)
        self.when_before = re.compile(
            rf"(?:\b(?:{_either(words.when_before.en)})|{_either(words.when_before.zh)})\s*$", re.IGNORECASE
        )
        self.when_behind = re.compile(
            rf"\s*(?:(?:{_either(words.when_behind.en)})\b|{_either(words.when_behind.zh)})", re.IGNORECASE
        )


def _aside(line: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Returns what finds a remark in a claim, and what finds it in the evidence, which has words of its own for it."""
    said, _, shown = line.partition(" => ")
    return _of_both(said.split(" | ")), _of_both([*said.split(" | "), *(shown.split(" | ") if shown else ())])


def _of_both(words: Sequence[str]) -> re.Pattern[str]:
    en, zh = (tuple(word for word in words if word.isascii() is latin) for latin in (True, False))
    return pattern(Terms(en=en, zh=zh))


def _preposition(terms: Terms) -> re.Pattern[str]:
    """Returns what finds a preposition at the end of a stretch, with an article or a noun behind it."""
    return re.compile(
        rf"(?:\b(?:{_either(terms.en)})(?:\s+(?:a|an|the|its|all|new|old|\d+))?(?:\s+[a-z]+)?\s*[\"'(=]?"
        rf"|(?:{_either(terms.zh)})[\u3400-\u9fffA-Za-z ]{{0,8}})$",
        re.IGNORECASE,
    )


def stands_at(text: str, part: str, start: int = 0, end: int | None = None) -> int:
    """Returns the first place of a part in a text, as `places` has them, -1 where there is none."""
    return next(places(text, part, start, end), -1)


def places(text: str, part: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Returns where a part stands in a text as a whole word, letter case left out.

    Letters and digits must not go on at a side where the part itself ends in one; Chinese has no such ends.
    """
    lowered = text[start : len(text) if end is None else end].lower()
    wanted = part.lower()
    at = lowered.find(wanted) if wanted else -1
    while at >= 0:
        last = at + len(wanted)
        if not (_goes_on(lowered, at - 1, at) or _goes_on(lowered, last, last - 1) or _JOINED.match(lowered, last)):
            yield start + at
            at = lowered.find(wanted, last)
        else:
            at = lowered.find(wanted, at + 1)


def _goes_on(text: str, outer: int, inner: int) -> bool:
    if not 0 <= outer < len(text):
        return False
    first, second = text[outer], text[inner]
    return first.isascii() and second.isascii() and first.isalnum() and second.isalnum()


def pattern(terms: Terms) -> re.Pattern[str]:
    """Returns what finds one of some terms: English ones as whole words, Chinese ones anywhere, the longest first."""
    return re.compile(rf"\b(?:{_either(terms.en)})\b|(?:{_either(terms.zh)})", re.IGNORECASE)


def _either(terms: Iterable[str]) -> str:
    return "|".join(re.escape(term) for term in sorted(terms, key=lambda term: (-len(term), term))) or _NEVER


@kept
def matcher_of(words: DoubtWords) -> DoubtMatcher:
    """Returns the matcher of some words; those of the last few are kept."""
    return DoubtMatcher(words)


def outside(found: Iterable[re.Match[str]], taken: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """Returns what was found and lies in nothing that is taken."""
    return [one for one in found if not any(other.start() <= one.start() < other.end() for other in taken)]
