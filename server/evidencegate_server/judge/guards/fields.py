"""Doubts that a record tells its state of what only one of its fields mentions: whom it calls, waits for or follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told
from evidencegate_server.judge.records.model import Cell, CellKind, RecordKind

_OBJECTS: Final = frozenset({RecordKind.OBJECT})
_COPULA: Final = re.compile(
    r"\s*(?:(?:is|are|was|were|has been|has|not|in|now) )*|[\u662f\u5df2\u7ecf\u5904\u4e8e\u88ab\u5728]*"
)
_WHY: Final = "the record is of something else"


def of_another(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each subject that a record of keys only mentions beside the state that a claim gives it."""
    for at, told in enumerate(scene.told):
        verb = next((one for one in reversed(told) if one.is_verb), None)
        words = scene.words_of(at)
        if verb is not None and _is_otherwise(scene, told, verb):
            yield Doubt(verb.fact, "its own state is another one")
        if verb is None or not words or scene.index.records[verb.place.record].kind not in _OBJECTS:
            continue
        subject = words[0]
        if subject.told is None or subject.start > verb.fact.start or subject.told.place.record != verb.place.record:
            continue
        if _COPULA.fullmatch(scene.text[subject.end : verb.fact.start]) is None:
            continue
        cell, other = scene.index.cell_at(subject.told.place), scene.index.cell_at(verb.place)
        if cell is None and other is not None and other.key and _in_another_key(scene, subject.told, other):
            yield Doubt(subject.fact(_WHY, subject.told.place), _WHY)
        if (
            cell is None
            or other is None
            or cell is other
            or other.kind is CellKind.TEXT
            or not _only_mentions(scene, cell, subject.told)
        ):
            continue
        yield Doubt(subject.fact(_WHY, subject.told.place), _WHY)


def _is_otherwise(scene: Scene, told: tuple[Told, ...], verb: Told) -> bool:
    """Returns whether the record of a clause's name has a field for its state, and the state stands elsewhere."""
    index = scene.index
    names = [one for one in told if one.fact.kind is FactKind.NAME and not one.is_prose]
    if not names or "state" not in {index.vocabulary.kind(name) for name in (verb.term.names if verb.term else ())}:
        return False
    scopes: set[int] = set()
    for one in names:
        for at in index.above(one.place.record):
            scopes.add(at)
            if index.barrier[at]:
                break
    names_of = verb.term.names if verb.term is not None else ()
    # A part is inside of its object, as a container is of its pod.
    is_inside = not scopes.isdisjoint(index.above(verb.place.record))
    if is_inside or any(index.says(name, at) for name in names_of for at in scopes):
        return False
    return any(
        cell.kind is CellKind.FIELD and cell.key.lower() in _STATES for at in scopes for cell in index.records[at].cells
    )


_STATES: Final = frozenset({"state", "status", "phase", "health"})


def _in_another_key(scene: Scene, one: Told, other: Cell) -> bool:
    """Returns whether a word is only a part of the key of another field (Upstream_Host) than the one that decides."""
    record = scene.index.records[one.place.record]
    names = frozenset(one.term.names) if one.term is not None else frozenset()
    keys = [cell.key for cell in record.cells if cell.key and names & scene.index.vocabulary.key_names(cell.key)]
    return bool(keys) and other.key not in keys and all(re.search(r"[A-Za-z][ _-][A-Za-z]", key) for key in keys)


def _only_mentions(scene: Scene, cell: Cell, one: Told) -> bool:
    """Returns whether a cell is of another end by its key, or names something only in the midst of what it says."""
    key = cell.key.strip().lower().replace("-", "_").replace(" ", "_")
    said = scene.lowered
    if key in scene.words.other_ends:
        return key.replace("_", " ") not in said
    words = re.findall(r"\w[\w./:-]*", cell.text)
    text = scene.evidence_of(one.place)
    return len(words) > 2 and one.place.start > cell.start + 1 and text[one.place.start - 1] not in "=:"
