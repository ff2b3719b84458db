"""Holds what a claim says, clause by clause. Offsets are code points of the claim's text."""

from __future__ import annotations

from evidencegate_server.contract.records import record
from evidencegate_server.judge.values.model import Mention
from evidencegate_server.judge.vocabulary import Term


@record
class Clause:
    """A stretch of a claim that states something of one subject.

    `terms` are its words outside of values, `values` its amounts and instants, both left to right. `marks` are the
    names of words that change what is said (`@hedges`, `@quantifiers.all`) with the term that brings each.
    `is_chinese` says that the clause holds Chinese, where a Latin word is a name.
    """

    start: int
    end: int
    terms: tuple[Term, ...]
    values: tuple[Mention, ...]
    marks: tuple[tuple[str, Term], ...]
    is_chinese: bool = False

    def marked(self, *prefixes: str) -> Term | None:
        """Returns the first term that brings a mark with one of the prefixes, None where there is none."""
        for name, term in self.marks:
            if name.startswith(prefixes):
                return term
        return None


@record
class ClaimReading:
    """A claim as clauses, left to right."""

    text: str
    clauses: tuple[Clause, ...]


def mention_of(clause: Clause, start: int) -> Mention | None:
    """Returns the value of a clause that begins at a place, words of comparison beside it included."""
    for value in clause.values:
        if value.outer_start == start:
            return value
    return None
