"""Reads the parts and sentences of an answer that a model wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.compose.templates import Sections
from evidencegate_server.contract.records import record
from evidencegate_server.text.sentences import sentence_spans

_BEFORE_HEADING: Final = r"[ \t]*(?:#{1,4}[ \t]*)?(?:\*\*)?(?:(?:\d|[一二三四])[.、)）][ \t]*)?"
_BEHIND_HEADING: Final = re.compile(r"[:：]?(?:\*\*)?[:：]?")  # but for blanks, which may stand anywhere
_BLANKS: Final = str.maketrans("", "", " \t")

CONFIRMED: Final = "confirmed"
DIRECTIONS: Final = "directions"
GAPS: Final = "gaps"
NEXT_STEPS: Final = "next_steps"
ORDER: Final = (CONFIRMED, DIRECTIONS, GAPS, NEXT_STEPS)


@record
class Sentence:
    """A sentence where it stands, and the part that it stands in; empty where the answer has no parts."""

    text: str
    start: int
    section: str = ""


def has_form(text: str, sections: Sections) -> bool:
    """Returns whether a text is just the four parts, each under its heading, in their order."""
    found = _headings(text, sections)
    return [name for name, _, _ in found] == list(ORDER) and not text[: found[0][1]].strip()


def sentences(text: str, sections: Sections | None) -> Iterator[Sentence]:
    """Returns the sentences of a text without its headings; None is for a text that has no parts."""
    headings = [] if sections is None else _headings(text, sections)
    starts = [(0, "", 0), *((end, name, start) for name, start, end in headings)]
    for at, (begin, name, _) in enumerate(starts):
        end = starts[at + 1][2] if at + 1 < len(starts) else len(text)
        for first, last in sentence_spans(text, begin, end):
            yield Sentence(text[first:last], first, name)


def _headings(text: str, sections: Sections) -> list[tuple[str, int, int]]:
    """Returns the headings as name, start and end, in the order of the text."""
    found = [
        (name, match.start(), match.end())
        for name in ORDER
        for match in re.finditer(
            rf"^{_BEFORE_HEADING}{re.escape(getattr(sections, name))}(?P<rest>.*)$", text, re.MULTILINE
        )
        if _BEHIND_HEADING.fullmatch(match["rest"].translate(_BLANKS))
    ]
    return sorted(found, key=lambda heading: heading[1])
