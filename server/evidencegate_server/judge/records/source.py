"""Cuts an evidence text into lines that keep their places."""

from __future__ import annotations

import re
from typing import Final

_CONTROL: Final = re.compile(
    r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x00-\x08\x0b-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)

_COMMENTED_PAIR: Final = re.compile(r"[# ]*[A-Za-z_@]+: +\S")

# How wide a tab counts where lines are compared by their indentation.
_TAB_WIDTH: Final = 8


class Line:
    """One line: `left` and `end` bound `bare`, which has no white space around it; `indent` is -1 on a blank line."""

    __slots__ = ("bare", "end", "indent", "left", "start")

    def __init__(self, start: int, left: int, end: int, indent: int, bare: str) -> None:
        self.start = start
        self.left = left
        self.end = end
        self.indent = indent
        self.bare = bare


class Source:
    """A text and how it is looked at: `view` is as long as `text`, with blanks for colour codes and controls."""

    __slots__ = ("lines", "text", "view")

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        view = text if len(text) <= limit else text[:limit]
        if _CONTROL.search(view) is not None:
            view = _CONTROL.sub(lambda found: " " * len(found[0]), view)
        self.view = view
        self.lines = _lines(view, text)


def _lines(view: str, text: str) -> list[Line]:
    lines: list[Line] = []
    start = 0
    for raw in view.split("\n"):
        left = raw.lstrip()
        bare = left.rstrip()
        if bare:
            lead = len(raw) - len(left)
            indent = lead
            if lead and text[start] not in " \t\u3000":
                # Colour codes are blank in the view and indent nothing.
                indent = 0
            elif lead and "\t" in raw[:lead]:
                indent = len(raw[:lead].expandtabs(_TAB_WIDTH))
            lines.append(Line(start, start + lead, start + lead + len(bare), indent, bare))
        else:
            lines.append(Line(start, start, start, -1, ""))
        start += len(raw) + 1
    return lines


def is_pair_comment(bare: str) -> bool:
    """Tells whether a line that begins with # has pairs, as the head of an entry in the slow log of mysql has."""
    return bare.startswith("# ") and _COMMENTED_PAIR.match(bare) is not None
