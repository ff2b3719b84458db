"""Tells whether the evidence itself sets two names or values apart, as far as their lines show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

# The end of a line, and the comma between two objects or lists of one line of JSON.
_BREAK: Final = re.compile(r"\n|(?<=[}\]])\s*,\s*(?=[{\[\"])")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./:@-]*")
_PART: Final = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]{2,}")
_COLUMN: Final = re.compile(r"\s{2,}|\t|\s*\|\s*")
_COMMON: Final = frozenset(
    (
        "the",
        "an",
        "and",
        "or",
        "of",
        "to",
        "in",
        "on",
        "at",
        "is",
        "are",
        "was",
        "were",
        "for",
        "with",
        "by",
        "from",
        "its",
    )
)


@lru_cache(maxsize=256)
def rows(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the lines of the evidence; objects of one line of JSON count as lines."""
    return tuple(row for text in texts for row in _BREAK.split(text) if row.strip())


@lru_cache(maxsize=4096)
def tokens(text: str) -> frozenset[str]:
    """Returns names, numbers and words in lower case, thousands without their commas; parts of names as well."""
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text).lower()
    whole = {match.rstrip(".:/@-") for match in _TOKEN.findall(text)}
    return frozenset((whole | set(_PART.findall(text))) - _COMMON)


def stands_in(token: str, text: str) -> bool:
    """Returns whether a name or number stands in a text, not as a part of a longer one; letter case counts."""
    return _whole(token).search(text) is not None


def rows_with(token: str, texts: tuple[str, ...]) -> list[str]:
    """Returns the rows in which a name or number stands."""
    return [row for row in rows(texts) if stands_in(token, row)]


def told_apart(claim: str, old: str, new: str, texts: tuple[str, ...]) -> bool:
    """Returns whether something that the claim says stands beside `old` and never beside `new`.

    Only then is it known that the claim is false of `new`: two rows can say the same of both.
    """
    others = tokens(claim) - tokens(old) - tokens(new)
    beside_old = _union(rows_with(old, texts))
    beside_new = _union(rows_with(new, texts))
    return not others.isdisjoint(beside_old - beside_new)


def same_slot(old: str, old_row: str, new: str, new_row: str) -> bool:
    """Returns whether two values can be values of one attribute: after the same word, or in the same column."""
    if _words_before(old, old_row) & _words_before(new, new_row):
        return True
    if old_row == new_row:
        return False
    return not _columns(old, old_row).isdisjoint(_columns(new, new_row))


def _columns(token: str, row: str) -> set[tuple[int, int]]:
    cells = _COLUMN.split(row.strip())
    return {(len(cells), at) for at, cell in enumerate(cells) if len(cells) > 2 and stands_in(token, cell)}


def _words_before(token: str, row: str) -> set[str]:
    """Returns the last word before each place of a token: the key of `key: value`, `key=value`, `Key   value`."""
    found = set()
    for match in _whole(token).finditer(row):
        before = re.findall(r"[A-Za-z_]+|[\u4e00-\u9fff]+", row[max(0, match.start() - 40) : match.start()])
        found.add(before[-1].lower() if before else "")
    return found


@lru_cache(maxsize=4096)
def _whole(token: str) -> re.Pattern[str]:
    # A point or a colon before a space ends a sentence or a key and belongs to no name; a unit may follow a number.
    after = r"(?![0-9_]|[.,:/-]\d)(?![A-Za-z]{4})" if token[-1].isdigit() else r"(?![A-Za-z0-9_]|[.:/-][A-Za-z0-9])"
    return re.compile(rf"(?<![A-Za-z0-9_])(?<!\d[.,:])(?<![A-Za-z0-9][-/]){re.escape(token)}{after}")


def _union(texts: Iterable[str]) -> frozenset[str]:
    found: Sequence[frozenset[str]] = [tokens(text) for text in texts]
    return frozenset().union(*found)
