"""Holds a clause beside one record, and says what of the evidence counts for it there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.names import Name
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.said import Said
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.plain import JOINT
from evidencegate_server.judge.records.model import CellKind, RecordKind
from evidencegate_server.judge.vocabulary import Term

_POD: Final = re.compile(r"(?:-[0-9a-f]{6,10})?(?:-[a-z0-9]{5}|-\d{1,4})?")  # behind a workload's name in a pod's
_JSON: Final = ("{", "[", '"')
_SHORT: Final = 120  # code points of a line that says one thing
_SHORT_CELL: Final = 32


@record
class Telling:
    """A clause with what is known of it whatever record it is held against.

    `names` are its own; `guides` those with places that it goes by, its own or those of the clauses before. `is_wide`
    says that it speaks of all or none of something; `said` is what its words say, `letters` are names of one letter,
    each behind its noun; `latin` are where its words in small Latin letters start, `existing` those that say that there
    is something.
    """

    clause: Clause
    names: Sequence[Name]
    guides: Sequence[Name]
    is_hedged: bool
    is_wide: bool
    wants_last: bool
    said: Said
    letters: Sequence[tuple[Term, Term]]
    latin: frozenset[int] = frozenset()
    existing: frozenset[int] = frozenset()

    @property
    def start(self) -> int:
        """Returns where the first word of the clause stands."""
        return self.clause.terms[0].start if self.clause.terms else self.clause.start


@record
class View:
    """A clause beside the record `anchor`, -1 for none.

    `focus` are the records that the claim quotes, None where it quotes everything; `figures` what the keys of the
    clause's values name, `counts` those of a fraction (2/5 under READY). `asked` are the words of the call that
    returned the anchor's text.
    """

    index: EvidenceIndex
    focus: frozenset[int] | None
    telling: Telling
    anchor: int
    figures: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()

    def covers(self, place: Place) -> bool:
        """Returns whether what stands at a place is said of the anchor."""
        return self.anchor >= 0 and self.index.in_scope(self.anchor, place.record)

    def covers_or_joins(self, place: Place) -> bool:
        """Returns whether a place is said of the anchor, or of one text with it by a long identifier.

        Rows and objects that share one are several things: a lock's holder is not who waits for it.
        """
        if self.covers(place):
            return True
        kinds = {self.index.records[one].kind for one in (self.anchor, place.record) if one >= 0}
        return kinds.isdisjoint((RecordKind.ROW, RecordKind.OBJECT)) and self.index.joined(self.anchor, place.record)

    def is_quoted(self, place: Place) -> bool:
        """Returns whether a claim quotes the record of a place: elsewhere nothing speaks against it."""
        return self.focus is None or place.record in self.focus

    def is_plain(self, place: Place) -> bool:
        """Returns whether a state is the whole of what is said where it stands: a field's value, a short line."""
        one = self.index.records[place.record]
        if one.kind in (RecordKind.LINE, RecordKind.SENTENCE):
            return one.end - one.start - self.index.text_of(place.record).count(JOINT) <= _SHORT
        return any(
            cell.kind is not CellKind.IN_TEXT
            and cell.start <= place.start < cell.end
            and cell.end - cell.start <= _SHORT_CELL
            for cell in one.cells
        )

    def nearest(self, name: Name) -> Place | None:
        """Returns the place of a name that is most of the anchor: in it, then said of it, then linked with it."""
        if self.anchor < 0:
            return None
        places = name.places
        for place in places:
            if place.record == self.anchor:
                return place
        for place in places:
            if self.index.in_scope(self.anchor, place.record):
                return place
        if places and self._is_asked_of(name):
            return places[0]
        joined = self.index.joined
        return next(
            (
                place
                for place in places
                if joined(self.anchor, place.record)
                or (not name.is_number and self._is_linked(self.anchor, place.record))
            ),
            None,
        )

    def _is_asked_of(self, name: Name) -> bool:
        """Returns whether the anchor is a line that a call returned which asked for a thing or for a pod of it."""
        if not self.asked or not self._is_line():
            return False
        wanted = name.term.names[0].lstrip("=+")
        return not name.is_number and any(
            word.startswith(wanted) and _POD.fullmatch(word, len(wanted)) is not None for word in self.asked
        )

    def _is_line(self) -> bool:
        """Returns whether the anchor is one line of what something printed, and no row or object of several."""
        kind = self.index.records[self.anchor].kind
        text = self.index.text_of(self.anchor)
        return kind in (RecordKind.LINE, RecordKind.SENTENCE) or (
            kind is RecordKind.OBJECT and "\n" not in text and text[:1] not in _JSON
        )

    def _is_linked(self, anchor: int, other: int) -> bool:
        """Returns whether a record tells of what the anchor does, and is none of several rows that it is not in."""
        return self.index.linked(anchor, other) and not self.index.is_parted(anchor, other)

    def nearest_first(self, places: Sequence[Place]) -> Sequence[Place]:
        """Returns places with those in the anchor before those in quoted records and the rest."""
        if len(places) < 2:
            return places
        focus = self.focus or frozenset()
        return sorted(places, key=lambda place: (place.record != self.anchor, place.record not in focus))

    def reach(self, name: Name) -> int:
        """Returns how well a name reaches the anchor: 2 where it is said of it, 1 where it is linked, else 0."""
        if self.anchor < 0:
            return 0
        if any(self.index.in_scope(self.anchor, place.record) for place in name.places):
            return 2
        if self._is_asked_of(name):
            return 1
        near = self.index.joined if name.is_number else self._is_linked
        return 1 if any(near(self.anchor, place.record) for place in name.places) else 0
