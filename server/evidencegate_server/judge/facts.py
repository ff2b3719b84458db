"""Finds the numbers and identifiers of a text, and which of them other texts do not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Span
from evidencegate_server.judge.deterministic.readers import readers_of
from evidencegate_server.judge.identifiers import identifier_tools
from evidencegate_server.judge.values.model import Mention, Quantity
from evidencegate_server.lexicon.model import Lexicon

# A digit run with its separators; a final stop ends a sentence and is no part of it.
_NUMBER = re.compile(r"\d+(?:[,_]\d{3})*(?:\.\d+)?")
_SEPARATORS: Final = str.maketrans("", "", ",_")
_QUOTE_CHARS: Final = 200
_FULL_WIDTH: Final = str.maketrans("０１２３４５６７８９．，", "0123456789.,")
_LIST_MARK = re.compile(r"^[ \t]*(?:\d{1,2}[.)、）]|[-*•])[ \t]*", re.MULTILINE)
_DIGIT = re.compile(r"\d")  # a value without one is spelled out


@record
class Fact:
    """A number or an identifier where it stands. `digits` is a number's value, `amounts` what it is as a value."""

    kind: str
    quote: str
    span: Span
    digits: Decimal | None = None
    amounts: frozenset[object] = frozenset()

    def is_known(self, digits: Set[Decimal], amounts: Set[object]) -> bool:
        """Returns whether the same digits stand somewhere, or the same amount in whatever unit."""
        return self.digits in digits or not self.amounts.isdisjoint(amounts)


class FactReader:
    """Reads numbers and identifiers by a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._values = readers_of(lexicon).values
        self._identifiers, self._searcher = identifier_tools(lexicon.identifiers)

    def unknown(self, text: str, known: Sequence[str]) -> list[Fact]:
        """Returns what a text says in numbers and identifiers and the known texts do not, in the text's order.

        An amount that the known texts have in another unit is known. They are read as values for that, so that they
        should be short.
        """
        return self.unknown_each([text], known)[0]

    def unknown_each(self, texts: Sequence[str], known: Sequence[str]) -> list[list[Fact]]:
        """Returns the same for several texts beside the same known ones, which are read once."""
        return self._unknown(texts, known, self._amounts(known))

    def unseen(self, texts: Sequence[str], evidence: Sequence[str]) -> list[list[Fact]]:
        """Returns the same for several texts beside evidence of any size, which is read once: digits as they stand."""
        return self._unknown(texts, evidence, frozenset())

    def _unknown(self, texts: Sequence[str], known: Sequence[str], amounts: Set[object]) -> list[list[Fact]]:
        numbers = [self._numbers(text) for text in texts]
        digits = _digits(known) if any(numbers) else frozenset()
        names = self._unknown_identifiers(texts, known)
        return [
            sorted(
                [*(fact for fact in found if not fact.is_known(digits, amounts)), *unknown],
                key=lambda fact: fact.span.start,
            )
            for found, unknown in zip(numbers, names, strict=True)
        ]

    def _numbers(self, text: str) -> list[Fact]:
        """Returns the numbers of a text, digits as well as those that are spelled out; marks of lists are none."""
        plain = _LIST_MARK.sub(lambda mark: " " * len(mark[0]), text.translate(_FULL_WIDTH))
        mentions = [mention for mention in self._values.mentions(plain) if isinstance(mention.value, Quantity)]
        places = [(found.start(), found.end()) for found in _NUMBER.finditer(plain)]
        places += [(one.start, one.end) for one in mentions if not _DIGIT.search(plain[one.start : one.end])]
        return [
            Fact(
                "number",
                text[start:end],
                Span(start, end),
                digits=_decimal(plain[start:end]) if _NUMBER.fullmatch(plain[start:end]) else None,
                amounts=frozenset(_amount(one) for one in mentions if one.start <= start and end <= one.end),
            )
            for start, end in places
        ]

    def _amounts(self, texts: Iterable[str]) -> frozenset[object]:
        return frozenset(_amount(one) for text in texts for one in self._values.mentions(text))

    def _unknown_identifiers(self, texts: Sequence[str], known: Sequence[str]) -> list[list[Fact]]:
        readings = [self._identifiers.read(text) for text in texts]
        wanted = {identifier for reading in readings for identifier in reading.identifiers}
        found = self._searcher.search(wanted, known) if wanted else None
        unknown: list[list[Fact]] = []
        for text, reading in zip(texts, readings, strict=True):
            # What could not be read or looked up for its length or cost counts as not found.
            facts = [] if reading.complete else [Fact("identifier", text[:_QUOTE_CHARS], Span(0, len(text)))]
            for identifier in reading.identifiers:
                if found is None or found.exhausted or identifier in found.missing:
                    start = max(0, text.find(identifier.text))
                    facts.append(Fact("identifier", identifier.text, Span(start, start + len(identifier.text))))
            unknown.append(facts)
        return unknown


def _digits(texts: Iterable[str]) -> frozenset[Decimal]:
    plain = (text if text.isascii() else text.translate(_FULL_WIDTH) for text in texts)
    written = {found for text in plain for found in _NUMBER.findall(text)}
    return frozenset(map(_decimal, written))


def _decimal(digits: str) -> Decimal:
    return Decimal(digits.translate(_SEPARATORS))


def _amount(mention: Mention) -> object:
    value = mention.value
    return (value.measure, value.low, value.high) if isinstance(value, Quantity) else value
