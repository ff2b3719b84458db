"""Says whether a stretch of a text is a whole word."""

from __future__ import annotations

import re
from typing import Final

_INNER: Final = re.compile(r"[0-9a-z\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2079\u2150-\u215e]")


def edges(text: str, start: int, end: int) -> bool:
    """Returns whether no letter or digit goes on at a side where the stretch itself has one."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    return not (before.isalnum() and text[start].isalnum()) and not (after.isalnum() and text[end - 1].isalnum())


def stands_alone(text: str, start: int, end: int) -> bool:
    """Returns whether letters or digits do not go on at either side."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    if _INNER.match(before) and _INNER.match(text[start]):
        return False
    if _INNER.match(after) and _INNER.match(text[end - 1]):
        return False
    # 1.2 is not in 1.2.3, nor v2.3 in v2.30; node-1 is not in node-1.5.
    return not (after == "." and end + 1 < len(text) and text[end + 1].isdigit() and text[end - 1].isdigit())
