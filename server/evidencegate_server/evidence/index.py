"""Finds invocations by ID or tool, and their refs by path, without a scan for each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.words import EvidenceKind, InvocationStatus

IMPLIED_INPUT = "input"
IMPLIED_OUTPUT = "output"


class EvidenceIndex:
    """The invocations of one session, made to be looked up.

    Building it costs one dictionary; everything else is made on the first question and kept. No answer depends on the
    order in which the invocations came. Where an ID occurs twice, which a service refuses before it comes here, the
    first one counts.
    """

    __slots__ = ("_by_id", "_by_tool", "_refs", "invocations")

    def __init__(self, invocations: Sequence[Invocation]) -> None:
        self.invocations = tuple(invocations)
        self._by_id = {invocation.id: invocation for invocation in reversed(self.invocations)}
        self._by_tool: dict[str, tuple[Invocation, ...]] | None = None
        self._refs: dict[str, Mapping[str, EvidenceRef]] = {}

    def invocation(self, invocation_id: str) -> Invocation | None:
        """Returns the invocation with exactly this ID (`394` and `0394` differ), or None."""
        return self._by_id.get(invocation_id)

    def invocations_of(self, tool_name: str) -> tuple[Invocation, ...]:
        """Returns the invocations of one tool, sorted by ID; empty where the tool was not called."""
        by_tool = self._by_tool
        if by_tool is None:
            groups: dict[str, list[Invocation]] = {}
            for invocation in sorted(self._by_id.values(), key=attrgetter("id")):
                groups.setdefault(invocation.tool_name, []).append(invocation)
            by_tool = self._by_tool = {tool: tuple(group) for tool, group in groups.items()}
        return by_tool.get(tool_name, ())

    def refs(self, invocation_id: str) -> Mapping[str, EvidenceRef]:
        """Returns an invocation's refs by path, the implied ones of a no-hit call included.

        Empty for a row without refs and for an ID that does not exist.
        """
        refs = self._refs.get(invocation_id)
        if refs is None:
            invocation = self._by_id.get(invocation_id)
            refs = self._refs[invocation_id] = {} if invocation is None else refs_by_path(invocation)
        return refs

    def ref(self, invocation_id: str, raw_path: str) -> EvidenceRef | None:
        """Returns the ref at a path of an invocation, or None."""
        return self.refs(invocation_id).get(raw_path)


def refs_by_path(invocation: Invocation) -> dict[str, EvidenceRef]:
    """Returns the refs of one invocation by path.

    A no-hit call has two implied refs, `input` and `output`: what was asked and what came back. A ref that was stored
    under one of these paths goes before the implied one. Where one path is stored twice, the text is the same, and
    guidance goes before observation and a cut text before a whole one: the doubtful reading proves less.
    """
    refs = {ref.raw_path: ref for ref in invocation.refs}
    if len(refs) != len(invocation.refs):
        refs = _without_repeats(invocation.refs)
    if invocation.status is InvocationStatus.NO_HIT:
        kind = invocation.implied_kind
        refs.setdefault(IMPLIED_INPUT, EvidenceRef(IMPLIED_INPUT, invocation.input, kind, implied=True))
        refs.setdefault(IMPLIED_OUTPUT, EvidenceRef(IMPLIED_OUTPUT, invocation.output, kind, implied=True))
    return refs


def _without_repeats(refs: Sequence[EvidenceRef]) -> dict[str, EvidenceRef]:
    kept: dict[str, EvidenceRef] = {}
    for ref in refs:
        known = kept.setdefault(ref.raw_path, ref)
        if known is not ref:
            guidance = EvidenceKind.GUIDANCE in (known.kind, ref.kind)
            kind = EvidenceKind.GUIDANCE if guidance else EvidenceKind.OBSERVATION
            kept[ref.raw_path] = replace(known, kind=kind, truncated=known.truncated or ref.truncated)
    return kept
