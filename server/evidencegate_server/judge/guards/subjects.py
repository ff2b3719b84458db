"""Doubts that a state is that of the host, the namespace or the reporter that a record only mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.judge.guards.matching import stands_at
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told
from evidencegate_server.judge.guards.statements import is_actor, is_light
from evidencegate_server.judge.records.model import Cell, CellKind

# Say where something is or runs, or which kind of thing it is, and not what a record is of.
_WHERE: Final = frozenset(
    {
        "host", "hostname", "node", "nodename", "node_name", "hostip", "host_ip", "namespace", "ns", "zone", "region",
        "cluster", "datacenter", "dc", "rack", "az", "availability_zone", "image", "pid",
    }
)  # fmt: skip
# Tell what a record is of.
_IDENTITIES: Final = frozenset(
    {"name", "pod", "container", "service", "unit", "job", "deployment", "instance", "object", "task", "release"}
)
_COPULA: Final = re.compile(r"\s*(?:(?:is|are|was|were|has|have|been|had|not|now|being|got)\s+)*", re.IGNORECASE)
_BEFORE: Final = re.compile(r"([A-Za-z]+)\s+(?:(?:is|are|was|were|became|not|has|been|marked|as)\s+)*$")
_WHY: Final = "the state is that of something else in the record"


def of_what_is_beside(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each state that a claim gives to something that the record of the state only mentions."""
    for at, told in enumerate(scene.told):
        words = scene.words_of(at)
        subject = words[0] if words else None
        if subject is None or subject.told is None:
            continue
        for verb in told:
            if verb.fact.kind is not FactKind.STATE:
                continue
            between = _COPULA.fullmatch(scene.text, subject.end, verb.fact.start)
            if between is not None and _is_beside(scene, subject.told, verb):
                yield Doubt(subject.fact(_WHY, subject.told.place), _WHY)


def _is_beside(scene: Scene, told: Told, verb: Told) -> bool:
    cell, other = scene.index.cell_at(told.place), scene.index.cell_at(verb.place)
    if cell is None or cell is other or cell.kind is not CellKind.FIELD:
        return False
    key = cell.key.strip().lower().replace("-", "_").replace(" ", "_")
    if told.place.record == verb.place.record and _names_another(scene, told, verb, cell):
        return True
    if key not in _WHERE:
        return False
    return _has_subject(scene, verb) if told.place.record == verb.place.record else _is_part(scene, told, verb, cell)


def _names_another(scene: Scene, told: Told, verb: Told, own: Cell) -> bool:
    """Returns whether a message has a kind of thing before its state, and a field of that kind names another thing."""
    text = scene.evidence_of(verb.place)
    start, _ = scene.index.line(verb.place)
    noun = _BEFORE.search(text, max(start, verb.place.start - 40), verb.place.start)
    if noun is None:
        return False
    fields = (one for one in scene.index.records[told.place.record].cells if one.kind is CellKind.FIELD)
    return any(
        one is not own and one.key.lower() == noun[1].lower() and stands_at(scene.text, one.text) < 0 for one in fields
    )


def _has_subject(scene: Scene, verb: Told) -> bool:
    """Returns whether the statement of a state in a message names something else that it is told of."""
    cell = scene.index.cell_at(verb.place)
    if cell is None or not verb.is_prose:
        return False
    line = scene.lines.line(verb.place)
    vocabulary = scene.index.vocabulary
    statement = line.statements[line.at(verb.place.start)]
    return any(
        cell.start <= term.start < cell.end
        and is_actor(term, vocabulary)
        and not is_light(term, vocabulary)
        and scene.said.isdisjoint(term.names)
        and term.start != verb.place.start
        for term in statement.terms
    )


def _is_part(scene: Scene, told: Told, verb: Told, own: Cell) -> bool:
    """Returns whether a state is inside of an object that has a name of its own beside the place it is at."""
    index = scene.index
    if told.place.record not in index.above(verb.place.record):
        return False
    cells = index.records[told.place.record].cells
    return any(one is not own and one.key.strip().lower() in _IDENTITIES for one in cells)
