"""Goes back from an excerpt word by word to see whether English words before it negate it or make it conditional."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evidencegate_server.excerpts.model import MismatchReason
from evidencegate_server.lexicon.excerpt_words import EnglishPolarity

WRAPPERS: Final = " \t\r\"'`*_([{<「『《"
"""What may stand between a word and the excerpt that it governs."""

CLAUSE_ENDS: Final = frozenset(".,;:!?)]}|，。；：！？）")
_AROUND_WORD: Final = "\"'`*_)]}>」』》" + WRAPPERS
_MARKUP: Final = "\"'`*_>"
_OPENERS: Final = frozenset("([{|（")
_MOST_CARRIERS: Final = 12  # no negator governs over more words than that
_STARTS_PAIR: Final = re.compile(r"[\w.\-]{1,64}\s?[:=]")
_STARTS_ING: Final = re.compile(r"[A-Za-z]+ing\b")
_STARTS_NUMBER: Final = re.compile(r"[-+]?\d")
_NONE_OF_SOME: Final = re.compile(r"0+/\d+$")  # 0/3 nodes are available
_ALTERNATIVE_REACH: Final = 5
_ARTICLE_REACH: Final = 2
_SHORTEST_ING: Final = 5  # thing and being are no participles
_SENTENCE_ENDS: Final = frozenset(".,;:!?")
_STARTS_SUBJECT: Final = re.compile(
    r"(?:the|an?|any|this|that|these|those|it|its|we|our|they|their|you|your|he|she|there)\b", re.IGNORECASE
)
_PRONOUNS: Final = ("it", "they", "we", "you", "he", "she", "there")  # they begin a clause of their own
_FIRST_WORD: Final = re.compile(r"[\"'`*]*([A-Za-z]+)")
_ZEROS: Final = frozenset({"0", "zero"})


class PhraseSet:
    """Phrases that are looked up by their last word, going back from the end of a text."""

    __slots__ = ("_by_last",)

    def __init__(self, phrases: Iterable[str]) -> None:
        by_last: dict[str, list[tuple[str, ...]]] = {}
        for phrase in phrases:
            words = tuple(phrase.split())
            by_last.setdefault(words[-1], []).append(words[-2::-1] if len(words) > 1 else ())
        self._by_last = {last: tuple(sorted(rest, key=len, reverse=True)) for last, rest in by_last.items()}

    def ends_at(self, words: list[str], index: int) -> int:
        """Returns the number of words of the longest phrase that ends at `index`, 0 where none does."""
        for earlier in self._by_last.get(words[index], ()):
            length = len(earlier)
            if length <= index and all(words[index - 1 - step] == word for step, word in enumerate(earlier)):
                return length + 1
        return 0


class EnglishNegation:
    """Knows the words that negate or make conditional what comes after them."""

    __slots__ = (
        "_absences",
        "_active",
        "_alternatives",
        "_ambiguous",
        "_bars",
        "_carriers",
        "_condition_hints",
        "_conditions",
        "_count_cues",
        "_double",
        "_inversions",
        "_near",
        "_negators",
        "_openers",
        "_reasons",
        "_refusals",
        "_restarts",
        "_steps",
    )

    def __init__(self, english: EnglishPolarity) -> None:
        self._negators = PhraseSet((*english.negators, *english.line_negators))
        self._ambiguous = frozenset(english.line_negators)
        self._near = PhraseSet(english.near)
        self._double = PhraseSet(english.double_negations)
        self._condition_hints = tuple(sorted({max(phrase.split(), key=len) for phrase in english.conditions}))
        self._conditions = PhraseSet(english.conditions)
        self._openers = frozenset(english.openers)
        self._carriers = frozenset(english.carriers)
        self._steps = PhraseSet(english.steps)
        self._alternatives = frozenset(english.alternatives)
        self._reasons = frozenset(english.reasons)
        self._restarts = frozenset((*english.auxiliaries, *_PRONOUNS))
        self._inversions = frozenset(english.inversions)
        self._refusals = frozenset(word for word in (*english.negators, *english.absences) if word.isalpha())
        self._active = (
            self._openers
            | self._alternatives
            | self._inversions
            | {
                phrase.split()[-1]
                for phrase in (*english.negators, *english.line_negators, *english.near, *english.steps)
            }
        )
        self._absences = frozenset(english.absences)
        self._bars = frozenset(english.bars)
        self._count_cues = frozenset(english.count_cues)

    def fault(
        self, line: str, excerpt: str, *, is_value_place: bool, adjacent_only: bool = False
    ) -> MismatchReason | None:
        """Returns what the words of a line do to the excerpt behind it, or None.

        As long as only carriers lie between, a negator governs the excerpt; a condition does anywhere in the clause,
        or with `adjacent_only` right before it. `is_value_place` says that a column gap or a line's end stands
        between: then `No` is a value.
        """
        line = line.lower()
        conditional = self._may_be_conditional(line)
        if not conditional and self._is_idle(line):
            return None
        tokens = line.split()
        if not conditional:
            tokens = tokens[-_MOST_CARRIERS:]
        words = [token.strip(_AROUND_WORD) for token in tokens]
        if self._is_denied_alternative(words, tokens, excerpt):
            return MismatchReason.NEGATION_CROPPED
        last = len(words) - 1
        adjacent = True
        for index in range(last, -1, -1):
            if _ends_clause(tokens[index]):
                return None
            if (adjacent and (self._negates(words, tokens, index, excerpt, is_value_place=is_value_place))) or (
                index == last - 1 and self._denies_existence(words, index, excerpt)
            ):
                return MismatchReason.NEGATION_CROPPED
            if self._makes_conditional(words, tokens, index, excerpt, adjacent=adjacent, anywhere=conditional):
                return MismatchReason.CONDITION_CROPPED
            adjacent = adjacent and self._carries(words, index, excerpt)
            if (
                tokens[index][0] in _OPENERS
                or not (adjacent or conditional or index == last)
                or (adjacent_only and not adjacent)
            ):
                return None
        return None

    def _makes_conditional(
        self, words: list[str], tokens: list[str], index: int, excerpt: str, *, adjacent: bool, anywhere: bool
    ) -> bool:
        if anywhere and self._conditions.ends_at(words, index):
            return True
        if not adjacent or index < len(words) - 1 - _ARTICLE_REACH:
            return False
        if words[index] not in self._inversions or (index and tokens[index - 1][-1] not in _SENTENCE_ENDS):
            return False
        following = words[index + 1] if index + 1 < len(words) else excerpt
        return _STARTS_SUBJECT.match(following) is not None

    def _denies_existence(self, words: list[str], index: int, excerpt: str) -> bool:
        """Returns whether `no disk` stands before `errors were logged`."""
        return (
            words[index] in self._absences
            and words[index + 1] not in self._bars
            and words[index + 1].isalpha()
            and excerpt[0].islower()
            and not self._double.ends_at(words, index + 1)
            and (words[index] not in _ZEROS or index == 0)
        )

    def _is_denied_alternative(self, words: list[str], tokens: list[str], excerpt: str) -> bool:
        """Returns whether `no OOM or` stands before `memory leak detected`."""
        last = len(words) - 1
        if last < 1 or words[last] not in self._alternatives or _first_word(excerpt) in self._restarts:
            return False
        for index in range(last - 1, max(-1, last - 1 - _ALTERNATIVE_REACH), -1):
            if words[index] in self._refusals or words[index].endswith("n't"):
                return not self._double.ends_at(words, index)
            if _ends_clause(tokens[index]) and not tokens[index].endswith(","):
                return False
        return False

    def _may_be_conditional(self, line: str) -> bool:
        for hint in self._condition_hints:  # noqa: SIM110 (a generator costs twice as much here)
            if hint in line:
                return True
        return False

    def _is_idle(self, line: str) -> bool:
        """Returns whether the last word neither does anything nor leads on to one that might."""
        ends = line.rsplit(None, 2)
        if not ends:
            return True
        word = ends[-1].strip(_AROUND_WORD)
        if word in self._active or word in self._carriers or word.endswith(("ly", "n't", "ing")) or word[:1] == "0":
            return False
        return len(ends) == 1 or ends[-2].strip(_AROUND_WORD) not in self._absences

    def _carries(self, words: list[str], index: int, excerpt: str) -> bool:
        word = words[index]
        if self._double.ends_at(words, index):
            return False
        if word in self._carriers or (word.endswith("ly") and len(word) > 3):
            return True
        if word.endswith("ing") and len(word) > _SHORTEST_ING:
            return index < len(words) - 1 or _first_word(excerpt) not in self._reasons
        length = self._steps.ends_at(words, index)
        return length > 0 and index >= length and _is_plain_negator(words[index - length])

    def _negates(self, words: list[str], tokens: list[str], index: int, excerpt: str, *, is_value_place: bool) -> bool:
        if self._double.ends_at(words, index):
            return False
        word = words[index]
        if word.endswith("n't"):
            return True
        if index == len(words) - 1:
            if word in self._openers and _STARTS_ING.match(excerpt) is not None:
                return True
            if _NONE_OF_SOME.match(word) is not None and excerpt[0].islower() and not is_value_place:
                return True
            if self._near.ends_at(words, index):
                return _STARTS_NUMBER.match(excerpt) is None
        if not self._negators.ends_at(words, index):
            return False
        if word == "denied" and index == len(words) - 1:
            return _first_word(excerpt, "by") not in self._bars  # "was denied by the policy" is whole
        return word not in self._ambiguous or not self._is_value(
            words, tokens, index, excerpt, is_value_place=is_value_place
        )

    def _is_value(self, words: list[str], tokens: list[str], index: int, excerpt: str, *, is_value_place: bool) -> bool:
        """Returns whether a word such as `no` or `0` is the value of something before it."""
        earlier = tokens[index - 1][-1] if index else ""
        if index == len(words) - 1:
            if is_value_place or (earlier in (":", "=") and _STARTS_PAIR.match(excerpt) is not None):
                return True
            if _STARTS_NUMBER.match(excerpt) is not None:
                return True  # "No 4" is a name
        if words[index] not in _ZEROS or not index:
            return False
        return earlier not in (":", ",", ";", "(", "=") and words[index - 1] not in self._count_cues


def _first_word(text: str, otherwise: str = "") -> str:
    match = _FIRST_WORD.match(text)
    return otherwise if match is None else match[1].lower()


def _is_plain_negator(word: str) -> bool:
    return word in ("not", "never", "longer") or word.endswith("n't")


def _ends_clause(token: str) -> bool:
    """Returns whether a clause ends with a word. A word in brackets of its own, as in `(not) ready`, ends none."""
    bare = token.rstrip(_MARKUP)
    if not bare:
        return True
    return bare[-1] in CLAUSE_ENDS and not (token[0] in _OPENERS and bare[-1] in ")]}")
