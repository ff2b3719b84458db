"""Tells at the cost of a few C-level searches that nothing beside an excerpt can matter, as is nearly always so.

What it calls clean, the careful look at boundaries and polarity calls clean too. What it does not, may still be clean.
It is for texts without terminal sequences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from evidencegate_server.excerpts.negation import CLAUSE_ENDS, WRAPPERS
from evidencegate_server.lexicon.excerpt_words import ComparatorWords, PolarityWords, UnitWords
from evidencegate_server.text.chars import CHINESE_NUMERALS
from evidencegate_server.text.words_regex import alternation

WINDOW: Final = 120
"""How many characters before and after an excerpt are looked at."""

_IDEOGRAPHS: Final = "\u4e00-\u9fff"
_WIDE_MARKS: Final = "，。；、"
_OPEN_BEFORE: Final = ' \\t\\n\\[\\](){}<>|;"`*,=' + _WIDE_MARKS + "（）《》【】“”"
# Folded or not, none of them becomes a letter.
_KNOWN: Final = f"\\x00-\\x1a\\x1c-\\x7f{_IDEOGRAPHS}{_WIDE_MARKS}：！？（）《》【】“”‘’—–…％"
_TURNING_REACH: Final = 3
_WRAPPERS: Final = WRAPPERS + "“”‘’（\\"  # these too once folded or unescaped
_WRAPPERS_AND_BREAKS: Final = _WRAPPERS + "\n"


class QuickLook:
    """Knows the few shapes of an edge that most quotations have, and every word that could matter before one."""

    __slots__ = ("_left", "_odd_before", "_right", "_triggers", "_turning")

    def __init__(self, words: PolarityWords, units: UnitWords, comparators: ComparatorWords) -> None:
        english, chinese, values = words.english, words.chinese, words.values
        numerals = "".join(sorted(CHINESE_NUMERALS))
        number_word = rf"(?!(?i:{alternation(comparators.numbers)}))"
        self._left = re.compile(
            rf"[{_OPEN_BEFORE}{_IDEOGRAPHS}](?:{number_word}[A-Za-z]|[\"(<])"
            rf"|[{_OPEN_BEFORE}：{_IDEOGRAPHS}A-Za-z](?![{numerals}点])[{_IDEOGRAPHS}]"
        )
        governing = (
            *chinese.negators,
            *chinese.absences,
            *chinese.conditions,
            *chinese.leading_conditions,
        )
        starts = "".join(sorted({word for word in governing if len(word) == 1}))
        longer = alternation(word for word in governing if word[0] not in starts)
        self._odd_before = re.compile(rf"[^{_KNOWN}]|[{starts}]|[‘’]t|{longer}")
        self._turning = frozenset(word.encode() for word in english.inversions)
        common = {*english.carriers, *english.bars}
        phrases = (
            *english.negators,
            *english.line_negators,
            *english.openers,
            *english.near,
            *english.absences,
            *english.conditions,
        )
        self._triggers = frozenset((*_signs(phrases, common), b"0", b"00", b"000", b"0000"))

        unit_ends = "".join(sorted({unit[-1] for unit in units.chinese if len(unit[-1].encode()) > 1}))
        behind = (*chinese.after, *chinese.after_closed, *chinese.conditions_after, *values.chinese_bare)
        leads = {word[0] for word in (*behind, *values.chinese, *values.separators) if not word[0].isascii()}
        latin = {
            re.escape(re.split(r"[^a-z]", word)[0])
            for word in (*values.words, *values.separated, *values.closed, *values.separators, "not", "never", "no")
            if word[0].isalpha() and word.isascii()
        }
        ideograph = rf"(?![{''.join(sorted(leads))}])[{_IDEOGRAPHS}]"
        word = rf"(?!(?i:{'|'.join(sorted(latin))})\b)[A-Za-z]"
        begins = f"{word}|{ideograph}"
        no_number = rf"(?![{unit_ends}{numerals}])"
        self._right = re.compile(
            rf"{no_number}[A-Za-z\"\])}}>{_IDEOGRAPHS}]"
            rf"(?:\r?\n|[,;}}{_WIDE_MARKS}；]|\.(?=\s|$)|[ \t](?:{begins}))"
            rf"|[A-Za-z](?:{ideograph}|[\"'](?=[,}}\]]))|{no_number}[{_IDEOGRAPHS}](?:{begins})"
        )

    def is_whole_before(self, text: str, start: int) -> bool:
        """Returns whether an excerpt that begins at `start` is surely cut out at a whole word and at no number."""
        return start == 0 or self._left.match(text, start - 1) is not None

    def is_quiet_before(self, text: str, start: int) -> bool:
        """Returns whether surely no word before `start` negates what stands there or makes it conditional."""
        if start == 0:
            return True
        before = text[start - WINDOW if start > WINDOW else 0 : start]
        if "\n" in before:
            line = before[before.rfind("\n") + 1 :]
            if line.strip(_WRAPPERS):
                before = line
            elif before.rstrip(_WRAPPERS_AND_BREAKS)[-1:] in CLAUSE_ENDS:
                return True
        if not before.isascii() and self._odd_before.search(before) is not None:
            return False
        if "n't" in before or "!" in before:
            return False
        words = before.encode("ascii", "replace").translate(_PLAIN_WORDS).split()
        return self._triggers.isdisjoint(words) and self._turning.isdisjoint(words[-_TURNING_REACH:])

    def is_clean_behind(self, text: str, end: int) -> bool:
        """Returns whether surely nothing is wrong with cutting at `end`, and nothing behind it matters."""
        return end == len(text) or self._right.match(text, end - 1) is not None


def _plain_words() -> bytes:
    """Returns the table that makes lower case and opens words: quotes and opening brackets become white space."""
    table = bytearray(range(256))
    for code in range(ord("A"), ord("Z") + 1):
        table[code] += 32
    for mark in b"\"'`*_([{<>)]}?/\\\x00":
        table[mark] = 32
    return bytes(table)


_PLAIN_WORDS: Final = _plain_words()


def _signs(phrases: Iterable[str], common: set[str]) -> Iterator[bytes]:
    """Yields one word of each phrase, the rarest: where it is not, the phrase is not."""
    for phrase in phrases:
        parts = phrase.replace("'", " ").split()
        yield max((part for part in parts if part not in common), key=len, default=max(parts, key=len)).encode()
