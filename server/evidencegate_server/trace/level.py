"""Says what a call can prove at all."""

from __future__ import annotations

from evidencegate_server.evidence.model import Invocation
from evidencegate_server.words import EvidenceKind, EvidenceLevel, InvocationStatus


def evidence_level(invocation: Invocation) -> EvidenceLevel:
    """Returns what a call whose kinds are resolved can prove: nothing where it did not succeed or brought no text."""
    texts = (invocation.output, *(ref.text for ref in invocation.refs))
    if invocation.status is not InvocationStatus.SUCCESS or not any(text and not text.isspace() for text in texts):
        return EvidenceLevel.NONE
    if invocation.refs:
        guidance = all(ref.kind is EvidenceKind.GUIDANCE for ref in invocation.refs)
    else:
        guidance = invocation.implied_kind is EvidenceKind.GUIDANCE
    return EvidenceLevel.GUIDANCE if guidance else EvidenceLevel.OBSERVATION
