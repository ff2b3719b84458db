"""Doubts that what a line tells of one request is told of another: by its method, or by its path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.words import Verification

_METHOD: Final = r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b"
_REQUEST: Final = re.compile(_METHOD + r"(?:\s+[\"'`]?(?:https?://[^\s/\"']{1,200})?(/[^\s\"'`?]{0,400}))?")
_ENDS: Final = ".,;:)"
_LONGEST: Final = 4_000  # code points of a line that are looked at
_WHY: Final = "told of another request there"


def of_another_request(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each state or figure that stands on a line of another request than the claim names."""
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        claimed = _requests(scene.text, clause.start, clause.end)
        for one in told if claimed else ():
            if not (one.is_value or one.is_verb):
                continue
            start, end = scene.index.line(one.place)
            shown = _requests(scene.evidence_of(one.place), start, min(end, start + _LONGEST))
            if shown and not any(_is_same(one_claimed, other) for one_claimed in claimed for other in shown):
                yield Doubt(one.fact, _WHY, Verification.CONTRADICTED)


def _requests(text: str, start: int, end: int) -> list[tuple[str, str]]:
    """Returns the methods of a stretch with their paths, empty where none stands behind one."""
    return [(found[1], (found[2] or "").rstrip(_ENDS)) for found in _REQUEST.finditer(text, start, end)]


def _is_same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Returns whether two requests may be one: the same method, and no two paths that differ."""
    return one[0] == other[0] and (not one[1] or not other[1] or one[1].rstrip("/") == other[1].rstrip("/"))
