"""Holds what folding changes, one character at a time, built once from the Unicode tables.

Folded away are differences in how a character is drawn. Kept are differences that a reader could mean: superscripts,
subscripts, fractions, circled numbers beside a digit, direction controls, look-alikes of other scripts, accents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evidencegate_server.text.fold_data import NUMBERED_PAIRS, PLAIN_PAIRS
from evidencegate_server.text.words_regex import LazyPattern

INVISIBLE: Final = frozenset(
    [
        "\u00ad",  # soft hyphen
        "\u034f",  # combining grapheme joiner
        "\u180e",  # Mongolian vowel separator
        "\u200b",  # zero width space
        "\u200c",
        "\u200d",
        "\u2060",  # word joiner
        "\u2061",
        "\u2062",
        "\u2063",
        "\u2064",
        "\ufeff",  # byte order mark
        *(chr(code) for code in range(0x180B, 0x180E)),  # variation selectors
        *(chr(code) for code in range(0xFE00, 0xFE10)),
        *(chr(code) for code in range(0xE0100, 0xE01F0)),
    ]
)
"""Characters that show nothing and are removed. Direction controls are not among them: they change what is read."""

BIDI_CONTROLS: Final = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

SENTENCE_MARKS: Final = {"。": ".", "，": ",", "、": ","}
"""Folded too, but never between two digits, where they could make a number."""

COMMON: Final = (
    ("：", ":"),
    ("；", ";"),
    ("（", "("),
    ("）", ")"),
    ("！", "!"),
    ("？", "?"),
    ("％", "%"),
    ("“", '"'),
    ("”", '"'),
    ("‘", "'"),
    ("’", "'"),
    ("—", "-"),
    ("–", "-"),
    ("…", "..."),
)
"""The replacements that ordinary Chinese and typeset text needs all the time: one C-level pass each."""

QUOTES_AND_DASHES: Final = {
    **dict.fromkeys("\u201a\u201b\u2039\u203a\u300e\u300f\ufe43\ufe44\uff07", "'"),
    **dict.fromkeys("\u201e\u201f\u00ab\u00bb\u300c\u300d\ufe41\ufe42\u301d\u301e\u301f\uff02\uff62\uff63", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2015\u2043\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b\u02d7", "-"),
}


def _pairs(text: str) -> dict[str, str]:
    return {pair[0]: pair[1:] for pair in text.split(" ")}


def _character_class(chars: Iterable[str]) -> str:
    """Returns the characters as the ranges of a regex class."""
    codes = sorted(map(ord, chars))
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges)


PLAIN: Final = _pairs(PLAIN_PAIRS) | dict.fromkeys(INVISIBLE, "") | QUOTES_AND_DASHES
NUMBERED: Final = _pairs(NUMBERED_PAIRS)
"""PLAIN is folded wherever it stands, NUMBERED (a circled 1 and the like) only where no number is beside it."""

_BMP_END: Final = "\uffff"
_NUMBERED_CLASS: Final = _character_class(NUMBERED)

# Beyond U+FFFF one range stands for all: the regex engine looks at its ranges there one after the other.
RARE: Final = LazyPattern(
    f"[{_character_class(char for char in (*PLAIN, *NUMBERED) if char <= _BMP_END)}\U00010000-\U0010ffff]"
)
"""Everything in PLAIN and NUMBERED, and all characters beyond U+FFFF."""

RARE_RUN: Final = LazyPattern(f"([{_NUMBERED_CLASS}]{{2,}}+)|{RARE.pattern}")
"""The same, where several of NUMBERED in a row are one match, the first group: each has a number beside it."""
