"""Finds who depends on whom where a format says so: a replica and its source, a waiter and the holder of its lock."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ANOTHER_LINE, NAMED, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import Cell, Record
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.lexicon.concept_words import Bond

_ID: Final = re.compile(r"[A-Za-z0-9][\w.:/@-]*")
_SHORTEST_ID: Final = 3
_WHY: Final = "who depends on whom"
_NAMED: Final = {FactKind.NAME: NAMED}
_BORNE_OUT: Final = frozenset({FactKind.NAME, FactKind.WORD, FactKind.STATE})
_MOST: Final = 400  # bonds of one evidence
_BY: Final = re.compile(r"\s*by\b", re.IGNORECASE)
_OF: Final = re.compile(r"\s*(?:of|for)\b", re.IGNORECASE)
_OWNS: Final = re.compile(r"(?:'s|\u2019s|\s*\u7684)\s*$")
_FROM: Final = re.compile(r"(?:\bfrom|\u4ece|\u7531)\s*$", re.IGNORECASE)
_TO: Final = re.compile(r"\bto\b|\u5230|\u7ed9|\u81f3", re.IGNORECASE)
_DOING: Final = frozenset({"waiting", "blocked", "held"})
_CAUSAL: Final = {True: ("@cause.backward",), False: ("@cause.forward", "@cause.heads")}
_WHOSE: Final = "whose"
_PASSIVE: Final = "\u88ab"


@record
class End:
    """One end of a bond: a record, or one of its cells. `but` are the places of fields that name something else."""

    record: int
    start: int
    end: int
    but: tuple[tuple[int, int], ...] = ()

    def has(self, places: Sequence[Place]) -> bool:
        """Returns whether one of the places is at this end."""
        return any(
            place.record == self.record
            and self.start <= place.start < self.end
            and not any(start <= place.start < end for start, end in self.but)
            for place in places
        )


@record
class Tie:
    """That `lower` depends on `upper`."""

    bond: Bond
    lower: End
    upper: End


def with_bonds(facts: Sequence[Fact], extra: Sequence[Fact]) -> list[Fact]:
    """Returns all facts of a clause, with its names and words borne out that a bond shows."""
    shown = {(fact.start, fact.end): fact for fact in extra if fact.why == _WHY and fact.standing is Standing.DERIVABLE}
    borne_out = [
        replace(fact, standing=bond.standing, why=_NAMED.get(fact.kind, bond.why), place=bond.place)
        if fact.kind in _BORNE_OUT
        and (fact.standing in (Standing.SILENT, Standing.FOREIGN) or fact.why == ANOTHER_LINE)
        and (bond := shown.get((fact.start, fact.end))) is not None
        else fact
        for fact in facts
    ]
    return [*borne_out, *(fact for fact in extra if fact.why != _WHY or fact.kind is not FactKind.NAME)]


class BondChecker:
    """Checks what clauses say of who depends on whom against one evidence."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index
        self._ties = list(self._read())[:_MOST]
        self._before: tuple[Bond, bool] | None = None
        self._alone: tuple[Bond, bool, tuple[Fact, list[Place]]] | None = None  # the one name of the clause before
        self._last: tuple[Bond, tuple[Fact, list[Place]]] | None = None  # the last name so far

    def facts(self, clause: Clause, anchor: int, named: Sequence[Fact], text: str) -> list[Fact]:
        """Returns how it stands with the direction that a clause tells, nothing where no format shows one of it.

        A bond that is shown also bears out the names at its ends.
        """
        told = self._told(clause) if self._ties else None
        if told is None:
            return []
        bond, term, subject_is_lower = told
        ties = [tie for tie in self._ties if tie.bond is bond]
        own = self._bound(ties, named, text)
        ends = self._over_clauses(own, told, clause)
        is_owned = len(own) == 1 and ends[:1] != own[:1] and text[clause.terms[0].start :].lower().startswith(_WHOSE)
        if own:
            self._last = (bond, own[-1])
        if len(ends) < 2:
            return self._of_other_end(ties, told, anchor, text)
        (first, first_places), (second, second_places) = ends[0], ends[1]
        span = (term.start, term.end) if term is not None else (second.start, second.end)
        beside = None if term is None or not self._is_noun(term) else _apposed(term, (first, second))
        if beside is not None:
            # The primary A: the word tells what A is, and nothing of the clause's subject.
            subject_is_lower = subject_is_lower == (beside is first)
        elif is_owned or (term is not None and _is_turned(text, clause, term, first, second)):
            subject_is_lower = not subject_is_lower
        lower, upper = (first_places, second_places) if subject_is_lower else (second_places, first_places)
        standing, place = self._holding(ties, lower, upper)
        if place is None:
            return []
        found = [Fact(FactKind.ORDER, standing, *span, _WHY, place)]
        if standing is Standing.DERIVABLE:
            found += (Fact(FactKind.NAME, standing, fact.start, fact.end, _WHY, place) for fact, _ in ends[:2])
        return found

    def _of_other_end(
        self, ties: Sequence[Tie], told: tuple[Bond, Term | None, bool], anchor: int, text: str
    ) -> list[Fact]:
        """Returns a doubt where a clause calls its record the one end of a bond, and it is only ever the other."""
        _, term, is_lower = told
        if term is None or _BY.match(text, term.end) or _PASSIVE in text[max(0, term.start - 1) : term.start]:
            return []
        own = [tie for tie in ties if anchor in (tie.lower.record, tie.upper.record)]
        if not own or any(anchor == (tie.lower if is_lower else tie.upper).record for tie in own):
            return []
        return [Fact(FactKind.ORDER, Standing.SILENT, term.start, term.end, "told of the other end")]

    def _over_clauses(
        self, ends: list[tuple[Fact, list[Place]]], told: tuple[Bond, Term | None, bool], clause: Clause
    ) -> list[tuple[Fact, list[Place]]]:
        """Returns the ends with the one that a relative clause goes on from.

        Either both clauses tell of the bond from its two sides (B holds the lock | that A waits for), or the second one
        is told of the last name of the first (A wraps B, | whose cause is C).
        """
        bond, _, is_lower = told
        before, self._alone = self._alone, None
        if len(ends) != 1:
            return ends
        is_relative = bool(clause.terms) and "@relatives" in clause.terms[0].names
        if before is not None and is_relative and before[0] is bond and before[1] != is_lower:
            return [ends[0], before[2]]
        if is_relative and self._last is not None and self._last[0] is bond:
            return [self._last[1], ends[0]]
        self._alone = (bond, is_lower, ends[0])
        return ends

    def _holding(
        self, ties: Sequence[Tie], lower: Sequence[Place], upper: Sequence[Place]
    ) -> tuple[Standing, Place | None]:
        """Returns whether one depends on the other, and where the evidence says that or something else."""
        against: Place | None = None
        for tie in ties:
            place = Place(tie.upper.record, tie.upper.start, tie.upper.end)
            below, above = tie.lower.has(lower), tie.upper.has(upper)
            if below and above:
                return Standing.DERIVABLE, place
            if below or (tie.lower.has(upper) and tie.upper.has(lower)):
                against = against or place
        return (Standing.SILENT, None) if against is None else (Standing.IN_CONFLICT, against)

    def _bound(self, ties: Sequence[Tie], named: Sequence[Fact], text: str) -> list[tuple[Fact, list[Place]]]:
        """Returns the names that stand at an end of a tie, each once."""
        found: list[tuple[Fact, list[Place]]] = []
        others: list[tuple[Fact, list[Place]]] = []
        seen: set[str] = set()
        for fact in named:
            name = text[fact.start : fact.end].lower()
            if name in seen:
                continue
            seen.add(name)
            places = self._index.find(name)
            at = [(tie.lower.has(places), tie.upper.has(places)) for tie in ties]
            # What stands at both ends of one tie is what it is about (a lock's class), and neither end.
            if (True, True) in at:
                continue
            (found if any(below or above for below, above in at) else others).append((fact, places))
        if len(found) == 1:
            # Another one of the same list may be told to be at the other end, and is not.
            group = {self._group(place) for place in found[0][1]} - {-1}
            found += [(fact, places) for fact, places in others if group & {self._group(place) for place in places}]
            found.sort(key=lambda one: one[0].start)
        return found

    def _group(self, place: Place) -> int:
        return self._index.records[place.record].group

    def _is_noun(self, term: Term) -> bool:
        """Returns whether a word says what something is (the primary), not what it does."""
        return any(self._index.vocabulary.kind(name) == "state" for name in term.names) and not any(
            name in _DOING for name in term.names
        )

    def _told(self, clause: Clause) -> tuple[Bond, Term | None, bool] | None:
        """Returns the bond that a clause tells of, the word for it, and whether its subject is the lower end.

        A clause of two names without a word of its own goes on with the bond of the one before (A follows B, and C D).
        """
        kind = self._index.vocabulary.kind
        says = False
        for term in clause.terms:
            if term.names[0][0] in "=+":
                continue
            for tie in self._ties:
                for words, is_lower in ((tie.bond.lower, True), (tie.bond.upper, False)):
                    marks = _CAUSAL[is_lower] if tie.bond.causal else ()
                    if not set(words).isdisjoint(term.names) or _marked(term, marks):
                        self._before = (tie.bond, is_lower)
                        return tie.bond, term, is_lower
            kinds = {kind(name) for name in term.names}
            says = says or (not kinds.isdisjoint(("state", "event")) and "thing" not in kinds)
        if says or self._before is None:
            self._before = None
            return None
        return self._before[0], None, self._before[1]

    def _read(self) -> Iterator[Tie]:
        by_key, by_label = self._index.vocabulary.bonds_by_key, self._index.vocabulary.bonds_by_label
        for one in self._index.records:
            if one.parent >= 0 and one.label in by_label:
                yield from self._above(by_label[one.label], one)
            for cell in one.cells:
                for bond in by_key.get(cell.key, ()):
                    yield from self._by_key(bond, one, cell)

    def _above(self, bond: Bond, one: Record) -> Iterator[Tie]:
        """Returns the ties of a record that is upper to those that it stands in."""
        upper = self._named(bond, one)
        at = one.parent
        while at >= 0 and upper is not None:
            lower = self._named(bond, self._index.records[at])
            if lower is not None:
                yield Tie(bond, lower, upper)
            at = self._index.records[at].parent

    def _named(self, bond: Bond, one: Record) -> End | None:
        """Returns the cell that names a record, or the record where the bond names none."""
        if not bond.named:
            return _whole(bond, one)
        return next((End(one.index, cell.start, cell.end) for cell in one.cells if cell.key == bond.named), None)

    def _by_key(self, bond: Bond, one: Record, cell: Cell) -> Iterator[Tie]:
        """Returns the ties that a field tells of which names the upper end, or the lock that it holds."""
        found = _ID.search(cell.text)
        if found is None:
            return
        # Without fields for it, the lower end is what the record is, but not whom it depends on.
        lowers = [End(one.index, own.start, own.end) for own in one.cells if own.key in bond.of]
        for lower in lowers or ([] if bond.of else [_whole(bond, one)]):
            if not bond.same:
                yield Tie(bond, lower, End(one.index, cell.start, cell.end))
            name = found.group().lower()
            for other in self._index.find(name) if len(name) >= _SHORTEST_ID else ():
                if other.record != one.index and self._is_other_end(bond, other):
                    yield Tie(bond, lower, _whole(bond, self._index.records[other.record]))

    def _is_other_end(self, bond: Bond, place: Place) -> bool:
        """Returns whether a record holds what a field names: as what it is, or in a field for what it holds."""
        cell = next(
            (one for one in self._index.records[place.record].cells if one.start <= place.start < one.end), None
        )
        if cell is None:
            return False
        return cell.key in bond.same if bond.same else cell.key not in bond.keys


def _whole(bond: Bond, one: Record) -> End:
    """Returns a record as an end, without the fields of it that a bond is told by."""
    told = (*bond.keys, *bond.same)
    return End(one.index, one.start, one.end, tuple((cell.start, cell.end) for cell in one.cells if cell.key in told))


def _marked(term: Term, marks: tuple[str, ...]) -> bool:
    return bool(marks) and term.brings(*marks)


def _apposed(term: Term, named: Sequence[Fact]) -> Fact | None:
    """Returns the name right behind a noun, which the noun is said of."""
    return next((fact for fact in named if 0 <= fact.start - term.end <= 1), None)


def _is_turned(text: str, clause: Clause, term: Term, first: Fact, second: Fact) -> bool:
    """Returns whether a clause tells its first name as what is acted on: A is held up by B, A's master is B."""
    turned = False
    if first.end <= term.start:
        between = text[first.end : term.start]
        turned ^= bool(_OWNS.fullmatch(between))
        turned ^= _PASSIVE in between
    elif _OF.match(text, term.end, first.start):
        turned = not turned
    turned ^= bool(_BY.match(text, term.end)) and term.end <= second.start
    if _FROM.search(text, clause.start, first.start) and _TO.search(text, first.end, second.start):
        turned = not turned
    return turned
