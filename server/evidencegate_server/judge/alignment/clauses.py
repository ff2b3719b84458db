"""Finds the record that a clause tells of, and how each fact of the clause stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.denial import (
    denied_in_claim,
    denied_in_evidence,
    idle_denials,
    unsure_in_evidence,
)
from evidencegate_server.judge.alignment.index import EvidenceIndex, Place
from evidencegate_server.judge.alignment.model import NAMED, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.values import ValueAligner
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import CellKind, RecordKind
from evidencegate_server.judge.values.model import Instant
from evidencegate_server.judge.vocabulary import Term

_MOST_ANCHORS: Final = 48
_WIDE: Final = frozenset({"cluster", "region", "datacenter", "environment", "system_word", "platform", "zone", "site"})
_WIDE_MARKS: Final = (
    "@negation",
    "@zero",
    "@quantifiers.none",
    "@quantifiers.all",
    "@quantifiers.any",
    "@quantifiers.never",
)
_QUOTED: Final = 2.5  # what it is worth that a claim quotes a record
_LAST: Final = 2.0  # what being the last of its list is worth where a clause speaks of the last
_GOES_ON: Final = 1.5  # what staying with the record of the clause before is worth to a clause without a name
_EMPTY_RESULT: Final = "@empty_results"
_SHORT: Final = 120  # code points of a line that says one thing
_SHORT_CELL: Final = 32


@record
class Name:
    """A machine's name of a claim and where the evidence has it."""

    term: Term
    places: tuple[Place, ...]


@record
class Attempt:
    """A clause read against one anchor."""

    anchor: int
    named: bool
    score: float
    facts: tuple[Fact, ...]


def _gap(one: Place, other: Place) -> int:
    return max(one.start - other.end, other.start - one.end)


def _rank(attempt: Attempt, before: int) -> tuple[bool, float, bool, int]:
    """Ranks attempts: every name of the clause first, then what stands there, then the record of the clause before."""
    return attempt.named, attempt.score, attempt.anchor == before, -attempt.anchor


class ClauseAligner:
    """Aligns clauses with the records of one evidence."""

    def __init__(self, index: EvidenceIndex, focus: frozenset[int] | None = None) -> None:
        self._index = index
        self._focus = focus
        self._values = ValueAligner(index, focus)
        self._names: dict[str, tuple[Place, ...]] = {}
        self._hedged = False
        self._chinese = False
        self._figures: frozenset[str] = frozenset()
        self._is_wide_claim = False
        self._wide = _WIDE
        self._wants_last = False
        self._guides: Sequence[Name] = ()

    def name(self, term: Term) -> Name:
        """Returns a name with its places."""
        name = term.names[0]
        if name not in self._names:
            found = self._index.places.get(name, ()) if term.is_unknown else self._find(name[1:])
            self._names[name] = tuple(found)
        return Name(term, self._names[name])

    def _find(self, name: str) -> Sequence[Place]:
        """Returns where a name stands; a dotted one also as other languages join it."""
        found = self._index.find(name)
        if not found and "." in name and not name[0].isdigit():
            for sign in (":", "::", "#", "/"):
                found = self._index.find(name.replace(".", sign))
                if found:
                    break
        return found

    def align(self, clause: Clause, subject: Sequence[Name], before: int) -> tuple[ClauseAlignment, tuple[Name, ...]]:
        """Returns how a clause stands, and the names that it goes by.

        `subject` are the names of the clause before, which hold on where this one has none; `before` is the record
        that the clause before was found in, -1 for none: where records fit equally well, it goes on.
        """
        names = tuple(self.name(term) for term in clause.terms if _is_name(term) or self._is_word_as_name(clause, term))
        self._hedged = clause.marked("@hedges") is not None
        self._chinese = clause.is_chinese
        self._is_wide_claim = clause.marked(*_WIDE_MARKS) is not None
        self._wants_last = any("last" in term.names and term.names[0][0] not in "=+" for term in clause.terms)
        own = tuple(name for name in names if name.places)
        # Only a name that begins its clause is what the clause is of; another one is said of the subject so far.
        guides = own if own and (not subject or self._leads(clause, own[0].term)) else (*subject, *own)
        self._guides = guides
        best: Attempt | None = None
        for anchor in self._anchors(clause, guides, before):
            attempt = self._attempt(clause, names, guides, anchor, before)
            if best is None or _rank(attempt, before) > _rank(best, before):
                best = attempt
        if best is None:
            best = self._attempt(clause, names, guides, -1, before)
        leading = own if own and self._leads(clause, own[0].term) else ()
        return ClauseAlignment(clause, best.anchor, best.facts), tuple(leading[:1] or subject or own[:1])

    def _is_word_as_name(self, clause: Clause, term: Term) -> bool:
        """Returns whether words are a name: with hyphens, as the evidence has them; or unknown ones in Chinese."""
        if term.names[0][0] == "+":
            return bool(self.name(term).places) or self._is_strange(term)
        return (
            term.is_unknown
            and term.names[0][1:].isascii()
            and len(term.names[0]) > 3
            and clause.is_chinese
            and term.names[0] in self._index.places
        )

    def _is_strange(self, term: Term) -> bool:
        """Returns whether words with hyphens can only be a name: a part of them is no word that is known here."""
        return any(name[0] == "~" and name not in self._index.places for name in term.names)

    def _is_at(self, clause: Clause, before: Term | None, name: Term) -> bool:
        """Returns whether a name only tells where its clause's subject is (\u8fd0\u884c\u5728 X \u4e0a)."""
        return clause.is_chinese and before is not None and "be" in before.names and name.start - before.end <= 1

    def _leads(self, clause: Clause, name: Term) -> bool:
        kinds = (
            self._index.vocabulary.kind(one)
            for term in clause.terms
            if term.start < name.start
            for one in term.names
            if one[0] != "@"
        )
        before = next((term for term in reversed(clause.terms) if term.end <= name.start), None)
        if before is not None and "preposition" in before.names or self._is_at(clause, before, name):
            return False
        return all(kind in ("soft", "thing", "name") for kind in kinds) and not any(
            value.start < name.start for value in clause.values
        )

    def _anchors(self, clause: Clause, guides: Sequence[Name], before: int) -> list[int]:
        """Returns the records that a clause may tell of, the likelier first."""
        counts: dict[int, int] = {}
        for guide in guides:
            for one in {place.record for place in guide.places}:
                counts[one] = counts.get(one, 0) + 4
        for value in clause.values:
            for one in self._values.holders(value):
                counts[one] = counts.get(one, 0) + 3
        for term in clause.terms:
            for name in term.names:
                places = self._index.places.get(name, ())
                if name[0] not in "@=" and len(places) <= _MOST_ANCHORS:
                    for one in {place.record for place in places}:
                        counts[one] = counts.get(one, 0) + 1
        for one in self._focus or ():
            if one in counts:
                counts[one] += 4
        if before >= 0:
            counts[before] = counts.get(before, 0) + 1
        ranked = sorted(counts, key=lambda one: (-counts[one], one))
        return ranked[:_MOST_ANCHORS]

    def _attempt(
        self, clause: Clause, names: Sequence[Name], guides: Sequence[Name], anchor: int, before: int
    ) -> Attempt:
        facts = [*self._name_facts(names, anchor), *self._values.facts(clause, anchor)]
        if not guides and self._is_other_row(clause, anchor, before):
            start = clause.terms[0].start if clause.terms else clause.start
            facts.append(Fact(FactKind.NAME, Standing.SILENT, start, clause.end, "told of another row"))
        self._figures = frozenset(
            name
            for fact in facts
            if fact.kind is FactKind.VALUE and fact.place is not None
            if (cell := self._index.at_place.get((fact.place.record, fact.place.start))) is not None
            for name in cell.names
        )
        facts = self._on_one_line(facts)
        facts += self._word_facts(clause, anchor, {name.term.start for name in names})
        reached = [self._reaches(guide, anchor) for guide in guides]
        own = {name.term.start for name in names}
        for guide, links in zip(guides, reached, strict=True):
            if not links and guide.term.start not in own:
                start = clause.terms[0].start if clause.terms else clause.start
                facts.append(
                    Fact(FactKind.NAME, Standing.SILENT, start, clause.end, "told of something else", guide.places[0])
                )
        score = sum(_SCORES[fact.standing] * _WEIGHTS[fact.kind] for fact in facts) + 0.4 * sum(reached)
        if self._focus is not None and anchor in self._focus:
            score += _QUOTED
        if self._wants_last and self._is_last(anchor):
            score += _LAST
        if anchor == before >= 0 and not names:
            score += _GOES_ON
        return Attempt(anchor, all(reached), score, tuple(facts))

    def _is_last(self, anchor: int) -> bool:
        group = self._index.records[anchor].group if anchor >= 0 else -1
        return group >= 0 and self._index.groups[group][-1] == anchor

    def _line_names_another(self, place: Place, names: Sequence[Place]) -> bool:
        """Returns whether the line of a value names something, and none of what a clause names."""
        index = self._index
        text = index.evidence.texts[index.records[place.record].source]
        start = text.rfind("\n", 0, place.start) + 1
        end = text.find("\n", place.end)
        line = range(start, end if end >= 0 else len(text))
        return any(
            term.is_name and term.start in line and not term.names[0][1:].isdigit()
            for term in index.terms[place.record]
        ) and not any(name.start in line for name in names)

    def _is_other_row(self, clause: Clause, anchor: int, before: int) -> bool:
        """Returns whether a clause that names nothing is told of another row than the clause before, and of no other time."""
        if min(anchor, before) < 0 or anchor == before:
            return False
        records = self._index.records
        if records[anchor].group < 0 or records[anchor].group != records[before].group:
            return False
        return clause.marked("@order", "@time_scope", "@change") is None and not any(
            isinstance(value.value, Instant) for value in clause.values
        )

    def _on_one_line(self, facts: list[Fact]) -> list[Fact]:
        """Returns the facts with those values doubted that stand on another line of a text than what they are told of."""
        names = [fact.place for fact in facts if fact.kind is FactKind.NAME and fact.place is not None]
        found: list[Fact] = []
        for fact in facts:
            place = fact.place
            if fact.kind is FactKind.VALUE and place is not None and fact.standing is Standing.STATED:
                one = self._index.records[place.record]
                beside = [name for name in names if name.record == place.record]
                if beside and one.kind is RecordKind.SENTENCE:
                    between = (self._index.text_at(place.record, *sorted((name.end, place.start))) for name in beside)
                    if all("\n" in text for text in between) and self._line_names_another(place, beside):
                        fact = replace(fact, standing=Standing.PART, why="on another line")
            found.append(fact)
        return found

    def _reaches(self, name: Name, anchor: int) -> int:
        if anchor < 0:
            return 0
        if any(self._index.in_scope(anchor, place.record) for place in name.places):
            return 2
        return 1 if any(self._index.linked(anchor, place.record) for place in name.places) else 0

    def _name_facts(self, names: Iterable[Name], anchor: int) -> list[Fact]:
        facts: list[Fact] = []
        for name in names:
            term = name.term
            place = self._nearest(name.places, anchor)
            if place is not None:
                facts.append(Fact(FactKind.NAME, Standing.STATED, term.start, term.end, NAMED, place))
            elif name.places:
                facts.append(
                    Fact(FactKind.NAME, Standing.SILENT, term.start, term.end, "named elsewhere", name.places[0])
                )
            else:
                facts.append(Fact(FactKind.NAME, Standing.FOREIGN, term.start, term.end, "named nowhere"))
        return facts

    def _nearest(self, places: Sequence[Place], anchor: int) -> Place | None:
        if anchor < 0:
            return None
        for place in places:
            if place.record == anchor:
                return place
        for place in places:
            if self._index.in_scope(anchor, place.record):
                return place
        return next(
            (
                place
                for place in places
                if self._index.linked(anchor, place.record) or self._index.joined(anchor, place.record)
            ),
            None,
        )

    def _word_facts(self, clause: Clause, anchor: int, names: set[int]) -> list[Fact]:
        """Returns how the words of a clause stand that are no names: its states first of all."""
        index = self._index
        found: list[Fact] = []
        denied = denied_in_claim(clause, index.vocabulary)
        found.extend(
            Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "what it denies is not understood")
            for term in idle_denials(clause, denied)
        )
        for term in clause.terms:
            if _is_name(term) or term.start in names or any(name.startswith("@comparison") for name in term.names):
                continue
            kinds = {index.vocabulary.kind(name) for name in term.names}
            if "state" in kinds or (term.start in denied and kinds & {"event", "thing", "attribute"}):
                fact = self._state_fact(term, anchor, denied.get(term.start))
                found.append(self._weighed(term, fact))
            elif term.start in denied and not denied[term.start] is term:
                found.append(Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "denied, and not understood"))
            elif kinds & {"event", "attribute", "statistic", "side", "name", "thing"} or term.is_unknown:
                found.append(self._word_fact(term, anchor, kinds))
        return found

    def _other_is_closer(self, name: str, place: Place) -> bool:
        """Returns whether an opposite of a state stands closer to what its clause names, in one line of prose."""
        names = [named for guide in self._guides for named in guide.places if named.record == place.record]
        if not names:
            return False
        gap = min(_gap(named, place) for named in names)
        return any(
            other.record == place.record and min(_gap(named, other) for named in names) < gap
            for opposite in self._index.vocabulary.opposites.get(name, ())
            for other in self._index.places.get(opposite, ())
            if not other.in_name
        )

    def _weighed(self, term: Term, fact: Fact) -> Fact:
        """Returns a state with what it counts against its claim where nothing witnesses it."""
        if self._index.vocabulary.traits["light"].intersection(term.names):
            return replace(fact, weight=_LIGHT)
        if any(self._index.vocabulary.opposites.get(name) for name in term.names):
            return replace(fact, weight=_POLAR)
        return fact

    def _state_fact(self, term: Term, anchor: int, denier: Term | None) -> Fact:
        index = self._index
        vocabulary = index.vocabulary
        denied = denier is not None
        universal = _is_universal(denier, {vocabulary.kind(name) for name in term.names}, self._chinese)
        kind = FactKind.DENIAL if denied else FactKind.STATE
        names = [name for name in term.names if name[0] not in "@~=+" and name != "not"]
        inner = "not" in term.names
        wanted = not (denied != inner)
        against: Place | None = None
        guess: Place | None = None
        beside: Place | None = None
        for name in names:
            for place in index.places.get(name, ()):
                if not self._covers(anchor, place.record) or index.is_asked(place.record):
                    continue
                if (name, place.record) in index.conditions:
                    continue  # its status decides
                if place.in_name and not self._is_plain(place):
                    continue
                says = not denied_in_evidence(index, place)
                if says == wanted and not self._hedged and unsure_in_evidence(index, place):
                    guess = guess or place
                elif says == wanted and self._other_is_closer(name, place):
                    against = against or place
                elif says == wanted:
                    return Fact(kind, Standing.STATED, term.start, term.end, "stated there", place)
                if not place.in_name and self._is_quoted(place) and (not denied or self._is_plain(place)):
                    against = against or place
            for flag in index.flags.get(name, ()):
                if not self._covers(anchor, flag.place.record):
                    continue
                if flag.holds == wanted:
                    return Fact(kind, Standing.STATED, term.start, term.end, "its field says so", flag.place)
                if flag.place.record == anchor and self._is_quoted(flag.place):
                    against = against or flag.place
        if guess is not None:
            return Fact(FactKind.DENIAL, Standing.PART, term.start, term.end, "only a guess there", guess)
        for name in names:
            for link in index.links.get(name, ()):
                if self._covers(anchor, link.place.record):
                    if link.denied != wanted:
                        standing = Standing.DERIVABLE if link.usual else Standing.STATED
                        return Fact(kind, standing, term.start, term.end, "an idiom of the tool", link.place)
                    against = against or (None if link.usual else link.place)
        for name in names:
            for opposite in sorted(vocabulary.opposites.get(name, ())):
                for place in index.places.get(opposite, ()):
                    if not self._is_quoted(place):
                        continue
                    if self._covers(anchor, place.record) and not denied_in_evidence(index, place):
                        if not wanted and not universal:
                            return Fact(kind, Standing.STATED, term.start, term.end, "the opposite is stated", place)
                        if wanted and not place.in_name:
                            if self._is_plain(place):
                                against = against or place
                            else:
                                beside = beside or place
        if denied and not inner:
            empty = self._empty(names, anchor)
            if empty is not None:
                return Fact(kind, Standing.STATED, term.start, term.end, "a query for it found none", empty)
        if against is not None:
            return Fact(kind, Standing.IN_CONFLICT, term.start, term.end, "the opposite is stated", against)
        implied = self._implied(names, anchor) if wanted else None
        if implied is not None:
            return Fact(kind, Standing.DERIVABLE, term.start, term.end, "follows from what is stated", implied)
        if beside is not None:
            return Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "the opposite stands there", beside)
        elsewhere = any(index.places.get(name) for name in names)
        return Fact(kind, Standing.SILENT, term.start, term.end, "stated elsewhere" if elsewhere else "not stated")

    def _empty(self, names: Sequence[str], anchor: int) -> Place | None:
        """Returns where a query that asked for one of the concepts says that it found none."""
        index = self._index
        for place in index.places.get(_EMPTY_RESULT, ()):
            if anchor >= 0 and not (index.linked(anchor, place.record) or index.in_scope(place.record, anchor)):
                continue
            asked = {place.record, *self._above(place.record)}
            if any(found.record in asked for name in names for found in index.places.get(name, ())):
                return place
        return None

    def _is_field(self, place: Place, term: Term) -> bool:
        """Returns whether a word is the whole value of a field, and so what the field says."""
        return any(
            cell.kind is CellKind.FIELD
            and cell.start <= place.start
            and place.end <= cell.end <= place.end + 1
            and place.start - cell.start <= 1
            for cell in self._index.records[place.record].cells
        )

    def _is_plain(self, place: Place) -> bool:
        """Returns whether a state is the whole of what is said where it stands: a field's value, a short line."""
        one = self._index.records[place.record]
        if one.kind in (RecordKind.LINE, RecordKind.SENTENCE):
            return one.end - one.start <= _SHORT
        return any(
            cell.kind is CellKind.FIELD
            and cell.start <= place.start < cell.end
            and cell.end - cell.start <= _SHORT_CELL
            for cell in one.cells
        )

    def _implied(self, names: Sequence[str], anchor: int) -> Place | None:
        for name in names:
            for other in self._index.vocabulary.implied_by.get(name, ()):
                for place in self._index.places.get(other, ()):
                    if self._covers(anchor, place.record) and not denied_in_evidence(self._index, place):
                        return place
        return None

    def _covers(self, anchor: int, other: int) -> bool:
        return anchor >= 0 and self._index.in_scope(anchor, other)

    def _word_fact(self, term: Term, anchor: int, kinds: set[str]) -> Fact:
        index = self._index
        names = [name for name in term.names if name[0] not in "@=+" and name != "not"]
        if self._wide.intersection(names) and self._is_wide_claim and not any(index.places.get(name) for name in names):
            return Fact(FactKind.SCOPE, Standing.SILENT, term.start, term.end, "wider than what was looked at")
        if "attribute" in kinds and not self._figures.intersection(names) and self._is_none(names, anchor):
            return Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "its figure there is 0")
        somewhere = False
        for name in names:
            places = self._nearest_first(index.places.get(name, ()), anchor)
            somewhere = somewhere or bool(places)
            against: Place | None = None
            guess: Place | None = None
            for place in places:
                if anchor >= 0 and (index.in_scope(anchor, place.record) or index.joined(anchor, place.record)):
                    if "event" not in kinds:
                        return Fact(
                            FactKind.NAME if not place.in_name and self._is_field(place, term) else FactKind.WORD,
                            Standing.STATED,
                            term.start,
                            term.end,
                            "said there",
                            place,
                            self._loose_weight(term, kinds),
                        )
                    if not self._hedged and unsure_in_evidence(index, place):
                        guess = guess or place
                    elif not denied_in_evidence(index, place):
                        return Fact(
                            FactKind.WORD,
                            Standing.STATED,
                            term.start,
                            term.end,
                            "said there",
                            place,
                            self._loose_weight(term, kinds),
                        )
                    elif index.in_scope(anchor, place.record) and not place.in_name:
                        against = against or place
            if guess is not None:
                return Fact(FactKind.DENIAL, Standing.PART, term.start, term.end, "only a guess there", guess)
            if against is not None:
                return Fact(FactKind.STATE, Standing.IN_CONFLICT, term.start, term.end, "denied there", against)
            if anchor >= 0 and any(name in index.key_names[one] for one in self._above(anchor)):
                return Fact(FactKind.WORD, Standing.STATED, term.start, term.end, "a key says so")
            for link in index.links.get(name, ()):
                if self._covers(anchor, link.place.record):
                    return Fact(
                        FactKind.WORD, Standing.STATED, term.start, term.end, "an idiom of the tool", link.place
                    )
        opposite = self._opposite(names, anchor)
        if opposite is not None:
            return Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "the opposite stands there", opposite)
        weight = self._loose_weight(term, kinds)
        if somewhere and "thing" in kinds:
            weight = 0.5  # the evidence has such things, and this is not told of one
        if somewhere:
            return Fact(FactKind.WORD, Standing.SILENT, term.start, term.end, "said elsewhere", weight=weight)
        return Fact(FactKind.WORD, Standing.FOREIGN, term.start, term.end, "said nowhere", weight=weight)

    def _opposite(self, names: Sequence[str], anchor: int) -> Place | None:
        """Returns where the opposite of a word stands, said of the anchor and not denied."""
        for name in names:
            for opposite in sorted(self._index.vocabulary.opposites.get(name, ())):
                for place in self._index.places.get(opposite, ()):
                    if (
                        not place.in_name
                        and self._covers(anchor, place.record)
                        and self._is_quoted(place)
                        and not denied_in_evidence(self._index, place)
                    ):
                        return place
        return None

    def _is_none(self, names: Sequence[str], anchor: int) -> bool:
        """Returns whether the anchor itself counts none of what is spoken of."""
        flags = [flag for name in names for flag in self._index.flags.get(name, ()) if flag.place.record == anchor]
        return bool(flags) and not any(flag.holds for flag in flags)

    def _is_quoted(self, place: Place) -> bool:
        """Returns whether a claim quotes the record of a place: elsewhere nothing speaks against it."""
        return self._focus is None or place.record in self._focus

    def _nearest_first(self, places: Sequence[Place], anchor: int) -> Sequence[Place]:
        """Returns places with those in the anchor before those in quoted records and the rest."""
        if len(places) < 2:
            return places
        focus = self._focus or frozenset()
        return sorted(places, key=lambda place: (place.record != anchor, place.record not in focus))

    def _loose_weight(self, term: Term, kinds: set[str]) -> float:
        """Returns what a word counts against its claim that nothing witnesses.

        Nouns for a kind of thing (pod, node, thread) are how people speak of what a record shows without a word for it.
        """
        traits = self._index.vocabulary.traits
        light = traits["light"].intersection(term.names)
        if traits["free"].intersection(term.names):
            return 0.0
        if "thing" in kinds:
            return 0.0 if light else _THING
        if "name" in kinds or light or any(name.startswith("@change") for name in term.names):
            return _LIGHT
        if kinds & {"attribute", "statistic"}:
            return FIGURE
        if term.is_unknown and len(term.names[0]) <= 2:
            return _ONE_SIGN
        return 1.0

    def _above(self, anchor: int) -> Iterable[int]:
        while anchor >= 0:
            yield anchor
            anchor = self._index.records[anchor].parent


_SCORES: Final = {
    Standing.STATED: 1.0,
    Standing.DERIVABLE: 0.8,
    Standing.PART: 0.3,
    Standing.SILENT: 0.0,
    Standing.FOREIGN: 0.0,
    Standing.IN_CONFLICT: -0.2,
}
_WEIGHTS: Final = {
    FactKind.NAME: 3.0,
    FactKind.VALUE: 3.0,
    FactKind.STATE: 2.0,
    FactKind.DENIAL: 2.0,
    FactKind.WORD: 0.5,
    FactKind.SCOPE: 0.0,
    FactKind.CAUSE: 0.0,
    FactKind.ORDER: 0.0,
}


def _is_universal(denier: Term | None, kinds: set[str], is_chinese: bool) -> bool:
    """Returns whether a denial is of all there is (no pod failed), which one opposite does not prove.

    Chinese has one word for no and for not: before a state it is the latter.
    """
    if denier is None or (is_chinese and "state" in kinds and "@negation.before" in denier.names):
        return False
    return any(name in ("@zero", "@quantifiers.none", "@quantifiers.never") for name in denier.names)


_POLAR: Final = 2.0  # a state that has an opposite: left out, its claim could be the other way round
_THING: Final = 1.0
_LIGHT: Final = 0.25
_ONE_SIGN: Final = 0.1
FIGURE: Final = 0.4
"""What a word for a figure (latency, rate) counts against its claim: a figure beside it makes up for it."""


def _is_name(term: Term) -> bool:
    return term.names[0][0] == "="
