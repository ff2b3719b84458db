"""Says which rows of a list a clause speaks of, and which of them are in the states that it tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.denial import denied_in_claim, denied_in_evidence
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import CellKind, Record, RecordKind
from evidencegate_server.judge.vocabulary import Term

_STATUS: Final = "status"  # the column that says of each row what state it is in


@record
class _Said:
    """What a row says of one state, and in which column."""

    holds: bool
    key: str


class RowReader:
    """Reads the lists of one evidence."""

    def __init__(self, index: EvidenceIndex) -> None:
        self.index = index
        self._said: dict[str, dict[int, _Said]] = {}

    def rows(self, anchor: int) -> Sequence[int]:
        """Returns the list that a record is a row of, empty where it is none."""
        group = self.index.records[anchor].group if anchor >= 0 else -1
        return self.index.groups.get(group, []) if group >= 0 else []

    def record(self, row: int) -> Record:
        """Returns a row."""
        return self.index.records[row]

    def has_same(self, row: int, place: Place) -> bool:
        """Returns whether a row has under the same key what a cell of another one has."""
        cell = next((one for one in self.record(place.record).cells if one.start == place.start and one.values), None)
        return cell is not None and any(one.key == cell.key and one.text == cell.text for one in self.record(row).cells)

    def spoken_of(self, rows: Sequence[int], clause: Clause, text: str) -> Sequence[int]:
        """Returns the rows that a clause speaks of: those with the names that it gives some of them.

        A name above the list (a namespace, in the command) leaves all of them, one that stands nowhere none.
        """
        kept = list(rows)
        for term in clause.terms:
            word = text[term.start : term.end]
            if term.names[0][0] in "=+":
                kept = self._named(kept, rows, word)
            elif clause.is_chinese and word.isascii():
                kept = self._of_name(kept, word) or kept
            elif term.is_unknown and word.isascii() and self._is_attributive(term, clause):
                kept = self._of_field(kept, word) or kept
        for term in self.states(clause):
            if self._is_attribute(term, clause, text):
                said = self.of_term(term, kept, events=True)
                kept = [row for row in kept if said is not None and said[row]]
        return kept

    def _is_attribute(self, term: Term, clause: Clause, text: str) -> bool:
        """Returns whether a state only tells which things are meant (both failing requests)."""
        noun = next((one for one in clause.terms if one.start >= term.end and "article" not in one.names), None)
        if noun is None or not any(self.index.vocabulary.kind(name) == "thing" for name in noun.names):
            return False
        return text[term.end : noun.start].strip() == ("的" if clause.is_chinese else "")

    def _named(self, kept: list[int], rows: Sequence[int], name: str) -> list[int]:
        """Returns the rows that have a name; all of them where it stands over them, none where it stands elsewhere."""
        places = self.index.find(name.lower())
        having = {place.record for place in places}
        named = [row for row in kept if row in having]
        if named or any(self._stands_over(place, rows[0]) for place in places):
            return named or kept
        return []

    def _of_name(self, kept: list[int], word: str) -> list[int]:
        """Returns the rows whose own name has a Latin word in it, which in Chinese is a name whatever it means."""
        own = {row: next(iter(self.record(row).cells), None) for row in kept}
        return [
            place.record
            for place in self.index.find(word.lower())
            if (cell := own.get(place.record)) is not None and cell.start <= place.start < cell.end
        ]

    def _is_attributive(self, term: Term, clause: Clause) -> bool:
        """Returns whether a word stands right before a noun for things (checkout sessions)."""
        noun = next((one for one in clause.terms if one.start > term.start), None)
        return (
            noun is not None
            and noun.start - term.end == 1
            and any(self.index.vocabulary.kind(name) == "thing" for name in noun.names)
        )

    def _of_field(self, kept: list[int], word: str) -> list[int]:
        """Returns the rows that have a word as a field, or as the beginning of one that is a name."""
        lowered = word.lower()
        found = []
        for row in kept:
            fields = (cell.text.lower() for cell in self.record(row).cells if cell.kind is CellKind.FIELD)
            if any(
                text == lowered or text.startswith((f"{lowered}-", f"{lowered}_", f"{lowered}/")) for text in fields
            ):
                found.append(row)
        return found

    def _stands_over(self, place: Place, row: int) -> bool:
        at = row
        while at >= 0:
            if at == place.record:
                return True
            at = self.index.records[at].parent
        return False

    def in_states(self, rows: Sequence[int], clause: Clause, text: str, *, events: bool = False) -> list[int] | None:
        """Returns those rows that are in all states that a clause tells; None where one of them does not say.

        A state that the clause denies is looked for among the rows that do not have it. With `events`, lines of a log
        that do not speak of it are other events.
        """
        vocabulary = self.index.vocabulary
        denied = denied_in_claim(clause, vocabulary)
        kept = list(rows)
        for term in self.told(clause, text):
            wanted = (term.start in denied) == ("not" in term.names)
            said = self.of_term(term, rows, events=events)
            if said is None:
                return None
            kept = [row for row in kept if said[row] == wanted]
        return kept

    def told(self, clause: Clause, text: str) -> list[Term]:
        """Returns the states that a clause tells of its rows."""
        return [term for term in self.states(clause) if not self._is_attribute(term, clause, text)]

    def states(self, clause: Clause) -> list[Term]:
        """Returns the words of a clause for states."""
        kind = self.index.vocabulary.kind
        return [
            term
            for term in clause.terms
            if term.names[0][0] not in "=+" and any(kind(name) == "state" for name in term.names)
        ]

    def of_term(self, term: Term, rows: Sequence[int], *, events: bool = False) -> dict[int, bool] | None:
        """Returns for each row whether it is in a state; None where one says nothing of it.

        A row whose cell in the same column has another word, or whose status is another, is not in it.
        """
        kind = self.index.vocabulary.kind
        of_names = [self.said(name) for name in term.names if kind(name) == "state"]
        keys = {said[row].key for said in of_names for row in rows if row in said and said[row].holds}
        keys.discard("")
        found: dict[int, bool] = {}
        for row in rows:
            own = [said[row].holds for said in of_names if row in said]
            if own:
                found[row] = any(own)
            elif (events and self.record(row).kind is RecordKind.LINE) or self._has_column(row, keys):
                found[row] = False
            else:
                return None
        return found

    def _has_column(self, row: int, keys: set[str]) -> bool:
        names = self.index.vocabulary.key_names
        return any(
            cell.text.strip() and cell.kind is CellKind.FIELD and (cell.key in keys or _STATUS in names(cell.key))
            for cell in self.index.records[row].cells
        )

    def said(self, name: str) -> dict[int, _Said]:
        """Returns for each record that says whether it is in a state what it says."""
        found = self._said.get(name)
        if found is None:
            found = self._said[name] = self._read(name)
        return found

    def _read(self, name: str) -> dict[int, _Said]:
        said: dict[int, _Said] = {}
        for place, holds in self._sayings(name):
            before = said.get(place.record)
            if before is None or (holds and not before.holds):
                said[place.record] = _Said(holds, self._key(place))
        for other in self.index.vocabulary.opposites.get(name, ()):
            for place in self.index.places.get(other, ()):
                said.setdefault(place.record, _Said(holds=False, key=self._key(place)))
        return said

    def _sayings(self, name: str) -> Iterator[tuple[Place, bool]]:
        """Returns where the evidence says that something is in a state, or that it is not."""
        index = self.index
        flagged = {flag.place.record for flag in index.flags.get(name, ())}
        for flag in index.flags.get(name, ()):
            yield flag.place, flag.holds
        for link in index.links.get(name, ()):
            yield link.place, not link.denied
        for word in (name, *index.vocabulary.implied_by.get(name, ())):
            for place in index.places.get(word, ()):
                if not place.in_name and not (place.record in flagged and self._is_key(place)):
                    yield place, not denied_in_evidence(index, place)

    def _is_key(self, place: Place) -> bool:
        """Returns whether a word stands in no value of its record: in a key, whose yes or no tells."""
        return not any(cell.start <= place.start < cell.end for cell in self.index.records[place.record].cells)

    def _key(self, place: Place) -> str:
        return next(
            (
                cell.key
                for cell in self.index.records[place.record].cells
                if cell.kind is CellKind.FIELD and cell.start <= place.start < max(cell.end, cell.start + 1)
            ),
            "",
        )
