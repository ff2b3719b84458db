"""Doubts what the text has only as undone, ahead, said by somebody or supposed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from evidencegate_server.judge.alignment.denial import DENYING
from evidencegate_server.judge.alignment.model import BY_CONTRARY
from evidencegate_server.judge.guards.matching import outside
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told, content
from evidencegate_server.judge.guards.statements import Line, Statement
from evidencegate_server.judge.records.prose import sentences
from evidencegate_server.words import Verification

_DENIES: Final = (*DENYING, "@contrasts", "@quantifiers.other")
_AFFIRMS: Final = "@negation.affirming"
_AHEAD: Final = (
    "@conditions",
    "@hedges",
    "@advice",
    "@purpose",
    "@frames.wanted",
    "@risk",
    "@time_scope.later",
    "@near",
)
_SAID: Final = ("@reported", "@hedges")


class _Claim:
    """What a claim itself says of no fact, worked out where the text says it too."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    @cached_property
    def denies(self) -> bool:
        """Returns whether it denies something."""
        text, words = self._scene.text, self._scene.words
        return (
            any(
                clause.clause.marked(*_DENIES) or any("not" in term.names for term in clause.clause.terms)
                for clause in self._scene.clauses
            )
            or words.verbs.search(text) is not None
            or bool(outside(words.undone.finditer(text), list(words.unsaid.finditer(text))))
        )

    @cached_property
    def is_ahead(self) -> bool:
        """Returns whether it tells what is to come or would be."""
        return self._is_marked(*_AHEAD) or self._scene.words.ahead.search(self._scene.text) is not None

    @cached_property
    def is_said(self) -> bool:
        """Returns whether it tells what somebody says."""
        return self._is_marked(*_SAID) or self._scene.words.said.search(self._scene.text) is not None

    def _is_marked(self, *marks: str) -> bool:
        return any(clause.clause.marked(*marks) for clause in self._scene.clauses)


def framed(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each verb or state that stands where the text tells of no fact, and the claim of one."""
    claim = _Claim(scene)
    for told in scene.told:
        for one in told:
            if not one.is_prose:
                if one.is_verb and _has_undone_key(scene, one) and not claim.denies:
                    yield Doubt(one.fact, "undone there", Verification.UNSUPPORTED)
                if one.is_verb and _is_keyed(scene, one):
                    yield Doubt(one.fact, "told there as no observation", Verification.OVERSTATED)
                continue
            line = scene.lines.line(one.place)
            statement = line.statements[line.at(one.place.start)]
            by_denial = one.fact.why == BY_CONTRARY
            if one.is_verb and not by_denial and _is_undone(scene, one, line, statement) and not claim.denies:
                yield Doubt(one.fact, "undone there", Verification.UNSUPPORTED)
            if (one.is_verb or one.is_value) and _is_ahead(scene, line, statement) and not claim.is_ahead:
                yield Doubt(one.fact, "ahead, or supposed there", Verification.OVERSTATED)
            if one.is_verb and _is_said(scene, one, line) and not claim.is_said:
                yield Doubt(one.fact, "only said there", Verification.OVERSTATED)
            if one.is_verb and _is_headed(scene, line, one):
                yield Doubt(one.fact, "told there as no observation", Verification.OVERSTATED)


def _is_undone(scene: Scene, one: Told, line: Line, statement: Statement) -> bool:
    """Returns whether a word of denial stands before a verb in its statement, with no other verb between."""
    own = frozenset(content(one.term)) if one.term is not None else frozenset()
    places = [one.place.start, *(term.start for term in statement.terms if not own.isdisjoint(term.names))]
    return any(is_undone_at(scene, place, line, statement) for place in dict.fromkeys(places))


def is_undone_at(scene: Scene, place: int, line: Line, statement: Statement) -> bool:
    """Returns whether a word of denial stands before a place in its statement, or what joins it to the one before."""
    start = statement.start
    if line.statements and line.at(place) and _JOINED.match(line.text, start):
        start = line.statements[line.at(place) - 1].start  # aborted before it was
    taken = list(scene.words.unsaid.finditer(line.text, start, place + 1))
    found = outside(scene.words.undone.finditer(line.text, start, place), taken)
    blank = line.text.find(" ", place)
    if blank >= 0 and scene.words.unfinished.match(line.text, blank + 1) and line.text[place].isascii():
        return True
    if any(_AFFIRMS in term.names for term in statement.terms):
        return False
    return any(place - mark.end() <= _REACH and not _is_claimed(scene, mark, line) for mark in found)


def _is_claimed(scene: Scene, mark: re.Match[str], line: Line) -> bool:
    """Returns whether the claim says the same as a mark of the evidence, which then takes nothing from it."""
    return any(
        mark.start() <= term.start < mark.end() and not scene.said.isdisjoint(content(term))
        for statement in line.statements
        for term in statement.terms
    )


_JOINED: Final = re.compile(r"\s*(?:before|without|until|unless)\b", re.IGNORECASE)
_REACH: Final = 30  # code points between a denial and its verb


def _is_ahead(scene: Scene, line: Line, statement: Statement) -> bool:
    """Returns whether a statement tells what is to come or would be."""
    return any(
        mark.group() not in ("May", "Will") and not _is_claimed(scene, mark, line)
        for mark in scene.words.ahead.finditer(line.text, statement.start, statement.end)
    )


def _is_said(scene: Scene, one: Told, line: Line) -> bool:
    """Returns whether a sentence says before a verb that somebody says it."""
    low = _sentence_start(line, one.place.start)
    taken = list(scene.words.unsaid.finditer(line.text, low, one.place.start))
    return bool(outside(scene.words.said.finditer(line.text, low, one.place.start), taken))


def _sentence_start(line: Line, place: int) -> int:
    return next((low for low, high in sentences(line.text, line.start, line.end) if low <= place < high), line.start)


def _has_undone_key(scene: Scene, one: Told) -> bool:
    """Returns whether the key of a field, of several words, denies what it tells."""
    cell = scene.index.field_at(one.place)
    return cell is not None and " " in cell.key and scene.words.undone.search(cell.key) is not None


def _is_keyed(scene: Scene, one: Told) -> bool:
    """Returns whether the key of a field begins a line that tells no observation."""
    cell = scene.index.field_at(one.place)
    head = scene.words.heads.match(f"{cell.key}: ") if cell is not None else None
    return head is not None and head.group().strip(" :").split()[0].lower() not in scene.lowered


def _is_headed(scene: Scene, line: Line, one: Told) -> bool:
    head = scene.words.heads.match(line.text[line.start : line.end])
    return (
        head is not None
        and line.start + head.end() <= one.place.start
        and head.group().strip(" \t-*#>:\uff1a").split()[0].lower() not in scene.lowered
    )
