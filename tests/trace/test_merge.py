"""Repeated calls are one item: the first effective hit's address and text, everybody's counts."""

from __future__ import annotations

import random

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.trace.focus import FocusMaker, Spoken
from evidencegate_server.trace.summary import summarize_trace
from evidencegate_server.words import EvidenceKind, EvidenceLevel, InvocationStatus

from tests.trace.helpers import POLICY, call, shipped

TOOLS = shipped().tools


def logs(call_id: str, **fields: object) -> Invocation:
    """Makes a call of the logs of orders."""
    return call(call_id, **({"topic_domain": "orders"} | fields))


CALLS = [
    logs("1", status=InvocationStatus.NO_HIT, output=""),
    logs("2", output="queue is full"),
    logs("3", output="queue is full again"),
    logs("4", status=InvocationStatus.FAILED, error="timeout"),
    logs("5", status=InvocationStatus.DEDUPED, output="queue is full"),
]


@pytest.mark.req("TS-05")
def test_the_first_effective_hit_speaks_and_all_are_counted() -> None:
    (item,) = summarize_trace(CALLS, TOOLS, POLICY).items
    assert (item.trace_ref, item.success, item.output_summary) == ("inv:2", True, "queue is full")
    assert (item.call_count, item.no_hit_count, item.failed_count, item.deduped_count) == (5, 1, 1, 1)
    assert item.source_invocation_ids == ("2", "1", "3", "4", "5")


@pytest.mark.req("TS-02")
def test_the_addresses_of_the_others_are_listed_in_any_order_of_arrival() -> None:
    expected = summarize_trace(CALLS, TOOLS, POLICY)
    assert expected.items[0].merged_trace_refs == ("inv:1", "inv:3", "inv:4", "inv:5")
    for seed in range(5):
        assert summarize_trace(random.Random(seed).sample(CALLS, len(CALLS)), TOOLS, POLICY) == expected


@pytest.mark.req("TS-05")
@pytest.mark.parametrize(
    "other", [{"tool": "query_metrics"}, {"round": 2}, {"topic_domain": "payments"}], ids=["tool", "round", "topic"]
)
def test_calls_of_another_tool_round_or_topic_stay_apart(other: dict[str, object]) -> None:
    assert len(summarize_trace([logs("1"), logs("2", **other)], TOOLS, POLICY).items) == 2


@pytest.mark.req("TS-05")
def test_without_a_topic_only_the_same_question_is_the_same_call() -> None:
    calls = [
        call("1", input='{"q": "a"}'),
        call("2", input='{"q": "a"}'),
        call("3", input='{"q": "b"}'),
        call("4"),
        call("5"),
    ]
    items = summarize_trace(calls, TOOLS, POLICY).items
    assert [item.source_invocation_ids for item in items] == [("1", "2"), ("3",), ("4",), ("5",)]


@pytest.mark.req("TS-05")
def test_merging_can_be_switched_off() -> None:
    apart = POLICY.model_copy(update={"merge_repeated": False})
    assert len(summarize_trace(CALLS, TOOLS, apart).items) == len(CALLS)


@pytest.mark.req("TS-06")
def test_a_deduplicated_lookup_is_no_new_evidence() -> None:
    documents = (EvidenceRef("documents[0]", "restart it", EvidenceKind.GUIDANCE),)
    again = [
        call(str(at), "lookup_knowledge", status=InvocationStatus.DEDUPED, refs=documents, topic_domain="k")
        for at in (1, 2)
    ]
    (item,) = summarize_trace(again, TOOLS, POLICY).items
    assert (item.success, item.evidence_level, item.deduped_count) == (False, EvidenceLevel.NONE, 2)


@pytest.mark.req("TS-09")
def test_a_message_of_a_later_call_that_a_claim_quotes_is_in_the_merged_item() -> None:
    calls = [logs("1", output="all quiet\n" * 200), logs("2", output="noise\n" * 200 + "disk 4 is full\n")]
    focus = FocusMaker({"2": Spoken(("The disk is full.",), ("disk 4 is full",))})
    (item,) = summarize_trace(calls, TOOLS, POLICY, keep={"2"}, focus=focus).items
    assert "disk 4 is full" in item.output_summary
    assert item.source_invocation_ids == ("1", "2")
