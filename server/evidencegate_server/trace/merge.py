"""Puts repeated calls together: one tool, topic and round, asked again and again."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.trace.level import evidence_level
from evidencegate_server.words import EvidenceLevel


@record
class Group:
    """Calls that make one item: the first effective one first, the others by ID."""

    calls: tuple[Invocation, ...]

    @property
    def first(self) -> Invocation:
        """Returns the call whose address and result the item has."""
        return self.calls[0]


def group_calls(calls: Sequence[Invocation], *, merge: bool) -> list[Group]:
    """Returns the groups of calls that are sorted by round and ID, in the order of their first effective calls.

    Calls belong together where tool, round and topic are the same; without a topic, where the input is.
    """
    groups: dict[object, list[Invocation]] = {}
    for at, call in enumerate(calls):
        topic = ("topic", call.topic_domain) if call.topic_domain.strip() else ("input", call.input)
        key = (call.tool_name, call.round, *topic) if merge and topic[1].strip() else at
        groups.setdefault(key, []).append(call)
    found = [Group(_first_effective(group)) for group in groups.values()]
    return sorted(found, key=lambda group: (group.first.round, group.first.id))


def _first_effective(calls: Sequence[Invocation]) -> tuple[Invocation, ...]:
    effective = (at for at, call in enumerate(calls) if evidence_level(call) is not EvidenceLevel.NONE)
    first = next(effective, 0)
    return (calls[first], *calls[:first], *calls[first + 1 :])
