"""Checks who does what to whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, NAMED, NUMBERED, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.scope.scene import Scene
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import RecordKind

_QUOTES: Final = " \"'`\u201c\u201d"  # what may part a noun from the name that goes by it
_LONG_NUMBER: Final = 4
_PASSIVE: Final = (" by ", "\u88ab", "\u7531")


def role_facts(scene: Scene, alignment: ClauseAlignment) -> list[Fact]:
    """Returns how it stands with who does what to whom, where a clause says that of two that it names.

    The evidence has to name the two in the same order, unless exactly one of both is in the passive: an order of
    words is weak proof, and without it a direction is refused.
    """
    clause = alignment.clause
    relation = next(
        (
            term
            for term in clause.terms
            if term.names[0][0] not in "=+" and scene.index.vocabulary.relations.intersection(term.names)
        ),
        None,
    )
    named = [
        fact
        for fact in alignment.facts
        if fact.place is not None and fact.standing in HELD and _is_one(scene, fact, clause)
    ]
    everywhere = [fact for fact in alignment.facts if fact.kind is FactKind.NAME and fact.place is not None]
    in_order = sorted(everywhere, key=lambda fact: fact.start)
    bound = scene.bonds.facts(clause, alignment.anchor, in_order, scene.text)
    if bound or len(named) < 2:
        return bound
    named.sort(key=lambda fact: fact.start)
    first, last = named[0], named[-1]
    if relation is None:
        return _turned(scene, first, last)
    assert first.place is not None
    assert last.place is not None
    kind, span = FactKind.ORDER, (relation.start, relation.end)
    if not _same_roles(scene, clause, named):
        return [Fact(kind, Standing.SILENT, *span, "who does it to whom", None)]
    if first.place.record == last.place.record and first.place.start != last.place.start:
        between = scene.index.text_at(first.place.record, *sorted((first.place.start, last.place.start)))
        claimed = scene.text[clause.start : clause.end].lower()
        turned = any(sign in between.lower() for sign in _PASSIVE) != any(sign in claimed for sign in _PASSIVE)
        if (first.place.start < last.place.start) != turned:
            return [Fact(kind, Standing.DERIVABLE, *span, "in the same order", last.place)]
    return [Fact(kind, Standing.SILENT, *span, "who does it to whom", None)]


def _is_one(scene: Scene, fact: Fact, clause: Clause) -> bool:
    """Returns whether a fact names one of two between which something can go either way."""
    if fact.kind is FactKind.NAME and (fact.why == NAMED or _is_long(fact)):
        return True
    is_number = fact.kind is FactKind.VALUE or fact.why == NUMBERED
    return is_number and _is_id(fact, clause, scene.traits["identifying"])


def _same_roles(scene: Scene, clause: Clause, named: Sequence[Fact]) -> bool:
    """Returns whether what is closest to each word for a role is the same in the claim and in the evidence."""
    for term in clause.terms:
        if term.names[0][0] in "=+" or not scene.traits["directed"].intersection(term.names):
            continue
        claimed = min(named, key=lambda fact: _distance(fact.start, fact.end, term.start, term.end))
        assert claimed.place is not None
        record = claimed.place.record
        for name in term.names:
            for place in scene.index.places.get(name, ()):
                if place.record != record or place.in_name:
                    continue
                shown = min(
                    (fact for fact in named if fact.place is not None and fact.place.record == record),
                    key=lambda fact: _distance(fact.place.start, fact.place.end, place.start, place.end),  # type: ignore[union-attr]
                )
                if shown is not claimed:
                    return False
    return True


def _turned(scene: Scene, first: Fact, last: Fact) -> list[Fact]:
    """Returns a doubt where a claim names two things in another order than the evidence, or joins two records.

    A row begins with what it is of; a sentence with who acts.
    """
    if first.kind is not FactKind.NAME or last.kind is not FactKind.NAME:
        return []
    assert first.place is not None
    assert last.place is not None
    one, other = first.place.record, last.place.record
    if one == other and (
        first.place.start <= last.place.start or (_is_field(scene, first.place) and _is_field(scene, last.place))
    ):
        return []  # the fields of a row stand in any order
    if one == other and _is_called(scene, first, last):
        return []
    if one != other and (scene.index.in_scope(one, other) or scene.index.in_scope(other, one)):
        return []
    return [Fact(FactKind.ORDER, Standing.SILENT, first.start, first.end, "which is told of which")]


def _is_called(scene: Scene, first: Fact, last: Fact) -> bool:
    """Returns whether a noun stands right before the name that goes by it, in the claim and in the evidence."""
    between = scene.text[first.end : last.start]
    if between.strip(_QUOTES) or first.place is None:
        return False
    noun, name = (re.escape(scene.text[fact.start : fact.end]) for fact in (first, last))
    return re.search(rf"{noun}[\s\"'`]*{name}", scene.index.text_of(first.place.record), re.IGNORECASE) is not None


def _is_field(scene: Scene, place: Place) -> bool:
    """Returns whether a place is in a field of a row or an object."""
    kind = scene.index.records[place.record].kind
    return kind in (RecordKind.ROW, RecordKind.OBJECT) and scene.index.field_at(place) is not None


def _distance(start: int, end: int, other_start: int, other_end: int) -> int:
    return max(start - other_end, other_start - end)


def _is_long(fact: Fact) -> bool:
    return fact.why == NUMBERED and fact.end - fact.start >= _LONG_NUMBER


def _is_id(fact: Fact, clause: Clause, identifying: frozenset[str]) -> bool:
    """Returns whether a number is what something goes by (process 47990)."""
    return any(0 <= fact.start - term.end <= 1 and identifying.intersection(term.names) for term in clause.terms)
