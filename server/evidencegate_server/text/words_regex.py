"""Turns word lists into regex source, the same way everywhere, and compiles what is large on its first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator


def alternation(words: Iterable[str]) -> str:
    """Returns the words as one alternation, the longest first, a space in a phrase matching any run of blanks."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", r"[ \t]+") for word in ordered)


class LazyPattern:
    """A pattern that is compiled when it is first asked: a start needs none of them, and few texts need all.

    After that each method costs what the compiled pattern's own costs. Two threads may both compile, to no harm.
    """

    __slots__ = ("findall", "finditer", "fullmatch", "match", "pattern", "search", "sub")

    findall: Callable[..., list[str]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    sub: Callable[..., str]

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def __getattr__(self, name: str) -> Callable[..., object]:
        """Compiles the pattern; comes here only as long as a method is not set."""
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        found: Callable[..., object] = getattr(compiled, name)
        return found


_METHODS = tuple(name for name in LazyPattern.__slots__ if name != "pattern")
