"""Tells what a claim says around a place: of some, in a denial, with a hedge."""

from __future__ import annotations

import re
from typing import Final

# Where only some are said to be in a state, others can be in the opposite one.
EXISTENTIAL: Final = re.compile(
    r"\b(?:one|some|any|at least|a few|several|either)\b|^\s*(?:two|three|four|five|most|many|\d+)\b(?! of the)"
    r"|有(?:一|[两二三四五]|\d)|部分|有些|至少|其中|个别|某|一度",
    re.IGNORECASE,
)
DENIES: Final = re.compile(r"(?:\b(?:not|no|never|neither|nor|none|without)|n't)\b|没|未|无|不|非", re.IGNORECASE)
UNCERTAIN: Final = re.compile(
    r"\b(?:may|might|could|probably|possibly|likely|perhaps)\b|可能|大概|或许|多半|也许|大概率", re.IGNORECASE
)
_CLAUSE_END: Final = re.compile(r"[,，。;；、]|[:：](?!\d)|\. ")


def clause(text: str, start: int, end: int) -> tuple[str, str]:
    """Returns what stands before and after a place in its clause; the colon of a time ends none."""
    return _CLAUSE_END.split(text[:start])[-1], _CLAUSE_END.split(text[end:])[0]
