"""Doubts what a claim tells of what there is none of: a label whose figure is 0 (code="500"), an empty list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.denial import DENYING
from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.guards.scene import Doubt, Scene, content

_BEHIND: Final = 8  # code points
_EMPTY: Final = re.compile(r"\"?[ \t]*[:=][ \t]*(?:\[\s*\]|\{\s*\})")
_NONE: Final = "there is none of it there"
_WHY: Final = "its figure there does not say that it is so"


def counted_none(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each label that a clause states, where the clause neither denies it nor tells its figure."""
    sampled = scene.index.sampled
    if not sampled:
        return
    for at, told in enumerate(scene.told):
        if scene.clauses[at].clause.marked(*DENYING):
            continue
        stated = {(one.place.record, one.place.start) for one in told if one.is_value}
        for one in told:
            if one.fact.kind is FactKind.DENIAL or sampled.doubted(one.place.record, one.place.start) is None:
                continue
            figures = sampled.figures_of(one.place.record)
            if not any((index, cell.start) in stated for index, cell, _ in figures):
                yield Doubt(one.fact, _WHY)


def empty(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each word of a clause that stands only as the key of an empty list."""
    places = scene.index.places
    for at, alignment in enumerate(scene.clauses):
        if alignment.clause.marked(*DENYING):
            continue
        for word in scene.words_of(at):
            found = [place for name in content(word.term) for place in places.get(name, ())]
            if found and all(_is_empty_list(scene, place) for place in found):
                yield Doubt(word.fact(_NONE, found[0]), _NONE)


def _is_empty_list(scene: Scene, place: Place) -> bool:
    """Returns whether a place is a key that holds an empty list."""
    behind = scene.index.text_at(place.record, place.end, place.end + _BEHIND)
    return _EMPTY.match(behind) is not None
