"""Doubts that a figure is of what a claim says, where the evidence says of what it is and the claim has other words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import Standing
from evidencegate_server.judge.alignment.places import ValueCell
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.guards.scene import Doubt, Scene, content
from evidencegate_server.judge.guards.statements import kinds
from evidencegate_server.judge.values.durations import TIME
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_PLAIN: Final = frozenset({"attribute", "statistic"})
_OF_A_FIGURE: Final = _PLAIN | {"side", "event", "state", "thing", ""}
_NEAR: Final = 24  # code points
# A number under one of these says by itself what it is.
_NAMING: Final = frozenset({"identifier", "status", "status_code", "revision"})
_CODES: Final = frozenset({"exit_code", "status_code", "error_code", "identifier"})
# Names under which a number counts nothing.
_NUMBERS: Final = _NAMING | {"exit_code", "version", "port", "error_code"}
_OFTEN: Final = frozenset({"times", "time", "次"})
_SHORT: Final = 4  # signs of a stem that says nothing, as `~ms` does
_WHY: Final = "the figure there is of something else"


def misnamed(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each figure that a claim and the evidence give names that have nothing in common."""
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        for one in told:
            mention = mention_of(clause, one.fact.start) if one.is_value else None
            if mention is None or one.fact.standing is not Standing.STATED or not isinstance(mention.value, Quantity):
                continue
            cell = scene.index.at_place.get((one.place.record, one.place.start))
            if cell is None or _names_one(scene, at, mention):
                continue
            if _counts_a_code(mention, cell):
                yield Doubt(one.fact, "no count")
            if mention.value.measure == TIME and _says_when(scene, mention):
                continue
            if _has_another_name(scene, at, cell):
                yield Doubt(one.fact, _WHY)


def _counts_a_code(mention: Mention, cell: ValueCell) -> bool:
    """Returns whether a claim says how many times something was, and its number is a code or a fraction there."""
    value = mention.value
    if not mention.counted.startswith("次") or not isinstance(value, Quantity) or value.low is None:
        return False
    return value.low % 1 != 0 or not cell.names.isdisjoint(_CODES)


def miscounted(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each count of things or times where the evidence has a time, a share, a size or a number.

    `30000 requests` is no `30000 ms`, and `402 times` is no `status: 402`.
    """
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        for one in told:
            mention = mention_of(clause, one.fact.start) if one.is_value else None
            if mention is None or one.fact.standing is not Standing.STATED or not _is_bare(mention):
                continue
            cell = scene.index.at_place.get((one.place.record, one.place.start))
            noun = next((term for term in clause.terms if 0 <= term.start - mention.end <= 1), None)
            if cell is None or noun is None or not _is_counted(scene, noun):
                continue
            shown = cell.mention.value
            has_unit = isinstance(shown, Quantity) and shown.measure not in ("", COUNT) and _says_unit(cell)
            numbers = not cell.names.isdisjoint(_NUMBERS) and (cell.names | cell.around).isdisjoint(content(noun))
            if has_unit or numbers:
                yield Doubt(one.fact, "no count there")


def _is_bare(mention: Mention) -> bool:
    """Returns whether a value of a claim is a number without a unit."""
    value = mention.value
    return isinstance(value, Quantity) and value.measure in ("", COUNT) and not value.unit


def _says_unit(cell: ValueCell) -> bool:
    """Returns whether a figure or its key says its unit in more than one letter: b is a column of vmstat."""
    return not cell.cell.text.strip().isdigit() or len(re.split(r"[^A-Za-z]+", cell.cell.key)[-1]) > 1


def _is_counted(scene: Scene, noun: Term) -> bool:
    """Returns whether a word behind a number is what it counts: things, or times."""
    if scene.text[noun.start : noun.end].lower() in _OFTEN:
        return True
    if not scene.text[noun.start].isascii():
        return False  # Chinese counts by measure words
    return noun.names[0][0] not in "=+" and "thing" in kinds(noun, scene.index.vocabulary)


def _says_when(scene: Scene, mention: Mention) -> bool:
    """Returns whether a length of time only says when: within 5 minutes, 90 s ago."""
    before = scene.text[max(0, mention.outer_start - _NEAR) : mention.outer_start]
    behind = scene.text[mention.outer_end : mention.outer_end + _NEAR]
    return scene.words.when_before.search(before) is not None or scene.words.when_behind.match(behind) is not None


def _said_by_name(scene: Scene, term: Term, own: frozenset[str]) -> tuple[str, ...]:
    """Returns what a machine's name says of a figure: all of it (max_connections), or an event (FailedMount)."""
    if len(own) > 1 and own.issubset(term.names):
        return term.names
    return tuple(name for name in term.names if scene.index.vocabulary.kind(name) == "event")


def _names_one(scene: Scene, at: int, mention: Mention) -> bool:
    """Returns whether a bare number stands right behind the noun of what goes by it (session 4460)."""
    value = mention.value
    if not isinstance(value, Quantity) or value.measure != COUNT or value.unit:
        return False
    return any(
        0 <= mention.start - term.end <= 1 and "thing" in kinds(term, scene.index.vocabulary)
        for term in scene.clauses[at].clause.terms
    )


def _has_another_name(scene: Scene, at: int, cell: ValueCell) -> bool:
    """Returns whether a claim names a figure by a word that nothing bears out, and by none that the evidence has."""
    vocabulary = scene.index.vocabulary
    own = frozenset(name for name in cell.names if name[0] != "@" and not (name[0] == "~" and len(name) <= _SHORT))
    if not own or not own.isdisjoint(_NAMING):
        return False
    plain = scene.words.plain_figures
    wanted = _PLAIN if own <= plain else _OF_A_FIGURE
    known = cell.names | cell.around | frozenset(name for one in own for name in vocabulary.akin.get(one, ()))
    borne_out = {told.fact.start for told in scene.told[at]}
    if cell.cell.key and cell.cell.key.lower() in scene.lowered:
        return False
    weak = strong = False
    for term in scene.clauses[at].clause.terms:
        is_name = term.names[0][0] in "=+"
        meant = content(term) if not is_name else _said_by_name(scene, term, own - plain)
        shared = known.intersection(meant)
        if shared and (own <= plain or not shared <= plain):
            return False
        if is_name or term.start in borne_out or plain.issuperset(meant):
            continue
        strong = strong or not _PLAIN.isdisjoint(kinds(term, vocabulary))
        weak = weak or term.is_unknown or not wanted.isdisjoint(kinds(term, vocabulary))
    # Where a clause has no figure's name of its own, it may go on with the one of a clause before.
    return strong or (weak and (own - plain).isdisjoint(scene.said))
