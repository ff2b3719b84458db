"""Takes off what a model puts around a quotation: quotes, a final stop, bold, backticks, a list mark."""

from __future__ import annotations

import re
from typing import Final

_LIST_MARK: Final = re.compile(r"(?:[-*\u2022\u00b7\u25aa\u25cf\u25e6\u2023\u2013>]|#{1,6})\s+(?=\S)")
_BOLD: Final = re.compile(r"(?<!\w)(?:\*\*|`+)|(?:\*\*|`+)(?!\w)")
_FINAL: Final = ".。!！?？,，;；:：、"
_ELLIPSIS_ENDS: Final = ("..", "…", "。。")
_PAIRS: Final = frozenset({'""', "''", "“”", "‘’", "「」", "『』", "«»", "‹›", "《》", "**", "``"})
_ROUNDS: Final = 4  # a quotation inside bold inside quotes with a stop is peeled in three


def peel(text: str) -> str:
    """Returns the text without its wrapping; empty where nothing else is left."""
    for _ in range(_ROUNDS):
        before = text
        text = _LIST_MARK.sub("", text.strip(), count=1) if _LIST_MARK.match(text.strip()) else text.strip()
        if "**" in text or "`" in text:
            text = _BOLD.sub("", text).strip()
        if len(text) > 1 and text[0] + text[-1] in _PAIRS:
            text = text[1:-1].strip()
        if text and text[-1] in _FINAL and not text.endswith(_ELLIPSIS_ENDS):
            text = text[:-1].rstrip()
        if text == before:
            break
    return text


def has_minus_mark(text: str) -> bool:
    """Returns whether a text begins with a minus sign as its list mark: in a diff it would be a sign."""
    return text.lstrip()[:2] in ("- ", "\u2013 ", "-\t")
