"""Says how a state that a clause tells of (ready, failed), or denies, stands beside one record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.absences import lacking, rows_without, unfilled
from evidencegate_server.judge.alignment.cell_forms import holds
from evidencegate_server.judge.alignment.denial import (
    DENYING,
    Denial,
    denied_beside,
    denied_by_idiom,
    denied_in_evidence,
    term_at,
    unsure_in_evidence,
)
from evidencegate_server.judge.alignment.model import (
    BY_CONTRARY,
    BY_FIELD,
    BY_OPPOSITE,
    LIGHT,
    Fact,
    FactKind,
    Standing,
)
from evidencegate_server.judge.alignment.places import Flag, Place
from evidencegate_server.judge.alignment.sides import is_of_another_side
from evidencegate_server.judge.alignment.view import View
from evidencegate_server.judge.records.model import Cell, CellKind, RecordKind
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import COUNT, Instant, Quantity
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.lexicon.concept_words import NOT

_EMPTY_RESULT: Final = "@empty_results"
_ALL_OF: Final = frozenset({"@zero", "@quantifiers.none", "@quantifiers.never"})
_OUTCOMES: Final = frozenset({"succeeded", "failed", "completed"})
_UNDOING: Final = frozenset({"failed", "disabled"})
_ASSIGNED: Final = 4  # code points between a key and its value, besides blanks
_REST_OF_KEY: Final = re.compile(r"[\w.-]{0,48}[\"']?[ \t]*[:=][ \t]*[\"']?")
_PARTED: Final = 64  # code points that a comma is worth between a name and its state
_PARTS: Final = re.compile(r"[,;\uff0c\uff1b\u3002]")
_BESIDE: Final = 2  # code points between a state and the number that counts those in it
_POLAR: Final = 2.0  # a state that has an opposite: left out, its claim could be the other way round


def state_fact(view: View, term: Term, denier: Term | None, denial: Denial = Denial.PLAIN) -> Fact:
    """Returns how a state stands, with what it counts against its claim where nothing witnesses it.

    `denier` is the word that denies it in the clause, None where it is affirmed; `denial` says how.
    """
    fact = _StateReading(view, term, denier, denial).fact()
    vocabulary = view.index.vocabulary
    if vocabulary.traits["light"].intersection(term.names) and not (denier is None and _is_predicate(view, term)):
        return replace(fact, weight=LIGHT)
    if any(vocabulary.opposites.get(name) for name in term.names):
        return replace(fact, weight=_POLAR)
    return fact


def _is_predicate(view: View, term: Term) -> bool:
    """Returns whether a state is all that its clause says of its subject (the pod is running)."""
    terms, values = view.telling.clause.terms, view.telling.clause.values
    if terms[-1] is not term or any(value.start > term.start for value in values):
        return False
    for before in reversed(terms[:-1]):
        # In Chinese a state needs no copula (web-1 在运行).
        if "be" in before.names or (view.telling.clause.is_chinese and before.is_name):
            return True
        if not before.brings("@time_scope", "@quantifiers"):
            return False
    return False


class _StateReading:
    """One state beside one record. What speaks against it is kept on the way, and told where nothing bears it out."""

    def __init__(self, view: View, term: Term, denier: Term | None, denial: Denial) -> None:
        self._view = view
        self._index = view.index
        self._term = term
        self._denier = denier
        self._is_negative = "not" in term.names  # the word itself denies (unready)
        known = [name for name in term.names if name[0] not in "@~=+" and name != "not"]
        self._names = known or [name for name in term.names if name[0] == "~"]
        self._wanted = (denier is not None) == self._is_negative
        # Failed to log in: where the evidence says that a login failed, that is what is told.
        self._may_fail = denial is Denial.FAILED and not self._is_negative
        self._is_given = denial is Denial.GIVEN
        self._against: Place | None = None
        self._otherwise: Place | None = None  # where it is said the other way round, whether or not that speaks against
        self._guess: Place | None = None
        self._beside: Place | None = None
        self._is_ruled_out = False  # a field of what the clause names says the opposite
        self._column = _column(view, term)

    def fact(self) -> Fact:
        """Returns how the state stands, by the first way that tells."""
        return (
            self._counted()
            or self._unfilled()
            or self._stated()
            or self._guessed()
            or self._by_every_row()
            or self._by_rows_without()
            or self._by_lack()
            or self._by_denied_contrary()
            or self._by_opposite_flag()
            or (None if self._is_ruled_out else self._by_idiom())
            or self._by_opposite()
            or self._by_empty_result()
            or self._in_conflict()
            or self._implied()
            or self._beside_opposite()
            or self._silent()
        )

    def _fact(self, standing: Standing, why: str, place: Place | None = None, kind: FactKind | None = None) -> Fact:
        if kind is None:
            kind = FactKind.STATE if self._denier is None else FactKind.DENIAL
        return Fact(kind, standing, self._term.start, self._term.end, why, place)

    def _counted(self) -> Fact | None:
        """Returns a state as stated where a figure of the clause counts what is in it (2 of 5 are ready)."""
        if self._denier is not None or not self._view.telling.clause.values:
            return None
        if not any(name in self._view.counts for name in self._names) and not self._names_a_figure():
            return None
        if NOT in self._term.names and any(name in self._view.counts for name in self._names):
            return self._fact(Standing.SILENT, "a figure of the contrary is stated", kind=FactKind.DENIAL)
        return self._fact(Standing.STATED, "a figure of it is stated")

    def _names_a_figure(self) -> bool:
        """Returns whether a word is the name of a metric whose figure stands right behind it (up 0)."""
        values = self._view.telling.clause.values
        return any(name in self._view.figures for name in self._names) and any(
            0 <= value.outer_start - self._term.end <= _BESIDE for value in values
        )

    def _stated(self) -> Fact | None:
        for name in self._names:
            found = self._by_words(name) or (None if self._is_otherwise() else self._by_flags(name))
            if found is not None:
                return found
        return None

    def _by_words(self, name: str) -> Fact | None:
        for place in self._view.nearest_first(self._index.places.get(name, ())):
            if not self._may_say(name, place) and not self._is_tried(name, place):
                continue
            if self._failed_there(name, place):
                return self._fact(Standing.STATED, "it failed there", place)
            denied = self._is_denied(name, place)
            if denied != self._wanted:
                if self._wanted and self._is_undone_there(name, place):
                    continue
                if not self._view.telling.is_hedged and unsure_in_evidence(self._index, place):
                    self._guess = self._guess or place
                elif (
                    self._other_is_closer(name, place)
                    or self._is_past(name, place)
                    or self._is_its_own_otherwise(place)
                ):
                    self._against = self._against or place
                else:
                    return self._fact(Standing.STATED, "stated there", place)
            elif self._is_said(place):
                self._otherwise = self._otherwise or place
            if self._may_conflict(place):
                self._against = self._against or place
        return None

    def _is_tried(self, name: str, place: Place) -> bool:
        """Returns whether a clause says that something could not be done, and a place says that it failed."""
        return self._may_fail and self._view.covers(place) and self._index.fails(name, place)

    def _is_denied(self, name: str, place: Place) -> bool:
        """Returns whether the evidence denies a state where it stands: by a word, an idiom, or as having failed."""
        if denied_in_evidence(self._index, place) or (name not in _UNDOING and self._fails_right_there(place)):
            return True
        return any(denied_by_idiom(self._index, one, place) for one in self._names)

    def _fails_right_there(self, place: Place) -> bool:
        """Returns whether what a word tells is said to have failed in the next one (恢复失败)."""
        terms = self._index.terms[place.record]
        behind = next((term for term in terms if term.start >= place.end), None)
        return behind is not None and behind.start == place.end and not _UNDOING.isdisjoint(behind.names)

    def _is_undone(self, opposite: Place) -> bool:
        """Returns whether what a clause denies is said as well: in another record, or at another time."""
        said = self._otherwise
        if said is None or said.record != opposite.record:
            return said is not None
        first, second = sorted((said.start, opposite.start))
        return any(
            first < cell.mention.start < second
            for cell in self._index.by_record.get(said.record, ())
            if isinstance(cell.mention.value, Instant)
        )

    def _is_otherwise(self) -> bool:
        """Returns whether a field says the opposite in so many words: a no elsewhere is of another thing then."""
        field = None if self._otherwise is None else self._index.field_at(self._otherwise)
        return field is not None and not field.values

    def _is_said(self, place: Place) -> bool:
        """Returns whether a word stands in what a record says, and not in a key."""
        return any(cell.start <= place.start < cell.end for cell in self._index.records[place.record].cells)

    def _may_say(self, name: str, place: Place) -> bool:
        """Returns whether a word can say of the anchor that it is so."""
        if not self._view.covers(place) or self._index.is_asked(place.record):
            return False
        if (name, place.record) in self._index.conditions or self._is_other_column(place):
            return False  # its status decides
        if self._index.is_option(place) or self._is_key(name, place) or self._is_key_of_no(place):
            return False
        return not place.in_name or self._view.is_plain(place)

    def _is_key(self, name: str, place: Place) -> bool:
        """Returns whether a word is the end of a key whose yes or no decides (success=no)."""
        flags = self._index.flags.get(name, ())
        if not any(
            flag.place.record == place.record
            and flag.place.start - place.end >= 0
            and len(self._index.text_at(place.record, place.end, flag.place.start).strip()) <= _ASSIGNED
            for flag in flags
        ):
            return False
        return not self._is_said(place)

    def _is_key_of_no(self, place: Place) -> bool:
        """Returns whether a word is a part of a key whose field says no (`OOMKilled: false`), and nothing is denied."""
        if self._view.telling.clause.marked(*DENYING):
            return False
        cells = self._index.records[place.record].cells
        cell = next((one for one in cells if one.kind is not CellKind.TEXT and one.start >= place.end), None)
        if cell is None or cell.start - place.end > len(cell.key) + _ASSIGNED or holds(cell) is not False:
            return False
        return _REST_OF_KEY.fullmatch(self._index.text_at(place.record, place.end, cell.start)) is not None

    def _is_other_column(self, place: Place) -> bool:
        """Returns whether a place is in another column of the anchor than the one that the clause speaks of."""
        column = self._column
        if column is None or place.record != self._view.anchor or column.start <= place.start < column.end:
            return False
        return self._index.field_at(place) is not None

    def _may_conflict(self, place: Place) -> bool:
        if place.in_name or not self._view.is_quoted(place) or self._denies_in_part() or self._counts_another(place):
            return False
        if self._is_counted(place) and not self._is_of_what_it_counts(place):
            return False
        return self._denier is None or self._view.is_plain(place)

    def _denies_in_part(self) -> bool:
        """Returns whether a thing is denied to be some other thing (a replica, not a primary), or a part of it is."""
        denier = self._denier
        if denier is None or {"state", "event"} & {self._index.vocabulary.kind(name) for name in self._term.names}:
            return False
        return "@contrasts" in denier.names or ("@quantifiers.none" in denier.names and "@zero" not in denier.names)

    def _counts_another(self, place: Place) -> bool:
        """Returns whether a state is of a few where it stands (2 not recovered), and the claim counts others."""
        claimed = [value.value for value in self._view.telling.clause.values if _is_count(value.value)]
        if not claimed:
            return False
        return any(
            _is_count(one.mention.value)
            and max(one.mention.start - place.end, place.start - one.mention.end) <= _BESIDE
            and all(compare(value, one.mention.value) is not Relation.EQUAL for value in claimed)
            for one in self._index.by_record.get(place.record, ())
        )

    def _is_counted(self, place: Place) -> bool:
        """Returns whether a number stands right before a state where it stands (0 Failed): so many of some things."""
        return any(
            _is_count(one.mention.value) and 0 <= place.start - one.mention.end <= 1
            for one in self._index.by_record.get(place.record, ())
        )

    def _is_number(self, place: Place) -> bool:
        index = self._index
        return index.evidence.texts[index.records[place.record].source][place.start : place.end].strip().isdigit()

    def _is_of_what_it_counts(self, place: Place) -> bool:
        """Returns whether the thing that a clause says to be in a state is one that the record of a place speaks of.

        That no pod of a job failed says nothing of a query that failed in it.
        """
        index = self._index
        things = [
            term.names
            for term in self._view.telling.clause.terms
            if not term.is_name
            and term.end <= self._term.start
            and any(index.vocabulary.kind(name) == "thing" for name in term.names)
        ]
        return not things or not index.names[place.record].isdisjoint(things[-1])

    def _other_is_closer(self, name: str, place: Place) -> bool:
        """Returns whether an opposite of a state stands closer to what its clause names, in one line of prose."""
        guides = self._view.telling.guides
        names = [named for guide in guides for named in guide.places if named.record == place.record]
        names = names or self._subject(place)
        if not names:
            return False
        gap = min(self._gap(named, place) for named in names)
        return any(
            other.record == place.record and min(self._gap(named, other) for named in names) < gap
            for opposite in self._index.vocabulary.opposites.get(name, ())
            for other in self._index.places.get(opposite, ())
            if not other.in_name
        )

    def _subject(self, place: Place) -> list[Place]:
        """Returns where the first thing of a clause without a name stands in the record of a place."""
        kind = self._index.vocabulary.kind
        first = next((term for term in self._view.telling.clause.terms if term.end <= self._term.start), None)
        if first is None or not any(kind(name) in ("thing", "name") for name in first.names):
            return []
        return [one for name in first.names for one in self._index.places.get(name, ()) if one.record == place.record]

    def _gap(self, one: Place, other: Place) -> int:
        """Returns how far apart two places are; what is parted by a comma is told apart."""
        left, right = sorted((one, other), key=lambda place: place.start)
        between = self._index.text_at(one.record, left.end, right.start)
        return max(0, right.start - left.end) + (_PARTED if _PARTS.search(between) is not None else 0)

    def _is_its_own_otherwise(self, place: Place) -> bool:
        """Returns whether a row lacks every name of its clause, and a record that has one says the opposite."""
        index = self._index
        guides = self._view.telling.guides
        if not self._wanted or not guides or index.records[place.record].group < 0:
            return False
        records = {named.record for guide in guides for named in guide.places}
        if place.record in records:
            return False
        return any(
            other.record in records and index.records[other.record].kind is not RecordKind.HEADING and not other.in_name
            for name in self._names
            for opposite in index.vocabulary.opposites.get(name, ())
            for other in index.places.get(opposite, ())
        )

    def _by_flags(self, name: str) -> Fact | None:
        for flag in self._flags(name):
            if not self._view.covers(flag.place) or is_of_another_side(self._view, self._term, flag.place):
                continue
            if self._is_universal() and self._is_one_row(flag.place.record):
                continue  # that one is not so does not say that none is
            if self._is_given and self._is_number(flag.place) and self._is_attribute():
                continue  # a 0 is known
            if flag.holds == self._wanted:
                return self._fact(Standing.STATED, BY_FIELD, flag.place)
            self._is_ruled_out = self._is_ruled_out or self._is_own_field(flag.place)
            if (
                flag.place.record == self._view.anchor
                and self._view.is_quoted(flag.place)
                and not self._denies_in_part()
                and name not in self._view.figures  # the clause tells the figure itself
                and (not self._is_number(flag.place) or self._is_of_what_it_counts(flag.place))
            ):
                self._against = self._against or flag.place
        return None

    def _is_attribute(self) -> bool:
        return any(self._index.vocabulary.kind(name) == "attribute" for name in self._names)

    def _flags(self, name: str) -> Sequence[Flag]:
        """Returns the fields that may decide on a concept, those that say most of what the clause speaks of.

        What the anchor says of itself goes before what is said of all that it is a part of. Where a record has several
        (one for each of two threads), those decide whose key names what the clause names.
        """
        flags = self._index.flags.get(name, ())
        own = [flag for flag in flags if flag.place.record == self._view.anchor]
        if len(own) < 2:
            return own or flags
        said = {one for term in self._view.telling.clause.terms if term is not self._term for one in term.names}
        most = max(len(flag.names & said) for flag in own)
        best = [flag for flag in own if len(flag.names & said) == most]
        fields = [flag for flag in best if self._is_own_field(flag.place) and not self._is_number(flag.place)]
        if len({flag.holds for flag in fields}) > 1:  # one says yes, the other no, and neither is meant more
            self._is_ruled_out = True
            return ()
        return best

    def _is_one_row(self, record: int) -> bool:
        """Returns whether a record is one of several rows, and the clause does not name it."""
        return self._index.barrier[record] and not (
            any(place.record == record for guide in self._view.telling.guides for place in guide.places)
            or self._names_by_idiom(record)
        )

    def _names_by_idiom(self, record: int) -> bool:
        """Returns whether a thing of the clause is what an idiom calls a record (the root filesystem is `/`)."""
        index = self._index
        return any(
            link.place.record == record and not link.denied and index.field_at(link.place) is not None
            for term in self._view.telling.clause.terms
            for name in term.names
            if index.vocabulary.kind(name) == "thing"
            for link in index.links.get(name, ())
        )

    def _is_own_field(self, place: Place) -> bool:
        """Returns whether a place is the whole field of the anchor that a key names, and no number in a text."""
        field = self._index.field_at(place) if place.record == self._view.anchor else None
        return field is not None and field.start == place.start

    def _guessed(self) -> Fact | None:
        if self._guess is None:
            return None
        return self._fact(Standing.PART, "only a guess there", self._guess, FactKind.DENIAL)

    def _by_idiom(self) -> Fact | None:
        for name in self._names:
            for link in self._index.links.get(name, ()):
                if not self._view.covers(link.place) or self._is_other_column(link.place):
                    continue
                if is_of_another_side(self._view, self._term, link.place) or self._index.is_option(link.place):
                    continue
                if self._may_fail and self._index.fails(name, link.place):
                    return self._fact(Standing.STATED, "it failed there", link.place)
                if link.denied != self._wanted:
                    if self._wanted and denied_beside(self._index, link.place):
                        if self._is_of_what_it_counts(link.place):
                            self._against = self._against or link.place
                        continue
                    standing = Standing.DERIVABLE if link.usual else Standing.STATED
                    return self._fact(standing, "an idiom of the tool", link.place)
                if not link.usual:
                    self._against = self._against or link.place
        return None

    def _by_every_row(self) -> Fact | None:
        """Returns a denial as derivable where every row of what the clause names says the opposite of the state."""
        guides = self._view.telling.guides
        anchor = self._view.anchor
        if not self._is_universal() or not guides or anchor < 0 or self._is_negative:
            return None
        group = self._index.records[anchor].group
        if group < 0:
            return None
        rows = set(self._index.groups[group])
        for guide in guides:
            rows &= {place.record for place in guide.places}
        opposites = [other for name in self._names for other in self._index.vocabulary.opposites.get(name, ())]
        if not rows or any(self._index.says(name, row) for name in self._names for row in rows):
            return None
        if not all(any(self._index.says(other, row) for other in opposites) for row in rows):
            return None
        one = self._index.records[anchor]
        return self._fact(Standing.DERIVABLE, "every row of it says the opposite", Place(anchor, one.start, one.end))

    def _unfilled(self) -> Fact | None:
        """Returns a denial as stated where the field of what is not given (its lag is not known) is empty."""
        place = unfilled(self._view, self._names) if self._is_given else None
        return None if place is None else self._fact(Standing.STATED, "its field is empty", place)

    def _by_rows_without(self) -> Fact | None:
        """Returns a denial of all as derivable where each row that there is says that it has none."""
        place = rows_without(self._view, self._names) if self._is_none_of_all() else None
        return None if place is None else self._fact(Standing.DERIVABLE, "no row has it", place)

    def _is_none_of_all(self) -> bool:
        denier = self._denier
        return denier is not None and not self._is_negative and not _ALL_OF.isdisjoint(denier.names)

    def _by_lack(self) -> Fact | None:
        """Returns a denial as derivable where others of its list have a field for what is denied, and this one none."""
        if self._denier is None or self._is_negative:
            return None
        place = lacking(self._view, self._names)
        return None if place is None else self._fact(Standing.DERIVABLE, "others have it, and this one has not", place)

    def _by_denied_contrary(self) -> Fact | None:
        """Returns a state as stated where its contrary is denied (insufficient, where there is not enough)."""
        if not self._wanted or self._is_negative:
            return None
        for name in self._names:
            for contrary in sorted(self._index.vocabulary.contraries.get(name, ())):
                for place in self._index.places.get(contrary, ()):
                    if self._may_say(contrary, place) and self._is_plainly_denied(place):
                        return self._fact(Standing.STATED, BY_CONTRARY, place)
        return None

    def _is_plainly_denied(self, place: Place) -> bool:
        return denied_in_evidence(self._index, place) and not unsure_in_evidence(self._index, place)

    def _by_opposite(self) -> Fact | None:
        proves = not self._wanted and not self._is_universal()
        for place in self._opposites():
            if proves and not self._is_undone(place):
                return self._fact(Standing.STATED, BY_OPPOSITE, place)
            if self._wanted and not place.in_name:
                if self._view.is_plain(place):
                    self._against = self._against or place
                else:
                    self._beside = self._beside or place
        return None

    def _by_opposite_flag(self) -> Fact | None:
        """Returns a state as derivable where the anchor has a no beside the opposite (healthy: false)."""
        if not self._wanted:
            return None
        for name in self._names:
            for opposite in sorted(self._index.vocabulary.opposites.get(name, ())):
                for flag in self._flags(opposite):
                    if flag.place.record != self._view.anchor or is_of_another_side(self._view, self._term, flag.place):
                        continue
                    if not flag.holds and not self._is_number(flag.place):
                        return self._fact(Standing.DERIVABLE, "its field says no to the opposite", flag.place)
                    if flag.holds and self._view.is_quoted(flag.place) and not self._is_number(flag.place):
                        self._against = self._against or flag.place
                        self._is_ruled_out = True
        return None

    def _opposites(self) -> list[Place]:
        """Returns where an opposite of the state is said of the anchor and not denied, in what the claim quotes."""
        return [
            place
            for name in self._names
            for opposite in sorted(self._index.vocabulary.opposites.get(name, ()))
            for place in self._index.places.get(opposite, ())
            if self._view.is_quoted(place)
            and self._view.covers(place)
            and not self._is_other_column(place)
            and not self._index.is_option(place)
            and not self._is_key(opposite, place)
            and not self._is_undone_there(opposite, place)
            and not denied_in_evidence(self._index, place)
        ]

    def _is_undone_there(self, name: str, place: Place) -> bool:
        """Returns whether a name says a state and that it is not (FailedScheduling), or says it of something else."""
        if not place.in_name:
            return False
        said = set(term_at(self._index, place).names)
        undoing = _UNDOING if name not in _UNDOING else frozenset()
        if not said.isdisjoint(undoing | self._index.vocabulary.opposites.get(name, frozenset())):
            return True
        if name not in _OUTCOMES:
            return False
        # SuccessfulCreate: that something was made is all that succeeded.
        told = {one for term in self._view.telling.clause.terms for one in term.names}
        return any(self._index.vocabulary.kind(one) == "event" and one not in told for one in said)

    def _failed_there(self, name: str, place: Place) -> bool:
        """Returns whether what a clause denies, or says to have failed, failed where it stands (FailedScheduling)."""
        if self._may_fail and self._index.fails(name, place):
            return True
        if self._wanted or not place.in_name or name in _UNDOING:
            return False
        return not _UNDOING.isdisjoint(term_at(self._index, place).names)

    def _is_past(self, name: str, place: Place) -> bool:
        """Returns whether a clause tells of the latest, and the same record says the opposite further on."""
        telling = self._view.telling
        if not telling.wants_last and telling.clause.marked("@comparison.last") is None:
            return False
        return any(
            other.record == place.record and other.start > place.end and not other.in_name
            for opposite in self._index.vocabulary.opposites.get(name, ())
            for other in self._index.places.get(opposite, ())
        )

    def _is_universal(self) -> bool:
        """Returns whether a denial is of all there is (no pod failed), which one opposite does not prove.

        Chinese has one word for no and for not: before a state it is the latter.
        """
        denier = self._denier
        if denier is None:
            return False
        if self._view.telling.clause.is_chinese and "@negation.before" in denier.names:
            kinds = {self._index.vocabulary.kind(name) for name in self._term.names}
            if "state" in kinds and not self._is_of_a_thing():
                return False
        return not _ALL_OF.isdisjoint(denier.names)

    def _is_of_a_thing(self) -> bool:
        """Returns whether a state only says which things are meant (没有健康的实例: there is no healthy instance)."""
        behind = [term for term in self._view.telling.clause.terms if term.start >= self._term.end][:2]
        return (
            len(behind) > 1
            and "article" in behind[0].names
            and any(self._index.vocabulary.kind(name) == "thing" for name in behind[1].names)
        )

    def _by_empty_result(self) -> Fact | None:
        """Returns a denial as stated where a query that asked for one of the concepts says that it found none."""
        if self._denier is None or self._is_negative:
            return None
        index, anchor = self._index, self._view.anchor
        for place in index.places.get(_EMPTY_RESULT, ()):
            if anchor >= 0 and not (index.linked(anchor, place.record) or index.in_scope(place.record, anchor)):
                continue
            asked = {place.record, *self._view.index.above(place.record)}
            if any(found.record in asked for name in self._names for found in index.places.get(name, ())):
                return self._fact(Standing.STATED, "a query for it found none", place)
        return None

    def _in_conflict(self) -> Fact | None:
        if self._against is None:
            return None
        return self._fact(Standing.IN_CONFLICT, BY_OPPOSITE, self._against)

    def _implied(self) -> Fact | None:
        if not self._wanted or self._otherwise is not None or self._against is not None:
            return None
        for name in self._names:
            for other in self._index.vocabulary.implied_by.get(name, ()):
                for place in self._index.places.get(other, ()):
                    if not self._view.covers(place) or self._is_key_of_no(place):
                        continue
                    if not denied_in_evidence(self._index, place):
                        return self._fact(Standing.DERIVABLE, "follows from what is stated", place)
        return None

    def _beside_opposite(self) -> Fact | None:
        if self._beside is None:
            return None
        return self._fact(Standing.SILENT, "the opposite stands there", self._beside, FactKind.DENIAL)

    def _silent(self) -> Fact:
        elsewhere = any(self._index.places.get(name) for name in self._names)
        return self._fact(Standing.SILENT, "stated elsewhere" if elsewhere else "not stated")


def _column(view: View, term: Term) -> Cell | None:
    """Returns the cell of the anchor whose key stands right before a state in the clause (the EDS is stale)."""
    if view.anchor < 0:
        return None
    index = view.index
    before = next(
        (
            one
            for one in reversed(view.telling.clause.terms)
            if one.end <= term.start
            and any(name[0] != "@" and index.vocabulary.kind(name) != "soft" for name in one.names)
        ),
        None,
    )
    if before is None or before.names[0][0] in "=+":
        return None
    cells = [
        cell
        for cell in index.records[view.anchor].cells
        if cell.kind is CellKind.FIELD
        and cell.key
        and not cell.values
        and not index.vocabulary.key_names(cell.key).isdisjoint(before.names)
    ]
    return cells[0] if len(cells) == 1 else None


def _is_count(value: Quantity | Instant) -> bool:
    return isinstance(value, Quantity) and value.measure == COUNT
