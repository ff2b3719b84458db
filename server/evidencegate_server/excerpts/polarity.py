"""Decides whether what stands beside an excerpt turns it round or makes it conditional."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evidencegate_server.excerpts.model import MismatchReason
from evidencegate_server.excerpts.negation import CLAUSE_ENDS, WRAPPERS, EnglishNegation
from evidencegate_server.lexicon.excerpt_words import ComparatorWords, PolarityWords
from evidencegate_server.text.chars import is_cjk
from evidencegate_server.text.words_regex import LazyPattern, alternation

_CHINESE_CLAUSE_ENDS: Final = "，。；：！？,;:!?（）()"
_CHINESE_REACH: Final = 32  # no negator governs over more characters than that
_ZERO: Final = r"[-+]?0+(?:[.,]0+)?(?:\s?%)?(?![\w.:/%-]*\d|\w*[A-Za-z_])"
_ZERO_BEHIND_IDEOGRAPH: Final = re.compile(r"[ ]?0(?:%|个|条|次)?(?=$|[\s,;，。；)）])")
_CLAUSE_BREAK: Final = re.compile(r"[，。；！？]|[,;.!?](?=\s)")
_WIDE_BREAK: Final = re.compile("[，。；！？]")
_STARTS_FIELD: Final = re.compile(r"[\"']?[\w.\-]{1,64}[\"']?\s?[:=]")
_SILENT: Final = frozenset("\n,.;")  # behind these another clause begins
_OPENED_VALUES: Final = ('="', "='")
_NOT_FOLLOWS: Final = re.compile(r"[ \t]+(?:not|never|no longer)\b|n't\b")
_LIST_MARKS: Final = frozenset("，,（(")
_CONSEQUENCE: Final = re.compile("[^，。；,;]*[则就]")
_METRIC: Final = re.compile(r"\w*_\w+|[\w.:]+\{[^{}\n]*\}")
_LAST_WORD: Final = re.compile(r"([A-Za-z]+)$")
_END_OF_VALUE: Final = r"(?=$|[\s,;.!\"'\])}|，。；！）]|(?<=[^\x00-\x7f])(?![\u3400-\u9fff]))"


class Polarity:
    """Checks the surroundings of an excerpt, and what an omission hides."""

    __slots__ = (
        "_after_chinese",
        "_after_closed",
        "_auxiliaries",
        "_chinese_before",
        "_chinese_conditions",
        "_chinese_exceptions",
        "_condition_after",
        "_condition_characters",
        "_condition_exceptions",
        "_connectives",
        "_denied",
        "_denied_bare",
        "_denied_in_row",
        "_english",
        "_gap",
        "_gap_exceptions",
        "_json_flags",
        "_json_keys",
        "_leading_conditions",
        "_negator_characters",
        "_separator_words",
    )

    def __init__(self, words: PolarityWords, comparators: ComparatorWords) -> None:
        english, chinese, values = words.english, words.chinese, words.values
        self._english = EnglishNegation(english)
        self._auxiliaries = frozenset(english.auxiliaries)
        self._connectives = LazyPattern(rf"\s*(?:{alternation(comparators.connectives)})?\s*")

        counted = [word for word in chinese.negators if word[0].isdigit()]
        spelled = [word for word in chinese.negators if not word[0].isdigit()]
        counts = rf"(?<![\d.])(?:{alternation(counted)})"
        longer = alternation(word for word in spelled if word not in chinese.prefixes)
        prefixes = alternation(chinese.prefixes)
        self._chinese_exceptions = LazyPattern(alternation(chinese.exceptions))
        self._condition_exceptions = LazyPattern(alternation(chinese.condition_exceptions))
        aside = r"在[^，。；,;]{1,12}[内前后时中下里上]|[ ]"
        self._chinese_before = LazyPattern(
            # Possessive: how the carriers are told apart must not be tried in every way.
            rf"(?:{counts}|{longer})(?:{aside}|{alternation(chinese.carriers)})*+$"
            rf"|(?:{prefixes})(?:{aside}|{alternation(chinese.prefix_carriers)})*+$"
            rf"|(?:{alternation(chinese.absences)})[\u3400-\u9fff]{{1,2}}$"
        )
        self._condition_characters = frozenset(word[0] for word in (*chinese.conditions, *chinese.leading_conditions))
        self._negator_characters = frozenset(word[0] for word in chinese.negators)
        self._chinese_conditions = LazyPattern(alternation(chinese.conditions))
        carriers = alternation(chinese.carriers)
        leading = alternation(chinese.leading_conditions)
        self._leading_conditions = LazyPattern(rf"[\s>*•-]*({leading})(?:{carriers})*+$")
        self._condition_after = LazyPattern(alternation(chinese.conditions_after))
        self._after_chinese = LazyPattern(rf"\s?(?:{alternation(chinese.after)})")
        self._after_closed = LazyPattern(rf"\s?(?:{alternation(chinese.after_closed)})(?![\u3400-\u9fff])")

        separator_words = rf"\b(?:{_latin(values.separators)})\b|{_cjk(values.separators)}"
        separators = rf"[ \t]*(?:[:=|?]{{1,2}}|：|[-=]{{1,2}}>|[→⇒]|{separator_words})[ \t]*"
        word = rf"(?i:{alternation(values.words)}){_END_OF_VALUE}"
        separated = rf"(?i:{alternation((*values.words, *values.separated))}){_END_OF_VALUE}"
        closed = rf"(?i:{alternation(values.closed)})(?=\s*(?:$|[\n,;.!\"'\])}}|])|[ \t]{{2}})"
        denied_chinese = rf"(?:{alternation(values.chinese)})(?![\u3400-\u9fff])"
        ended = r"(?=[ \t]*(?:$|[\n,;.!)\]}|，。；！）]))"
        bracketed = alternation(
            (*values.words, *values.separated, *values.closed, *values.chinese, *values.chinese_bare)
        )
        zero_count = r"(?:个|条|次|台|例|起|项)?"
        quote = r"[\"'<(]?"
        self._denied = LazyPattern(
            rf"[\"'”’)\]`*]*{separators}{quote}"
            rf"(?:{separated}|{closed}|0x0+\b|{_ZERO}{zero_count}|{denied_chinese})"
            rf"| --? (?i:{bracketed}|{_ZERO}){ended}"
            rf"|[ \t]*\(\s?(?i:{bracketed})\s?\)"
        )
        in_row = alternation(word for word in (*values.words, *values.separated) if word.strip('[]{}"'))
        # In the last cell of a row of two: errors occurred    0.
        self._denied_in_row = LazyPattern(rf"([ \t]+)(?:{_ZERO}|(?i:{in_row}))[ \t\r]*(?:$|\n)")
        self._separator_words = frozenset(word for word in values.separators if word.isascii())
        self._json_keys = frozenset(word.replace(" ", "") for word in values.json_keys)
        self._json_flags = frozenset(values.json_flags)
        self._denied_bare = LazyPattern(
            rf"[\"'”’)\]`*]*[ \t]+{word}|[ \t]*(?:{alternation(values.chinese_bare)})(?![\u3400-\u9fff])"
            rf"|[ \t]*\(\s?(?:0|{alternation((*values.words, *values.chinese_bare))})\s?\)"
        )

        english_gap = (
            *english.negators,
            *(word for word in english.line_negators if word.isalpha() or " " in word),
            *english.conditions,
            *english.near,
            *comparators.before,
            *(word for word in comparators.gap if word.isascii()),
        )
        chinese_gap = (
            *chinese.conditions,
            *comparators.chinese_before,
            *(word for word in comparators.gap if not word.isascii()),
        )
        self._gap = LazyPattern(
            rf"\b(?:{alternation(english_gap)})\b|n't\b|(?<![-=])[<>≤≥≦≧≠]=?\s?[-+$]?\d|!="
            rf"|{counts}|{alternation(spelled)}|{alternation(chinese_gap)}"
        )
        self._gap_exceptions = LazyPattern(
            rf"{alternation((*chinese.exceptions, *chinese.condition_exceptions))}"
            rf"|\b(?:{alternation(english.double_negations)})\b"
        )

    def fault_before(self, before: str, excerpt: str) -> MismatchReason | None:
        """Returns what the text before an excerpt does to it, or None. `excerpt` may be its first characters."""
        tail = before.rstrip(WRAPPERS)
        if not tail:
            return None
        last = tail[-1]
        if last == "\n":
            return self._fault_of_line_before(tail, excerpt)
        if last == "!" and not before[-1].isspace() and (len(tail) == 1 or not tail[-2].isalnum()):
            return MismatchReason.NEGATION_CROPPED
        line = tail[tail.rfind("\n") + 1 :]
        between = before[len(tail) :]
        gap = "  " in between or "\t" in between
        if not line.isascii():
            fault = self._chinese_fault(line, excerpt)
            if fault is not None:
                return fault
        return self._english.fault(line, excerpt, is_value_place=gap)

    def fault_after(self, excerpt: str, after: str) -> MismatchReason | None:
        """Returns what the text after an excerpt does to it, or None. `excerpt` may be its last characters."""
        if not after or after[0] in _SILENT:
            return None
        last = excerpt[-1]
        opened = last in ":=：?" or excerpt.endswith(_OPENED_VALUES) or _ends_with(excerpt, self._separator_words)
        value = ":" + after if opened else after
        if self._denied.match(value) is not None or self._denied_bare.match(after) is not None:
            return MismatchReason.VALUE_CROPPED
        if not after.isascii() and self._after_closed.match(after) is not None:
            return MismatchReason.VALUE_CROPPED
        if is_cjk(last):
            return self._fault_behind_ideograph(after)
        if _NOT_FOLLOWS.match(after) is not None:
            return MismatchReason.NEGATION_CROPPED if _ends_with(excerpt, self._auxiliaries) else None
        return None

    def fault_in_row(self, label: str, after: str) -> MismatchReason | None:
        """Returns whether a row of two cells denies its label: `errors occurred    0`, `errors_total{code="500"} 0`.

        `label` is the row up to the end of the excerpt. In a row of more cells a 0 belongs to a heading above.
        """
        match = self._denied_in_row.match(after)
        if match is None:
            return None
        label = label.strip()
        if len(match[1]) > 1 or "\t" in match[1]:
            return None if "  " in label or "\t" in label else MismatchReason.VALUE_CROPPED
        return MismatchReason.VALUE_CROPPED if _METRIC.fullmatch(label) is not None else None

    def key_denies(self, key: str) -> bool:
        """Returns whether a JSON key says that its value does not hold."""
        return key.replace("_", "").replace("-", "").replace(" ", "").lower() in self._json_keys

    def flag_denies(self, key: str) -> bool:
        """Returns whether a JSON key that is false says that what comes next did not happen."""
        return key.lower() in self._json_flags

    def _fault_behind_ideograph(self, after: str) -> MismatchReason | None:
        if self._after_chinese.match(after) is not None:
            return MismatchReason.NEGATION_CROPPED
        if self._condition_after.match(after) is not None:
            return MismatchReason.CONDITION_CROPPED
        return MismatchReason.VALUE_CROPPED if _ZERO_BEHIND_IDEOGRAPH.match(after) is not None else None

    def hides_polarity(self, gap: str) -> bool:
        """Returns whether an omitted text negates, compares or makes conditional."""
        lowered = gap.lower()
        if not lowered.isascii() or "not" in lowered or "no" in lowered:
            lowered = self._gap_exceptions.sub("\u25a1", lowered)
        return self._gap.search(lowered) is not None

    def changes_subject(self, left: str, gap: str, right: str) -> bool:
        """Returns whether what comes after a gap may speak of something else than what comes before it.

        So it is where another clause begins in the gap and what comes after does not begin with that clause: its
        subject was left out (节点A正常，节点B不可达). Fields (`wait=30`) have no subject.
        """
        ends = list(_CLAUSE_BREAK.finditer(gap))
        if not ends or _STARTS_FIELD.match(right) is not None:
            return False
        clause = gap[ends[-1].end() :]
        rest = clause[self._end_of_connective(clause) :].strip(WRAPPERS + "\"'")
        if not rest:
            return False
        if is_cjk(rest[-1]) or _WIDE_BREAK.match(ends[-1][0]) is not None:
            return True
        words = rest.lower().split()
        return any(word in self._auxiliaries or not word.isalpha() for word in words) or _ends_with(
            left, self._auxiliaries
        )

    def _end_of_connective(self, clause: str) -> int:
        match = self._connectives.match(clause)
        return 0 if match is None else match.end()

    def _fault_of_line_before(self, tail: str, excerpt: str) -> MismatchReason | None:
        """Looks at the end of the line before: a wrapped sentence may leave its negator there."""
        stripped = tail.rstrip()
        line = stripped[stripped.rfind("\n") + 1 :]
        if not line or line[-1] in CLAUSE_ENDS:
            return None
        return self._english.fault(line, excerpt, is_value_place=True, adjacent_only=True)

    def _chinese_fault(self, line: str, excerpt: str) -> MismatchReason | None:
        clause = line[1 + max(map(line.rfind, _CHINESE_CLAUSE_ENDS)) :]
        if self._condition_characters.isdisjoint(clause) and self._negator_characters.isdisjoint(clause):
            return None
        if self._chinese_conditions.search(self._condition_exceptions.sub("\u25a1", clause)) is not None:
            return MismatchReason.CONDITION_CROPPED
        if self._leads_condition(line[: len(line) - len(clause)], clause, excerpt):
            return MismatchReason.CONDITION_CROPPED
        if self._chinese_before.search(self._chinese_exceptions.sub("\u25a1", clause)[-_CHINESE_REACH:]) is not None:
            return MismatchReason.NEGATION_CROPPED
        return None

    def _leads_condition(self, earlier: str, clause: str, excerpt: str) -> bool:
        match = self._leading_conditions.match(clause)
        if match is None or self._condition_exceptions.match(clause[match.start(1) :] + excerpt[:2]) is not None:
            return False
        return match[1] != "如" or earlier[-1:] not in _LIST_MARKS or _CONSEQUENCE.match(excerpt) is not None


def _ends_with(text: str, words: frozenset[str]) -> bool:
    last = _LAST_WORD.search(text[-16:])
    return last is not None and last[1].lower() in words


def _latin(words: Iterable[str]) -> str:
    return alternation(word for word in words if word.isascii())


def _cjk(words: Iterable[str]) -> str:
    return alternation(word for word in words if not word.isascii())
