"""Holds what a mutator is given."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

# So many twins of one claim and mutator: more would let long claims decide the rates.
MOST_TWINS: Final = 3

_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class TrueClaim:
    """A claim beside the texts of evidence that support it."""

    id: str
    claim: str
    texts: tuple[str, ...]

    @property
    def is_chinese(self) -> bool:
        """Whether the claim is written in Chinese."""
        return _HAN.search(self.claim) is not None

    @property
    def evidence(self) -> str:
        """All texts of the evidence, one below the other."""
        return "\n".join(self.texts)

    def replaced(self, start: int, end: int, text: str) -> str:
        """Returns the claim with another text at this place."""
        return f"{self.claim[:start]}{text}{self.claim[end:]}"


Mutator = Callable[[TrueClaim], Iterable[str]]
"""Returns false variants of a claim, none where no variant is surely false. Pure."""


def scattered(items: Iterable[str], seed: str) -> list[str]:
    """Returns the items once each in an order that depends on nothing but their text and the seed."""
    return sorted(set(items), key=lambda item: hashlib.sha256(f"{seed}\0{item}".encode()).digest())


def first_few(twins: Iterable[str], claim: str) -> Iterator[str]:
    """Returns the first twins that are no copy of the claim or of each other."""
    seen = {claim}
    for twin in twins:
        if len(seen) > MOST_TWINS:
            return
        if twin not in seen:
            seen.add(twin)
            yield twin
