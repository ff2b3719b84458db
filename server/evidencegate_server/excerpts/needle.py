"""Holds an excerpt in the form that is searched for."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from evidencegate_server.text.fold import Folder, lower
from evidencegate_server.text.folded import fold
from evidencegate_server.text.rewrite import drop_quotes

_GLUED: Final = re.compile(
    r"(?<=\d)[^\W\d_]++|(?<![^\W\d_])[^\W\d_]++(?=\d)|(?<![^\W_])[kmgtpKMGTP]i?[bB](?:ps)?(?![^\W_])"
)


def glued_letters(text: str) -> list[str]:
    """Returns the letters right beside digits and the units of data, in order: there letter case is meant."""
    return _GLUED.findall(text)


class Needle:
    """One form of an excerpt, folded.

    `text` is as it was given, `folded` keeps letter case, `lowered` is what is searched for.
    """

    def __init__(self, text: str, folder: Folder) -> None:
        self.text = text
        self.folded = fold(text, folder)
        self.lowered = lower(self.folded)

    def __bool__(self) -> bool:
        return self.folded != ""

    @cached_property
    def glued(self) -> tuple[tuple[int, int], ...]:
        """Where letters stand right beside digits, or measure data: there letter case is meant."""
        return tuple(match.span() for match in _GLUED.finditer(self.folded))

    @cached_property
    def unquoted(self) -> str:
        """The lowered form without quote marks."""
        return drop_quotes(self.lowered).text

    def same_case(self, found: str) -> bool:
        """Returns whether a found text of the same length has the same case wherever case is meant."""
        return all(found[start:end] == self.folded[start:end] for start, end in self.glued)
