"""Folds a text of any length and finds the way back to the original.

Folding is linear and works on pieces of about two thousand characters, so that other threads get their turn in
between. The way back is worked out for the piece that is asked about, not beforehand.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from evidencegate_server.text.chars import is_wide
from evidencegate_server.text.fold import ANSI, Folder, fold_characters, is_one_to_one, lower
from evidencegate_server.text.fold_tables import NUMBERED, SENTENCE_MARKS

PIECE_LENGTH: Final = 2_048
_PIECE_SLACK: Final = 1_024  # how much longer a piece may get to end at white space
_LONGEST_ESCAPE: Final = 600
_BLANK: Final = re.compile(r"\s")
_WORD: Final = re.compile(r"\S+")


def fold(text: str, folder: Folder) -> str:
    """Returns the folded form of a text, letter case kept."""
    if len(text) <= PIECE_LENGTH:
        return folder.tighten(fold_characters(text))
    return FoldedText(text, folder).folded


class FoldedText:
    """A folded text with the way back to the original.

    `folded` keeps letter case; `lowered` is the same text in lower case, character for character.
    """

    __slots__ = ("_fold_starts", "_maps", "_original", "_starts", "folded", "lowered")

    def __init__(self, original: str, folder: Folder) -> None:
        self._original = original
        self._maps: dict[int, _PieceMap] = {}
        self._starts: list[int] = []
        self._fold_starts: list[int] = []
        pieces: list[str] = []
        length = position = 0
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
                self._starts.append(position)
                self._fold_starts.append(length)
                pieces.append(piece)
                length += len(piece)
                tail = piece if len(piece) > 1 else tail[-1:] + piece
                spaced = characters[-1].isspace()
            else:
                spaced = spaced or characters != ""
            position = end
        self.folded = "".join(pieces)
        self.lowered = lower(self.folded)

    def original_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Returns the half-open range of the original for a range of the folded text that begins and ends in no space.

        None where the range begins or ends inside one original character (one that folds to several).
        """
        first = self._position(start)
        last = self._position(end - 1)
        if first is None or last is None or not first.is_first or not last.is_last:
            return None
        return first.start, last.end

    def _position(self, position: int) -> _Position | None:
        index = bisect_right(self._fold_starts, position) - 1
        if index < 0:
            return None
        piece_map = self._maps.get(index)
        if piece_map is None:
            piece_map = self._maps[index] = self._map_piece(index)
        return piece_map.position(position - self._fold_starts[index])

    def _map_piece(self, index: int) -> _PieceMap:
        more = index + 1 < len(self._starts)
        start = self._starts[index]
        original = self._original[start : self._starts[index + 1] if more else len(self._original)]
        folded = self.folded[self._fold_starts[index] : self._fold_starts[index + 1] if more else len(self.folded)]
        if is_one_to_one(original):
            return _WordMap(original, start, folded)
        return _ClusterMap(original, start, folded)


class _Position:
    """Where one folded character comes from.

    `is_first` and `is_last` are false inside a character that became several.
    """

    __slots__ = ("end", "is_first", "is_last", "start")

    def __init__(self, start: int, end: int, *, is_first: bool = True, is_last: bool = True) -> None:
        self.start = start
        self.end = end
        self.is_first = is_first
        self.is_last = is_last


class _PieceMap:
    """The way back for one piece."""

    __slots__ = ()

    def position(self, local: int) -> _Position | None:
        """Returns where the character at an offset of the folded piece comes from, None for a space."""
        raise NotImplementedError


class _WordMap(_PieceMap):
    """For a piece in which only white space was changed: the nth visible character stays the nth."""

    __slots__ = ("_counts", "_folded", "_offset", "_starts")

    def __init__(self, original: str, offset: int, folded: str) -> None:
        spans = [match.span() for match in _WORD.finditer(original)]
        self._folded = folded
        self._offset = offset
        self._starts = [start for start, _ in spans]
        self._counts = [0, *accumulate(end - start for start, end in spans)]

    def position(self, local: int) -> _Position | None:
        if local >= len(self._folded) or self._folded[local] == " ":
            return None
        number = local - self._folded.count(" ", 0, local)
        word = bisect_right(self._counts, number) - 1
        if word >= len(self._starts):
            return None
        start = self._offset + self._starts[word] + number - self._counts[word]
        return _Position(start, start + 1)


class _ClusterMap(_PieceMap):
    """For any piece: folds it once more, one character with its marks at a time."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, original: str, offset: int, folded: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        count = 0
        pending = False
        for start, end in _clusters(original):
            if original[start].isspace():
                pending = count > 0
                continue
            cluster = original[start:end]
            text = _fold_cluster(cluster)
            if text and pending:
                pending = False
                # Whether the space stayed is read from the folded text, which is the authority.
                if count < len(folded) and folded[count] == " ":
                    self._add(-1, -1, 1)
                    count += 1
            if cluster[0] in NUMBERED and folded.startswith(cluster[0], count):
                text = cluster[0] + text[len(NUMBERED[cluster[0]]) :]  # a number beside it kept it as it is
            self._add(offset + start, offset + end, len(text))
            count += len(text)

    def _add(self, start: int, end: int, length: int) -> None:
        self._starts.extend([start] * length)
        self._ends.extend([end] * length)

    def position(self, local: int) -> _Position | None:
        starts = self._starts
        if local >= len(starts) or starts[local] < 0:
            return None
        return _Position(
            starts[local],
            self._ends[local],
            is_first=not local or starts[local - 1] != starts[local],
            is_last=local + 1 == len(starts) or starts[local + 1] != starts[local],
        )


def _fold_cluster(cluster: str) -> str:
    """Folds the characters of one cluster as if it stood alone."""
    if cluster[0] in "\x1b\x9b" and len(cluster) > 1:
        return ""
    if cluster.isascii() or cluster in SENTENCE_MARKS:
        return cluster  # a sentence mark, folded or kept, is one character
    return fold_characters(cluster)


def _clusters(piece: str) -> Sequence[tuple[int, int]]:
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
            end = _end_of_cluster(piece, end)
        spans.append((position, end))
        position = end
    return spans


def _end_of_cluster(piece: str, end: int) -> int:
    """Returns where a cluster ends of which at least one character lies before `end`.

    Terminal sequences are gone before characters are composed, so one between a letter and its mark parts nothing.
    """
    last, length = piece[end - 1], len(piece)
    behind = end
    while behind < length:
        char = piece[behind]
        if char in "\x1b\x9b":
            match = ANSI.match(piece, behind)
            if match is None:
                break
            behind = match.end()
        elif _joins(last, char):
            last = char
            behind = end = behind + 1
        else:
            break
    return end


def _joins(left: str, right: str) -> bool:
    """Returns whether canonical composition can make one character of two."""
    if right < "\u0300":
        return False
    if unicodedata.combining(right):
        return True
    return "\u1100" <= left <= "\uffff" and "\u1160" <= right <= "\u11ff"


def _cut(text: str, start: int) -> int:
    """Returns where a piece that begins at `start` ends: before white space, or else between two plain characters."""
    end = start + PIECE_LENGTH
    if end >= len(text):
        return len(text)
    blank = _BLANK.search(text, end, min(end + _PIECE_SLACK, len(text)))
    if blank is not None and not text[blank.start() - 1].isspace():
        position = blank.start()
        escape = text.rfind("\x1b", max(start, position - _LONGEST_ESCAPE), position)
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
