"""Turns word lists into regex source, the same way everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable


def alternation(words: Iterable[str]) -> str:
    """Returns the words as one alternation, the longest first, a space in a phrase matching any run of blanks."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", r"[ \t]+") for word in ordered)
