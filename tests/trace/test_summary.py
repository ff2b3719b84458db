"""The trace summary: one stable item for each evidence-bearing call, bounded, nothing promised that is not there."""

from __future__ import annotations

import random

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.trace.condensers.model import Condensed, Focus
from evidencegate_server.trace.condensers.pick import tidy
from evidencegate_server.trace.condensers.plain import PlainCondenser
from evidencegate_server.trace.kinds import resolve_kinds
from evidencegate_server.trace.policy import ToolEntry, ToolRegistry
from evidencegate_server.trace.summary import summarize_trace
from evidencegate_server.words import EvidenceKind, EvidenceLevel, InvocationStatus
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.helpers import BOUNDS, POLICY, call, policy

REGISTRY = ToolRegistry(
    known=(
        ToolEntry(name="get_current_time", evidence=False),
        ToolEntry(name="format_*", evidence=False),
        ToolEntry(name="lookup_knowledge", evidence=True, kind=EvidenceKind.GUIDANCE),
    )
)


@pytest.mark.req("TS-01")
def test_an_item_says_what_was_asked_and_what_came_back() -> None:
    invocation = call(
        "394",
        input='{"pod": "a"}',
        round=2,
        topic_domain="logs",
        queries=("level=error",),
        retrieval_layers=("bm25",),
        relevance_levels=("high",),
        refs=(EvidenceRef("lines[0]", "one line", source_document="runbook.md"),),
    )
    (item,) = summarize_trace([invocation], REGISTRY, POLICY).items
    assert (item.trace_ref, item.tool_name, item.success) == ("inv:394", "query_logs", True)
    assert (item.input_summary, item.output_summary, item.shortened) == ('{"pod": "a"}', "one line", False)
    assert (item.evidence_level, item.source_invocation_ids) == (EvidenceLevel.OBSERVATION, ("394",))
    assert (item.queries, item.retrieval_layers, item.relevance_levels) == (("level=error",), ("bm25",), ("high",))
    assert (item.source_documents, item.round, item.topic_domain) == (("runbook.md",), 2, "logs")


@pytest.mark.req("TS-02")
def test_refs_and_order_do_not_depend_on_the_order_of_arrival() -> None:
    calls = [call(str(at), round=1 + at % 2) for at in range(20)]
    expected = summarize_trace(calls, REGISTRY, POLICY)
    assert [item.trace_ref for item in expected.items] == [
        f"inv:{item.id}" for item in sorted(calls, key=lambda item: (item.round, item.id))
    ]
    for seed in range(5):
        shuffled = random.Random(seed).sample(calls, len(calls))
        assert summarize_trace(shuffled, REGISTRY, POLICY) == expected


@pytest.mark.req("TS-03")
def test_helper_tools_are_out() -> None:
    calls = [call("1"), call("2", "get_current_time"), call("3", "format_table"), call("4", "anything_else")]
    trace = summarize_trace(calls, REGISTRY, POLICY)
    assert [item.tool_name for item in trace.items] == ["query_logs", "anything_else"]
    assert trace.omitted_invocation_ids == ()


@pytest.mark.req("TS-04")
@pytest.mark.parametrize(
    "invocation",
    [
        call(status=InvocationStatus.FAILED, output="half a result", error="timeout"),
        call(status=InvocationStatus.NO_HIT, output="no rows"),
        call(status=InvocationStatus.DEDUPED, output="the same as before"),
        call(output=" \n\t"),
        call(output="", refs=(EvidenceRef("lines[0]", " "),)),
    ],
    ids=["failed", "no_hit", "deduped", "blank", "blank_ref"],
)
def test_a_call_that_brought_nothing_stays_in_as_unsuccessful(invocation: Invocation) -> None:
    (item,) = summarize_trace([invocation], REGISTRY, POLICY).items
    assert (item.success, item.evidence_level) == (False, EvidenceLevel.NONE)
    assert item.status is invocation.status


@pytest.mark.req("TS-04")
def test_a_failed_call_shows_its_error() -> None:
    failed = call(status=InvocationStatus.FAILED, output="noise", error="error: Metrics API not available")
    (item,) = summarize_trace([failed], REGISTRY, POLICY).items
    assert (item.output_summary, item.failed_count) == ("error: Metrics API not available", 1)


@pytest.mark.req("EX-08")
def test_guidance_is_told_from_observation() -> None:
    guidance = EvidenceRef("documents[0]", "restart it", EvidenceKind.GUIDANCE)
    seen = EvidenceRef("lines[0]", "it failed")
    levels = [
        summarize_trace(resolve_kinds((item,), REGISTRY), REGISTRY, POLICY).items[0].evidence_level
        for item in (
            call(refs=(guidance,)),
            call(refs=(guidance, seen)),
            call(tool="lookup_knowledge"),
            call(tool="lookup_knowledge", refs=(seen,)),
        )
    ]
    assert levels == [
        EvidenceLevel.GUIDANCE,
        EvidenceLevel.OBSERVATION,
        EvidenceLevel.GUIDANCE,
        EvidenceLevel.OBSERVATION,
    ]


def test_a_long_output_is_cut_to_its_first_whole_lines() -> None:
    output = "\n".join(f"line {at}   with\tblanks" for at in range(1_000))
    (item,) = summarize_trace([call(output=output)], REGISTRY, POLICY).items
    lines = item.output_summary.split("\n")
    assert lines[:2] == ["line 0 with blanks", "line 1 with blanks"]
    assert lines[-1] == "…"
    assert len(item.output_summary) <= BOUNDS.max_output_chars
    assert item.shortened


def test_what_does_not_fit_into_the_whole_is_named() -> None:
    bounds = policy(max_items=3)
    calls = [call(str(at)) for at in range(5)]
    trace = summarize_trace(calls, REGISTRY, bounds)
    assert [item.trace_ref for item in trace.items] == ["inv:0", "inv:1", "inv:2"]
    assert trace.omitted_invocation_ids == ("3", "4")


@pytest.mark.req("VO-03")
def test_the_calls_that_claims_are_bound_to_are_always_there() -> None:
    bounds = policy(max_items=2, max_total_chars=2_000)
    calls = [call(str(at), output="x" * 900) for at in range(9)]
    trace = summarize_trace(calls, REGISTRY, bounds, keep={"6", "7", "8"})
    assert [item.trace_ref for item in trace.items] == ["inv:6", "inv:7", "inv:8"]
    assert [bool(item.output_summary) for item in trace.items] == [True, True, False]
    assert trace.omitted_invocation_ids == ("0", "1", "2", "3", "4", "5")


def test_outputs_that_cannot_fit_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    condense = PlainCondenser.condense

    def counted(self: PlainCondenser, text: str, focus: Focus, bound: int) -> Condensed:
        read.append(text)
        return condense(self, text, focus, bound)

    monkeypatch.setattr(PlainCondenser, "condense", counted)
    calls = [call(str(at), tool="own_tool", output=f"x{at} " * 3_000) for at in range(200)]
    trace = summarize_trace(calls, REGISTRY, policy(max_items=4))
    assert len(trace.omitted_invocation_ids) == 196
    assert len(read) <= 8


@given(st.text(max_size=3_000), st.integers(40, 400))
def test_a_summary_never_exceeds_its_bound(text: str, bound: int) -> None:
    assert len(PlainCondenser().condense(text, Focus(), bound).text) <= bound
    assert len(tidy(text, bound)) <= bound


@given(st.lists(st.tuples(st.text(max_size=600), st.sampled_from(InvocationStatus)), max_size=30))
def test_the_whole_never_exceeds_its_bound(outputs: list[tuple[str, InvocationStatus]]) -> None:
    bounds = policy(max_total_chars=2_000)
    calls = [call(str(at), output=text, status=status) for at, (text, status) in enumerate(outputs)]
    trace = summarize_trace(calls, REGISTRY, bounds)
    assert sum(len(item.input_summary) + len(item.output_summary) for item in trace.items) <= 2_000
    assert len(trace.items) + len(trace.omitted_invocation_ids) == len(calls)


def test_terminal_colours_are_no_part_of_a_summary() -> None:
    assert (
        PlainCondenser().condense("\x1b[31mERROR\x1b[0m  disk\x07 full\n\n\n at 10:00", Focus(), 400).text
        == "ERROR disk full\nat 10:00"
    )
