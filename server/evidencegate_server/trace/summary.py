"""Summarizes what the tools of a session returned, bounded, so that a reader or a model can find its way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.trace.condensers.model import Focus
from evidencegate_server.trace.condensers.pick import tidy
from evidencegate_server.trace.condensers.plain import first_lines
from evidencegate_server.trace.focus import NOTHING_SPOKEN, FocusMaker
from evidencegate_server.trace.level import evidence_level
from evidencegate_server.trace.merge import Group, group_calls
from evidencegate_server.trace.model import TraceItem, TraceSummary
from evidencegate_server.trace.policy import ToolRegistry, TraceBounds, TracePolicy
from evidencegate_server.words import EvidenceLevel, InvocationStatus

# What an item costs beside its texts: the address, the words and the numbers that every item has.
_ITEM_OVERHEAD_CHARS: Final = 80
_REFS_READ: Final = 20  # refs that stand in for an output that was not kept


def trace_ref(invocation_id: str) -> str:
    """Returns the stable address of an invocation's item."""
    return f"inv:{invocation_id}"


def summarize_trace(
    invocations: Iterable[Invocation],
    registry: ToolRegistry,
    policy: TracePolicy,
    keep: Collection[str] = frozenset(),
    focus: FocusMaker = NOTHING_SPOKEN,
) -> TraceSummary:
    """Returns one item for each evidence-bearing call or group of repeated ones, by round and ID.

    The order of arrival does not matter; the kinds of the refs are resolved before. A call that failed, found nothing
    or was deduplicated stays in, marked unsuccessful. Where the items do not all fit into the bounds, those with a call
    in `keep` (calls that claims are bound to) have the first right, then the order decides; one of them that does not
    fit in full keeps its address without its texts. `focus` says what the claims and the question speak of: a line of
    an output that they speak of is shown before others.
    """
    bearing = sorted(
        (invocation for invocation in invocations if registry.traits(invocation.tool_name).evidence),
        key=lambda invocation: (invocation.round, invocation.id),
    )
    groups = group_calls(bearing, merge=policy.merge_repeated)
    room = _Room(policy.bounds)
    items: dict[int, TraceItem] = {}
    omitted: list[str] = []
    for wanted in (True, False):
        for at, group in enumerate(groups):
            if any(call.id in keep for call in group.calls) is not wanted:
                continue
            # What cannot fit any more is not read: the outputs of a session are large, and this is their only reading.
            full = room.is_full and not wanted
            item = None if full else room.fit(_Writer(registry, policy, focus).item(group), keep_address=wanted)
            if item is None:
                omitted += (call.id for call in group.calls)
            else:
                items[at] = item
    return TraceSummary(tuple(items[at] for at in sorted(items)), tuple(omitted))


@dataclass(slots=True)
class _Room:
    """What is left of the bounds on the whole."""

    bounds: TraceBounds
    items: int = 0
    chars: int = 0

    @property
    def is_full(self) -> bool:
        """Whether not even an item without any text fits."""
        return self.items >= self.bounds.max_items or self.chars + _ITEM_OVERHEAD_CHARS > self.bounds.max_total_chars

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


@record
class _Writer:
    """Writes the item of a group of calls."""

    registry: ToolRegistry
    policy: TracePolicy
    focus: FocusMaker

    def item(self, group: Group) -> TraceItem:
        first, calls = group.first, group.calls
        level = evidence_level(first)
        bounds = self.policy.bounds
        asked = first_lines(first.input, bounds.max_input_chars)
        focus = self.focus.of(call.id for call in calls)
        condenser = self.policy.condenser(self.registry.traits(first.tool_name).output)
        came_back = condenser.condense(_text(group, focus), focus, bounds.max_output_chars)
        return TraceItem(
            trace_ref=trace_ref(first.id),
            tool_name=first.tool_name,
            success=level is not EvidenceLevel.NONE,
            input_summary=asked.text,
            output_summary=came_back.text,
            evidence_level=level,
            source_invocation_ids=tuple(call.id for call in calls),
            status=first.status,
            round=first.round,
            topic_domain=first.topic_domain,
            queries=_labels((value for call in calls for value in call.queries), bounds),
            retrieval_layers=_labels((value for call in calls for value in call.retrieval_layers), bounds),
            relevance_levels=_labels((value for call in calls for value in call.relevance_levels), bounds),
            source_documents=_labels((value for call in calls for value in _documents(call)), bounds),
            shortened=asked.shortened or came_back.shortened,
            call_count=len(calls),
            failed_count=_count(calls, InvocationStatus.FAILED),
            no_hit_count=_count(calls, InvocationStatus.NO_HIT),
            merged_trace_refs=tuple(trace_ref(call.id) for call in calls[1:]),
            deduped_count=_count(calls, InvocationStatus.DEDUPED),
        )


def _text(group: Group, focus: Focus) -> str:
    """Returns what is condensed: the first effective result, and those of the others that claims quote."""
    texts = [_result_text(group.first, focus)]
    for call in group.calls[1:]:
        text = _result_text(call, focus)
        if evidence_level(call) is not EvidenceLevel.NONE and any(quote in text for quote in focus.quotes):
            texts.append(text)
    return "\n".join(texts)


def _result_text(invocation: Invocation, focus: Focus) -> str:
    if invocation.status is InvocationStatus.FAILED and invocation.error.strip():
        return invocation.error
    refs = [ref.text for ref in invocation.refs if not ref.implied]
    if invocation.output.strip():
        quoted = [quote for quote in focus.quotes if quote not in invocation.output]
        # A ref can be a decoded piece of the output, so what is quoted may stand there alone.
        apart = dict.fromkeys(text for quote in quoted for text in refs if quote in text)
        return "\n".join((invocation.output, *apart))
    read = "\n".join(refs[:_REFS_READ])
    return read if read.strip() else invocation.error


def _documents(invocation: Invocation) -> tuple[str, ...]:
    return invocation.source_documents or tuple(ref.source_document for ref in invocation.refs if ref.source_document)


def _count(calls: Sequence[Invocation], status: InvocationStatus) -> int:
    return sum(call.status is status for call in calls)


def _labels(values: Iterable[str], bounds: TraceBounds) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for value in values:
        if len(found) == bounds.max_list_items:
            break
        tidied = tidy(value, bounds.max_label_chars)
        if tidied:
            found[tidied] = None
    return tuple(found)
