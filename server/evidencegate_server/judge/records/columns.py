"""Finds the columns of a table by where its header and its rows have blanks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

Span = tuple[int, int]

FIELD: Final = re.compile(r"\S++(?: \S++)*+")
TOKEN: Final = re.compile(r"\S+")
_WIDE: Final = re.compile(r"[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")

# Blanks are looked at in so many lines: enough to tell a column, few enough for long tables.
SAMPLED_LINES: Final = 12


def fields(text: str) -> list[Span]:
    """Returns the parts of a line that two blanks or a tab separate."""
    return [found.span() for found in FIELD.finditer(text)]


def tabbed(text: str) -> list[Span]:
    """Returns the parts of a line that tabs separate, without the blanks around them; empty ones as well."""
    spans = []
    at = 0
    for piece in text.split("\t"):
        bare = piece.strip()
        left = at + len(piece) - len(piece.lstrip())
        spans.append((left, left + len(bare)) if bare else (at, at))
        at += len(piece) + 1
    return spans


def tokens(text: str) -> list[Span]:
    """Returns the parts of a line that any blank separates."""
    return [found.span() for found in TOKEN.finditer(text)]


class Ruler:
    """Places of a line on the screen, where a Chinese character takes two."""

    __slots__ = ("_places",)

    def __init__(self, text: str) -> None:
        self._places: list[int] | None = None
        if _WIDE.search(text) is not None:
            at = 0
            places = []
            for char in text:
                places.append(at)
                at += 2 if _WIDE.match(char) else 1
            places.append(at)
            self._places = places

    def span(self, span: Span) -> Span:
        """Returns where a span stands on the screen."""
        if self._places is None:
            return span
        return self._places[span[0]], self._places[span[1]]


def stretches(lines: Sequence[str]) -> list[Span]:
    """Returns the stretches of screen columns in which some line is not blank; one blank column bounds them."""
    mask = 0
    for line in lines:
        ruler = Ruler(line)
        for found in TOKEN.finditer(line):
            start, end = ruler.span(found.span())
            mask |= ((1 << (end - start)) - 1) << start
    spans: list[Span] = []
    at = 0
    while mask:
        low = (mask & -mask).bit_length() - 1
        mask >>= low
        at += low
        run = (~mask & (mask + 1)).bit_length() - 1
        spans.append((at, at + run))
        mask >>= run
        at += run
    return spans


def gather(parts: Sequence[Span], spans: Sequence[Span]) -> list[list[Span]]:
    """Returns which parts lie in each span, a part that touches several in the one it touches most."""
    held: list[list[Span]] = [[] for _ in spans]
    for part in parts:
        best, most = -1, 0
        for index, span in enumerate(spans):
            shared = min(part[1], span[1]) - max(part[0], span[0])
            if shared > most:
                best, most = index, shared
        if best < 0:
            best = min(range(len(spans)), key=lambda index: (abs(spans[index][0] - part[0]), index)) if spans else -1
        if best >= 0:
            held[best].append(part)
    return held
