"""Looking up invocations and refs."""

from __future__ import annotations

import pytest
from evidencegate_server.evidence.index import EvidenceIndex, refs_by_path
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.words import EvidenceKind, InvocationStatus
from hypothesis import given
from hypothesis import strategies as st

SUCCESS, NO_HIT = InvocationStatus.SUCCESS, InvocationStatus.NO_HIT


def _call(invocation_id: str, tool: str = "logs", status: InvocationStatus = SUCCESS, **fields: object) -> Invocation:
    return Invocation(id=invocation_id, tool_name=tool, status=status, **fields)  # type: ignore[arg-type]


@pytest.mark.req("EX-06")
def test_an_id_is_compared_as_text() -> None:
    index = EvidenceIndex([_call("394"), _call("0394")])
    assert [index.invocation(name) for name in ("394", "0394", "00394", "394.0")] == [*index.invocations, None, None]


@pytest.mark.req("GK-13")
@given(st.permutations([_call("3"), _call("1"), _call("2", "metrics")]))
def test_the_calls_of_a_tool_are_the_same_in_any_order_of_arrival(calls: list[Invocation]) -> None:
    index = EvidenceIndex(calls)
    assert [call.id for call in index.invocations_of("logs")] == ["1", "3"]
    assert [call.id for call in index.invocations_of("metrics")] == ["2"]
    assert index.invocations_of("traces") == ()


@pytest.mark.req("GK-08")
@pytest.mark.parametrize("status", list(InvocationStatus))
def test_only_a_no_hit_call_has_implied_refs(status: InvocationStatus) -> None:
    refs = refs_by_path(_call("1", status=status, input="asked", output="came back"))
    if status is NO_HIT:
        assert {path: ref.text for path, ref in refs.items()} == {"input": "asked", "output": "came back"}
        assert all(ref.implied and ref.kind is EvidenceKind.OBSERVATION for ref in refs.values())
    else:
        assert refs == {}


@pytest.mark.req("GK-08")
def test_a_stored_ref_goes_before_the_implied_one_of_its_path() -> None:
    stored = EvidenceRef("output", "stored")
    refs = refs_by_path(_call("1", status=NO_HIT, input="asked", output="raw", refs=(stored,)))
    assert refs == {"output": stored, "input": EvidenceRef("input", "asked", implied=True)}


@pytest.mark.req("GK-08")
def test_a_no_hit_call_without_texts_still_has_both_implied_refs() -> None:
    assert [ref.text for ref in refs_by_path(_call("1", status=NO_HIT)).values()] == ["", ""]


@pytest.mark.req("EX-08")
@pytest.mark.parametrize("doubtful_first", [True, False])
def test_of_a_path_that_is_stored_twice_the_doubtful_reading_counts(doubtful_first: bool) -> None:
    refs = [EvidenceRef("a", "text", EvidenceKind.GUIDANCE, truncated=True), EvidenceRef("a", "text")]
    stored = tuple(refs if doubtful_first else reversed(refs))
    kept = refs_by_path(_call("1", refs=(*stored, EvidenceRef("b", "other"))))
    assert (kept["a"].kind, kept["a"].truncated) == (EvidenceKind.GUIDANCE, True)
    assert (kept["b"].kind, kept["b"].truncated) == (EvidenceKind.OBSERVATION, False)


@pytest.mark.req("GK-09")
def test_a_ref_belongs_to_its_invocation_alone() -> None:
    ref = EvidenceRef("lines[0]", "text")
    index = EvidenceIndex([_call("1", refs=(ref,)), _call("2")])
    assert index.ref("1", "lines[0]") is ref
    assert index.ref("2", "lines[0]") is None
    assert index.ref("3", "lines[0]") is None
    assert dict(index.refs("3")) == {}
