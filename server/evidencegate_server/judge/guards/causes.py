"""Doubts that one thing caused another: the text has its two sides the other way round, or says that it is not so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import Fact, FactKind, Standing
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told
from evidencegate_server.judge.guards.statements import Line
from evidencegate_server.words import Verification

_CAUSE: Final = "@cause."
_FORWARD: Final = ("@cause.forward",)
_BACKWARD: Final = ("@cause.backward",)
_BY: Final = re.compile(r"(?:由|受|被|是因?|因)(?!于)\s*([^，。；,;]{1,40})$")
_RELATED: Final = "@cause.related"
_LETTER: Final = re.compile(r"[^\W\d_]")
_WHY: Final = "cause and effect"


def mistaken(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each cause that the evidence has as an effect, or rules out."""
    mark = next(
        (
            (name, term)
            for clause in scene.clauses
            for name, term in clause.clause.marks
            if name.startswith(_CAUSE) and "related" not in name
        ),
        None,
    )
    if mark is None:
        yield from _unrelated(scene)
        return
    causes = _sides(scene.text, mark[0], mark[1].start, mark[1].end)
    if not _is_the_reason(scene, causes):
        yield Doubt(
            Fact(FactKind.CAUSE, Standing.SILENT, mark[1].start, mark[1].end, "the reason there is another one"),
            _WHY,
            Verification.OVERSTATED,
        )
    told = [one for clause in scene.told for one in clause if one.is_prose]
    turned: list[Told] = []
    for one in told:
        claimed = _side(causes, one.fact.start)
        if not claimed:
            continue
        line = scene.lines.line(one.place)
        if claimed > 0 and _ruled_out(scene, line, one):
            yield Doubt(one.fact, "ruled out there", Verification.CONTRADICTED)
        shown = _shown(scene, line, one)
        if shown and shown != claimed:
            turned.append(one)
    if len({_side(causes, one.fact.start) for one in turned}) > 1:
        yield Doubt(turned[0].fact, _WHY, Verification.CONTRADICTED)


def _unrelated(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each word of a claimed relation that the evidence has where it says that there is none."""
    for clause, told in zip(scene.clauses, scene.told, strict=True):
        if clause.clause.marked(_RELATED) is None or clause.clause.marked("@negation") is not None:
            continue
        for one in told:
            if one.is_prose and _is_denied_relation(scene, scene.lines.line(one.place), one):
                yield Doubt(one.fact, "said to be unrelated there", Verification.CONTRADICTED)


def _is_denied_relation(scene: Scene, line: Line, one: Told) -> bool:
    """Returns whether a statement says of a word that something else has no relation to it.

    In English that is what follows, where anything does (unrelated to X); in Chinese both sides stand before.
    """
    statement = line.statements[line.at(one.place.start)]
    for found in scene.words.unrelated.finditer(line.text, statement.start, statement.end):
        behind = line.text[found.start()].isascii() and _LETTER.search(line.text, found.end(), statement.end)
        if not behind or one.place.start >= found.end():
            return True
    return False


def _is_the_reason(scene: Scene, sides: tuple[range, range]) -> bool:
    """Returns whether the field that is to give the reason has something of the cause in it, where it is a field."""
    shown = [fact for clause in scene.clauses for fact in clause.facts if fact.kind is FactKind.CAUSE and fact.place]
    for fact in shown:
        assert fact.place is not None
        cell = scene.index.field_at(fact.place)
        if cell is None or not cell.key:
            continue
        inside = [
            one
            for told in scene.told
            for one in told
            if one.place.record == fact.place.record
            and any(own.start <= one.place.start < own.end for own in scene.index.records[fact.place.record].cells)
        ]
        if inside and all(_side(sides, one.fact.start) < 0 for one in inside):
            return False
    return True


def _sides(text: str, name: str, start: int, end: int) -> tuple[range, range]:
    """Returns the stretch of the cause and that of the effect beside a mark of cause."""
    before, behind = range(start), range(end, len(text))
    if name.startswith(_BACKWARD) or "opener" in name or "heads" in name:
        return behind, before
    by = _BY.search(text, 0, start)
    if by is not None and not text[start].isascii():
        return range(by.start(1), start), range(by.start())
    return before, behind


def _side(sides: tuple[range, range], place: int) -> int:
    return 1 if place in sides[0] else -1 if place in sides[1] else 0


def _shown(scene: Scene, line: Line, one: Told) -> int:
    """Returns whether something stands as the cause or as the effect in its line, 0 where no mark says."""
    terms = [term for statement in line.statements for term in statement.terms]
    marks = [
        (name, term)
        for term in terms
        if term.names[0][0] not in "=+"
        for name in term.names
        if name.startswith((*_FORWARD, *_BACKWARD))
    ]
    if len(marks) != 1:
        return 0
    name, term = marks[0]
    at = line.at(term.start)
    low, high = line.statements[at].start, line.statements[at].end
    if at and not line.text[low : term.start].strip():
        low = line.statements[at - 1].start
    if not low <= one.place.start < high:
        return 0
    sides = _sides(line.text[low:high], name, term.start - low, term.end - low)
    found = _side(sides, one.place.start - low)
    said = scene.text[one.fact.start : one.fact.end].lower()
    for side in (0, 1):
        stretch = line.text[low + sides[side].start : low + sides[side].stop].lower()
        if said and said in stretch and (1 if side == 0 else -1) != found:
            return 0  # it stands at both sides
    return found


def _ruled_out(scene: Scene, line: Line, one: Told) -> bool:
    at = line.at(one.place.start)
    statement = line.statements[at]
    return scene.words.unrelated.search(line.text, statement.start, statement.end) is not None
