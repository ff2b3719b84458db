"""What the guards share: one claim beside one evidence, with the words of the claim that stand in prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import (
    HELD,
    IN_SERIES,
    NUMBERED,
    ClauseAlignment,
    Fact,
    FactKind,
    Standing,
)
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.guards.matching import DoubtMatcher
from evidencegate_server.judge.guards.statements import LineReader, is_actor, is_bare_name, is_verb, kinds
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.words import Verification

_TELLING: Final = frozenset({"event", "state", "attribute"})
_SEVERAL: Final = re.compile(r"(?:[A-Za-z][\w./-]*,? ){4,}")
_LONG_KEY: Final = re.compile(r"[^\S\n]*[A-Za-z]+(?: [a-z]+){3,}:\s")
_REACHING: Final = frozenset({FactKind.SCOPE, FactKind.CAUSE, FactKind.ORDER})


@record
class Doubt:
    """Why an accepted claim is not accepted after all: the words of the claim that decide, and the label."""

    fact: Fact
    why: str
    verification: Verification = Verification.UNSUPPORTED


@record
class Told:
    """A fact of a claim that the evidence bears out, with its word (None for a value) and its place."""

    fact: Fact
    term: Term | None
    place: Place
    is_prose: bool  # stands in a sentence or message, and in no field
    is_verb: bool

    @property
    def is_value(self) -> bool:
        """Returns whether it is an amount or a time."""
        return self.fact.kind is FactKind.VALUE


@record
class Word:
    """A word of a clause that says something, whether or not the evidence bears it out."""

    term: Term
    told: Told | None
    is_actor: bool
    is_verb: bool

    @property
    def start(self) -> int:
        """Returns where the word begins in the claim."""
        return self.term.start

    @property
    def end(self) -> int:
        """Returns where the word ends in the claim."""
        return self.term.end

    @property
    def is_numbered(self) -> bool:
        """Returns whether it is a number that something goes by (session 71)."""
        return self.told is not None and self.told.fact.why == NUMBERED

    def fact(self, why: str, place: Place | None = None) -> Fact:
        """Returns the word as a fact that is not borne out."""
        return Fact(FactKind.ORDER, Standing.SILENT, self.start, self.end, why, place)


class Scene:
    """One claim beside one evidence."""

    def __init__(
        self, text: str, clauses: Sequence[ClauseAlignment], index: EvidenceIndex, words: DoubtMatcher
    ) -> None:
        self.text = text
        self.clauses = clauses
        self.index = index
        self.words = words
        self.lines = LineReader(index)
        self._words: dict[int, tuple[Word, ...]] = {}

    @cached_property
    def told(self) -> tuple[tuple[Told, ...], ...]:
        """Returns for each clause the facts that are borne out at a place, in the clause's order."""
        return tuple(tuple(self._of(clause)) for clause in self.clauses)

    @cached_property
    def said(self) -> frozenset[str]:
        """Returns all concepts and stems that the claim names."""
        return frozenset(name for at in range(len(self.clauses)) for name in self.said_in(at))

    def said_in(self, at: int) -> frozenset[str]:
        """Returns all concepts and stems that a clause names."""
        return frozenset(
            name
            for term in self.clauses[at].clause.terms
            # The parts of a name are not what a claim names: e3 does not say e2.
            for name in (term.names[:1] if term.names[0][0] in "=+" else content(term))
        )

    @cached_property
    def lowered(self) -> str:
        """Returns the claim in lower case."""
        return self.text.lower()

    def words_of(self, at: int) -> tuple[Word, ...]:
        """Returns the words of a clause that name something or tell what happens, numbers for names among them."""
        if at not in self._words:
            self._words[at] = self._read_words(at)
        return self._words[at]

    def _read_words(self, at: int) -> tuple[Word, ...]:
        vocabulary = self.index.vocabulary
        told = {one.fact.start: one for one in self.told[at]}
        found: list[Word] = []
        for term in self.clauses[at].clause.terms:
            bare = is_bare_name(term, self.text, self.clauses[at].clause.start, vocabulary)
            actor, verb = is_actor(term, vocabulary) or bare, is_verb(term, vocabulary) and not bare
            tells = not _TELLING.isdisjoint(kinds(term, vocabulary))
            if content(term) and (actor or verb or tells or term.start in told):
                found.append(Word(term, told.get(term.start), actor, verb))
        known = {word.start for word in found}
        found += (
            Word(
                Term(("=" + self.text[one.fact.start : one.fact.end],), one.fact.start, one.fact.end), one, True, False
            )
            for one in self.told[at]
            if one.fact.why == NUMBERED and one.fact.start not in known
        )
        return tuple(sorted(found, key=lambda word: word.start))

    def evidence_of(self, place: Place) -> str:
        """Returns the text that a place stands in."""
        return self.index.evidence.texts[self.index.records[place.record].source]

    def is_prose(self, place: Place) -> bool:
        """Returns whether a place is in a sentence or message."""
        field = self.index.field_at(place)
        if field is not None:
            return _SEVERAL.match(field.text) is not None  # a value of several words tells something
        cells = self.index.records[place.record].cells
        if any(cell.kind is CellKind.TEXT and cell.start <= place.start < cell.end for cell in cells):
            return True
        # A key of several words tells something itself: `job finished without completing: 3 tables left`.
        start, _ = self.index.line(place)
        inside = any(cell.start <= place.start < cell.end for cell in cells)
        return not inside and _LONG_KEY.match(self.evidence_of(place), start) is not None

    def _of(self, clause: ClauseAlignment) -> list[Told]:
        terms = {term.start: term for term in clause.clause.terms}
        found: list[Told] = []
        for fact in sorted(clause.facts, key=lambda one: one.start):
            if fact.standing not in HELD or fact.place is None or fact.kind in _REACHING:
                continue
            term = None if fact.kind is FactKind.VALUE else terms.get(fact.start)
            verb = term is not None and is_verb(term, self.index.vocabulary)
            verb = verb or fact.kind in (FactKind.STATE, FactKind.DENIAL)
            place = self._own_place(fact, fact.place)
            found.append(Told(fact, term, place, self.is_prose(place), verb))
        return found

    def _own_place(self, fact: Fact, place: Place) -> Place:
        """Returns where a figure itself stands whose place is that of the list that it was found in."""
        said = self.text[fact.start : fact.end].strip()
        if fact.why != IN_SERIES or not said:
            return place
        start, end = self.index.line(place)
        at = self.evidence_of(place).find(said, start, end)
        return place if at < 0 else Place(place.record, at, at + len(said))


def content(term: Term) -> tuple[str, ...]:
    """Returns what a word means, without what it does to a statement."""
    return tuple(name for name in term.names if name[0] != "@" and name not in _SOFT)


_SOFT: Final = frozenset(
    {"not", "article", "preposition", "be", "this", "also", "motion", "relation", "number_word", "unit_word", "rough"}
)
