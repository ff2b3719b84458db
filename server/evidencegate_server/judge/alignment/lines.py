"""Doubts what stands in another row or on another line of a text than the thing that a clause tells it of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ANOTHER_LINE, HELD, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.names import Name
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import Cell, CellKind, RecordKind

_BESIDE: Final = 3  # code points between a count and the state that it counts: a blank and a measure word

_SAID: Final = frozenset({FactKind.VALUE, FactKind.STATE, FactKind.DENIAL})
_FIRM: Final = {FactKind.STATE: FactKind.DENIAL}  # a state of something else is worse than one that is not shown
_JOINTS: Final = re.compile(r"[-._/:]+")
SUBJECTS: Final = frozenset({"name", "names"})  # the columns that say what a row is of
_SEGMENT: Final = re.compile(r"[,;:\uff0c\uff1b\uff1a\u3002\n]|\.\s")
_TELLING: Final = frozenset({"attribute", "state", "event", "statistic"})
_WRITERS: Final = frozenset({"service", "application"})
_MOST_PLACES: Final = 64  # of one name; what stands oftener parts nothing


def on_one_line(facts: Sequence[Fact], names: Sequence[Name], index: EvidenceIndex) -> list[Fact]:
    """Returns the facts with those values and names doubted that a text tells of something else by name.

    `names` are those of the clause and of its subject.
    """
    known = [name for name in names if name.places and len(name.places) <= _MOST_PLACES]
    if not known:
        return list(facts)
    places = [place for name in known for place in name.places]
    by_start = {name.term.start: name for name in known}
    found: list[Fact] = []
    for fact in facts:
        if fact.standing is Standing.STATED and fact.place is not None:
            if fact.kind is FactKind.VALUE:
                parted = _is_parted(fact.place, places, index) or any(
                    _is_of_another(fact.place, name, known, index) for name in known
                )
            else:
                own = by_start.get(fact.start)
                parted = (
                    own is not None
                    and fact.kind is FactKind.NAME
                    and any(
                        all(_is_of_another(place, other, known, index) for place in own.places)
                        for other in known
                        if other is not own
                    )
                )
            if parted:
                fact = replace(fact, standing=Standing.PART, why=ANOTHER_LINE)
        found.append(fact)
    return found


def of_their_subject(facts: Sequence[Fact], names: Sequence[Name], index: EvidenceIndex) -> list[Fact]:
    """Returns the facts with those doubted that the evidence says of another thing than the one that leads a clause."""
    return [
        replace(fact, standing=Standing.PART, kind=_FIRM.get(fact.kind, fact.kind), why="said of something else")
        if fact.kind in _SAID and fact.standing in HELD and fact.place and led_by_another(fact.place, names, index)
        else fact
        for fact in facts
    ]


def beside_its_state(facts: Sequence[Fact], clause: Clause, index: EvidenceIndex) -> list[Fact]:
    """Returns the facts with those counts doubted whose state a text tells of another count (5 done, 3 not synced)."""
    if not any(one.counted for one in clause.values):
        return list(facts)
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
    if nearest is None or nearest.start == own.start or state.start - nearest.end > _BESIDE:
        return False
    return _SEGMENT.search(index.text_at(own.record, nearest.end, state.start)) is None


def led_by_another(place: Place, names: Sequence[Name], index: EvidenceIndex) -> bool:
    """Returns whether another thing by name leads the part of a sentence that a place is in, or its table's row.

    `names` are what a clause goes by; one of them has to stand elsewhere in the same record.
    """
    one = index.records[place.record]
    own = [other for name in names for other in name.places if other.record == place.record]
    if not own:
        return False
    if one.kind is RecordKind.ROW:
        subject = next((cell for cell in one.cells if cell.key.lower() in SUBJECTS), None)
        return subject is not None and not any(subject.start <= other.start < subject.end for other in own)
    if one.kind not in (RecordKind.SENTENCE, RecordKind.LINE, RecordKind.OBJECT):
        return False
    if _goes_on_with_another(place, own, names, index) or _is_told_by_another(own, names, index):
        return True
    text = index.evidence.texts[one.source]
    left = max((found.end() for found in _SEGMENT.finditer(text, one.start, place.start)), default=one.start)
    ending = _SEGMENT.search(text, place.end, one.end)
    right = ending.start() if ending is not None else one.end
    if any(left <= other.start < right for other in own):
        return False
    lead = next((term for term in index.terms[place.record] if term.start >= left), None)
    if lead is None or lead.start >= place.start:
        return False
    return "-" in lead.names[0] if lead.is_name else lead.is_unknown and lead.names[0][1:].isascii()


def _is_told_by_another(own: Sequence[Place], names: Sequence[Name], index: EvidenceIndex) -> bool:
    """Returns whether another component wrote a line that names a thing only behind what it tells.

    `gateway: timed out calling user-service` tells of the gateway.
    """
    one = index.records[own[0].record]
    kinds = {kind for name in names for kind in kind_of(name.term.names[0][1:])}
    writer = next((cell for cell in one.cells if _is_writer(cell, kinds, index)), None)
    message = next(
        (cell for cell in one.cells if cell.kind is CellKind.TEXT and cell.start <= own[0].start < cell.end), None
    )
    if writer is None or message is None or any(other.start < message.start for other in own):
        return False
    written = index.text_at(one.index, writer.start, writer.end).lower()
    if any(name.term.names[0][1:] in written for name in names):
        return False
    first = min(other.start for other in own)
    return any(
        message.start <= term.start < first
        and not term.is_name
        and any(index.vocabulary.kind(name) in ("state", "event") for name in term.names)
        for term in index.terms[one.index]
    )


def _is_writer(cell: Cell, kinds: set[tuple[int, str, str]], index: EvidenceIndex) -> bool:
    """Returns whether a field says which service wrote a line, by its key or by a name of a clause's kind."""
    if cell.kind is not CellKind.FIELD or cell.values or not cell.key:
        return False
    keys = index.vocabulary.key_names(cell.key)
    if not _WRITERS.isdisjoint(keys):
        return True
    named = any(index.vocabulary.kind(name) == "thing" for name in keys)
    return named and not kinds.isdisjoint(kind_of(cell.text.strip('"[]').lower()))


def _goes_on_with_another(place: Place, own: Sequence[Place], names: Sequence[Name], index: EvidenceIndex) -> bool:
    """Returns whether a text has gone on to another thing of the kind between what it says of one and a place.

    In `a-1 uses 88%, a-2 35%` the second figure is of a-2; in `a-1, a-2 failed` both failed.
    """
    last = max((other for other in own if other.end <= place.start), key=lambda other: other.start, default=None)
    kinds = {kind for name in names for kind in kind_of(name.term.names[0][1:])}
    if last is None:
        first = min(own, key=lambda other: other.start)
        if _SEGMENT.search(index.text_at(place.record, place.end, first.start)) is None:
            return False  # 12 slow queries on a-2
    begin = index.records[place.record].start if last is None else last.end
    told = last is None
    for term in index.terms[place.record]:
        if not begin <= term.start < place.start:
            continue
        if term.is_name and told and kind_of(term.names[0][1:]) & kinds:
            return True
        told = told or (not term.is_name and any(index.vocabulary.kind(name) in _TELLING for name in term.names))
    return False


def _is_of_another(place: Place, name: Name, names: Sequence[Name], index: EvidenceIndex) -> bool:
    """Returns whether the row or line of a place is of another thing of a name's kind, and the name has its own."""
    one = index.records[place.record]
    if one.group >= 0:
        rows = {other.record for other in name.places}
        if place.record in rows or any(index.in_scope(place.record, row) for row in rows):
            return False
        return any(index.records[row].group == one.group for row in rows)
    left, right = index.line(place)
    beside = [term for term in index.terms[place.record] if term.is_name and left <= term.start < right]
    if not beside or any(_stands_within(other, one.source, left, right, index) for other in names):
        return False
    kind = kind_of(name.term.names[0][1:])
    return any(kind_of(term.names[0][1:]) & kind for term in beside) and any(
        index.records[other.record].source == one.source for other in name.places
    )


def _stands_within(name: Name, source: int, left: int, right: int, index: EvidenceIndex) -> bool:
    return any(index.records[place.record].source == source and left <= place.start < right for place in name.places)


def kind_of(name: str) -> set[tuple[int, str, str]]:
    """Returns what names of one kind share: as many parts, and the first or the last of them."""
    parts = _JOINTS.split(name)
    if len(parts) < 2:
        return set()
    if all(part.isdigit() for part in parts):
        return {(len(parts), "", "")}
    return {(len(parts), "first", parts[0]), (len(parts), "last", parts[-1])} - {
        (len(parts), side, part) for side, part in (("first", parts[0]), ("last", parts[-1])) if part.isdigit()
    }


def _is_parted(place: Place, names: Sequence[Place], index: EvidenceIndex) -> bool:
    beside = [name for name in names if name.record == place.record]
    if not beside or index.records[place.record].kind is not RecordKind.SENTENCE:
        return False
    between = (index.text_at(place.record, *sorted((name.end, place.start))) for name in beside)
    return all("\n" in text for text in between) and _names_another(place, beside, index)


def _names_another(place: Place, names: Sequence[Place], index: EvidenceIndex) -> bool:
    """Returns whether the line of a value names something, and none of what a clause names."""
    line = range(*index.line(place))
    return any(
        term.is_name and term.start in line and not term.names[0][1:].isdigit() for term in index.terms[place.record]
    ) and not any(name.start in line for name in names)
