"""Knows the tables of samples, whose header and rows begin with a time: so sar, pidstat and mpstat set theirs."""

from __future__ import annotations

import re
from typing import Final

_TIMED: Final = re.compile(r"(?:\d\d:\d\d:\d\d(?: [AaPp][Mm])?|\d\d时\d\d分\d\d秒)\s+(?=\S)")
_AFTER_HOUR: Final = (":", "时")
_SAMPLED: Final = re.compile(r"(?<!\S)%[a-z]|/s(?!\S)|-sz(?!\S)")  # as no message is written
_NUMBER: Final = re.compile(r"[-+]?\d")


def timed(bare: str) -> int:
    """Returns where the words behind the time begin that a line begins with, 0 for none."""
    if bare[2:3] not in _AFTER_HOUR or not bare[0].isdigit():
        return 0
    found = _TIMED.match(bare)
    return 0 if found is None else found.end()


def heads_samples(header: str, row: str) -> bool:
    """Returns whether the words behind a time are headers: the next line has a time and as many words, mostly numbers.

    `header` is without its time, `row` is the whole line.
    """
    at = timed(row)
    heads, words = header.split(), row[at:].split()
    if not at or len(words) < len(heads) or any(_NUMBER.match(word) for word in heads):
        return False
    numbers = sum(_NUMBER.match(word) is not None for word in words)
    return 2 * numbers >= len(heads) and _SAMPLED.search(header) is not None
