"""Bears out what a claim takes to follow, with a hedge, from what it has shown: an expired certificate, failed logins.

What usually follows from what is data of the lexicon (`outcomes`). A condition is no fact: what stands in one needs no
witness but for what it names. Only a hedged clause foretells, and only from what another fact of the claim has shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.cell_forms import has_form
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.lexicon.concept_words import NOT

_SAID: Final = frozenset({FactKind.STATE, FactKind.DENIAL, FactKind.WORD})
_REACHING: Final = frozenset({FactKind.SCOPE, FactKind.ORDER})
_OPEN: Final = frozenset({Standing.SILENT, Standing.FOREIGN})
_FOLLOWS: Final = "what usually follows"
_TURNED: Final = "the opposite usually follows"
_SUPPOSED: Final = "under a condition"
_LEAST: Final = 0.5  # what a word weighs that brings something in
# What puts a foretold clause in time, or says that what is shown goes on.
_MARKS: Final = frozenset(
    {"time_scope.again", "order.after", "order.then", "quantifiers.at_same_rank", "trend.steady", "risk"}
)
# In a condition also of how many it would have to be so.
_SUPPOSING: Final = _MARKS | {"quantifiers.each", "quantifiers.all", "quantifiers.both", "quantifiers.any"}
_LATER: Final = ("@time_scope.later", "@time_scope.again")
_WILL: Final = re.compile(r"[\u4f1a\u5c06]|\bwill\b", re.IGNORECASE)
# As the table grows, \u968f\u7740\u8868\u589e\u957f: what is taken to go on.
_AS: Final = re.compile(r"\s*(?:as\b|\u968f\u7740?)", re.IGNORECASE)
# Since a certificate has expired: because of it.
_SINCE: Final = re.compile(r"\s*since\b[^,;.]*?\b(?:is|are|was|were|has|have|had)\b", re.IGNORECASE)
_BECAUSE: Final = frozenset({"time_scope.since"})
_COURSE: Final = frozenset({"increase", "decrease", "expand", "shrink"})
_GOES_ON: Final = "resume"
_ONLY: Final = "@quantifiers.only"


@record
class _Ground:
    """Something shown: what it means, whether it is denied, and where."""

    name: str
    denied: bool
    place: Place | None


def foretold(clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with what usually follows as derivable, and with nothing asked of a condition."""
    if not any(one.clause.marked("@hedges") for one in clauses):
        return list(clauses)
    grounds = [ground for one in clauses if not _is_supposed(one, text) for ground in _grounds(one)]
    said = {name for one in clauses for term in one.clause.terms for name in term.names}
    found: list[ClauseAlignment] = []
    some = False
    for one in clauses:
        told = _told(one, [*grounds, *_columns(one, said, index)], index, text)
        some = some or told is not one
        found.append(told)
    if not some:
        return list(clauses)
    return [
        _supposed(one, index)
        if _is_supposed(one, text)
        else _freed(one, _BECAUSE)
        if _SINCE.match(text, one.clause.start) and not one.clause.values
        else one
        for one in found
    ]


def _is_supposed(one: ClauseAlignment, text: str) -> bool:
    """Returns whether a clause tells no fact: a condition, or what is taken to go on."""
    if one.clause.marked("@hedges") is not None:
        return False
    if one.clause.marked("@conditions") is not None:
        return True
    return (
        _AS.match(text, one.clause.start) is not None
        and not one.clause.values
        and any(not _COURSE.isdisjoint(term.names) for term in one.clause.terms)
    )


def _grounds(one: ClauseAlignment) -> Iterator[_Ground]:
    """Returns what a clause says and the evidence shows."""
    some = one.clause.marked(_ONLY) is not None  # only two are running: some are not
    for fact in one.facts:
        names = _names(one, fact)
        if fact.kind not in _SAID or fact.standing not in HELD or fact.why == _FOLLOWS:
            continue
        denied = (fact.kind is FactKind.DENIAL) != (NOT in names)
        for name in sorted(names):
            yield _Ground(name, denied, fact.place)
            if some and not denied:
                yield _Ground(name, True, fact.place)


def _columns(one: ClauseAlignment, said: set[str], index: EvidenceIndex) -> Iterator[_Ground]:
    """Returns what the form of a field says (limits of 130 %) that a claim speaks of and a clause is told of."""
    for cell in index.records[one.anchor].cells if one.anchor >= 0 and one.clause.marked("@hedges") else ():
        if not said.isdisjoint(index.vocabulary.key_names(cell.key)):
            for link in index.vocabulary.links_by_column.get(cell.key.lower(), ()):
                if link.form is not None and link.label == "stated" and has_form(cell, link.form):
                    place = Place(one.anchor, cell.start, cell.end)
                    yield from (_Ground(name, NOT in link.claim, place) for name in link.claim)


def _told(one: ClauseAlignment, grounds: Sequence[_Ground], index: EvidenceIndex, text: str) -> ClauseAlignment:
    """Returns a hedged clause with what follows as derivable; the very same one where nothing does."""
    if one.clause.marked("@hedges") is None:
        return one
    facts: list[Fact] = []
    some = False
    for fact in one.facts:
        place = _followed(one, fact, grounds, index)
        other = None if place is not None else _followed(one, fact, grounds, index, turned=True)
        if other is not None:
            fact = replace(fact, kind=FactKind.DENIAL, standing=Standing.SILENT, why=_TURNED, place=other)
        if place is not None:
            fact = replace(fact, kind=FactKind.STATE, standing=Standing.DERIVABLE, why=_FOLLOWS, place=place)
            some = True
        facts.append(fact)
    if not some:
        facts, some = _gone_on(one, text)
    if _AS.match(text, one.clause.start) is not None:
        facts = [_taken(one, fact) for fact in facts]
    if not some or any(_brings_in(fact) for fact in facts):
        return one
    return _freed(replace(one, facts=tuple(facts)), _MARKS)


def _followed(
    one: ClauseAlignment, fact: Fact, grounds: Sequence[_Ground], index: EvidenceIndex, *, turned: bool = False
) -> Place | None:
    """Returns where that stands from which a fact of a hedged clause follows; with `turned`, its opposite."""
    names = _names(one, fact)
    if fact.kind not in _SAID or fact.standing not in _OPEN or fact.place is not None:
        return None
    denied = ((fact.kind is FactKind.DENIAL) != (NOT in names)) != turned
    causes = {cause for name in names for cause in index.vocabulary.outcomes.get((name, denied), ())}
    return next(
        (ground.place for ground in grounds if (ground.name, ground.denied) in causes and ground.place is not None),
        None,
    )


def _gone_on(one: ClauseAlignment, text: str) -> tuple[list[Fact], bool]:
    """Returns the facts of a clause that foretells what is shown already, which is no observation of it."""
    facts = list(one.facts)
    if one.clause.marked(*_LATER) is None and _WILL.search(text, one.clause.start, one.clause.end) is None:
        return facts, False
    for at, fact in enumerate(facts):
        if fact.kind is FactKind.WORD and fact.standing in _OPEN and _GOES_ON in _names(one, fact):
            facts[at] = replace(fact, standing=Standing.DERIVABLE, why=_FOLLOWS, weight=0.0)
    shown = [at for at, fact in enumerate(facts) if fact.kind is FactKind.STATE and fact.standing in HELD]
    for at in shown:
        facts[at] = replace(facts[at], standing=Standing.DERIVABLE)
    return facts, bool(shown)


def _taken(one: ClauseAlignment, fact: Fact) -> Fact:
    """Returns a growth or decline that a clause takes to go on as needing no witness."""
    if fact.kind is not FactKind.WORD or fact.standing not in _OPEN or _COURSE.isdisjoint(_names(one, fact)):
        return fact
    return replace(fact, standing=Standing.DERIVABLE, why=_SUPPOSED, weight=0.0)


def _brings_in(fact: Fact) -> bool:
    """Returns whether a fact brings in what the evidence lacks, whatever follows from it."""
    if fact.kind in (FactKind.NAME, FactKind.VALUE, FactKind.DENIAL):
        return fact.standing not in HELD
    return fact.kind in _SAID and fact.standing is Standing.FOREIGN and fact.weight > _LEAST


def _freed(one: ClauseAlignment, marks: frozenset[str]) -> ClauseAlignment:
    """Returns a clause whose marks need no witness."""
    return replace(
        one,
        facts=tuple(
            replace(fact, standing=Standing.DERIVABLE, why=_SUPPOSED)
            if fact.kind in _REACHING and fact.standing is Standing.SILENT and fact.why in marks
            else fact
            for fact in one.facts
        ),
    )


def _supposed(one: ClauseAlignment, index: EvidenceIndex) -> ClauseAlignment:
    """Returns a condition of which nothing has to be so; only that of which it speaks has to be known."""
    kind = index.vocabulary.kind
    facts: list[Fact] = []
    for fact in _freed(one, _SUPPOSING).facts:
        event = any(kind(name) in ("event", "state") for name in _names(one, fact))
        if (
            fact.kind in _SAID
            and fact.standing not in HELD
            and (event or not _brings_in(replace(fact, kind=FactKind.WORD)))
        ):
            fact = replace(fact, kind=FactKind.WORD, standing=Standing.DERIVABLE, why=_SUPPOSED, weight=0.0)
        facts.append(fact)
    return replace(one, facts=tuple(facts))


def _names(one: ClauseAlignment, fact: Fact) -> frozenset[str]:
    """Returns what the words at a fact's place mean; the parts of a compound stand at one place. None for a name."""
    return frozenset(
        name for term in one.clause.terms if term.start == fact.start and not term.is_name for name in term.names
    )
