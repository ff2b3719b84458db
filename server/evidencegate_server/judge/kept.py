"""Keeps what is made of a word list: by which list it is, since a list is hashed by walking all its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

_KEPT: Final = 4

_Words = TypeVar("_Words")
_Made = TypeVar("_Made")


def kept(make: Callable[[_Words], _Made]) -> Callable[[_Words], _Made]:
    """Returns what makes the same, and keeps the last few by their words. Two threads may both make one, to no harm."""
    known: list[tuple[_Words, _Made]] = []

    @wraps(make)
    def known_or_made(words: _Words) -> _Made:
        for one, made in known:
            if one is words:
                return made
        made = make(words)
        known.insert(0, (words, made))
        del known[_KEPT:]
        return made

    return known_or_made
