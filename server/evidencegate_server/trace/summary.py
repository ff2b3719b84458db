"""Summarizes what the tools of a session returned, bounded, so that a reader or a model can find its way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from evidencegate_server.evidence.model import Invocation
from evidencegate_server.trace.condense import condense, tidy
from evidencegate_server.trace.model import TraceItem, TraceSummary
from evidencegate_server.trace.policy import ToolRegistry, TraceBounds
from evidencegate_server.words import EvidenceKind, EvidenceLevel, InvocationStatus

# What an item costs beside its texts: the address, the words and the numbers that every item has.
_ITEM_OVERHEAD_CHARS = 80


def trace_ref(invocation_id: str) -> str:
    """Returns the stable address of an invocation's item."""
    return f"inv:{invocation_id}"


def summarize_trace(
    invocations: Iterable[Invocation],
    registry: ToolRegistry,
    bounds: TraceBounds,
    keep: Collection[str] = frozenset(),
) -> TraceSummary:
    """Returns one item for each evidence-bearing call, by round and ID, in any order of arrival.

    A call that failed, found nothing or was deduplicated stays in, marked unsuccessful. Where the items do not all fit
    into the bounds, the calls in `keep` (those that claims are bound to) have the first right, then the order decides;
    a call in `keep` that does not fit in full keeps its address without its texts.
    """
    bearing = sorted(
        (invocation for invocation in invocations if registry.traits(invocation.tool_name).evidence),
        key=lambda invocation: (invocation.round, invocation.id),
    )
    room = _Room(bounds)
    items: dict[str, TraceItem] = {}
    omitted: list[str] = []
    for wanted in (True, False):
        for invocation in bearing:
            if (invocation.id in keep) is not wanted:
                continue
            item = room.fit(_item(invocation, registry, bounds), keep_address=wanted)
            if item is None:
                omitted.append(invocation.id)
            else:
                items[invocation.id] = item
    ordered = tuple(items[invocation.id] for invocation in bearing if invocation.id in items)
    return TraceSummary(ordered, tuple(omitted))


@dataclass(slots=True)
class _Room:
    """What is left of the bounds on the whole."""

    bounds: TraceBounds
    items: int = 0
    chars: int = 0

    def fit(self, item: TraceItem, *, keep_address: bool) -> TraceItem | None:
        size = _size(item)
        if self.items >= self.bounds.max_items or self.chars + size > self.bounds.max_total_chars:
            if not keep_address:
                return None
            item = replace(
                item,
                input_summary="",
                output_summary="",
                queries=(),
                retrieval_layers=(),
                relevance_levels=(),
                source_documents=(),
                shortened=True,
            )
            size = _size(item)
        self.items += 1
        self.chars += size
        return item


def _size(item: TraceItem) -> int:
    labels = (*item.queries, *item.retrieval_layers, *item.relevance_levels, *item.source_documents)
    return _ITEM_OVERHEAD_CHARS + len(item.input_summary) + len(item.output_summary) + sum(map(len, labels))


def _item(invocation: Invocation, registry: ToolRegistry, bounds: TraceBounds) -> TraceItem:
    level = _level(invocation, registry)
    asked = condense(invocation.input, bounds.max_input_chars)
    came_back = condense(_result_text(invocation), bounds.max_output_chars)
    documents = invocation.source_documents or tuple(
        dict.fromkeys(ref.source_document for ref in invocation.refs if ref.source_document)
    )
    return TraceItem(
        trace_ref=trace_ref(invocation.id),
        tool_name=invocation.tool_name,
        success=level is not EvidenceLevel.NONE,
        input_summary=asked.text,
        output_summary=came_back.text,
        evidence_level=level,
        source_invocation_ids=(invocation.id,),
        status=invocation.status,
        round=invocation.round,
        topic_domain=invocation.topic_domain,
        queries=_labels(invocation.queries, bounds),
        retrieval_layers=_labels(invocation.retrieval_layers, bounds),
        relevance_levels=_labels(invocation.relevance_levels, bounds),
        source_documents=_labels(documents, bounds),
        shortened=asked.shortened or came_back.shortened,
        failed_count=int(invocation.status is InvocationStatus.FAILED),
        no_hit_count=int(invocation.status is InvocationStatus.NO_HIT),
        deduped_count=int(invocation.status is InvocationStatus.DEDUPED),
    )


def _level(invocation: Invocation, registry: ToolRegistry) -> EvidenceLevel:
    """Returns what the call can prove: nothing where it did not succeed or brought no text."""
    texts = (invocation.output, *(ref.text for ref in invocation.refs))
    if invocation.status is not InvocationStatus.SUCCESS or not any(text and not text.isspace() for text in texts):
        return EvidenceLevel.NONE
    if invocation.refs:
        guidance = all(ref.kind is EvidenceKind.GUIDANCE for ref in invocation.refs)
    else:
        guidance = registry.traits(invocation.tool_name).kind is EvidenceKind.GUIDANCE
    return EvidenceLevel.GUIDANCE if guidance else EvidenceLevel.OBSERVATION


def _result_text(invocation: Invocation) -> str:
    if invocation.status is InvocationStatus.FAILED and invocation.error.strip():
        return invocation.error
    if invocation.output.strip():
        return invocation.output
    refs = "\n".join(ref.text for ref in invocation.refs[:20])
    return refs if refs.strip() else invocation.error


def _labels(values: Sequence[str], bounds: TraceBounds) -> tuple[str, ...]:
    tidied = (tidy(value, bounds.max_label_chars) for value in values[: bounds.max_list_items])
    return tuple(value for value in tidied if value)
