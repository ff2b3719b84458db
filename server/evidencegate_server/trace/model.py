"""Holds the trace summary: what the tools returned, bounded, for navigation and audit."""

from __future__ import annotations

from evidencegate_server.contract.records import record
from evidencegate_server.words import EvidenceLevel, InvocationStatus


@record
class TraceItem:
    """One evidence-bearing call, or several merged. Field meanings stand in `trace.proto`."""

    trace_ref: str
    tool_name: str
    success: bool
    input_summary: str
    output_summary: str
    evidence_level: EvidenceLevel
    source_invocation_ids: tuple[str, ...]
    status: InvocationStatus
    round: int
    topic_domain: str
    queries: tuple[str, ...] = ()
    retrieval_layers: tuple[str, ...] = ()
    relevance_levels: tuple[str, ...] = ()
    source_documents: tuple[str, ...] = ()
    shortened: bool = False
    call_count: int = 1
    failed_count: int = 0
    no_hit_count: int = 0
    merged_trace_refs: tuple[str, ...] = ()
    deduped_count: int = 0


@record
class TraceSummary:
    """The items by round and ID, and the IDs of evidence-bearing calls that did not fit."""

    items: tuple[TraceItem, ...]
    omitted_invocation_ids: tuple[str, ...] = ()
