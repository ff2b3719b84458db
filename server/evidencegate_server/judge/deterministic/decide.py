"""Makes the label of a claim from how its facts stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.model import (
    BY_FIELD,
    FIGURE,
    HELD,
    LIGHT,
    NAMED,
    ClauseAlignment,
    Fact,
    FactKind,
    Standing,
)
from evidencegate_server.judge.alignment.values import ANOTHER_KIND
from evidencegate_server.words import Verification

_HARD: Final = frozenset({FactKind.NAME, FactKind.VALUE, FactKind.STATE, FactKind.DENIAL})
_LOOSE: Final = frozenset({FactKind.WORD, FactKind.STATE})
_REACHING: Final = frozenset({FactKind.SCOPE, FactKind.CAUSE, FactKind.ORDER})
_WIDE: Final = frozenset(
    {"quantifiers.all", "quantifiers.each", "quantifiers.whole", "quantifiers.sometimes", "time_scope.whole"}
)
_RESTATED: Final = 1.0  # what it is worth that one short stretch of the evidence has all words of a clause
_STRETCH: Final = 160  # code points
_FEWEST: Final = 3
_JOINED: Final = 2
_MINOR: Final = frozenset({"order.after", "order.then"})  # they add little where all else is shown
_MOST_LOOSE: Final = 2.0
_POLAR: Final = 2.0  # what a state counts that has an opposite, which could as well be so where it is not shown
_SAYS_LITTLE: Final = 0.25
_SLACK: Final = 0.5  # how much may go without a witness in the shortest claims
_WORD_WORTH: Final = 0.5  # what a word of its own that the evidence shares counts beside a firm fact


@record
class Decision:
    """A label with the fact that decided, None where none did."""

    verification: Verification
    fact: Fact | None
    why: str


@record
class _Facts:
    """The facts of a claim, and those of them that decide much."""

    clauses: Sequence[ClauseAlignment]
    every: Sequence[Fact]
    hard: Sequence[Fact]
    held: Sequence[Fact]  # of the hard ones, those that the evidence bears out
    hedged: bool

    @property
    def short_of(self) -> Verification:
        """Returns the label of a claim that says more than is shown: overstated where a part of it is."""
        core = any(not (fact.kind is FactKind.NAME and fact.why == NAMED) for fact in self.held)
        wide = any(fact.why in _WIDE and fact.standing not in HELD for fact in self.every)
        return Verification.OVERSTATED if core or wide else Verification.UNSUPPORTED


@record
class _Marks:
    """What the words of a claim that reach beyond one record come to."""

    beyond: Fact | None  # the first that nothing bears out
    guessed: bool
    minor: Sequence[Fact]


def decide(clauses: Sequence[ClauseAlignment], small: bool = False) -> Decision:
    """Returns the label that the facts of a claim give by precedence.

    `small` says that the evidence is one short statement, which leaves little to mix up: one firm fact is enough then.
    """
    facts = _sorted(clauses)
    against = _against(facts)
    if against is not None:
        return against
    missing = _missing(facts)
    if missing is not None:
        if missing.why == ANOTHER_KIND:
            return Decision(Verification.UNSUPPORTED, missing, "not reached")
        return Decision(facts.short_of, missing, "not reached")
    marks = _marks(facts)
    if marks.beyond is not None:
        return Decision(facts.short_of, marks.beyond, "reaches beyond")
    short = _too_little(facts, marks.minor, needed=1 if small else 2)
    return _supported(facts, marks.guessed) if short is None else short


def elsewhere(clauses: Sequence[ClauseAlignment], fact: Fact) -> Decision:
    """Returns the label of a claim with a fact that the session has, but nothing that was quoted soundly."""
    return Decision(_sorted(clauses).short_of, fact, "it stands only where no sound quotation of the claim is")


def _sorted(clauses: Sequence[ClauseAlignment]) -> _Facts:
    every = [fact for clause in clauses for fact in clause.facts]
    hard = [fact for fact in every if fact.kind in _HARD]
    held = [fact for fact in hard if fact.standing in HELD]
    hedged = any(clause.clause.marked("@hedges") for clause in clauses)
    return _Facts(clauses, every, hard, held, hedged)


def _against(facts: _Facts) -> Decision | None:
    """Returns the label of a claim that the evidence speaks against or that brings in something from outside."""
    for fact in facts.every:
        if fact.standing is Standing.IN_CONFLICT:
            return Decision(Verification.CONTRADICTED, fact, "in conflict")
    for fact in facts.hard:
        if fact.standing is Standing.FOREIGN:
            return Decision(Verification.EXTERNAL_UNKNOWN, fact, "foreign")
    causes = (clause for clause in facts.clauses if any(fact.kind is FactKind.CAUSE for fact in clause.facts))
    return next((decision for clause in causes if (decision := _cause(clause)) is not None), None)


def _missing(facts: _Facts) -> Fact | None:
    """Returns the first fact that has to be shown and is not."""
    for fact in facts.hard:
        if fact.standing not in HELD and (fact.kind not in _LOOSE or fact.weight >= _POLAR):
            return fact
    clauses = facts.clauses
    return next((found for clause in clauses if (found := _unproved(clause) or _unshown(clause)) is not None), None)


def _marks(facts: _Facts) -> _Marks:
    beyond: Fact | None = None
    guessed = False
    minor: list[Fact] = []
    for fact in facts.every:
        if fact.kind not in _REACHING or fact.standing in HELD:
            continue
        if fact.why in _MINOR:
            minor.append(fact)
        elif _is_guess(fact, facts):
            guessed = True
        else:
            beyond = beyond or fact
    return _Marks(beyond, guessed, minor)


def _is_guess(fact: Fact, facts: _Facts) -> bool:
    """Returns whether a mark makes its claim a judgement on what is stated, which needs no witness of its own."""
    if fact.why == "conditions" and facts.hedged:
        return True
    if fact.why == "near" and not _has_figure(facts.clauses, fact):
        return False
    return fact.why.startswith(("judgements", "near")) or (facts.hedged and fact.kind is FactKind.CAUSE)


def _too_little(facts: _Facts, minor: Sequence[Fact], needed: int) -> Decision | None:
    """Returns the label of a claim of which too little is shown, None where there is enough."""
    loose = [*(fact for clause in facts.clauses for fact in _loose(clause)), *minor]
    restated = sum(_restated(clause) for clause in facts.clauses)
    if loose and not restated and not _says(facts):
        return Decision(Verification.UNSUPPORTED, loose[0], "nothing that it says is shown")
    weight = sum(fact.weight if fact.kind is FactKind.VALUE else 1.0 for fact in facts.held)
    weight += sum(_WORD_WORTH for fact in facts.every if _is_own_word(fact)) + _RESTATED * restated
    if sum(fact.weight for fact in loose) <= LIGHT and weight >= needed - _SLACK and _is_shown(facts):
        return None
    if weight < needed or sum(fact.weight for fact in loose) > min(_MOST_LOOSE, weight - needed + _SLACK):
        return Decision(Verification.UNSUPPORTED, loose[0] if loose else None, "not enough")
    if not facts.held and not restated:
        return Decision(Verification.UNSUPPORTED, None, "no firm fact")
    return None


def _says(facts: _Facts) -> bool:
    """Returns whether something is borne out of what a claim names, were it only that two names go together."""
    held = [fact for fact in facts.every if fact.standing in HELD]
    return len(held) >= _JOINED or any(fact.kind is not FactKind.NAME for fact in held)


def _is_shown(facts: _Facts) -> bool:
    """Returns whether firm facts are shown, and none of them only by a query that found nothing."""
    return bool(facts.held) and all(fact.kind is not FactKind.DENIAL or fact.why == BY_FIELD for fact in facts.held)


def _is_own_word(fact: Fact) -> bool:
    """Returns whether the evidence shares a word that says something of its own."""
    return fact.kind is FactKind.WORD and fact.standing in HELD and fact.weight >= 1


def _supported(facts: _Facts, guessed: bool) -> Decision:
    """Returns the label of a claim that is borne out: as stated, or as a judgement on what is stated."""
    derived = next((fact for fact in facts.hard if fact.standing is Standing.DERIVABLE), None)
    held = facts.held or [fact for fact in facts.every if fact.place is not None]
    shown = derived or next(iter(held), None)
    # A hedge reaches what is told with it and behind it, and nothing that was told before.
    first = next((at for at, clause in enumerate(facts.clauses) if clause.clause.marked("@hedges")), len(facts.clauses))
    concluded = any(
        fact.kind is FactKind.STATE and fact.standing is Standing.DERIVABLE
        for clause in facts.clauses[first:]
        for fact in clause.facts
    )
    if guessed or concluded:
        return Decision(Verification.REASONABLE_INFERENCE, shown, "a judgement on what is stated")
    return Decision(Verification.DIRECT_OBSERVATION, shown, "stated")


def _unproved(clause: ClauseAlignment) -> Fact | None:
    """Returns what a clause says of a thing without a figure, where more of it is missing than is shown."""
    facts = clause.facts
    if any(fact.kind in (FactKind.VALUE, FactKind.DENIAL) and fact.standing in HELD for fact in facts):
        return None
    said = [fact for fact in facts if fact.kind is FactKind.STATE or (fact.kind is FactKind.WORD and fact.weight >= 1)]
    missing = [fact for fact in said if fact.standing not in HELD and fact.weight >= 1]
    states = [fact for fact in said if fact.kind is FactKind.STATE and fact.weight >= 1]
    hedged = clause.clause.marked("@hedges") is not None
    if states and not hedged and not any(fact.standing in HELD for fact in states):
        return states[0]  # what it says of its subject, however many of its nouns are shown
    return missing[0] if missing and 2 * len(missing) > len(said) else None


def _unshown(clause: ClauseAlignment) -> Fact | None:
    """Returns the first word of a clause that tells something of which nothing is shown, however little it says.

    English parts its sentences more finely (one request that the server handled ended in a panic), so that a part of
    them may say nothing of its own.
    """
    if not clause.clause.is_chinese or any(fact.standing in HELD for fact in clause.facts):
        return None
    return next((fact for fact in clause.facts if fact.kind in _LOOSE), None)


def _has_figure(clauses: Sequence[ClauseAlignment], mark: Fact) -> bool:
    return any(
        fact.kind is FactKind.VALUE and fact.standing in HELD
        for clause in clauses
        if clause.clause.start <= mark.start < clause.clause.end
        for fact in clause.facts
    )


def _lacks(fact: Fact) -> bool:
    """Returns whether a word of a cause is missing: one that stands nowhere, or one that says something of its own."""
    if fact.standing is Standing.FOREIGN:
        return fact.weight >= _SAYS_LITTLE
    return fact.standing not in HELD and fact.weight >= FIGURE


def _loose(clause: ClauseAlignment) -> list[Fact]:
    """Returns the words of a clause that nothing witnesses; beside a figure, what each figure is of needs none."""
    figure = any(fact.kind is FactKind.VALUE and fact.standing in HELD for fact in clause.facts)
    return [
        fact
        for fact in clause.facts
        if fact.kind in _LOOSE and fact.standing not in HELD and not (figure and fact.weight == FIGURE)
    ]


def _restated(clause: ClauseAlignment) -> bool:
    """Returns whether all words of a clause stand close together in one record."""
    places = [fact.place for fact in clause.facts if fact.kind in (*_HARD, FactKind.WORD)]
    found = [place for place in places if place is not None]
    if len(found) < max(_FEWEST, len(places)) or len({place.record for place in found}) > 1:
        return False
    return max(place.end for place in found) - min(place.start for place in found) <= _STRETCH


def _cause(clause: ClauseAlignment) -> Decision | None:
    """Returns the label of a claim whose cause is not borne out, None where it is.

    A cause of which nothing is shown is one from outside, or unsupported where its words stand elsewhere; where a part
    of it is shown, the claim says more than that.
    """
    lacking = [fact for fact in clause.facts if fact.kind in _LOOSE and _lacks(fact)]
    if not lacking:
        return None
    foreign = next((fact for fact in lacking if fact.standing is Standing.FOREIGN), None)
    if foreign is not None:
        return Decision(Verification.EXTERNAL_UNKNOWN, foreign, "a cause from outside")
    shown = any(fact.standing in HELD and fact.kind in (FactKind.STATE, FactKind.VALUE) for fact in clause.facts)
    return Decision(
        Verification.OVERSTATED if shown else Verification.UNSUPPORTED, lacking[0], "the cause is not reached"
    )
