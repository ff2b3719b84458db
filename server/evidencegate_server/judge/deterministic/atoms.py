"""Reads a claim or a clause into tokens that can be compared one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from evidencegate_server.judge.identifier_forms import plain_signs
from evidencegate_server.lexicon.judge_words import StatementWords

_TOKEN: Final = re.compile(r"[A-Za-z0-9_\u00c0-\u024f./@%+\-,:\\]+|[\u3400-\u9fff]")
_EDGES: Final = ".,:;-/\\+"
_NUMBER: Final = re.compile(r"^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$")
_NUMBER_UNIT: Final = re.compile(r"^([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)([A-Za-z%]{1,4})$")

# What stands at the start of a log line before its message: a time, a level, a logger in brackets.
_STAMP: Final = re.compile(
    r"^\W*(?:\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?\W*)?"
)


@dataclass(frozen=True, slots=True)
class Atom:
    """One token: its comparable key, and its value where it is a number. A unit is a token of its own."""

    key: str
    number: Decimal | None = None


class AtomReader:
    """Reads with one set of words. Linear in the text."""

    def __init__(self, words: StatementWords) -> None:
        self._framing = tuple(sorted(words.framing, key=lambda phrase: (-len(phrase), phrase)))
        self._articles = frozenset(words.articles)
        levels = "|".join(re.escape(level) for level in sorted(words.levels, key=lambda word: (-len(word), word)))
        self._level = re.compile(rf"^(?:[\[(<]?(?:{levels})[\])>]?(?:\s*[:\-]\s*|\s+))+", re.IGNORECASE)
        self._copulas = frozenset(words.copulas)
        self._qualifiers = tuple(words.qualifiers)

    def claim(self, text: str) -> tuple[Atom, ...]:
        """Returns the tokens of a claim without what only frames it."""
        text = plain_signs(text).strip()
        lowered = text.lower()
        for phrase in self._framing:
            if lowered.startswith(phrase):
                text = text[len(phrase) :].lstrip(" ,:，：")
                break
        return self._atoms(text)

    def clause(self, text: str) -> tuple[Atom, ...]:
        """Returns the tokens of a clause without the time and the level that a log line begins with."""
        text = plain_signs(text)
        bare = _STAMP.sub("", text, count=1)
        return self._atoms(self._level.sub("", bare, count=1))

    def has_copula(self, atoms: Sequence[Atom]) -> bool:
        """Returns whether one of the tokens joins an attribute with its value."""
        return any(atom.key in self._copulas for atom in atoms)

    def without_copula(self, atoms: Sequence[Atom]) -> tuple[Atom, ...]:
        """Returns the tokens without the first one that only joins an attribute with its value."""
        for at, atom in enumerate(atoms):
            if atom.key in self._copulas:
                return (*atoms[:at], *atoms[at + 1 :])
        return tuple(atoms)

    def is_qualified(self, text: str) -> bool:
        """Returns whether a claim says more or less than a bare value: about, over, not, may, all."""
        lowered = f" {' '.join(plain_signs(text).lower().split())} "
        return any(
            (f" {phrase} " in lowered) if phrase.isascii() else (phrase in lowered) for phrase in self._qualifiers
        )

    def _atoms(self, text: str) -> tuple[Atom, ...]:
        atoms: list[Atom] = []
        for match in _TOKEN.finditer(text):
            token = match[0].strip(_EDGES) if not _NUMBER.match(match[0].rstrip(_EDGES)) else match[0].rstrip(_EDGES)
            if token:
                atoms.extend(self._token(token))
        return tuple(atom for atom in atoms if atom.key not in self._articles)

    @staticmethod
    def _token(token: str) -> tuple[Atom, ...]:
        if _NUMBER.match(token):
            return (_number(token),)
        with_unit = _NUMBER_UNIT.match(token)
        if with_unit is not None:
            # The case of letters glued to a number tells units apart: 100m and 100M, Mb and MB.
            return (_number(with_unit[1]), Atom(with_unit[2]))
        return (Atom(token.casefold()),)


def _number(text: str) -> Atom:
    try:
        value = Decimal(text.replace(",", ""))
    except InvalidOperation:  # pragma: no cover - the pattern admits decimals alone
        return Atom(text)
    return Atom(f"#{value.normalize():f}", value)
