"""Doubts values that stand on another line of a text than what they are told of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex, Place
from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import CellKind, RecordKind

_BESIDE: Final = 3  # code points between a count and the state that it counts: a blank and a measure word


def on_one_line(facts: Sequence[Fact], index: EvidenceIndex) -> list[Fact]:
    """Returns the facts with those values doubted that a text tells on another line, of something else by name."""
    names = [fact.place for fact in facts if fact.kind is FactKind.NAME and fact.place is not None]
    return [
        replace(fact, standing=Standing.PART, why="on another line") if _is_parted(fact, names, index) else fact
        for fact in facts
    ]


def beside_its_state(facts: Sequence[Fact], clause: Clause, index: EvidenceIndex) -> list[Fact]:
    """Returns the facts with those counts doubted whose state a text tells of another count (5 done, 3 not synced)."""
    states = {fact.start: fact.place for fact in facts if fact.kind in (FactKind.STATE, FactKind.DENIAL) and fact.place}
    found: list[Fact] = []
    for fact in facts:
        place = next((at for start, at in states.items() if 0 <= start - fact.end <= _BESIDE), None)
        counts = any(one.outer_start == fact.start and one.counted for one in clause.values) and not any(
            fact.end <= one.outer_start <= fact.end + _BESIDE for one in clause.values
        )
        if counts and place is not None and _has_another(fact, place, index):
            fact = replace(fact, standing=Standing.SILENT, why="told of another count")
        found.append(fact)
    return found


def _has_another(fact: Fact, state: Place, index: EvidenceIndex) -> bool:
    """Returns whether another number stands right before a state in the text that a value is from."""
    own = fact.place
    if fact.kind is not FactKind.VALUE or fact.standing is not Standing.STATED or own is None:
        return False
    if own.record != state.record:
        return False
    before = [
        one.mention
        for one in index.by_record.get(own.record, ())
        if one.cell.kind is CellKind.IN_TEXT and one.mention.end <= state.start
    ]
    nearest = max(before, key=lambda mention: mention.end, default=None)
    return nearest is not None and nearest.start != own.start and state.start - nearest.end <= _BESIDE


def _is_parted(fact: Fact, names: Sequence[Place], index: EvidenceIndex) -> bool:
    place = fact.place
    if fact.kind is not FactKind.VALUE or place is None or fact.standing is not Standing.STATED:
        return False
    beside = [name for name in names if name.record == place.record]
    if not beside or index.records[place.record].kind is not RecordKind.SENTENCE:
        return False
    between = (index.text_at(place.record, *sorted((name.end, place.start))) for name in beside)
    return all("\n" in text for text in between) and _names_another(place, beside, index)


def _names_another(place: Place, names: Sequence[Place], index: EvidenceIndex) -> bool:
    """Returns whether the line of a value names something, and none of what a clause names."""
    text = index.evidence.texts[index.records[place.record].source]
    start = text.rfind("\n", 0, place.start) + 1
    end = text.find("\n", place.end)
    line = range(start, end if end >= 0 else len(text))
    return any(
        term.is_name and term.start in line and not term.names[0][1:].isdigit() for term in index.terms[place.record]
    ) and not any(name.start in line for name in names)
