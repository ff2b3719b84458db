"""Takes names and values that are joined by slashes apart (`rtt min/avg/max = 1/2/3`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_NAME: Final = r"[\w%().]+(?:[ -][\w%().]+)?"
_JOINED: Final = re.compile(rf"(?P<head>(?:[\w%().-]+ )*?)(?P<first>[\w%().-]+)(?P<rest>(?: ?/ ?{_NAME})+)")
_PART: Final = re.compile(r"\s*([^/]*[^/\s])\s*(?:/|$)")
_DIGIT: Final = re.compile(r"\d")

# More parts than this are a path.
_MOST_PARTS: Final = 8


def names(key: str) -> list[str]:
    """Returns the names that a key joins, each with the words that stand before all of them; empty for a plain key."""
    if "/" not in key or len(key) > 80:
        return []
    found = _JOINED.fullmatch(key.strip())
    if found is None:
        return []
    head, first = found["head"], found["first"]
    others = [part.strip() for part in found["rest"].split("/")[1:]]
    if len(others) >= _MOST_PARTS:
        return []
    if not head and "-" in first and not any("-" in other for other in others):
        # rx-bytes/packets: what stands before the first hyphen is said of all.
        shared = first.partition("-")[0] + "-"
        return [first, *(shared + other for other in others)]
    return [head + first, *(head + other for other in others)]


def values(text: str, count: int) -> Sequence[tuple[int, int]]:
    """Returns the spans of the `count` parts that slashes join in a text, empty where they are not as many."""
    if text.count("/") != count - 1 or _DIGIT.search(text) is None:
        return ()
    spans = [(part.start(1), part.end(1)) for part in _PART.finditer(text)]
    return spans if len(spans) == count else ()
