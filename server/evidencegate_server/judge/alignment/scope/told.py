"""Checks that all members that a clause speaks of have what it tells, or those alone that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.scope.members import (
    Ground,
    base_of,
    counted_by,
    having,
    is_understood,
    named_rows,
    of_subject,
    parts_of,
    siblings,
    tells,
)
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.vocabulary import Term

_ONE: Final = re.compile(r"\s*(?:one|a single)\b|一", re.IGNORECASE)


def told_of_all(scene: Ground, alignment: ClauseAlignment, mark: Term, exactly: int = 0) -> Place | None:
    """Returns what shows that each member that a clause speaks of has what it tells; None where that is not shown.

    `exactly` is how many there have to be (both), 0 for any number.
    """
    parts = parts_of(scene, alignment, mark)
    if not is_understood(parts.told) or not all(
        _is_known(scene, fact, parts.told, alignment) for fact in parts.subject
    ):
        return None
    base = base_of(alignment, parts)
    if base < 0:
        return None
    rows = of_subject(scene, siblings(scene, base), parts.subject)
    counted = exactly or counted_by(scene, alignment, mark)
    if len(rows) < 2 or (counted and counted != len(rows)):
        return None
    if any(having(scene, rows, fact, alignment) != set(rows) for fact in parts.told if tells(fact)):
        return None
    one = scene.index.records[base]
    return Place(base, one.start, one.end)


def _is_known(scene: Ground, fact: Fact, told: Sequence[Fact], alignment: ClauseAlignment) -> bool:
    """Returns whether a state of the subject is borne out, or is what the key of a figure says that is told."""
    if fact.kind is FactKind.DENIAL:
        return False  # what is not so of a subject, members are not asked for
    if fact.kind is not FactKind.STATE or fact.standing in HELD or fact.weight < 1:
        return True
    names = {name for term in alignment.clause.terms if term.start == fact.start for name in term.names}
    cells = (
        scene.index.at_place.get((one.place.record, one.place.start))
        for one in told
        if one.kind is FactKind.VALUE and one.place is not None
    )
    return any(cell is not None and names & cell.names for cell in cells)


def told_of_one(scene: Ground, alignment: ClauseAlignment, mark: Term) -> Place | None:
    """Returns what shows that those that a clause names, or one where it names none, alone have what it tells.

    The others have to say that they have not: another value in the same place, another state in the same column.
    """
    names = [fact for fact in alignment.facts if fact.kind is FactKind.NAME and fact.standing in HELD and fact.place]
    told = [
        fact
        for fact in alignment.facts
        if fact.kind in (FactKind.VALUE, FactKind.STATE, FactKind.DENIAL)
        and fact.weight >= 1
        and not _counts(fact, alignment)
    ]
    if not told or any(fact.standing not in HELD or fact.place is None for fact in told):
        return None
    one = _ONE.match(scene.text, mark.end) is not None
    base = told[0].place.record if told[0].place is not None else -1
    rows = siblings(scene, base)
    named = [fact for fact in names if fact.start >= mark.start or not one]
    alone = set[int]().union(*(named_rows(scene, rows, fact) for fact in named))
    if len(rows) < 2 or (not alone and not one):
        return None
    for fact in told:
        found = having(scene, rows, fact, alignment)
        if found is None or len(found) == len(rows) or (found != alone if alone else len(found) != 1):
            return None  # each thing that is told, or another may have one of them
    return Place(base, scene.index.records[base].start, scene.index.records[base].end)


def _counts(fact: Fact, alignment: ClauseAlignment) -> bool:
    """Returns whether a value counts what the clause speaks of (三条告警中只有)."""
    mention = mention_of(alignment.clause, fact.start)
    return mention is not None and bool(mention.counted)
