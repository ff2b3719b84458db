"""Doubts that a change was made that a plan only lists: `~ max_connections = 200 -> 400` under `will be updated`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.judge.guards.scene import Doubt, Scene

_PLAN: Final = re.compile(r"(?m)^\s*# \S{1,200} (?:will|must) be |^Plan: \d+ to add\b")
_CHANGED: Final = re.compile(r"\s*(?:[~+-]|-/\+|\+/-)\s")
_HEAD: Final = re.compile(r"\s*# \S{1,200} (?:will|must) be ")
_DONE: Final = re.compile(r"\s+(?:was|were|is|are|has been|have been|had been)\b", re.IGNORECASE)
_ARROW: Final = re.compile(r"-+>|\u2192")
_AHEAD: Final = re.compile(
    r"\b(?:will|would|plan|plans|planned|to be|is to|are to|going to|propose[sd]?|should)\b"
    r"|[\u5c06\u8981]|\u8ba1\u5212",
    re.IGNORECASE,
)
_WHY: Final = "a plan lists it, and nothing says that it was done"


def only_planned(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each change, and each new value, of a plan that a claim tells as what was done or is."""
    if _AHEAD.search(scene.text):
        return
    for told in scene.told:
        for one in told:
            text = scene.evidence_of(one.place)
            start, end = scene.index.line(one.place)
            if _HEAD.match(text, start):
                if one.fact.kind is not FactKind.NAME or _DONE.match(scene.text, one.fact.end):
                    yield Doubt(one.fact, _WHY)
                continue
            if not _CHANGED.match(text, start) or _PLAN.search(text) is None:
                continue
            arrow = _ARROW.search(text, start, end)
            is_old = arrow is not None and one.place.start < arrow.start()
            if not is_old:
                yield Doubt(one.fact, _WHY)
