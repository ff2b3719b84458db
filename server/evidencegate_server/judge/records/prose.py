"""Cuts prose into sentences, English and Chinese."""

from __future__ import annotations

import re
from typing import Final

_STOPS: Final = r"[。！？；!?]+[”」』\"')）]*|\.{1,3}(?=\s+[\"'(\[]?[A-Z\u3400-\u9fff]|\s*$)[\"')]*"
_END: Final = re.compile(_STOPS + r"|;(?=\s(?!\s*[\w.-]+=)|$)")
# In Chinese no blank follows a mark.
_TIGHT: Final = re.compile(_STOPS + r"|;(?!\s*[\w.-]+=)")
_CHINESE: Final = re.compile("[\u3400-\u9fff]")
_ABBREVIATION: Final = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|approx|No|Fig|Mr|Dr|St|Inc|Ltd|cf|resp|al)|\b[A-Z])\.$")


def sentences(view: str, start: int, end: int) -> list[tuple[int, int]]:
    """Returns where each sentence begins and ends."""
    found = []
    left = start
    ends = _TIGHT if _CHINESE.search(view, start, end) is not None else _END
    for mark in ends.finditer(view, start, end):
        stop = mark.end()
        if (
            mark[0][0] == "."
            and stop < end
            and _ABBREVIATION.search(view, max(left, mark.start() - 8), mark.start() + 1)
        ):
            continue
        found.append((left, stop))
        left = stop
        while left < end and view[left].isspace():
            left += 1
    if left < end:
        found.append((left, end))
    return [(low, high) for low, high in found if high > low]
