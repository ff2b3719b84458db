"""Says what each ref can testify to where the caller left it open, by what the catalog knows of the tool."""

from __future__ import annotations

from dataclasses import replace

from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.trace.policy import ToolRegistry
from evidencegate_server.words import EvidenceKind


def resolve_kinds(invocations: tuple[Invocation, ...], registry: ToolRegistry) -> tuple[Invocation, ...]:
    """Returns the invocations with the kind of each ref decided; a kind that the caller gave stays.

    A ref without one testifies to what its tool's results testify to, and so do the implied refs of a no-hit call:
    a runbook is no observation because a caller forgot to say so. Resolving twice changes nothing.
    """
    kinds: dict[str, EvidenceKind] = {}
    resolved: list[Invocation] = []
    changed = False
    for invocation in invocations:
        tool = invocation.tool_name
        kind = kinds.get(tool)
        if kind is None:
            kind = kinds[tool] = registry.traits(tool).kind
        if kind is not EvidenceKind.OBSERVATION:
            invocation = _with_kind(invocation, kind)
            changed = True
        resolved.append(invocation)
    return tuple(resolved) if changed else invocations


def _with_kind(invocation: Invocation, kind: EvidenceKind) -> Invocation:
    return replace(invocation, refs=tuple(_ref(ref, kind) for ref in invocation.refs), implied_kind=kind)


def _ref(ref: EvidenceRef, kind: EvidenceKind) -> EvidenceRef:
    return ref if ref.kind_given or ref.kind is kind else replace(ref, kind=kind)
