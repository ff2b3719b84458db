"""Finds the machines' names of a clause in the evidence, and which of them the clause is of."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.vocabulary import Term


@record
class Name:
    """A machine's name of a claim and where the evidence has it.

    `is_number` says that it is a bare number, which is no name of anything outside of its own record.
    """

    term: Term
    places: tuple[Place, ...]
    is_number: bool = False


class NameFinder:
    """Finds names in one evidence, each once."""

    def __init__(self, index: EvidenceIndex, text: str) -> None:
        self._index = index
        self._text = text
        self._names: dict[str, tuple[Place, ...]] = {}

    def with_rows(self, clause: Clause) -> Clause:
        """Returns a clause with those words as names that are the names of rows, whatever else they mean (cart)."""
        if not any(self._row(term) for term in clause.terms if not term.is_name):
            return clause
        terms = tuple(
            replace(term, names=(f"={self._text[term.start : term.end].lower()}",))
            if not term.is_name and self._row(term)
            else term
            for term in clause.terms
        )
        return replace(clause, terms=terms)

    def names(self, clause: Clause) -> tuple[Name, ...]:
        """Returns the names of a clause with their places."""
        return tuple(self._name(term) for term in clause.terms if term.is_name or self._is_word_as_name(clause, term))

    def leads(self, clause: Clause, name: Term) -> bool:
        """Returns whether a name begins its clause, and so is what the clause is of."""
        kinds = (
            self._index.vocabulary.kind(one)
            for term in clause.terms
            if term.start < name.start
            for one in term.names
            if one[0] != "@"
        )
        before = next((term for term in reversed(clause.terms) if term.end <= name.start), None)
        if (
            before is not None
            and "be" in before.names
            and any(
                one.startswith(("@comparison.highest", "@comparison.lowest", "@quantifiers.only"))
                and term.end <= before.start
                for one, term in clause.marks
            )
        ):
            return True
        if before is not None and ("preposition" in before.names or _is_at(clause, before, name)):
            return False
        return all(kind in ("soft", "thing", "name") for kind in kinds) and not any(
            value.start < name.start for value in clause.values
        )

    def _name(self, term: Term) -> Name:
        section = self._section(term) or self._row(term)
        if section:
            return Name(term, section)
        name = term.names[0]
        if name not in self._names:
            found = self._index.places.get(name, ()) if term.is_unknown else self._find(name[1:])
            self._names[name] = tuple(found)
        return Name(term, self._names[name])

    def _find(self, name: str) -> Sequence[Place]:
        """Returns where a name stands; a dotted one also as other languages join it."""
        found = self._index.find(name)
        # vecdb-2 is not data-vecdb-2, where it also stands by itself.
        found = [place for place in found if not self._index.is_tail(place)] or found
        if not found and "." in name and not name[0].isdigit():
            for sign in (":", "::", "#", "/", "`.`", '"."'):
                found = self._index.find(name.replace(".", sign))
                if found:
                    break
        return found

    def _is_word_as_name(self, clause: Clause, term: Term) -> bool:
        """Returns whether words are a name: with hyphens, as the evidence has them; or unknown ones in Chinese."""
        if term.names[0][0] not in "=+" and self._section(term) and self._is_before_thing(clause, term):
            return True
        if term.names[0][0] == "+":
            return bool(self._name(term).places) or self._is_strange(term)
        return (
            term.is_unknown
            and term.names[0][1:].isascii()
            and len(term.names[0]) > 3
            and clause.is_chinese
            and term.names[0] in self._index.places
        )

    def _is_before_thing(self, clause: Clause, term: Term) -> bool:
        """Returns whether the next word is a noun for a thing (the rerank container)."""
        for after in clause.terms:
            if after.start >= term.end:
                return after.start - term.end <= 1 and any(
                    self._index.vocabulary.kind(name) == "thing" for name in after.names
                )
        return False

    def _section(self, term: Term) -> tuple[Place, ...]:
        """Returns the blocks, each one of several, that a Latin word names, whatever it means (metrics 容器)."""
        word = self._text[term.start : term.end]
        return self._index.sections.get(word, ()) if word.isascii() else ()

    def _row(self, term: Term) -> tuple[Place, ...]:
        """Returns the rows that a word tells from the others of their list, whatever it means (p99 of cart)."""
        rows = self._index.row_names.get(self._text[term.start : term.end].lower())
        if rows is None or any(self._index.vocabulary.kind(name) == "state" for name in term.names):
            return ()
        return tuple(rows)

    def _is_strange(self, term: Term) -> bool:
        """Returns whether words with hyphens can only be a name: a part of them is no word that is known here."""
        return any(name[0] == "~" and name not in self._index.places for name in term.names)


def _is_at(clause: Clause, before: Term, name: Term) -> bool:
    """Returns whether a name only tells where its clause's subject is (\u8fd0\u884c\u5728 X \u4e0a)."""
    return clause.is_chinese and "be" in before.names and name.start - before.end <= 1
