"""Holds what folding changes, one character at a time, built once from the Unicode tables.

Folded away are differences in how a character is drawn. Kept are differences that a reader could mean: superscripts,
subscripts, fractions, circled numbers beside a digit, direction controls, look-alikes of other scripts, accents.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

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

_QUOTES_AND_DASHES: Final = {
    **dict.fromkeys("\u201a\u201b\u2039\u203a\u300e\u300f\ufe43\ufe44\uff07", "'"),
    **dict.fromkeys("\u201e\u201f\u00ab\u00bb\u300c\u300d\ufe41\ufe42\u301d\u301e\u301f\uff02\uff62\uff63", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2015\u2043\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b\u02d7", "-"),
}

_COMPATIBILITY_BLOCKS: Final = (
    (0x00A0, 0x0250),
    (0x02B0, 0x0300),
    (0x0370, 0x0600),
    (0x0E30, 0x0F80),
    (0x1D00, 0x1F00),
    (0x1FB0, 0x2E80),
    (0x2E80, 0x3000),
    (0x3030, 0x3400),
    (0xA690, 0xA7FF),
    (0xAB50, 0xAB70),
    (0xF900, 0xFE00),
    (0xFE10, 0x10000),
    (0x1D400, 0x1D800),
    (0x1F100, 0x1F270),
    (0x2F800, 0x2FA20),
)
_MEANINGFUL_FORMS: Final = ("<super>", "<sub>", "<fraction>")
_WIDTH_FORMS: Final = ("<wide>", "<narrow>", "<font>", "<small>", "<vertical>")


def _build() -> tuple[dict[str, str], dict[str, str]]:
    plain: dict[str, str] = dict.fromkeys(INVISIBLE, "")
    numbered: dict[str, str] = {}
    for first, last in _COMPATIBILITY_BLOCKS:
        for code in range(first, last):
            char = chr(code)
            form = unicodedata.decomposition(char)
            if not form.startswith("<"):
                continue
            folded = unicodedata.normalize("NFKC", char)
            if char.isspace() or folded == char or char in INVISIBLE or form.startswith(_MEANINGFUL_FORMS):
                continue
            if _has_meaningful_form(form):
                continue
            if any(part.isspace() for part in folded):
                continue  # a spacing accent, drawn as a space with a mark: leave it
            if any(part.isdigit() for part in folded) and not form.startswith(_WIDTH_FORMS):
                numbered[char] = folded
            else:
                plain[char] = folded
    plain.update(_QUOTES_AND_DASHES)
    for char in (*SENTENCE_MARKS, *(char for char, _ in COMMON)):
        plain.pop(char, None)
    return plain, numbered


def _has_meaningful_form(form: str) -> bool:
    """Returns whether a character's parts hold a superscript or the like, as in the square metre sign."""
    parts = form.split()[1:]
    return any(unicodedata.decomposition(chr(int(part, 16))).startswith(_MEANINGFUL_FORMS) for part in parts)


def _character_class(chars: frozenset[str]) -> str:
    """Returns the characters as the ranges of a regex class."""
    codes = sorted(map(ord, chars))
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges)


PLAIN, NUMBERED = _build()
"""PLAIN is folded wherever it stands, NUMBERED (a circled 1 and the like) only where no number is beside it."""

_BMP_END: Final = "\uffff"
_SPECIAL: Final = frozenset(PLAIN) | frozenset(NUMBERED)

# Beyond U+FFFF one range stands for all: the regex engine looks at its ranges there one after the other.
RARE: Final = re.compile(
    f"[{_character_class(frozenset(char for char in _SPECIAL if char <= _BMP_END))}\U00010000-\U0010ffff]"
)
"""Everything in PLAIN and NUMBERED, and all characters beyond U+FFFF."""
