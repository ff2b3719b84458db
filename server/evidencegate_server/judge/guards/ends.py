"""Doubts that something ended when the evidence says that it began, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.guards.scene import Doubt, Scene, content
from evidencegate_server.judge.values.durations import TIME
from evidencegate_server.judge.values.model import Instant, Mention, Quantity
from evidencegate_server.words import Verification

_BEGINNINGS: Final = frozenset(
    {"validity_start", "started", "start_time", "start", "starting", "create", "creation_time", "issue_event"}
)
_ENDINGS: Final = frozenset(
    {"expiry", "expired", "ended", "end_time", "completed", "stop", "stopped", "terminated", "exited", "killed"}
)
_UNTIL: Final = "until"
_WHY: Final = "a time of the other end"


def at_other_end(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each time that its key calls a beginning and the claim an end, or the other way round."""
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        said = {name for term in clause.terms for name in content(term)}
        for one in told:
            mention = mention_of(clause, one.fact.start) if one.is_value else None
            cell = scene.index.at_place.get((one.place.record, one.place.start))
            if mention is None or cell is None or not cell.cell.key or not _is_time(mention):
                continue
            key = scene.index.vocabulary.key_names(cell.cell.key)
            ends = not _ENDINGS.isdisjoint(said) or _is_until(mention)
            begins = not _BEGINNINGS.isdisjoint(said)
            key_ends, key_begins = not _ENDINGS.isdisjoint(key), not _BEGINNINGS.isdisjoint(key)
            if (ends and not begins and key_begins and not key_ends) or (
                begins and not ends and key_ends and not key_begins
            ):
                yield Doubt(one.fact, _WHY, Verification.CONTRADICTED)


def _is_time(mention: Mention) -> bool:
    value = mention.value
    return isinstance(value, Instant) or (isinstance(value, Quantity) and value.measure == TIME)


def _is_until(mention: Mention) -> bool:
    return isinstance(mention.value, Instant) and mention.value.bound == _UNTIL
