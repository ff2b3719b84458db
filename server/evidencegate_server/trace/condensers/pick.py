"""Chooses among the lines of a text those that are worth most and fit, and puts them together in their order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from evidencegate_server.trace.condensers.lines import QUOTED, Line, Lines
from evidencegate_server.trace.condensers.model import Condensed

ELLIPSIS: Final = "…"
_MARK: Final = len(ELLIPSIS) + 1  # what a mark for left-out lines costs, with its line end
_MOST_TRIED: Final = 80  # lines that are written out to see whether they fit
_ENOUGH_ROOM: Final = 12  # characters under which no further line is tried
_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r"[ \t\f\v\u00a0\u3000\r\n]+")
# Colours and cursor moves of a terminal, and control characters: they would only hide what stands there.
_NOISE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0e-\x1f\x7f]")

_HEAD_FACTOR: Final = 8  # of a text that becomes one line, this many times the bound are read

Write = Callable[[str], str]


def tidy_line(line: str) -> str:
    """Returns a line with its runs of blanks made one and without what a terminal would not show."""
    return _BLANKS.sub(" ", _NOISE.sub("", line)).strip()


def tidy(text: str, max_chars: int) -> str:
    """Returns a text as one tidy line within the bound."""
    line = tidy_line(text[: max_chars * _HEAD_FACTOR])
    return line if len(line) <= max_chars else line[: max_chars - 1] + ELLIPSIS


def pick(lines: Lines, max_chars: int, *, write: Write = tidy_line, unlike: bool = False) -> Condensed:
    """Returns the best lines that fit, in the text's order, with a mark where something between them is left out.

    `write` makes the shown form of a line. With `unlike`, a line that differs from a shown one in its digits alone is
    left out, unless a claim speaks of it.
    """
    room = max_chars - _MARK  # one mark may stand at the end
    alone = len(lines.worth) == 1
    shown: dict[Line, str] = {}
    written: set[str] = set()
    for line in lines.best()[:_MOST_TRIED]:
        if room < _ENOUGH_ROOM:
            break
        text = write(lines.text[line.start : line.end])
        form = _DIGITS.sub("0", text) if unlike and line not in lines.focused else text
        if not text or form in written:
            continue
        whole = alone or (not shown and lines.worth[line] >= QUOTED)
        longest = max_chars - 2 * _MARK if whole else max_chars // 2
        if len(text) > longest:
            text = _around(lines, line, text, longest) if write is tidy_line else _begin(text, longest)
        if len(text) + _MARK > room:
            continue
        written.add(form)
        shown[line] = text
        room -= len(text) + 1 + _MARK
    return _join(lines, shown)


def _begin(text: str, longest: int) -> str:
    return text[: longest - len(ELLIPSIS)].rstrip() + ELLIPSIS


def _around(lines: Lines, line: Line, text: str, longest: int) -> str:
    """Returns the part of a long line around what makes it worth showing."""
    inside = longest - 2 * len(ELLIPSIS)
    start = max(line.start, lines.hits.get(line, line.start) - inside // 3)
    if start == line.start:
        return _begin(text, longest)
    start = max(start, *(lines.text.rfind(edge, start, lines.hits[line]) + 1 for edge in " ,;，；。"))
    part = tidy_line(lines.text[start : min(line.end, start + 2 * inside)])
    if len(part) <= inside and start + 2 * inside >= line.end:
        return ELLIPSIS + part
    return ELLIPSIS + part[:inside].rstrip() + ELLIPSIS


def _join(lines: Lines, shown: dict[Line, str]) -> Condensed:
    parts: list[str] = []
    end = 0
    left_out = False
    for line in sorted(shown, key=lambda one: one.start):
        if lines.text[end : line.start].strip():
            parts.append(ELLIPSIS)
            left_out = True
        parts.append(shown[line])
        left_out = left_out or line.cut or shown[line].endswith(ELLIPSIS) or shown[line].startswith(ELLIPSIS)
        end = max(end, line.end)
    if lines.text[end:].strip():
        parts.append(ELLIPSIS)
        left_out = True
    return Condensed("\n".join(parts), left_out)
