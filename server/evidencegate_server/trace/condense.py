"""Makes a short text of a long one: its first whole lines, tidied, within a bound."""

from __future__ import annotations

import re

from evidencegate_server.contract.records import record

_BLANKS = re.compile(r"[ \t\f\v\u00a0\u3000]+")
# Colours and cursor moves of a terminal, and control characters: they would only hide what stands there.
_NOISE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0e-\x1f\x7f]")
_ELLIPSIS = "…"
# A summary is made from the head alone; this much of it holds enough whole lines after tidying.
_HEAD_FACTOR = 8


@record
class Condensed:
    """A short text, and whether it leaves something out."""

    text: str
    shortened: bool


def condense(text: str, max_chars: int) -> Condensed:
    """Returns the first lines of a text that fit, each with its runs of blanks made one, blank lines left out.

    Lines stay whole as long as one fits at all; a first line that is longer than the bound is cut.
    """
    head = text[: max_chars * _HEAD_FACTOR]
    rest = len(head) < len(text)
    if rest:
        # The last line of the head may be cut anywhere: it only counts where there is no other.
        cut = head.rfind("\n")
        head = head[:cut] if cut > 0 else head
    kept: list[str] = []
    length = 0
    for line in head.splitlines():
        tidied = _tidy_line(line)
        if not tidied:
            continue
        if length + len(tidied) > max_chars:
            rest = True
            if not kept:
                return Condensed(tidied[: max_chars - 1] + _ELLIPSIS, shortened=True)
            break
        kept.append(tidied)
        length += len(tidied) + 1
    if not rest:
        return Condensed("\n".join(kept), shortened=False)
    while len(kept) > 1 and length + len(_ELLIPSIS) > max_chars:
        length -= len(kept.pop()) + 1
    if kept and length + len(_ELLIPSIS) > max_chars:
        return Condensed(kept[0][: max_chars - 1] + _ELLIPSIS, shortened=True)
    return Condensed("\n".join([*kept, _ELLIPSIS]) if kept else "", shortened=True)


def tidy(text: str, max_chars: int) -> str:
    """Returns a text as one tidy line within the bound."""
    line = _tidy_line(text[: max_chars * _HEAD_FACTOR].replace("\n", " ").replace("\r", " "))
    return line if len(line) <= max_chars else line[: max_chars - 1] + _ELLIPSIS


def _tidy_line(line: str) -> str:
    return _BLANKS.sub(" ", _NOISE.sub("", line)).strip()
