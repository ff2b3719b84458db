"""Finds names of one letter (pod a, 节点 b), which no word and no machine's name tells apart."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import NAMED, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.said import GENITIVE
from evidencegate_server.judge.alignment.view import View
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.vocabulary import Term, Vocabulary

_ARTICLE: Final = "article"
_NOUNS: Final = frozenset({"thing", "attribute", "name", "statistic"})


def letters_of(clause: Clause, vocabulary: Vocabulary) -> list[tuple[Term, Term]]:
    """Returns the names of one letter in a clause, each behind its noun."""
    terms = clause.terms
    return [
        (noun, letter)
        for at, (noun, letter) in enumerate(pairwise(terms))
        if letter.end - letter.start == 1 and _is_letter(vocabulary, noun, letter, terms[at + 2 :])
        if not (clause.is_chinese and letter.names[0] == _ARTICLE)  # in Chinese an article is a word of one sign
    ]


def letter_facts(view: View) -> Iterator[Fact]:
    """Returns how each name of one letter in a clause stands: the evidence has it behind the same noun, or not."""
    for noun, letter in view.telling.letters:
        places = list(_places(view.index, noun, letter))
        place = next((place for place in places if view.covers(place)), None)
        standing = Standing.STATED if place is not None else Standing.SILENT if places else Standing.FOREIGN
        yield Fact(FactKind.NAME, standing, letter.start, letter.end, NAMED, place)


def _is_letter(vocabulary: Vocabulary, noun: Term, letter: Term, behind: Sequence[Term]) -> bool:
    """Returns whether a letter behind a noun names one of its kind; an `a` before another noun is an article."""
    if letter.start - noun.end > 1 or noun.names[0][0] in "=+" or "thing" not in _kinds(vocabulary, noun):
        return False
    if letter.names[0] == _ARTICLE:
        following = behind[0] if behind and behind[0].start - letter.end <= 1 else None
        return following is None or not (following.is_unknown or _kinds(vocabulary, following) & _NOUNS)
    return letter.is_unknown and letter.names[0][1:].isascii() and letter.names[0] != GENITIVE


def _kinds(vocabulary: Vocabulary, term: Term) -> set[str]:
    return {vocabulary.kind(name) for name in term.names}


def _places(index: EvidenceIndex, noun: Term, letter: Term) -> Iterator[Place]:
    """Yields where the evidence has a letter of the claim behind the same noun, or alone in a cell."""
    for name in noun.names:
        for place in index.places.get(name, ()):
            terms = index.terms[place.record]
            at = bisect_left(terms, place.end, key=lambda term: term.start)
            if at < len(terms) and terms[at].names == letter.names and terms[at].start - place.end <= 1:
                yield Place(place.record, terms[at].start, terms[at].end)
    for place in index.places.get(letter.names[0], ()):
        if any((cell.start, cell.end) == (place.start, place.end) for cell in index.records[place.record].cells):
            yield place
