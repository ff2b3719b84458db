"""Sorts what a clause says word by word, whatever record it is held against."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.denial import (
    DENYING_VERBS,
    Denial,
    denied_in_claim,
    idle_denials,
    tells_after,
)
from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.model import Quantity
from evidencegate_server.judge.vocabulary import Term, Vocabulary

GENITIVE: Final = "~s"
"""The stem that is left of `'s`."""
_OCCURS: Final = "occur"
_APOSTROPHES: Final = ("'", "\u2019")
_FALSE: Final = "~fals"
OPENING: Final = frozenset("(\uff08\u3010[")  # what stands in brackets is told apart
# What a Chinese verb came to: 没建成, 没写进去, 没连上.
_RESULT: Final = re.compile("成|到|上|起来|出来|下来|进去|出去|通|完|掉")
_NOT: Final = "没未"
_DENIABLE: Final = frozenset({"event", "thing", "attribute", "statistic"})
_SAYING: Final = frozenset({"event", "attribute", "statistic", "side", "name", "thing"})


@record
class Word:
    """A word that has to be shown.

    `kinds` are those of what it means, `denier` is the word that denies it, and `denial` how; `is_state` says that it
    is told as a state, `is_when` that it only says when something was so.
    """

    term: Term
    kinds: set[str]
    denier: Term | None
    is_state: bool
    is_when: bool
    denial: Denial = Denial.PLAIN


@record
class Said:
    """The words of a clause, or how one stands that can stand in no record; and the starts of those that it denies."""

    words: Sequence[Word | Fact]
    denied: Mapping[int, Term]


def said_of(clause: Clause, names: set[int], vocabulary: Vocabulary, text: str) -> Said:
    """Returns what the words of a clause say; `names` are where its names start, which are no words."""
    denied = denied_in_claim(clause, vocabulary)
    found: list[Word | Fact] = [
        Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "what it denies is not understood")
        for term in idle_denials(clause, denied)
    ]
    times = {term.start for term in clause.terms if term.brings("@order.during")}
    found += (
        Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "denied twice")
        for term in clause.terms
        if _FALSE in term.names and any(OPENING.isdisjoint(text[one.end : term.start]) for one in denied.values())
    )
    gradual = vocabulary.traits["gradual"]
    for term in clause.terms:
        is_name = term.is_name or term.start in names
        if is_name and term.start in denied and term.start - denied[term.start].end <= 1:
            found.append(_not_understood(term))
        if is_name or term.brings("@comparison"):
            continue
        if not gradual.isdisjoint(term.names) and _is_share_of(clause, term):
            continue
        if _is_only_denier(term, denied) or _is_genitive(term, text):
            continue
        kinds = {vocabulary.kind(name) for name in term.names}
        denier = denied.get(term.start)
        only_tells = _OCCURS in term.names  # no error occurred: what is denied is the error
        is_deniable = bool(kinds & _DENIABLE) or (term.is_unknown and denier is not term)
        is_state = "state" in kinds or (denier is not None and is_deniable and not only_tells)
        if not is_state and denier is not None and denier is not term and not only_tells:
            found.append(_not_understood(term))
        elif is_state or kinds & _SAYING or term.is_unknown:
            how = _how(clause, term, denier, vocabulary, text)
            found.append(Word(term, kinds, denier, is_state, term.end in times, how))
    return Said(found, denied)


def _how(clause: Clause, term: Term, denier: Term | None, vocabulary: Vocabulary, text: str) -> Denial:
    """Returns in which way a word is denied."""
    if denier is None:
        return Denial.PLAIN
    if DENYING_VERBS in denier.names or (_RESULT.match(text, term.end) and text[denier.start] in _NOT):
        return Denial.FAILED
    return Denial.GIVEN if tells_after(clause, denier, vocabulary) else Denial.PLAIN


def _not_understood(term: Term) -> Fact:
    return Fact(FactKind.DENIAL, Standing.SILENT, term.start, term.end, "denied, and not understood")


def _is_only_denier(term: Term, denied: Mapping[int, Term]) -> bool:
    """Returns whether a verb that denies (could not) says nothing but that what it denies failed."""
    return (
        DENYING_VERBS in term.names
        and term.start not in denied
        and any(denier is term for start, denier in denied.items() if start != term.start)
    )


def _is_genitive(term: Term, text: str) -> bool:
    return term.names == (GENITIVE,) and text[term.start - 1 : term.start] in _APOSTROPHES


def _is_share_of(clause: Clause, term: Term) -> bool:
    """Returns whether a share stands right before a word that says what it is of (96% full)."""
    return any(
        isinstance(value.value, Quantity) and value.value.measure == "share" and 0 <= term.start - value.outer_end <= 1
        for value in clause.values
    )
