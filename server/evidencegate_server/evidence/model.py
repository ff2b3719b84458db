"""Holds what the tools really returned, as the caller persisted it."""

from __future__ import annotations

from dataclasses import field

from evidencegate_server.contract.records import record
from evidencegate_server.words import EvidenceKind, InvocationStatus


@record
class Span:
    """A half-open range of code points in an original text."""

    start: int
    end: int


@record
class EvidenceRef:
    """One addressable piece of an invocation's result.

    `implied` marks the `input` and `output` refs that every no-hit invocation has (GK-08); they are not part of what
    the caller sent and do not enter the digest. `kind_given` is false where the caller left the kind open: until the
    catalog's tool registry has decided it, `kind` is then observation, which is also what the digest says.
    """

    raw_path: str
    text: str
    kind: EvidenceKind = EvidenceKind.OBSERVATION
    source_document: str = ""
    truncated: bool = False
    implied: bool = False
    kind_given: bool = True


@record
class Invocation:
    """One persisted tool call. `input` is JSON text, `output` the raw output, `refs` in the caller's order.

    `implied_kind` is what the implied refs of a no-hit call can testify to.
    """

    id: str
    tool_name: str
    status: InvocationStatus
    round: int = 1
    topic_domain: str = ""
    input: str = ""
    output: str = ""
    error: str = ""
    refs: tuple[EvidenceRef, ...] = ()
    queries: tuple[str, ...] = field(default=())
    retrieval_layers: tuple[str, ...] = field(default=())
    relevance_levels: tuple[str, ...] = field(default=())
    source_documents: tuple[str, ...] = field(default=())
    implied_kind: EvidenceKind = EvidenceKind.OBSERVATION
