"""Says how a word that is neither name nor state (an event, a thing, a figure's name) stands beside one record."""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.cell_forms import holds
from evidencegate_server.judge.alignment.denial import DENYING, denied_in_evidence, unsure_in_evidence
from evidencegate_server.judge.alignment.model import BY_OUTCOME, FIGURE, LIGHT, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.view import View
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.vocabulary import Term

_REACH: Final = 4  # terms between `there is` and what there is
_WIDE: Final = frozenset({"cluster", "region", "datacenter", "environment", "system_word", "platform", "zone", "site"})
_ERROR: Final = "error"
_FAILURES: Final = frozenset({"failed", "fail_event"})
_TIMES: Final = "unit_word"  # what the key of how often an event was seen names
_REACH_EVENT: Final = "reach"
_BOUNDS: Final = frozenset({"limit", "maximum", "capacity", "quota", "threshold"})
_THING: Final = 1.0
_THING_ELSEWHERE: Final = 0.5  # the evidence has such things, and this is not told of one
_ONE_SIGN: Final = 0.1


def word_fact(view: View, term: Term, kinds: set[str]) -> Fact:
    """Returns how a word stands. `kinds` are those of what it means."""
    return _WordReading(view, term, kinds).fact()


class _WordReading:
    """One word beside one record."""

    def __init__(self, view: View, term: Term, kinds: set[str]) -> None:
        self._view = view
        self._index = view.index
        self._term = term
        self._kinds = kinds
        self._names = [name for name in term.names if name[0] not in "@=+" and name != "not"]

    def fact(self) -> Fact:
        """Returns how the word stands, by the first way that tells."""
        return (
            self._too_wide()
            or self._counted_none()
            or self._ruled_out()
            or self._said()
            or self._by_opposite()
            or self._unsaid()
        )

    def _fact(
        self, kind: FactKind, standing: Standing, why: str, place: Place | None = None, weight: float = 1.0
    ) -> Fact:
        return Fact(kind, standing, self._term.start, self._term.end, why, place, weight)

    def _too_wide(self) -> Fact | None:
        """Returns a doubt where all or none of something is told of more than the evidence looks at."""
        if not self._view.telling.is_wide or not _WIDE.intersection(self._names) or self._is_somewhere():
            return None
        return self._fact(FactKind.SCOPE, Standing.SILENT, "wider than what was looked at")

    def _counted_none(self) -> Fact | None:
        """Returns a doubt where the anchor, or what it is a part of, counts none of what is spoken of."""
        if not self._kinds & {"attribute", "event"} and not self._is_said_to_exist():
            return None
        counted = [flag for name in self._names for flag in self._index.flags.get(name, ())]
        if not counted or self._view.figures.intersection(self._names):
            return None
        for record in self._view.index.above(self._view.anchor):
            flags = [flag for flag in counted if flag.place.record == record]
            if flags:
                if any(flag.holds for flag in flags) or self._has_another(record):
                    return None
                return self._fact(FactKind.DENIAL, Standing.SILENT, "its figure there is 0")
            if self._index.records[record].group >= 0 or "attribute" in self._kinds:
                return None
        return None

    def _has_another(self, record: int) -> bool:
        """Returns whether another field of a record names the same, and has a value (an internal IP, no external)."""
        named = self._index.vocabulary.key_names
        return any(
            cell.key and holds(cell) is None and not named(cell.key).isdisjoint(self._names)
            for cell in self._index.records[record].cells
        )

    def _ruled_out(self) -> Fact | None:
        """Returns a doubt where an idiom of the tool says of the anchor that there is no such thing, or no event."""
        for name in self._names:
            for link in self._index.links.get(name, ()):
                if link.denied and self._view.covers(link.place):
                    if not (self._is_said_to_exist() or self._is_said_to_happen()):
                        return None
                    return self._fact(FactKind.DENIAL, Standing.SILENT, "an idiom denies it there", link.place)
        return None

    def _is_said_to_exist(self) -> bool:
        """Returns whether the clause says that there is what the word means (有 leader, has a leader)."""
        clause = self._view.telling.clause
        if not self._view.telling.existing or clause.marked(*DENYING) is not None:
            return False
        before = [term for term in clause.terms if term.end <= self._term.start][-_REACH:]
        for term in reversed(before):
            if term.start in self._view.telling.existing:
                return True
            if any(self._index.vocabulary.kind(name) in ("state", "event") for name in term.names):
                return False  # has lost its leader
        return False

    def _is_said_to_happen(self) -> bool:
        """Returns whether the word is the event that the clause tells of, of which it says nothing else."""
        clause, vocabulary = self._view.telling.clause, self._index.vocabulary
        if "event" not in self._kinds or clause.marked(*DENYING) is not None or clause.values:
            return False
        behind = [name for term in clause.terms if term.start > self._term.start for name in term.names]
        if any(vocabulary.kind(name) in ("thing", "attribute") for name in behind):
            return False  # the event only says which: creating a pod, the error of a pull
        return not any(
            vocabulary.kind(name) == "state" for term in clause.terms if not term.is_name for name in term.names
        )

    def _said(self) -> Fact | None:
        for name in self._names:
            found = self._by_words(name) or self._by_key(name) or self._by_idiom(name)
            if found is not None:
                return found
        return self._by_outcome()

    def _by_outcome(self) -> Fact | None:
        """Returns how an event stands that a state there tells: what is started did start."""
        if "event" not in self._kinds:
            return None
        implied_by = self._index.vocabulary.implied_by
        states = (state for name in self._names for state in implied_by.get(name, ()))
        found = (self._by_words(state) for state in states if self._index.vocabulary.kind(state) == "state")
        shown = next((fact for fact in found if fact is not None and fact.standing is Standing.STATED), None)
        return None if shown is None else replace(shown, why=BY_OUTCOME)

    def _by_words(self, name: str) -> Fact | None:
        places = self._index.places.get(name, ())
        if "event" in self._kinds:
            return self._by_events(places)
        for place in self._view.nearest_first(places):
            if self._view.covers_or_joins(place):
                named = not place.in_name and self._is_field(place)
                return self._stated(FactKind.NAME if named else FactKind.WORD, place)
        return None

    def _by_events(self, places: list[Place] | tuple[()]) -> Fact | None:
        """Returns how an event stands, which the evidence may guess at or deny."""
        against: Place | None = None
        guess: Place | None = None
        for place in self._view.nearest_first(places):
            if not self._view.covers_or_joins(place) or self._index.is_option(place):
                continue
            if not self._view.telling.is_hedged and unsure_in_evidence(self._index, place):
                guess = guess or place
            elif not denied_in_evidence(self._index, place) or self._fails(place):
                return self._stated(FactKind.WORD, place)
            elif self._view.covers(place) and not place.in_name:
                against = against or place
        if guess is not None:
            return self._fact(FactKind.DENIAL, Standing.PART, "only a guess there", guess)
        if against is not None:
            return self._fact(FactKind.STATE, Standing.IN_CONFLICT, "denied there", against)
        return None

    def _fails(self, place: Place) -> bool:
        """Returns whether what the evidence could not do is told as failed: an election failed where none was won.

        A clause that only says what was going on (while it read them) tells no more than that it was tried.
        """
        clause = self._view.telling.clause
        said = {name for term in clause.terms for name in term.names}
        tells = not _FAILURES.isdisjoint(said) or clause.marked("@order.during") is not None
        return tells and any(self._index.fails(name, place) for name in self._names)

    def _stated(self, kind: FactKind, place: Place) -> Fact:
        return self._fact(kind, Standing.STATED, "said there", place, self._loose_weight())

    def _is_field(self, place: Place) -> bool:
        """Returns whether a word is the whole value of a field, and so what the field says."""
        return any(
            cell.kind is CellKind.FIELD
            and cell.start <= place.start
            and place.end <= cell.end <= place.end + 1
            and place.start - cell.start <= 1
            for cell in self._index.records[place.record].cells
        )

    def _by_key(self, name: str) -> Fact | None:
        if any(name in self._index.key_names[one] for one in self._view.index.above(self._view.anchor)):
            return self._fact(FactKind.WORD, Standing.STATED, "a key says so")
        return None

    def _by_idiom(self, name: str) -> Fact | None:
        for link in self._index.links.get(name, ()):
            if self._view.covers(link.place) and not link.denied:
                names_row = "thing" in self._kinds and self._index.barrier[link.place.record]
                kind = FactKind.NAME if names_row and self._is_field(link.place) else FactKind.WORD
                return self._fact(kind, Standing.STATED, "an idiom of the tool", link.place)
        return None

    def _by_opposite(self) -> Fact | None:
        """Returns a doubt where the opposite of a word stands, said of the anchor and not denied."""
        for name in self._names:
            for opposite in sorted(self._index.vocabulary.opposites.get(name, ())):
                for place in self._index.places.get(opposite, ()):
                    if self._says_opposite(place):
                        return self._fact(FactKind.DENIAL, Standing.SILENT, "the opposite stands there", place)
                for link in self._index.links.get(opposite, ()):
                    if not (link.denied or link.usual) and self._says_opposite(link.place):
                        return self._fact(FactKind.DENIAL, Standing.SILENT, "an idiom says the opposite", link.place)
        return None

    def _says_opposite(self, place: Place) -> bool:
        return (
            not place.in_name
            and self._view.covers(place)
            and self._view.is_quoted(place)
            and not denied_in_evidence(self._index, place)
        )

    def _unsaid(self) -> Fact:
        weight = self._loose_weight()
        other = self._by_idiom_elsewhere()
        if other is not None:
            return self._fact(FactKind.NAME, Standing.SILENT, "an idiom of another row", other)
        if self._is_unreached_bound():
            return self._fact(FactKind.SCOPE, Standing.SILENT, "not said to be reached")
        row = self._of_another_row()
        if row is not None:
            return self._fact(FactKind.NAME, Standing.SILENT, "said of another row", row)
        if not self._is_somewhere():
            return self._fact(FactKind.WORD, Standing.FOREIGN, "said nowhere", weight=weight)
        if "thing" in self._kinds:
            weight = _THING_ELSEWHERE
            if weight <= self._loose_weight() and self._is_latin_in_chinese():
                return self._fact(FactKind.NAME, Standing.SILENT, "named elsewhere", weight=weight)
        return self._fact(FactKind.WORD, Standing.SILENT, "said elsewhere", weight=weight)

    def _is_unreached_bound(self) -> bool:
        """Returns whether a clause says that a limit was reached, and its figure is the limit itself."""
        return _REACH_EVENT in self._names and not _BOUNDS.isdisjoint(self._view.figures)

    def _of_another_row(self) -> Place | None:
        """Returns where another row of the anchor's list says what a clause without a figure tells of this one."""
        records, anchor = self._index.records, self._view.anchor
        if anchor >= 0 and _TIMES in self._view.figures and self._kinds & {"attribute", "side"}:
            return self._in_another_row(records[anchor].group)
        if "attribute" not in self._kinds or self._view.telling.clause.values or anchor < 0:
            return None
        if _ERROR in self._names and any(self._index.says(name, anchor) for name in _FAILURES):
            return None  # what failed has an error, whatever it is called
        group = records[anchor].group
        if group < 0 or not self._view.telling.guides:
            return None
        return next(
            (
                place
                for name in self._names
                for place in self._index.places.get(name, ())
                if place.record != anchor
                and records[place.record].group == group
                and self._index.field_at(place) is not None
            ),
            None,
        )

    def _in_another_row(self, group: int) -> Place | None:
        """Returns where another event says what is told of this one, which was seen so often."""
        records = self._index.records
        return next(
            (
                place
                for name in self._names
                for place in self._index.places.get(name, ())
                if place.record != self._view.anchor and records[place.record].group == group >= 0
            ),
            None,
        )

    def _by_idiom_elsewhere(self) -> Place | None:
        """Returns where another row of the anchor's list is what the word means (the root filesystem is `/`)."""
        records, anchor = self._index.records, self._view.anchor
        if "thing" not in self._kinds or anchor < 0 or records[anchor].group < 0:
            return None
        return next(
            (
                link.place
                for name in self._names
                for link in self._index.links.get(name, ())
                if not link.denied and records[link.place.record].group == records[anchor].group
            ),
            None,
        )

    def _is_latin_in_chinese(self) -> bool:
        """Returns whether a word is a Latin one in Chinese, which is a name more often than a noun (stock 返回 503)."""
        telling = self._view.telling
        index = self._index
        return (
            telling.clause.is_chinese
            and any(name for name in self._names if name.isascii())
            and self._term.start in telling.latin
            and any(place.in_name for name in self._names for place in index.places.get(name, ()))
        )

    def _is_somewhere(self) -> bool:
        return any(self._index.places.get(name) for name in self._names)

    def _loose_weight(self) -> float:
        """Returns what a word counts against its claim that nothing witnesses.

        Nouns for a kind of thing (pod, node, thread) are how people speak of what a record shows without a word for it.
        """
        term, kinds = self._term, self._kinds
        traits = self._index.vocabulary.traits
        light = traits["light"].intersection(term.names)
        if traits["free"].intersection(term.names):
            return 0.0
        if "thing" in kinds:
            return 0.0 if light else _THING
        if "name" in kinds or light or term.brings("@change"):
            return LIGHT
        if kinds & {"attribute", "statistic"}:
            return FIGURE
        if term.is_unknown and len(term.names[0]) <= 2:
            return _ONE_SIGN
        return 1.0
