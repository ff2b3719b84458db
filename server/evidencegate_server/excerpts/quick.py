"""Tells at the cost of a few C-level searches that nothing beside an excerpt can matter, as is nearly always so.

What it calls clean, the careful look at boundaries and polarity calls clean too. What it does not, may still be clean.
It is for texts without terminal sequences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_letters
from typing import Final

from evidencegate_server.excerpts.negation import CLAUSE_ENDS, WRAPPERS
from evidencegate_server.lexicon.excerpt_words import ComparatorWords, PolarityWords, UnitWords
from evidencegate_server.text.chars import CHINESE_NUMERALS
from evidencegate_server.text.words_regex import LazyPattern, alternation

WINDOW: Final = 120
"""How many characters before and after an excerpt are looked at."""

_IDEOGRAPHS: Final = "\u4e00-\u9fff"
_WIDE_MARKS: Final = "，。；、"
_OPEN_BEFORE: Final = ' \\t\\n\\[\\](){}<>|;"`*,=' + _WIDE_MARKS + "（）《》【】“”"
_OPENERS_BEFORE: Final = frozenset(' \t\n[](){}<>|;"`*,=' + _WIDE_MARKS + "（）《》【】“”")
_ASCII: Final = r"\x00-\x1a\x1c-\x7f"
_TYPESET: Final = _WIDE_MARKS + "：！？（）《》【】“”—–…％"  # folded or not, none of them becomes a letter
_WRAPPERS: Final = WRAPPERS + "“”‘’（\\"  # these too once folded or unescaped
_TURNING_REACH: Final = 3
_NUMERALS: Final = "".join(sorted(CHINESE_NUMERALS))
_COMMON_CHARACTERS: Final = frozenset(
    "一上下不与为从以会使其到出可在地将对就已并很得所是有本来极果没然现的着经要让设还这那都除中了个人时"
)


class QuickLook:
    """Knows the few shapes of an edge that most quotations have, and every word that could matter before one."""

    __slots__ = ("_first_letters", "_left", "_odd_before", "_odd_character", "_right", "_triggers", "_turning")

    def __init__(self, words: PolarityWords, units: UnitWords, comparators: ComparatorWords) -> None:
        initials = "".join(sorted({word[0] for word in comparators.numbers}))
        initials += initials.upper()
        letter = rf"(?![{initials}])[A-Za-z]|(?!(?i:{alternation(comparators.numbers)}))[{initials}]|[\"(<]"
        # The commonest letters that the pattern below lets pass behind an opener, for a quicker look.
        self._first_letters = frozenset(ascii_letters).difference(initials)
        self._left = re.compile(
            rf"[{_OPEN_BEFORE}{_IDEOGRAPHS}](?:{letter})"
            rf"|[{_OPEN_BEFORE}：{_IDEOGRAPHS}A-Za-z](?![{_NUMERALS}点])[{_IDEOGRAPHS}]"
        )
        self._right = re.compile(_right_pattern(words, units))

        chinese, english = words.chinese, words.english
        # A counted negator such as 0个 begins with a word that the English triggers have.
        negators = (word for word in chinese.negators if not word[0].isdecimal())
        governing = (*negators, *chinese.absences, *chinese.conditions, *chinese.leading_conditions)
        short = {word for word in governing if len(word) == 1}
        longer = [word for word in governing if word[0] not in short]
        # First one class, which costs next to nothing: of each phrase the character that few other words have.
        telling = short | {_rarest(word) for word in longer}
        self._odd_character = re.compile(f"[^{_ASCII}{_TYPESET}{_ideographs_but(telling)}]")
        self._odd_before = LazyPattern(
            rf"[^{_ASCII}{_TYPESET}‘’{_IDEOGRAPHS}]|[{''.join(sorted(short))}]|[‘’]t|{alternation(longer)}"
        )
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

    def is_clean(self, text: str, start: int, end: int) -> bool:
        """Returns whether surely nothing is wrong with cutting out a range, and nothing beside it matters."""
        return (
            (
                start == 0
                or (text[start - 1] in _OPENERS_BEFORE and text[start] in self._first_letters)
                or self._left.match(text, start - 1) is not None
            )
            and (end == len(text) or self._right.match(text, end - 1) is not None)
            and "\x1b" not in text
            and "\x9b" not in text
            and self.is_quiet_before(text, start)
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
            elif before.rstrip(_WRAPPERS).rstrip()[-1:] in CLAUSE_ENDS:
                return True
        if (
            not before.isascii()
            and self._odd_character.search(before) is not None
            and self._odd_before.search(before) is not None
        ):
            return False
        if "n't" in before or "!" in before or before[-2:-1] == "\\":
            return False
        words = before.encode("ascii", "replace").translate(_PLAIN_WORDS).split()
        return self._triggers.isdisjoint(words) and self._turning.isdisjoint(words[-_TURNING_REACH:])

    def is_clean_behind(self, text: str, end: int) -> bool:
        """Returns whether surely nothing is wrong with cutting at `end`, and nothing behind it matters."""
        return end == len(text) or self._right.match(text, end - 1) is not None


def _right_pattern(words: PolarityWords, units: UnitWords) -> str:
    """Returns what the last character of an excerpt and those behind it look like where nothing can be wrong."""
    chinese, values = words.chinese, words.values
    behind = (*chinese.after, *chinese.after_closed, *chinese.conditions_after, *values.chinese_bare)
    leads = {word[0] for word in (*behind, *values.chinese, *values.separators) if not word[0].isascii()}
    latin = {
        re.split(r"[^a-z]", word)[0]
        for word in (*values.words, *values.separated, *values.closed, *values.separators, "not", "never", "no")
        if word[0].isalpha() and word.isascii()
    }
    ideograph = rf"(?![{''.join(sorted(leads))}])[{_IDEOGRAPHS}]"
    word = rf"(?!(?i:{'|'.join(sorted(latin))})\b)[A-Za-z]"
    longest: dict[str, int] = {}  # how long the longest unit with this last character is
    for unit in units.chinese:
        longest[unit[-1]] = max(len(unit), longest.get(unit[-1], 0))
    unit_ends = "".join(sorted(longest))
    far_from_digits = "|".join(
        f"[{''.join(sorted(char for char in longest if longest[char] == length))}]"
        + "".join(rf"(?<!\d(?s:.{{{width}}}))" for width in range(1, length + 2))
        for length in sorted(set(longest.values()))
    )
    letter = (
        rf"(?:(?![{unit_ends}{_NUMERALS}])[A-Za-z\"\])}}>{_IDEOGRAPHS}]"
        rf"|(?![{_NUMERALS}])(?:{far_from_digits}))"
    )
    return (
        rf"{letter}(?:\r?\n|[,;}}{_WIDE_MARKS}；]|\.(?=\s|$)|[\"'](?=[,}}\]])"
        rf"|[ \t]?{ideograph}|(?:[ \t]|(?<=[{_IDEOGRAPHS}])){word})"
        r"|[\d%](?:[;}]|,(?=\s)|[，；](?!\d)|[。.](?=\s|$))|%\r?\n"
    )


def _rarest(phrase: str) -> str:
    """Returns a character of a phrase that few other words have."""
    return next((char for char in phrase if char not in _COMMON_CHARACTERS), phrase[0])


def _ideographs_but(removed: Iterable[str]) -> str:
    """Returns the ideographs as a character class, less some of them."""
    ranges: list[str] = []
    first, last = ord(_IDEOGRAPHS[0]), ord(_IDEOGRAPHS[-1])
    for code in (*sorted(code for char in removed if first <= (code := ord(char)) <= last), last + 1):
        if first < code:
            ranges.append(f"{chr(first)}-{chr(code - 1)}")
        first = code + 1
    return "".join(ranges)


def _plain_words() -> bytes:
    """Returns the table that makes lower case and opens words: quotes and brackets become white space."""
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
