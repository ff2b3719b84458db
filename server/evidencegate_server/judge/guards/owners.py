"""Doubts what is told of the place, the other side or the whole of what the evidence tells it of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import NAMED, FactKind
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told, Word, content
from evidencegate_server.judge.guards.statements import is_light
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.words import Verification

# Keys for where something is, in a record that has a name of its own.
_PLACES: Final = frozenset({"node", "nodename", "node_name", "namespace"})
_OWN_NAMES: Final = frozenset({"name", "pod", "pod_name", "container"})
_PLACE: Final = re.compile(r"命名空间|节点|namespace|node", re.IGNORECASE)
_ON: Final = re.compile(r"\s*(?:节点|命名空间|主机|机器)?\s*[上下中里内]")
_LABEL: Final = re.compile(r"\b([A-Za-z_]{3,24}): ?[\"']?(?:https?://)?$")
# A role beside which a key may call something by the other one: an up of 0 is no other role than down.
_ROLES: Final = frozenset({"leader", "master", "follower", "slave"})
_MOST_ROWS: Final = 200
_WHY: Final = "told of something else there"


def of_its_place(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt where a claim tells of a node or namespace what its evidence tells of what runs there."""
    for at, told in enumerate(scene.told):
        words = scene.words_of(at)
        subject = words[0].told if words else None
        verb = next((one for one in told if one.is_verb or one.is_value), None)
        if subject is None or verb is None or subject.fact.start > verb.fact.start:
            continue
        cell = scene.index.field_at(subject.place)
        if cell is None or cell.key.lower() not in _PLACES or _ON.match(scene.text, subject.fact.end):
            continue
        if subject.place.record not in scene.index.above(verb.place.record) or _has_another(scene, words, verb):
            continue
        record = scene.index.records[subject.place.record]
        own = scene.index.field_at(verb.place)
        if own is not cell and any(one.key.lower() in _OWN_NAMES for one in record.cells):
            yield Doubt(subject.fact, _WHY)


def _has_another(scene: Scene, words: tuple[Word, ...], verb: Told) -> bool:
    """Returns whether a clause names another thing, or tells of one before what it tells."""
    return any(
        word.told is not None
        and (
            word.told.fact.kind is FactKind.NAME
            or (word.is_actor and word.start < verb.fact.start and not _is_place(scene, word))
        )
        for word in words[1:]
    )


def _is_place(scene: Scene, word: Word) -> bool:
    return _PLACE.fullmatch(scene.text, word.start, word.end) is not None


def of_another_role(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt where a claim calls a follower what a key calls the master, or the client the upstream."""
    for at, told in enumerate(scene.told):
        terms = [term for term in scene.clauses[at].clause.terms if term.names[0][0] not in "=+"]
        for one in told:
            if one.fact.kind is not FactKind.NAME or one.fact.why != NAMED:
                continue
            shown = _roles(scene, one)
            if not shown or any(not shown.isdisjoint(content(term)) for term in terms):
                continue
            for term in terms:
                meant = frozenset(content(term))
                opposites = {
                    other for name in meant & _ROLES for other in scene.index.vocabulary.opposites.get(name, ())
                }
                beside = term.end in (one.fact.start, one.fact.start - 1) and _is_label(scene, meant, one)
                if beside or not opposites.isdisjoint(shown):
                    yield Doubt(one.fact, "it has another role there")


def _roles(scene: Scene, one: Told) -> frozenset[str]:
    """Returns what the key of a name's field, or the label right before it, calls it."""
    index = scene.index
    cell = index.field_at(one.place)
    if cell is not None:
        found = index.vocabulary.key_names(cell.key)
        return frozenset(found | index.vocabulary.key_names(index.records[one.place.record].label))
    text = scene.evidence_of(one.place)
    label = _LABEL.search(text, max(0, one.place.start - 40), one.place.start)
    return frozenset(index.vocabulary.key_names(label[1])) if label is not None else frozenset()


def _is_label(scene: Scene, meant: frozenset[str], one: Told) -> bool:
    """Returns whether the line of a name has a label of another role with something else behind it."""
    if scene.index.field_at(one.place) is not None:
        return False
    line = scene.lines.line(one.place)
    return any(
        not meant.isdisjoint(scene.index.vocabulary.key_names(found[1]))
        for found in re.finditer(r"\b([A-Za-z_]{3,24}): ", line.text[line.start : line.end])
    )


def of_its_part(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt where a line below a heading names somebody else than the heading, of whom a claim tells it."""
    index = scene.index
    for number, told in enumerate(scene.told):
        if scene.clauses[number].clause.marked("@quantifiers") is not None:
            continue
        names = [one for one in told if one.fact.kind is FactKind.NAME]
        for value in (one for one in told if one.is_value and not scene.index.field_at(one.place)):
            at = value.place.record
            above = frozenset(index.above(at)) - {at}
            own = {term.names[0] for term in index.terms[at] if term.is_name}
            if names and own and scene.said.isdisjoint(own) and all(one.place.record in above for one in names):
                yield Doubt(value.fact, "told of a part of it", Verification.OVERSTATED)


def of_one_of_several(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt where the figure of one row is told of what several rows with other figures have in common."""
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        if clause.marked("@quantifiers", "@comparison", "@order") is not None:
            continue
        names = [one for one in told if one.fact.kind is FactKind.NAME]
        values = [one for one in told if one.is_value]
        if len(names) != 1 or len(values) != 1 or names[0].fact.why != NAMED:
            continue
        if any(is_light(word.term, scene.index.vocabulary) and word.is_actor for word in scene.words_of(at)):
            continue  # a pod of it, a partition
        if _is_shared(scene, names[0], values[0]):
            yield Doubt(values[0].fact, "one of several has it", Verification.OVERSTATED)


def _is_shared(scene: Scene, name: Told, value: Told) -> bool:
    """Returns whether other rows of a list have a name too, and another value under the same key."""
    index = scene.index
    own = index.cell_at(value.place)
    record = index.records[value.place.record]
    if own is None or own.kind is not CellKind.FIELD or not own.key or record.group < 0:
        return False
    if name.place.record != value.place.record or name.term is None:
        return False
    said = scene.text[name.fact.start : name.fact.end].lower()
    rows = index.groups[record.group][:_MOST_ROWS]
    for row in rows:
        if row == record.index:
            continue
        cells = index.records[row].cells
        other = next((cell for cell in cells if cell.key == own.key and cell.kind is CellKind.FIELD), None)
        if other is None or other.text == own.text:
            continue
        if any(_begins(cell.text.lower(), said) for cell in cells if cell.kind is CellKind.FIELD):
            return True
    return False


def _begins(text: str, name: str) -> bool:
    """Returns whether a field is a name, or one that begins with it and goes on with a sign (order-api-7d9f)."""
    return text == name or (text.startswith(name) and text[len(name)] in "-_/.")
