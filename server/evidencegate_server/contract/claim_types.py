"""Compares claim types as they are meant, however a model spells them.

A root cause that is written `rootCause` or `Root-Cause` would else count less than one that is written by the contract.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

KNOWLEDGE: Final = "knowledge"
NEGATIVE_OBSERVATION: Final = "negative_observation"

_HUMP: Final = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINERS: Final = re.compile(r"[\W_]+")
# Drawn as nothing although they count as letters or marks: joiners of graphemes, fillers, selectors of variants.
_BLANK_LETTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_LONGEST: Final = 200  # no type is longer, and a longer text is none of them


def plain_claim_type(name: str) -> str:
    """Returns a claim type in the form in which types are compared: lower case, its words joined by one underscore.

    Full-width letters, invisible characters, camel case and every kind of joiner make no difference.
    """
    return _plain(name[:_LONGEST])


def is_claim_type(name: str, known: str) -> bool:
    """Returns whether a type as a model wrote it is the known one, also where it is written as one word."""
    return name == known or _squeezed(name) == _squeezed(known)


def known_claim_type(name: str, known: tuple[str, ...]) -> str | None:
    """Returns which of the known types a written one is, None where it is none of them."""
    if name in known:
        return name
    return _by_squeezed(known).get(_squeezed(name))


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    if not name.isascii():
        name = unicodedata.normalize("NFKC", _BLANK_LETTERS.sub("", name))
        name = "".join(char for char in name if unicodedata.category(char) != "Cf")
    return _JOINERS.sub("_", _HUMP.sub("_", name)).strip("_").casefold()


def _squeezed(name: str) -> str:
    return plain_claim_type(name).replace("_", "")


@lru_cache(maxsize=16)
def _by_squeezed(known: tuple[str, ...]) -> dict[str, str]:
    return {_squeezed(name): name for name in reversed(known)}
