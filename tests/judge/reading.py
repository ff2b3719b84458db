"""Reads claims and small pieces of evidence with the project's own words, and writes shortly what was read."""

from __future__ import annotations

from evidencegate_server.judge.alignment.claims import align
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.claims.lists import spread
from evidencegate_server.judge.deterministic.readers import Readers, readers_of
from evidencegate_server.judge.vocabulary import Term, Vocabulary

from tests.excerpts.support import lexicon

HELD = (Standing.STATED, Standing.DERIVABLE)


def readers() -> Readers:
    return readers_of(lexicon())


def vocabulary() -> Vocabulary:
    return readers().vocabulary


def terms(text: str) -> dict[str, tuple[str, ...]]:
    """Returns the words of a text with what they mean."""
    return {text[term.start : term.end]: term.names for term in vocabulary().terms(text)}


def words(text: str, found: tuple[Term, ...]) -> list[str]:
    return [text[term.start : term.end] for term in found]


def clauses(text: str, *, lists: bool = False) -> list[str]:
    """Returns the clauses of a claim as written; those of lists by the names and values that each has."""
    claim = readers().claims.read(text)
    if not lists:
        return [text[one.start : one.end].strip() for one in claim.clauses]
    return [
        " ".join(
            text[item.start : item.end]
            for item in sorted((*one.terms, *one.values), key=lambda item: item.start)
            if not isinstance(item, Term) or item.names[0][0] in "=+"
        )
        for whole in claim.clauses
        for one in spread(text, whole)
    ]


def index_of(*evidence: str) -> EvidenceIndex:
    return EvidenceIndex(readers().records.evidence(list(evidence)), vocabulary())


def facts(claim: str, *evidence: str) -> list[Fact]:
    """Returns how the facts of a claim stand beside the evidence."""
    found = align(readers().claims.read(claim), index_of(*evidence))
    return [fact for clause in found for fact in clause.facts]


def standings(claim: str, kind: FactKind, *evidence: str) -> list[str]:
    """Returns how the facts of one kind stand, in the claim's order."""
    return [fact.standing.value for fact in facts(claim, *evidence) if fact.kind is kind]
