"""Decides whether what stands beside an excerpt turns it round or makes it conditional."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evidencegate_server.excerpts.model import MismatchReason
from evidencegate_server.lexicon.excerpt_words import ComparatorWords, PolarityWords
from evidencegate_server.text.chars import is_cjk
from evidencegate_server.text.words_regex import alternation

WINDOW: Final = 120
"""How many characters before and after an excerpt are looked at."""

_WRAPPERS: Final = " \t\r\"'`*_([{<「『《"  # what may stand between a word and the excerpt it governs
_CLOSERS: Final = "\"'`*_)]}>」』》"
_CLAUSE_ENDS: Final = ".,;:!?)]}|，。；：！？）"
_OPENERS: Final = "([{|（"
_CHINESE_CLAUSE: Final = re.compile(r"[，。；：！？,;:!?（）()\n]")
_COLUMN_GAP: Final = re.compile(r"(?:\t|[ ]{2,})$")
_STARTS_PAIR: Final = re.compile(r"[\w.\-]{1,64}\s?[:=]")
_STARTS_ING: Final = re.compile(r"[A-Za-z]+ing\b")
_STARTS_NUMBER: Final = re.compile(r"[-+]?\d")
_COUNT_BEFORE_ZERO: Final = frozenset(
    [
        "with",
        "were",
        "was",
        "are",
        "is",
        "found",
        "had",
        "has",
        "have",
        "saw",
        "seen",
        "detected",
        "reported",
        "returned",
        "of",
        "total",
        "got",
        "there",
    ]
)
_NONE_OF_SOME: Final = re.compile(r"0+/\d+$")  # 0/3 nodes are available
_ZEROS: Final = frozenset({"0", "zero"})
_ZERO: Final = r"[-+]?0+(?:[.,]0+)?(?:\s?%)?(?![\w.:/%-]*\d|\w*[A-Za-z_])"
_NOT_FOLLOWS: Final = re.compile(r"[ \t]+(?:not|never|no longer)\b|n't\b")
_LAST_WORD: Final = re.compile(r"([A-Za-z]+)$")
_END_OF_VALUE: Final = r"(?=$|[\s,;.!\"'\])}|，。；！）]|(?<=[^\x00-\x7f])(?![\u3400-\u9fff]))"


class _PhraseSet:
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


class Polarity:
    """Checks the surroundings of an excerpt, and what an omission hides."""

    __slots__ = (
        "_after_chinese",
        "_ambiguous",
        "_auxiliaries",
        "_carriers",
        "_chinese_before",
        "_chinese_conditions",
        "_chinese_exceptions",
        "_condition_after",
        "_condition_exceptions",
        "_conditions",
        "_denied",
        "_denied_bare",
        "_denied_zero_behind_cjk",
        "_double",
        "_gap",
        "_gap_exceptions",
        "_near",
        "_negators",
        "_openers",
    )

    def __init__(self, words: PolarityWords, comparators: ComparatorWords) -> None:
        english, chinese, values = words.english, words.chinese, words.values
        self._negators = _PhraseSet((*english.negators, *english.line_negators))
        self._ambiguous = frozenset(english.line_negators)
        self._near = _PhraseSet(english.near)
        self._double = _PhraseSet(english.double_negations)
        self._conditions = _PhraseSet(english.conditions)
        self._openers = frozenset(english.openers)
        self._carriers = frozenset(english.carriers)
        self._auxiliaries = frozenset(english.auxiliaries)

        negators = rf"(?<![\d.])(?:{alternation(word for word in chinese.negators if word[0].isdigit())})"
        negators += f"|{alternation(word for word in chinese.negators if not word[0].isdigit())}"
        self._chinese_exceptions = re.compile(alternation(chinese.exceptions))
        self._condition_exceptions = re.compile(alternation(chinese.condition_exceptions))
        self._chinese_before = re.compile(
            rf"(?:{negators})(?:{alternation(chinese.carriers)}|在[^，。；,;]{{1,12}}[内前后时中下里上]|[ ])*$"
        )
        self._chinese_conditions = re.compile(alternation(chinese.conditions))
        self._condition_after = re.compile(alternation(chinese.conditions_after))
        self._after_chinese = re.compile(rf"\s?(?:{alternation(chinese.after)})")

        separators = (
            rf"[ \t]*(?:[:=|]{{1,2}}|：|\b(?:{_latin(values.separators)})\b|(?:{_cjk(values.separators)}))[ \t]*"
        )
        word = rf"(?i:{alternation(values.words)}){_END_OF_VALUE}"
        separated = rf"(?i:{alternation((*values.words, *values.separated))}){_END_OF_VALUE}"
        closed = rf"(?i:{alternation(values.closed)})(?=\s*(?:$|[\n,;.!\"'\])}}|])|[ \t]{{2}})"
        denied_chinese = rf"(?:{alternation(values.chinese)})(?![\u3400-\u9fff])"
        zero_count = r"(?:个|条|次|台|例|起|项)?"
        quote = r"[\"'<(]?"
        self._denied = re.compile(
            rf"[\"'”’)\]`*]*{separators}{quote}"
            rf"(?:{separated}|{closed}|{_ZERO}{zero_count}|{denied_chinese})"
        )
        self._denied_bare = re.compile(
            rf"[\"'”’)\]`*]*[ \t]+{word}|[ \t]*(?:无|否|無)(?![\u3400-\u9fff])|[ \t]*\(\s?(?:0|none|无)\s?\)"
        )
        self._denied_zero_behind_cjk = re.compile(r"[ ]?0(?:%|个|条|次)?(?=$|[\s,;，。；)）])")

        english_gap = (
            *english.negators,
            *(word for word in english.line_negators if word.isalpha() or " " in word),
            *english.conditions,
            *english.near,
            *comparators.gap,
            *comparators.before,
        )
        self._gap = re.compile(
            rf"\b(?:{alternation(english_gap)})\b|n't\b|(?<![-=])[<>≤≥≦≧≠]=?\s?[-+$]?\d|!="
            rf"|{negators}|{alternation(chinese.conditions)}|{alternation(comparators.chinese_before)}"
            rf"|{alternation(comparators.chinese_after[:7])}"
        )
        self._gap_exceptions = re.compile(
            rf"{alternation((*chinese.exceptions, *chinese.condition_exceptions))}"
            rf"|\b(?:{alternation(english.double_negations)})\b"
        )

    def fault_before(self, before: str, excerpt: str) -> MismatchReason | None:
        """Returns what the text before an excerpt does to it, or None. `excerpt` may be its first characters."""
        tail = before.rstrip(_WRAPPERS)
        if not tail:
            return None
        last = tail[-1]
        if last == "\n":
            return self._fault_of_line_before(tail, excerpt)
        if last == "!" and not before[-1].isspace() and (len(tail) == 1 or not tail[-2].isalnum()):
            return MismatchReason.NEGATION_CROPPED
        line = tail[tail.rfind("\n") + 1 :]
        gap = _COLUMN_GAP.search(before) is not None
        if not line.isascii():
            fault = self._chinese_fault(line)
            if fault is not None:
                return fault
        return self._english_fault(line.split(), excerpt, is_value_place=gap, adjacent_only=False)

    def fault_after(self, excerpt: str, after: str) -> MismatchReason | None:
        """Returns what the text after an excerpt does to it, or None. `excerpt` may be its last characters."""
        if not after:
            return None
        last = excerpt[-1]
        if last in ":=：" or (last in "\"'" and excerpt[-2:-1] in ("=",)):
            if self._denied.match(":" + after) is not None:
                return MismatchReason.VALUE_CROPPED
        elif self._denied.match(after) is not None:
            return MismatchReason.VALUE_CROPPED
        if self._denied_bare.match(after) is not None:
            return MismatchReason.VALUE_CROPPED
        if is_cjk(last):
            if self._after_chinese.match(after) is not None:
                return MismatchReason.NEGATION_CROPPED
            if self._condition_after.match(after) is not None:
                return MismatchReason.CONDITION_CROPPED
            if self._denied_zero_behind_cjk.match(after) is not None:
                return MismatchReason.VALUE_CROPPED
        elif _NOT_FOLLOWS.match(after) is not None:
            word = _LAST_WORD.search(excerpt[-16:])
            if word is not None and word[1].lower() in self._auxiliaries:
                return MismatchReason.NEGATION_CROPPED
        return None

    def hides_polarity(self, gap: str) -> bool:
        """Returns whether an omitted text negates, compares or makes conditional."""
        lowered = gap.lower()
        if not lowered.isascii() or "not" in lowered or "no" in lowered:
            lowered = self._gap_exceptions.sub("\u25a1", lowered)
        return self._gap.search(lowered) is not None

    def _fault_of_line_before(self, tail: str, excerpt: str) -> MismatchReason | None:
        """Looks at the end of the line before: a wrapped sentence may leave its negator there."""
        stripped = tail.rstrip()
        line = stripped[stripped.rfind("\n") + 1 :]
        if not line or line[-1] in _CLAUSE_ENDS:
            return None
        return self._english_fault(line.split(), excerpt, is_value_place=True, adjacent_only=True)

    def _chinese_fault(self, line: str) -> MismatchReason | None:
        clause = _CHINESE_CLAUSE.split(line)[-1]
        if not clause:
            return None
        if self._chinese_conditions.search(self._condition_exceptions.sub("\u25a1", clause)) is not None:
            return MismatchReason.CONDITION_CROPPED
        if self._chinese_before.search(self._chinese_exceptions.sub("\u25a1", clause)[-32:]) is not None:
            return MismatchReason.NEGATION_CROPPED
        return None

    def _english_fault(
        self, tokens: list[str], excerpt: str, *, is_value_place: bool, adjacent_only: bool
    ) -> MismatchReason | None:
        """Goes back from the excerpt word by word.

        As long as only carriers lie between, a negator governs the excerpt; a condition does anywhere in the clause.
        `is_value_place` says that a column gap or a line's end stands between: then `No` is a value.
        """
        words = [token.strip(_CLOSERS + _WRAPPERS).lower() for token in tokens]
        adjacent = True
        index = len(words) - 1
        while index >= 0:
            token, word = tokens[index], words[index]
            if token.rstrip("\"'`*_>")[-1:] in _CLAUSE_ENDS and not self._closes_word(token):
                return None
            if adjacent:
                if self._double.ends_at(words, index):
                    adjacent = False
                elif self._negates(words, tokens, index, excerpt, is_value_place):
                    return MismatchReason.NEGATION_CROPPED
                elif word not in self._carriers and not (word.endswith("ly") and len(word) > 3):
                    adjacent = False
            if self._conditions.ends_at(words, index) and (adjacent or not adjacent_only or index == len(words) - 1):
                return MismatchReason.CONDITION_CROPPED
            if adjacent_only and not adjacent:
                return None
            if token[0] in _OPENERS:
                return None
            index -= 1
        return None

    @staticmethod
    def _closes_word(token: str) -> bool:
        """Returns whether a closing bracket belongs to a word in brackets, as in `(not) ready`."""
        return token[0] in "([{" and token[-1] in ")]}"

    def _negates(self, words: list[str], tokens: list[str], index: int, excerpt: str, is_value_place: bool) -> bool:
        word = words[index]
        last = index == len(words) - 1
        if word.endswith("n't"):
            return True
        if word in self._openers and last and _STARTS_ING.match(excerpt) is not None:
            return True
        if self._near.ends_at(words, index):
            return last and _STARTS_NUMBER.match(excerpt) is None
        if last and not is_value_place and _NONE_OF_SOME.match(word) and excerpt[0].islower():
            return True
        if not self._negators.ends_at(words, index):
            return False
        if word not in self._ambiguous:
            return True
        earlier = tokens[index - 1][-1] if index else ""
        if last and (is_value_place or (earlier in ":=" and _STARTS_PAIR.match(excerpt) is not None)):
            return False
        if last and _STARTS_NUMBER.match(excerpt) is not None:
            return False  # "No 4" is a name
        return word not in _ZEROS or _counts_to_zero(words, tokens, index)


def _counts_to_zero(words: list[str], tokens: list[str], index: int) -> bool:
    """Returns whether a 0 before the excerpt counts it, and is no value of something else."""
    if index == 0:
        return True
    earlier = tokens[index - 1]
    return earlier[-1] in ":,;(=" or words[index - 1] in _COUNT_BEFORE_ZERO


def _latin(words: Iterable[str]) -> str:
    return alternation(word for word in words if word.isascii())


def _cjk(words: Iterable[str]) -> str:
    return alternation(word for word in words if not word.isascii())
