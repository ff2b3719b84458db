"""Finds what a clause or a stretch of evidence denies."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.vocabulary import Term, Vocabulary


class Denial(Enum):
    """How a word is denied."""

    PLAIN = "plain"
    FAILED = "failed"  # it was tried, and did not come about: could not connect, 没建成
    GIVEN = "given"  # what it names is not given: no lag is known


DENYING: Final = ("@negation", "@zero", "@quantifiers.none", "@quantifiers.never")
"""The marks of a clause that denies something, whatever it is."""

_NONE_OF: Final = "@quantifiers.none"
DENYING_VERBS: Final = "@negation.verbs"
_AFTER: Final = "@negation.after"
# What denies a word behind it.
_BEFORE: Final = frozenset({"@negation.before", "@zero", _NONE_OF, "@quantifiers.never", DENYING_VERBS})
_ANYWHERE: Final = _BEFORE | {_AFTER}
_YES: Final = "@negation.yes"
_REACH: Final = 4  # terms that a denial can stand before what it denies
_ZERO_BACK: Final = 8  # characters in which a zero can stand before what it counts, blanks and all
_NOUNS: Final = frozenset({"thing", "attribute"})
_FIGURES: Final = frozenset({"attribute"})  # the lag of partition 1 is not known
_GIVEN: Final = frozenset({"thing", "attribute", "event"})
_FACTS: Final = frozenset({"state", "event", "thing", "attribute", "name"})


def denied_in_claim(clause: Clause, vocabulary: Vocabulary) -> dict[int, Term]:
    """Returns the starts of the terms that a clause denies, with what denies each."""
    found: dict[int, Term] = {}
    terms = clause.terms
    for at, term in enumerate(terms):
        if _ANYWHERE.isdisjoint(term.names) or _YES in term.names or term.names[0][0] in "=+":
            continue
        if not _BEFORE.isdisjoint(term.names):
            denied = _predicate(terms, at, vocabulary) or _denied_after(terms, at, vocabulary)
            if _tells_after(terms, at, vocabulary) and (denied is None or _tells(denied, vocabulary)):
                denied = _given(terms, at, vocabulary)
            if denied is not None:
                found[denied.start] = term
                beside = terms[terms.index(denied) + 1 :][:1]
                # No available connection: both words are denied.
                if beside and 0 <= beside[0].start - denied.end <= 1 and _happens(beside[0], vocabulary):
                    found[beside[0].start] = term
        elif at and not terms[at - 1].is_name:
            found[terms[at - 1].start] = term
    return found


def tells_after(clause: Clause, denier: Term, vocabulary: Vocabulary) -> bool:
    """Returns whether a word of denial denies that something is given (not known, no status was recorded)."""
    return _tells_after(clause.terms, clause.terms.index(denier), vocabulary)


def _tells_after(terms: tuple[Term, ...], at: int, vocabulary: Vocabulary) -> bool:
    return any(_tells(term, vocabulary) for term in terms[at + 1 : at + 1 + _REACH])


def _tells(term: Term, vocabulary: Vocabulary) -> bool:
    return not vocabulary.traits["telling"].isdisjoint(term.names)


def _given(terms: tuple[Term, ...], at: int, vocabulary: Vocabulary) -> Term | None:
    """Returns what is not given, where a denial says so: the noun behind it (未设置 limit), else the one before it."""
    behind, before = terms[at + 1 : at + 1 + _REACH], terms[max(0, at - 2 * _REACH) : at][::-1]
    for around, wanted in ((behind, _GIVEN), (before, _FIGURES), (before, _GIVEN)):
        for term in around:
            kinds = {vocabulary.kind(name) for name in term.names}
            if not term.is_name and kinds & wanted and not _tells(term, vocabulary):
                return term
    return None


def _happens(term: Term, vocabulary: Vocabulary) -> bool:
    return term.names[0][0] not in "=+" and any(vocabulary.kind(name) in ("state", "event") for name in term.names)


def idle_denials(clause: Clause, denied: dict[int, Term]) -> list[Term]:
    """Returns the words of denial of a clause that deny none of its words: what they deny was not understood."""
    used = {term.start for term in denied.values()}
    behind_names = {after.start for term, after in pairwise(clause.terms) if term.is_name}
    return [
        term
        for term in clause.terms
        if not _ANYWHERE.isdisjoint(term.names)
        and term.start not in used
        and term.names[0][0] not in "=+"
        and _YES not in term.names
        and (
            any(name == "@negation.before" or name == DENYING_VERBS for name in term.names)
            or (_AFTER in term.names and term.start in behind_names)
        )
    ]


def _predicate(terms: tuple[Term, ...], at: int, vocabulary: Vocabulary) -> Term | None:
    """Returns the last state of a clause that begins with none of: whatever those are, the state is denied of them."""
    if _NONE_OF not in terms[at].names or at > 1:
        return None
    states = [
        term
        for term in terms[at + 1 :]
        if term.names[0][0] not in "=+" and any(vocabulary.kind(name) == "state" for name in term.names)
    ]
    return states[-1] if states else None


def _denied_after(terms: tuple[Term, ...], at: int, vocabulary: Vocabulary) -> Term | None:
    """Returns the state among the next terms, else the first of them that means something."""
    first: Term | None = None
    for term in terms[at + 1 : at + 1 + _REACH]:
        kinds = {vocabulary.kind(name) for name in term.names}
        if "state" in kinds or "event" in kinds:
            return term
        if first is not None and first.is_unknown and first.end + 1 == term.start and kinds & _NOUNS:
            first = term  # no committed offset: what is denied is the noun
        if first is None and (kinds & _FACTS or term.is_unknown):
            first = term
    return first


def denied_in_evidence(index: EvidenceIndex, place: Place) -> bool:
    """Returns whether the words beside a place deny it: a negator close before it, or none behind it.

    A word that a negated term of the lexicon brings (`not ready` for ready) is denied by itself.
    """
    terms = index.terms[place.record]
    low = _first_at(terms, place)
    return (low < len(terms) and "not" in terms[low].names) or denied_beside(index, place)


def term_at(index: EvidenceIndex, place: Place) -> Term:
    """Returns the term of the evidence that stands at a place."""
    terms = index.terms[place.record]
    return terms[_first_at(terms, place)]


def denied_beside(index: EvidenceIndex, place: Place) -> bool:
    """Returns whether the words around a place deny it, whatever it says itself."""
    terms = index.terms[place.record]
    low = _first_at(terms, place)
    text = index.evidence.texts[index.records[place.record].source]
    for term in reversed(terms[max(0, low - 3) : low]):
        if _parted(text, term.end, place.start):
            break
        if term.names[0][0] not in "=+" and not _BEFORE.isdisjoint(term.names):
            return True
    if low + 1 < len(terms):
        after = terms[low + 1]
        if _AFTER in after.names and not _parted(text, place.end, after.start):
            return True
    field = index.field_at(place)
    return _zero_beside(place, text, 0 if field is None else field.start)


def denied_by_idiom(index: EvidenceIndex, name: str, place: Place) -> bool:
    """Returns whether a word is a part of an idiom that denies it (waiting for the rollout to finish)."""
    return any(
        link.denied and link.place.record == place.record and link.place.start <= place.start < link.place.end
        for link in index.links.get(name, ())
    )


# What was answered begins anew: may need a login: server message: no such user.
_MESSAGE: Final = re.compile(r": [^:;.\n]{0,30}\b(?:message|response|reply|output): ")
_UNSURE: Final = frozenset({"@hedges", "@conditions", "@advice", "@purpose"})
_ENDS: Final = re.compile("\n|[.;] |[\u3002\uff1b]")  # a sentence
_PARTS: Final = re.compile("[.;,:\n\uff0c\u3002\uff1b\uff1a|\t]|  ")


def unsure_in_evidence(index: EvidenceIndex, place: Place) -> bool:
    """Returns whether the words before a place make it a guess, a condition or an advice."""
    text = index.evidence.texts[index.records[place.record].source]
    terms = index.terms[place.record]
    for at in range(_first_at(terms, place) - 1, -1, -1):
        term = terms[at]
        # Backwards, and no further than the sentence goes.
        if _sentence_ends(text, term.end, place.start):
            return False
        if not _UNSURE.isdisjoint(term.names) and not _in_another_field(index, place, term):
            return _MESSAGE.search(text, term.end, place.start) is None
    return False


def _in_another_field(index: EvidenceIndex, place: Place, term: Term) -> bool:
    """Returns whether a word stands in a field of its own, as the May of a log line's time does."""
    return any(
        cell.kind is CellKind.FIELD and cell.start <= term.start < cell.end and not cell.start <= place.start < cell.end
        for cell in index.records[place.record].cells
    )


def _first_at(terms: Sequence[Term], place: Place) -> int:
    """Returns the number of the first term that does not begin before a place."""
    return bisect_left(terms, place.start, key=lambda term: term.start)


def _sentence_ends(text: str, start: int, end: int) -> bool:
    return _ENDS.search(text, start, end) is not None


def _zero_beside(place: Place, text: str, since: int) -> bool:
    """Returns whether a 0 right before a word counts it (`0 errors`). What stands before `since` is another field."""
    before = text[max(since, place.start - _ZERO_BACK) : place.start]
    bare = before.rstrip(" \t")
    return bare.endswith("0") and (len(bare) < 2 or not (bare[-2].isdigit() or bare[-2] in ".,"))


def _parted(text: str, start: int, end: int) -> bool:
    return _PARTS.search(text, start, end) is not None
