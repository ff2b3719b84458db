"""Finds the numbers of a clause that something goes by (session 2129, goroutine 41, line 88), which are names."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.names import Name
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_BEFORE: Final = 32  # code points before a number that may say what goes by it
_NOUN: Final = re.compile(r"([A-Za-z\u3400-\u9fff]+)[ =:#(\[_\"'\uff08-]{0,3}$")
_NUMBERING: Final = frozenset({"id", "no", "nr", "number", "num"})
_NUMBERED: Final = re.compile(r" #?[0-9]{4,}(?![\w.,%])")
_SOURCE_LINE: Final = re.compile(r"\.[A-Za-z]{1,5}:$")
_ID_KEY: Final = re.compile(r"(?:^|[_ -])(?:p|s|t)?id$|ID$", re.IGNORECASE)
_LINES: Final = frozenset({"line", "row"})
_ORDINAL: Final = "\u53f7"
_NEXT: Final = 4  # code points from a number to the noun behind it (5 号协程)
_OWN_DIGITS: Final = 4  # a number of so many that stands as a whole token is a name without a noun (a port)
_MOST: Final = 60


class NumberedFinder:
    """Finds numbers that are names in one evidence."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index

    def names(self, clause: Clause) -> list[tuple[Mention, Name]]:
        """Returns the values of a clause that are names, with where the evidence has them."""
        found: list[tuple[Mention, Name]] = []
        for mention in clause.values:
            digits = _digits(mention)
            if not digits:
                continue
            nouns = self._nouns(clause, mention)
            places = self._of(nouns, digits) if nouns else []
            if not places and len(digits) >= _OWN_DIGITS and not self._is_value(mention):
                places = self._index.find(digits)
            if places or (len(digits) >= _OWN_DIGITS and self._goes_by_numbers(clause, mention)):
                term = Term(("=" + digits,), mention.start, mention.end)
                found.append((mention, Name(term, tuple(places[:_MOST]), is_number=True)))
        return found

    def _nouns(self, clause: Clause, mention: Mention) -> frozenset[str]:
        """Returns what the noun right before a number means, or the one behind it that it numbers."""
        nearest = max((term.end for term in clause.terms if term.end <= mention.start), default=-1)
        words = [term for term in clause.terms if term.end == nearest >= mention.start - 2]
        if mention.counted.startswith(_ORDINAL) or any("number_word" in term.names for term in words):
            words = [term for term in clause.terms if 0 <= term.start - mention.end <= _NEXT]
        kind = self._index.vocabulary.kind
        names = [name for term in words if term.names[0][0] not in "=+" for name in term.names]
        if any(kind(name) in ("attribute", "statistic") for name in names):
            return frozenset()  # what a figure is of
        return frozenset(name for name in names if kind(name) == "thing" or name[0] == "~")

    def _is_value(self, mention: Mention) -> bool:
        """Returns whether the evidence has such an amount."""
        value = mention.value
        assert isinstance(value, Quantity)
        assert value.low is not None
        return bool(self._index.near(COUNT, value.low, value.low))

    def _goes_by_numbers(self, clause: Clause, mention: Mention) -> bool:
        """Returns whether the evidence has others of what is before a number by their numbers (request 8842)."""
        index = self._index
        nouns = (name for term in clause.terms if term.end == mention.start - 1 for name in term.names)
        return any(
            _NUMBERED.match(index.text_at(place.record, place.end, place.end + _BEFORE)) is not None
            for noun in nouns
            for place in index.places.get(noun, ())[:_MOST]
        )

    def _of(self, nouns: frozenset[str], digits: str) -> list[Place]:
        """Returns where a number stands right behind one of the nouns, or is the whole of a field that they name."""
        return [place for place in self._index.find(digits) if self._is_of(nouns, place)]

    def _is_of(self, nouns: frozenset[str], place: Place) -> bool:
        names = self._index.vocabulary.key_names
        before = self._index.text_at(place.record, max(0, place.start - _BEFORE), place.start)
        if _SOURCE_LINE.search(before):
            return not _LINES.isdisjoint(nouns)
        noun = _NOUN.search(before)
        if noun is not None and noun[1].lower() in _NUMBERING:
            noun = _NOUN.search(before[: noun.start(1)]) or noun
        if noun is not None and not nouns.isdisjoint(names(noun[1])):
            return True
        return any(
            bool(cell.key) and cell.start == place.start and cell.end == place.end and self._is_key(nouns, cell.key)
            for cell in self._index.records[place.record].cells
        )

    def _is_key(self, nouns: frozenset[str], key: str) -> bool:
        """Returns whether a key names one of the nouns and no figure (pid, PARTITION; no Threads_running)."""
        vocabulary = self._index.vocabulary
        named = vocabulary.key_names(key)
        return not nouns.isdisjoint(named) and (
            _ID_KEY.search(key) is not None
            or not any(vocabulary.kind(name) in ("statistic", "attribute", "state", "event") for name in named)
        )


def _digits(mention: Mention) -> str:
    """Returns the digits of a whole number that has no unit, empty for any other value."""
    value = mention.value
    if not isinstance(value, Quantity) or value.measure != COUNT or value.unit or value.about:
        return ""
    if value.low is None or value.low != value.high or value.low < 0:
        return ""
    text = str(value.low)
    return text if text.isdigit() and mention.start == mention.outer_start else ""
