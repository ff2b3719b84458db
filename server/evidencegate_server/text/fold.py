"""Folds text to the form in which quotations are compared, and finds the way back to the original.

Folding is linear and works on pieces of about two thousand characters with C-level string operations, so that other
threads get their turn in between. The way back is worked out for the one piece that is asked about, not beforehand.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import Final

from evidencegate_server.text.chars import CJK_PUNCTUATION_RANGES, CJK_RANGES, is_wide
from evidencegate_server.text.fold_tables import COMMON, NUMBERED, PLAIN, RARE, SENTENCE_MARKS

PIECE_LENGTH: Final = 2_048
_PIECE_SLACK: Final = 1_024  # how much longer a piece may get to end at white space

ANSI: Final = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # CSI: colours, cursor moves
    "|\x1b\\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\\\)"  # OSC: titles, links
    "|\x1b[()*+][0-9A-Za-z]"  # character sets
    "|\x1b[=>78cDEHMNOZ]"
)
"""Terminal control sequences."""

_WIDE: Final = CJK_RANGES + CJK_PUNCTUATION_RANGES
_SPACE_AT_WIDE: Final = re.compile(f" (?:(?=[{_WIDE}])|(?<=[{_WIDE}] ))")
_SPACE_AT_BRACKET: Final = tuple(pair for mark in "{}[]=" for pair in ((f" {mark}", mark), (f"{mark} ", mark)))
_BRACKETS: Final = frozenset("{}[]=")
_SEPARATORS: Final = frozenset(",:")
_SPACE_AFTER_COMMA: Final = re.compile(r", (?:(?!\d)|(?<!\d, ))")
_SPACE_AFTER_COLON: Final = re.compile(r": (?:(?!\d)|(?<!\d: ))")
_SPACE_BEFORE_COMMA: Final = re.compile(r" ,(?:(?!\d)|(?<!\d ,))")
_SPACE_BEFORE_COLON: Final = re.compile(r" :(?:(?!\d)|(?<!\d :))")
_MARK_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)[。，、](?=\d)")
_KEPT_MARKS: Final = {"。": "\ue0f0", "，": "\ue0f1", "、": "\ue0f2"}  # stand-ins while the others are folded


class Folder:
    """Folds by the rules that need words: which units may lose the space between them and their number."""

    __slots__ = ("_space_before_unit", "_unit")

    def __init__(self, units: str) -> None:
        """Takes the units as one regex alternation, longest first, letter case meant."""
        self._unit = re.compile(rf"(?:{units})(?![A-Za-z0-9_])")
        self._space_before_unit = re.compile(rf" (?<=\d )(?=(?:{units})(?![A-Za-z0-9_]))")

    def fold(self, text: str) -> str:
        """Returns the folded form of a short text, letter case kept."""
        if len(text) <= PIECE_LENGTH:
            return self.tighten(fold_characters(text))
        return self.fold_long(text).folded

    def fold_long(self, text: str) -> FoldedText:
        """Returns the folded form of a text of any length, with the way back."""
        return FoldedText(text, self)

    def tighten(self, text: str) -> str:
        """Makes one space of each run of white space, and none where a space says nothing."""
        folded = " ".join(text.split())
        if " " not in folded:
            return folded
        for spaced, tight in _SPACE_AT_BRACKET:
            if spaced in folded:
                folded = folded.replace(spaced, tight)
        if ", " in folded:
            folded = _SPACE_AFTER_COMMA.sub(",", folded)
        if ": " in folded:
            folded = _SPACE_AFTER_COLON.sub(":", folded)
        if " ," in folded:
            folded = _SPACE_BEFORE_COMMA.sub(",", folded)
        if " :" in folded:
            folded = _SPACE_BEFORE_COLON.sub(":", folded)
        if not folded.isascii():
            folded = _SPACE_AT_WIDE.sub("", folded)
        return self._space_before_unit.sub("", folded)

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


def fold_characters(text: str) -> str:
    """Folds characters and leaves white space as it is."""
    return _fold_sentence_marks(fold_drawing(text))


def fold_drawing(text: str) -> str:
    """Folds characters but for white space and for Chinese commas and full stops, which end clauses."""
    if text.isascii():
        return ANSI.sub("", text) if "\x1b" in text else text
    if "\x1b" in text or "\x9b" in text:
        text = ANSI.sub("", text)
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if RARE.search(text) is not None:
        text = RARE.sub(_fold_rare, text)
    for mark, folded in COMMON:
        if mark in text:
            text = text.replace(mark, folded)
    return text


def _fold_sentence_marks(text: str) -> str:
    if text.isascii():
        return text
    if "。" not in text and "，" not in text and "、" not in text:
        return text
    kept = _MARK_BETWEEN_DIGITS.search(text) is not None
    if kept:
        text = _MARK_BETWEEN_DIGITS.sub(lambda match: _KEPT_MARKS[match[0]], text)
    for mark, folded in SENTENCE_MARKS.items():
        text = text.replace(mark, folded)
    if kept:
        for mark, stand_in in _KEPT_MARKS.items():
            text = text.replace(stand_in, mark)
    return text


def _fold_rare(match: re.Match[str]) -> str:
    char = match[0]
    folded = PLAIN.get(char)
    if folded is not None:
        return folded
    text, start = match.string, match.start()
    before = text[start - 1] if start else ""
    after = text[start + 1] if start + 1 < len(text) else ""
    if _is_number(before) or _is_number(after):
        return char
    return NUMBERED[char]


def _is_number(char: str) -> bool:
    return char != "" and (char.isnumeric() or char in NUMBERED) and not "\u3400" <= char <= "\u9fff"


def _cut(text: str, start: int) -> int:
    """Returns where a piece that begins at `start` ends: before white space, or else between two plain characters."""
    end = start + PIECE_LENGTH
    if end >= len(text):
        return len(text)
    for position in range(end, min(end + _PIECE_SLACK, len(text))):
        if text[position].isspace() and not text[position - 1].isspace():
            escape = text.rfind("\x1b", max(start, position - 600), position)
            if escape < 0 or _closed_escape(text, escape, position):
                return position
    for position in range(end, start + PIECE_LENGTH // 2, -1):
        left, right = text[position - 1], text[position]
        if left.isalpha() and right.isalpha() and not unicodedata.combining(right):
            if is_wide(left) and is_wide(right):
                return position
            if left.isascii() and right.isascii() and "\x1b" not in text[position - 80 : position]:
                return position
    return end


def _closed_escape(text: str, escape: int, position: int) -> bool:
    match = ANSI.match(text, escape)
    return match is None or match.end() <= position


class FoldedText:
    """A folded text with the way back to the original.

    `folded` keeps letter case; `lowered` is the same text in lower case, character for character. Both are made in
    one go, when the object is made.
    """

    __slots__ = ("_fold_starts", "_folder", "_maps", "_original", "_starts", "folded", "lowered")

    def __init__(self, original: str, folder: Folder) -> None:
        self._original = original
        self._folder = folder
        self._maps: dict[int, tuple[list[int], list[int]]] = {}
        starts: list[int] = []
        fold_starts: list[int] = []
        pieces: list[str] = []
        length = 0
        position = 0
        tail = ""
        spaced = False
        while position < len(original):
            end = _cut(original, position)
            characters = fold_characters(original[position:end])
            piece = folder.tighten(characters)
            if piece:
                if tail and (spaced or characters[0].isspace()) and not folder.space_vanishes(tail, piece):
                    pieces.append(" ")
                    length += 1
                starts.append(position)
                fold_starts.append(length)
                pieces.append(piece)
                length += len(piece)
                tail = piece if len(piece) > 1 else tail[-1:] + piece
                spaced = characters[-1].isspace()
            else:
                spaced = spaced or characters != ""
            position = end
        self._starts = starts
        self._fold_starts = fold_starts
        self.folded = "".join(pieces)
        self.lowered = lower(self.folded)

    def original_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Returns the half-open range of the original for a non-empty range of the folded text.

        None where the range begins or ends inside one original character (one that folds to several).
        """
        first_starts, first_ends = self._map_at(start)
        last_starts, last_ends = self._map_at(end - 1)
        first = start - self._fold_starts[self._piece_of(start)]
        last = end - 1 - self._fold_starts[self._piece_of(end - 1)]
        if first < 0 or last < 0 or first >= len(first_starts) or last >= len(last_starts):
            return None
        if first and first_starts[first - 1] == first_starts[first]:
            return None
        if last + 1 < len(last_starts) and last_starts[last + 1] == last_starts[last]:
            return None
        return first_starts[first], last_ends[last]

    def _piece_of(self, position: int) -> int:
        return bisect_right(self._fold_starts, position) - 1

    def _map_at(self, position: int) -> tuple[list[int], list[int]]:
        index = self._piece_of(position)
        known = self._maps.get(index)
        if known is None:
            known = self._maps[index] = self._map_piece(index)
        return known

    def _map_piece(self, index: int) -> tuple[list[int], list[int]]:
        start = self._starts[index]
        end = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._original)
        last = self._fold_starts[index + 1] if index + 1 < len(self._fold_starts) else len(self.folded)
        folded = self.folded[self._fold_starts[index] : last].rstrip(" ")
        return _positions(self._original[start:end], start, folded, self._folder)


def lower(text: str) -> str:
    """Returns the text in lower case, character for character."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _positions(piece: str, offset: int, folded: str, folder: Folder) -> tuple[list[int], list[int]]:
    """Returns, for each character of a piece's folded form, where its original begins and ends."""
    if len(piece) == len(folded) and piece.isascii():
        return list(range(offset, offset + len(piece))), list(range(offset + 1, offset + len(piece) + 1))
    starts: list[int] = []
    ends: list[int] = []
    emitted: list[str] = []
    space_at = -1
    clusters = _clusters(piece)
    for start, end in clusters:
        cluster = piece[start:end]
        if cluster[0].isspace():
            if space_at < 0 and emitted:
                space_at = start
            continue
        text = _fold_in_place(piece, start, end)
        if not text:
            continue
        if space_at >= 0:
            # Whether the space stayed is read from the folded text, which is the authority.
            if len(emitted) < len(folded) and folded[len(emitted)] == " ":
                emitted.append(" ")
                starts.append(offset + space_at)
                ends.append(offset + start)
            space_at = -1
        for char in text:
            emitted.append(char)
            starts.append(offset + start)
            ends.append(offset + end)
    return starts, ends


def _fold_in_place(piece: str, start: int, end: int) -> str:
    """Folds the characters of one cluster as its neighbours let it."""
    cluster = piece[start:end]
    if cluster.isascii():
        return "" if cluster[0] == "\x1b" and len(cluster) > 1 else cluster
    if cluster[0] == "\x9b" and len(cluster) > 1:
        return ""
    if cluster in NUMBERED or cluster in SENTENCE_MARKS:
        before, after = piece[max(0, start - 8) : start], piece[end : end + 8]
        left, right = fold_characters(before)[-1:], fold_characters(after)[:1]
        return fold_characters(left + cluster + right)[len(left) :][: -1 if right else None]
    return fold_characters(cluster)


def _clusters(piece: str) -> list[tuple[int, int]]:
    """Splits a piece into what is folded together: terminal sequences, letters with their marks, single characters."""
    spans: list[tuple[int, int]] = []
    position, length = 0, len(piece)
    while position < length:
        char = piece[position]
        end = position + 1
        if char in "\x1b\x9b":
            match = ANSI.match(piece, position)
            if match is not None:
                end = match.end()
        elif not char.isspace():
            while end < length and _joins(piece[end - 1], piece[end]):
                end += 1
        spans.append((position, end))
        position = end
    return spans


def _joins(left: str, right: str) -> bool:
    """Returns whether canonical composition can make one character of two."""
    if right < "\u0300":
        return False
    if unicodedata.combining(right):
        return True
    return "\u1160" <= right <= "\u11ff" or ("\u1100" <= left <= "\u11ff" and "\u1160" <= right <= "\u11ff")
