"""Doubts that a bound is met where no figure of the claim and no word of the evidence says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import HELD, Fact, FactKind, Standing
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.words import Verification


def met(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt where a claim says that a limit is met, and the evidence only has the limit."""
    said = scene.words.met.search(scene.text)
    if said is None or any(clause.clause.marked("@conditions") for clause in scene.clauses):
        return  # nor is it said where it is only what something hangs on
    bound = scene.words.bounds.search(scene.text, said.end()) or scene.words.bounds.search(scene.text)
    if bound is None or any(
        fact.kind is FactKind.VALUE and fact.standing in HELD for c in scene.clauses for fact in c.facts
    ):
        return
    records = {fact.place.record for c in scene.clauses for fact in c.facts if fact.place is not None}
    for record in records:
        one = scene.index.records[record]
        text = scene.index.evidence.texts[one.source]
        for cell in one.cells:
            if scene.words.met.search(text, cell.start, cell.end) is not None:
                return
    yield Doubt(
        Fact(FactKind.SCOPE, Standing.SILENT, said.start(), bound.end(), "not said to be met"),
        "only the bound is shown",
        Verification.UNSUPPORTED,
    )


def until(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt where a claim says that something went on until a time at which the text tells no end."""
    for told in scene.told:
        for one in told:
            if not one.is_value or not one.is_prose:
                continue
            said = scene.words.until.search(scene.text, max(0, one.fact.start - _BEFORE), one.fact.end)
            if said is None or said.end() < one.fact.start - 1:
                continue
            line = scene.lines.line(one.place)
            statement = line.statements[line.at(one.place.start)]
            text = line.text[statement.start : statement.end]
            if scene.words.until.search(text) is None and scene.words.ends.search(text) is None:
                yield Doubt(one.fact, "no end is told there", Verification.UNSUPPORTED)


_BEFORE: Final = 12  # code points before a time in which an until stands
