"""Folds a piece of text to the form in which quotations are compared, with C-level string operations."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from evidencegate_server.text.chars import CJK_PUNCTUATION_RANGES, CJK_RANGES, is_wide
from evidencegate_server.text.fold_tables import COMMON, INVISIBLE, NUMBERED, PLAIN, RARE, RARE_RUN, SENTENCE_MARKS
from evidencegate_server.text.words_regex import LazyPattern

ANSI: Final = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # CSI: colours, cursor moves
    "|\x1b\\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\\\)"  # OSC: titles, links
    "|\x1b[()*+][0-9A-Za-z]"  # character sets
    "|\x1b[=>78cDEHMNOZ]"
)
"""Terminal control sequences."""

_WIDE: Final = CJK_RANGES + CJK_PUNCTUATION_RANGES
_SPACE_AT_WIDE: Final = f"(?=[{_WIDE}])|(?<=[{_WIDE}] )"
_SEPARATED_DIGITS: Final = re.compile(r"\d(?:[,:] ?| [,:])\d")
_ODD_BLANKS: Final = ("\t", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f")
_BRACKET_MARKS: Final = "{}[]="
_BRACKETS: Final = frozenset(_BRACKET_MARKS)
_SEPARATORS: Final = frozenset(",:")
_SPACE_AFTER_COMMA: Final = re.compile(r", (?:(?!\d)|(?<!\d, ))")
_SPACE_AFTER_COLON: Final = re.compile(r": (?:(?!\d)|(?<!\d: ))")
_SPACE_BEFORE_COMMA: Final = re.compile(r" ,(?:(?!\d)|(?<!\d ,))")
_SPACE_BEFORE_COLON: Final = re.compile(r" :(?:(?!\d)|(?<!\d :))")
_HAS_MARK_BETWEEN_DIGITS: Final = re.compile("[0-9][。，、][0-9]")
_MARK_BETWEEN_DIGITS: Final = re.compile("[。，、](?<=[0-9].)(?=[0-9])")
_UNUSUAL: Final = LazyPattern("[^\x00-\x1a\x1c-\x7f\u4e00-\u9fff，。、《》【】]")  # all that folding could change
_MOST_MARKS: Final = 30  # as in Unicode's stream-safe text format
_MANY_MARKS: Final = re.compile(rf"[^\w\s\x00-\u02ff]{{{_MOST_MARKS}}}")
_INVISIBLE: Final = "".join(sorted(INVISIBLE))
_LOOK_PAST: Final = 16  # so many invisible characters are looked past; behind more of them nothing is folded
_KEPT_MARKS: Final = {"。": "\ue0f0", "，": "\ue0f1", "、": "\ue0f2"}  # stand-ins while the others are folded


class Folder:
    """Takes out white space that says nothing, which needs the units: `5 ms` is `5ms`."""

    __slots__ = ("_space_at_wide", "_space_before_unit", "_unit")

    def __init__(self, units: str) -> None:
        """Takes the units as one regex alternation, longest first, letter case meant."""
        self._unit = LazyPattern(rf"(?:{units})(?![A-Za-z0-9_])")
        before_unit = rf"(?<=\d )(?=(?:{units})(?![A-Za-z0-9_]))"
        self._space_before_unit = LazyPattern(f" {before_unit}")
        self._space_at_wide = LazyPattern(f" (?:{_SPACE_AT_WIDE}|{before_unit})")

    def tighten(self, text: str) -> str:
        """Makes one space of each run of white space, and none where a space says nothing."""
        folded = _collapse(text)
        if " " not in folded:
            return folded
        for mark in _BRACKET_MARKS:
            if mark in folded:
                folded = folded.replace(f" {mark}", mark).replace(f"{mark} ", mark)
        if _SEPARATED_DIGITS.search(folded) is None:
            folded = folded.replace(", ", ",").replace(": ", ":")
            if " ," in folded or " :" in folded:
                folded = folded.replace(" ,", ",").replace(" :", ":")
        else:
            folded = _SPACE_AFTER_COMMA.sub(",", folded)
            folded = _SPACE_AFTER_COLON.sub(":", folded)
            folded = _SPACE_BEFORE_COMMA.sub(",", folded)
            folded = _SPACE_BEFORE_COLON.sub(":", folded)
        return (self._space_before_unit if folded.isascii() else self._space_at_wide).sub("", folded)

    def space_vanishes(self, before: str, after: str) -> bool:
        """Returns whether one space between two folded texts says nothing. Neither is empty."""
        left, right = before[-1], after[0]
        if left in _BRACKETS or right in _BRACKETS or is_wide(left) or is_wide(right):
            return True
        if left in _SEPARATORS:
            return not (right.isdecimal() and len(before) > 1 and before[-2].isdecimal())
        if right in _SEPARATORS:
            return not (left.isdecimal() and len(after) > 1 and after[1].isdecimal())
        return left.isdecimal() and self._unit.match(after) is not None


def _collapse(text: str) -> str:
    """Makes one space of each run of white space and none of those at the ends."""
    if not text.isascii():
        return " ".join(text.split())
    text = text.replace("\n", " ")
    for blank in _ODD_BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    while "  " in text:
        if "        " in text:
            text = text.replace("        ", " ")
        text = text.replace("  ", " ")
    return text.strip(" ")


def fold_characters(text: str) -> str:
    """Folds characters and leaves white space as it is."""
    return _fold_sentence_marks(fold_drawing(text))


def fold_drawing(text: str) -> str:
    """Folds characters but for white space and for Chinese commas and full stops, which end clauses."""
    if text.isascii():
        return ANSI.sub("", text) if "\x1b" in text else text
    if _UNUSUAL.search(text) is None:
        return text
    if "\x1b" in text or "\x9b" in text:
        text = ANSI.sub("", text)
    if not unicodedata.is_normalized("NFC", text):
        text = _compose(text)
    if RARE.search(text) is not None:
        text = RARE_RUN.sub(_fold_rare, text)
    for mark, folded in COMMON:
        if mark in text:
            text = text.replace(mark, folded)
    return text


def _fold_sentence_marks(text: str) -> str:
    if text.isascii():
        return text
    if "。" not in text and "，" not in text and "、" not in text:
        return text
    kept = _HAS_MARK_BETWEEN_DIGITS.search(text) is not None
    if kept:
        text = _MARK_BETWEEN_DIGITS.sub(lambda match: _KEPT_MARKS[match[0]], text)
    for mark, folded in SENTENCE_MARKS.items():
        text = text.replace(mark, folded)
    if kept:
        for mark, stand_in in _KEPT_MARKS.items():
            text = text.replace(stand_in, mark)
    return text


def _compose(text: str) -> str:
    """Composes a text. Its cost grows with the square of a run of marks, so that long runs are composed in parts."""
    if _MANY_MARKS.search(text) is None:
        return unicodedata.normalize("NFC", text)
    parts: list[str] = []
    start = marks = 0
    for position, char in enumerate(text):
        if char < "\u0300" or not unicodedata.combining(char):
            marks = 0
        elif marks == _MOST_MARKS:
            parts.append(text[start:position])
            start, marks = position, 1
        else:
            marks += 1
    return "".join(unicodedata.normalize("NFC", part) for part in (*parts, text[start:]))


def _fold_rare(match: re.Match[str]) -> str:
    if match[1] is not None:
        return match[1]
    folded = PLAIN.get(match[0])
    return folded if folded is not None else fold_numbered(match.string, match.start())


def fold_numbered(text: str, position: int) -> str:
    """Folds one character that may hold a number, unless a number is beside it: 3① is no 31."""
    char = text[position]
    if char not in NUMBERED:
        return char
    left, right = text[position - 1 : position], text[position + 1 : position + 2]
    if left.isascii() and right.isascii():
        return char if left.isdecimal() or right.isdecimal() else NUMBERED[char]
    if _is_number(left) or _is_number(right):
        return char
    before = text[max(0, position - _LOOK_PAST) : position]
    after = text[position + 1 : position + 1 + _LOOK_PAST]
    if before[-1:] in INVISIBLE or after[:1] in INVISIBLE:
        left, right = before.rstrip(_INVISIBLE), after.lstrip(_INVISIBLE)
        hidden = (not left and len(before) == _LOOK_PAST) or (not right and len(after) == _LOOK_PAST)
        if hidden or _is_number(left[-1:]) or _is_number(right[:1]):
            return char
    return NUMBERED[char]


def _is_number(char: str) -> bool:
    return char != "" and (char.isnumeric() or char in NUMBERED) and not "\u3400" <= char <= "\u9fff"


def is_one_to_one(text: str) -> bool:
    """Returns whether folding the characters of a text changes none but one for one."""
    if text.isascii():
        return "\x1b" not in text
    return (
        "\x1b" not in text
        and "\x9b" not in text
        and "…" not in text
        and RARE.search(text) is None
        and unicodedata.is_normalized("NFC", text)
    )


def lower(text: str) -> str:
    """Returns the text in lower case, character for character."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)
