"""Says how a claim stands to one clause of the evidence, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from evidencegate_server.judge.deterministic.atoms import Atom


class Relation(Enum):
    """How a claim stands to a clause."""

    STATED = "stated"
    OTHER_VALUE = "other value"
    UNRELATED = "unrelated"


def relate(
    claim: Sequence[Atom], clause: Sequence[Atom], counted_units: frozenset[str], ordinal_nouns: frozenset[str]
) -> Relation:
    """Compares two statements token by token.

    They are the same statement where every token is equal. They put another value on the same quantity where they
    differ in exactly one number, and that number is a quantity: it ends the statement after its attribute, or a unit
    follows it, and what is before it does not make it the name of one of many.
    """
    if len(claim) != len(clause) or len(claim) < 2:
        return Relation.UNRELATED
    differing = [at for at, (ours, theirs) in enumerate(zip(claim, clause, strict=True)) if ours.key != theirs.key]
    if not differing:
        return Relation.STATED
    at = differing[0]
    if len(differing) > 1 or claim[at].number is None or clause[at].number is None:
        return Relation.UNRELATED
    if at > 0 and claim[at - 1].key in ordinal_nouns:
        return Relation.UNRELATED
    unit = claim[at + 1].key.lower() if at + 1 < len(claim) else None
    is_quantity = unit in counted_units if unit is not None else at > 0
    return Relation.OTHER_VALUE if is_quantity else Relation.UNRELATED
