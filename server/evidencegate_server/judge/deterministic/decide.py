"""Makes the label of a claim from how its facts stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.model import ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.words import Verification

_HARD: Final = frozenset({FactKind.NAME, FactKind.VALUE, FactKind.STATE, FactKind.DENIAL})
_LOOSE: Final = frozenset({FactKind.WORD, FactKind.STATE})
_HELD: Final = frozenset({Standing.STATED, Standing.DERIVABLE})


@record
class Decision:
    """A label with the fact that decided, None where none did."""

    verification: Verification
    fact: Fact | None
    why: str


def decide(clauses: Sequence[ClauseAlignment]) -> Decision:
    """Returns the label that the facts of a claim give by precedence."""
    facts = [fact for clause in clauses for fact in clause.facts]
    hard = [fact for fact in facts if fact.kind in _HARD]
    held = [fact for fact in hard if fact.standing in _HELD]
    for fact in facts:
        if fact.standing is Standing.IN_CONFLICT:
            return Decision(Verification.CONTRADICTED, fact, "in conflict")
    for fact in hard:
        if fact.standing is Standing.FOREIGN:
            return Decision(Verification.EXTERNAL_UNKNOWN, fact, "foreign")
    missing = next((fact for fact in hard if fact.standing not in _HELD and fact.kind not in _LOOSE), None)
    if missing is None:
        missing = next((fact for clause in clauses if (fact := _unproved(clause)) is not None), None)
    if missing is not None:
        return Decision(Verification.OVERSTATED if held else Verification.UNSUPPORTED, missing, "not reached")
    hedged = any(clause.clause.marked("@hedges") for clause in clauses)
    guessed = False
    beyond: Fact | None = None
    for fact in facts:
        if fact.kind in (FactKind.SCOPE, FactKind.CAUSE, FactKind.ORDER) and fact.standing not in _HELD:
            if fact.why.startswith(("judgements", "near")) or (hedged and fact.kind is FactKind.CAUSE):
                guessed = True
            else:
                beyond = beyond or fact
    if beyond is not None:
        return Decision(Verification.OVERSTATED if held else Verification.UNSUPPORTED, beyond, "reaches beyond")
    loose = [fact for fact in facts if fact.kind in _LOOSE and fact.standing not in _HELD]
    if len(held) < 2 or sum(fact.weight for fact in loose) > max(0, len(held) - 2):
        return Decision(Verification.UNSUPPORTED, loose[0] if loose else None, "not enough")
    derived = next((fact for fact in hard if fact.standing is Standing.DERIVABLE), None)
    if guessed:
        return Decision(Verification.REASONABLE_INFERENCE, derived or held[0], "a judgement on what is stated")
    return Decision(Verification.DIRECT_OBSERVATION, derived or held[0], "stated")


def _unproved(clause: ClauseAlignment) -> Fact | None:
    """Returns the state that a clause says of what it names where nothing of what it says is shown."""
    facts = clause.facts
    if any(fact.kind is not FactKind.NAME and fact.standing in _HELD for fact in facts if fact.kind in _HARD):
        return None
    states = [fact for fact in facts if fact.kind is FactKind.STATE]
    return states[0] if states else None
