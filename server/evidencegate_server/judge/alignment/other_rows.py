"""Finds what a claim says of one row and the evidence shows of others only, where its own column says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.denial import denied_in_evidence
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import (
    ANOTHER_LINE,
    ELSEWHERE,
    HELD,
    NAMED,
    ClauseAlignment,
    Fact,
    FactKind,
)
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.values import SAME, compared
from evidencegate_server.judge.claims.model import Clause, mention_of
from evidencegate_server.judge.records.model import Cell, CellKind
from evidencegate_server.judge.values.model import Instant
from evidencegate_server.judge.vocabulary import Term

_MOST_ROWS: Final = 400
_HAS_NAME: Final = (NAMED, ELSEWHERE, ANOTHER_LINE)  # why a name stands or not that the evidence has


@record
class _Subject:
    """The one row of a list that a claim is of, named in the column `key`; the name stands at `start` of the claim."""

    group: int
    row: int
    key: str
    start: int


class RowConflicts:
    """Asks one evidence what it shows of other rows than the one that a claim names."""

    def __init__(self, clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> None:
        self._clauses = clauses
        self._index = index
        names = sorted(self._names(), key=lambda pair: pair[0].start)
        groups = dict.fromkeys(group for fact, _ in names for group in self._lists(fact))
        found = (self._subject(group, names) for group in groups)
        self._subjects = [subject for subject in found if subject is not None]

    def place(self, clause: ClauseAlignment, fact: Fact) -> Place | None:
        """Returns the cell of the claim's row that says otherwise than a fact, None where there is none."""
        if fact.standing in HELD and fact.kind is not FactKind.NAME:
            return None
        for subject in self._subjects:
            if fact.start != subject.start and self._is_of(clause, subject):
                place = self._otherwise(subject, clause.clause, fact)
                if place is not None:
                    return place
        return None

    def _names(self) -> Iterator[tuple[Fact, Sequence[Place]]]:
        """Returns what a row can go by, names and times, with all their places."""
        index = self._index
        for clause in self._clauses:
            for fact in clause.facts:
                if fact.kind is FactKind.NAME and fact.why in _HAS_NAME:
                    term = _term(clause.clause, fact)
                    if term is not None:
                        yield fact, self._named(term)
                elif fact.kind is FactKind.VALUE and fact.standing in HELD:
                    mention = mention_of(clause.clause, fact.start)
                    if mention is not None and isinstance(mention.value, Instant):
                        value = mention.value
                        yield (
                            fact,
                            [_place(one) for one in index.instants if compared(value, one.mention.value) in SAME],
                        )

    def _named(self, term: Term) -> Sequence[Place]:
        return self._index.places.get(term.names[0], ()) or self._index.find(term.names[0][1:])

    def _lists(self, fact: Fact) -> list[int]:
        """Returns the lists of rows that a fact stands in, from the inside out."""
        records, groups = self._index.records, self._index.groups
        found: list[int] = []
        at = -1 if fact.place is None else fact.place.record
        while at >= 0:
            group = records[at].group
            if group >= 0 and 1 < len(groups[group]) <= _MOST_ROWS:
                found.append(group)
            at = records[at].parent
        return found

    def _row(self, at: int, group: int) -> int:
        """Returns the row of a list that a record stands in, -1 for none."""
        records = self._index.records
        while at >= 0 and records[at].group != group:
            at = records[at].parent
        return at

    def _subject(self, group: int, names: Sequence[tuple[Fact, Sequence[Place]]]) -> _Subject | None:
        """Returns the row of a list that the claim names first, None where it names several."""
        found: _Subject | None = None
        for fact, places in names:
            inside = [(row, place) for place in places if (row := self._row(place.record, group)) >= 0]
            rows = {row for row, _ in inside}
            keys = {cell.key for _, place in inside if (cell := self._index.field_at(place)) is not None}
            if found is None and len(rows) == 1 and keys:
                found = _Subject(group, rows.pop(), min(keys), fact.start)
            elif found is not None and found.key in keys and rows != {found.row}:
                return None
        return found

    def _is_of(self, clause: ClauseAlignment, subject: _Subject) -> bool:
        """Returns whether a clause names the subject, is told of its row, or of no row of its list."""
        if clause.clause.start <= subject.start < clause.clause.end:
            return True
        return clause.anchor < 0 or self._row(clause.anchor, subject.group) in (-1, subject.row)

    def _otherwise(self, subject: _Subject, clause: Clause, fact: Fact) -> Place | None:
        """Returns the cell of the subject's row in whose column other rows have what a fact says.

        Each place that says so has to be in such a column: a summary or a message can be told of any row.
        """
        found: Place | None = None
        for place in self._shown(clause, fact):
            if self._index.is_asked(place.record):
                continue
            row = self._row(place.record, subject.group)
            cell = self._index.field_at(place)
            if row in (-1, subject.row) or cell is None or cell.key == subject.key or self._is_first(row, cell):
                return None
            own = self._own(subject, cell.key)
            if own is None or self._is_told(*own) or _same_text(own[1], cell):
                return None
            found = found or Place(own[0], own[1].start, own[1].end)
        return found

    def _shown(self, clause: Clause, fact: Fact) -> Iterator[Place]:
        """Returns where the evidence has what a fact says, whatever it says it of."""
        index = self._index
        term = _term(clause, fact)
        if fact.kind is FactKind.VALUE:
            mention = mention_of(clause, fact.start)
            for one in index.values if mention is not None else ():
                if (
                    mention is not None
                    and compared(mention.value, one.mention.value) in SAME
                    and not self._in_name(one)
                ):
                    yield _place(one)
        elif fact.kind is FactKind.NAME and fact.why in _HAS_NAME and term is not None:
            yield from self._named(term)
        elif fact.kind is FactKind.STATE and term is not None:
            for name in term.names:
                if index.vocabulary.kind(name) == "state":
                    yield from (place for place in index.places.get(name, ()) if not denied_in_evidence(index, place))
                    yield from (link.place for link in index.links.get(name, ()) if not link.denied)

    def _in_name(self, one: ValueCell) -> bool:
        """Returns whether a number is a part of a name (conn16209)."""
        before = self._index.text_at(one.record, max(0, one.mention.start - 1), one.mention.start)
        return before.isascii() and before.isalpha()

    def _is_first(self, row: int, cell: Cell) -> bool:
        """Returns whether a cell is the first field of its row, which names what the row is of."""
        first = next((one for one in self._index.records[row].cells if one.kind is CellKind.FIELD), None)
        return first is not None and first.start == cell.start

    def _own(self, subject: _Subject, key: str) -> tuple[int, Cell] | None:
        """Returns the one cell of the subject's row with a key, None where it has none, several or an empty one."""
        own: list[tuple[int, Cell]] = []
        waiting = [subject.row]
        while waiting:
            at = waiting.pop()
            cells = self._index.records[at].cells
            own += ((at, cell) for cell in cells if cell.key == key and cell.kind is CellKind.FIELD)
            waiting += self._index.children[at]
        return own[0] if len(own) == 1 and own[0][1].text.strip() else None

    def _is_told(self, row: int, cell: Cell) -> bool:
        """Returns whether the claim itself says what a cell holds."""
        return any(
            fact.standing in HELD
            and fact.place is not None
            and fact.place.record == row
            and cell.start <= fact.place.start < cell.end
            for clause in self._clauses
            for fact in clause.facts
        )


def _term(clause: Clause, fact: Fact) -> Term | None:
    return next((term for term in clause.terms if term.start == fact.start), None)


def _place(one: ValueCell) -> Place:
    return Place(one.record, one.mention.start, one.mention.end)


def _same_text(one: Cell, other: Cell) -> bool:
    return one.text.strip().lower() == other.text.strip().lower()
