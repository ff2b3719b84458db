"""Proves over the wire that a caller's mistake is named by its field, and that all of them are."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from evidencegate.v1 import (
    evaluation_pb2,
    gatekeeper_pb2,
    invocation_pb2,
    prompt_pb2,
    text_pb2,
    trace_pb2,
    verifier_pb2,
)
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.servicers import Methods
from google.rpc import error_details_pb2

from tests.service.builders import binding, invocation, judge_request, output_text, ref, validate_request
from tests.service.conftest import Running
from tests.service.test_guard import details

INVOCATION_MISTAKES: dict[str, tuple[list[invocation_pb2.ToolInvocation], list[str]]] = {
    "a blank ID": ([invocation(" ")], ["tool_invocations[0].id"]),
    "an ID twice": ([invocation("1"), invocation("2"), invocation("1")], ["tool_invocations[2].id"]),
    "no tool name": ([invocation(tool_name="")], ["tool_invocations[0].tool_name"]),
    "a blank tool name": ([invocation(tool_name="\t")], ["tool_invocations[0].tool_name"]),
    "an ID of invisible characters": ([invocation("\u200b\u2060")], ["tool_invocations[0].id"]),
    "an ID that is drawn as nothing": ([invocation("\u3164\x7f")], ["tool_invocations[0].id"]),
    "white space around an ID": ([invocation(" 394 ")], ["tool_invocations[0].id"]),
    "white space behind an ID": ([invocation("394\u3000")], ["tool_invocations[0].id"]),
    "an invisible character before an ID": ([invocation("\ufeff394")], ["tool_invocations[0].id"]),
    "an invisible tool name": ([invocation(tool_name="\u200b")], ["tool_invocations[0].tool_name"]),
    "white space around a tool name": ([invocation(tool_name="query_logs\n")], ["tool_invocations[0].tool_name"]),
    "no status": ([invocation(status=0)], ["tool_invocations[0].status"]),
    "an unknown status": ([invocation(status=99)], ["tool_invocations[0].status"]),
    "a round over 2": ([invocation(round=3)], ["tool_invocations[0].round"]),
    "a negative round": ([invocation(round=-1)], ["tool_invocations[0].round"]),
    "a blank path": (
        [invocation("1"), invocation("2", ref("a"), ref(" "))],
        ["tool_invocations[1].retrieval_details.evidence_refs[1].raw_path"],
    ),
    "a path twice with different texts": (
        [invocation("1", ref("a", "x"), ref("b", "x"), ref("a", "y"))],
        ["tool_invocations[0].retrieval_details.evidence_refs[2].raw_path"],
    ),
    "an unknown kind": (
        [invocation("1", ref(kind=7))],
        ["tool_invocations[0].retrieval_details.evidence_refs[0].kind"],
    ),
    "several at once": (
        [invocation("", tool_name=""), invocation(status=0, round=9)],
        [
            "tool_invocations[0].id",
            "tool_invocations[0].tool_name",
            "tool_invocations[1].round",
            "tool_invocations[1].status",
        ],
    ),
}


async def violated(call: Any) -> list[str]:
    """Returns the fields that the status of a refused call names."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    info = details(refused.value, error_details_pb2.ErrorInfo)
    assert (info.reason, info.domain) == ("INVALID_REQUEST", "evidencegate")
    return [violation.field for violation in details(refused.value, error_details_pb2.BadRequest).field_violations]


@pytest.mark.req("IO-05", "IO-07")
@pytest.mark.parametrize("mistake", INVOCATION_MISTAKES)
async def test_mistakes_in_invocations_are_named_by_every_method(running: Running, mistake: str) -> None:
    invocations, fields = INVOCATION_MISTAKES[mistake]
    summarize = trace_pb2.SummarizeTraceRequest(tool_invocations=invocations)
    assert await violated(running.gatekeeper.Validate(validate_request(None, *invocations))) == fields
    assert await violated(running.verifier.Judge(judge_request(None, *invocations))) == fields
    assert await violated(running.verifier.SummarizeTrace(summarize)) == fields


RETRY = evaluation_pb2.RetryContext(
    verdict=evaluation_pb2.VERDICT_LOW_CONFID,
    groundedness_score=0.25,
    weak_claims=[evaluation_pb2.WeakClaim(claim_id="c1", verification=evaluation_pb2.VERIFICATION_UNSUPPORTED)],
)
JUDGE_MISTAKES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no round": ({"round": 0}, ["round"]),
    "a third round": ({"round": 3}, ["round"]),
    "a retry context in round 1": ({"retry_context": RETRY}, ["retry_context"]),
    "an unknown engine": ({"engine": 42}, ["engine"]),
    "the engine supplied without a text": ({"engine": evaluation_pb2.JUDGE_ENGINE_SUPPLIED}, ["verifier_output"]),
    "a prompt without a role": ({"prompts_used": [prompt_pb2.PromptVersion(name="p")]}, ["prompts_used[0].role"]),
    "a prompt with an unknown role": (
        {"prompts_used": [prompt_pb2.PromptVersion(role=1), prompt_pb2.PromptVersion(role=99)]},
        ["prompts_used[1].role"],
    ),
    "a retry context without verdict and labels": (
        {
            "round": 2,
            "retry_context": evaluation_pb2.RetryContext(
                groundedness_score=1.5, weak_claims=[evaluation_pb2.WeakClaim()]
            ),
        },
        [
            "retry_context.verdict",
            "retry_context.groundedness_score",
            "retry_context.weak_claims[0].verification",
        ],
    ),
    "a score that is no number": (
        {
            "round": 2,
            "retry_context": evaluation_pb2.RetryContext(
                verdict=evaluation_pb2.VERDICT_PASS, groundedness_score=float("nan")
            ),
        },
        ["retry_context.groundedness_score"],
    ),
    "an empty retry context in round 1": (
        {"retry_context": evaluation_pb2.RetryContext()},
        ["retry_context", "retry_context.verdict"],
    ),
}


@pytest.mark.req("IO-05", "IO-07", "VI-02")
@pytest.mark.parametrize("mistake", JUDGE_MISTAKES)
async def test_mistakes_of_a_judge_request_are_named(running: Running, mistake: str) -> None:
    fields, expected = JUDGE_MISTAKES[mistake]
    assert await violated(running.verifier.Judge(judge_request(**fields))) == expected


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("round_", [1, 2])
async def test_both_rounds_are_judged(running: Running, round_: int) -> None:
    response = await running.verifier.Judge(judge_request(round=round_))
    assert response.evaluation.round == round_


async def test_a_path_twice_with_the_same_text_is_accepted(running: Running) -> None:
    response = await running.gatekeeper.Validate(validate_request(None, invocation("394", ref(), ref())))
    assert response.gatekeeper_result.status == gatekeeper_pb2.GATEKEEPER_STATUS_PASS


async def test_an_invocation_whose_round_is_not_known_is_accepted(running: Running) -> None:
    response = await running.gatekeeper.Validate(validate_request(None, invocation(round=0)))
    assert response.gatekeeper_result.status == gatekeeper_pb2.GATEKEEPER_STATUS_PASS


@pytest.mark.req("IO-07", "EX-04")
async def test_an_output_that_is_not_set_is_missing_and_no_error(running: Running) -> None:
    request = gatekeeper_pb2.ValidateRequest(tool_invocations=[invocation()])
    response = await running.gatekeeper.Validate(request)
    assert response.executor_output_parse_status.status == text_pb2.PARSE_STATUS_MISSING
    judged = await running.verifier.Judge(verifier_pb2.JudgeRequest(round=1))
    assert judged.evaluation.executor_output_parse_status.status == text_pb2.PARSE_STATUS_MISSING


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("engine", [evaluation_pb2.JUDGE_ENGINE_LLM, evaluation_pb2.JUDGE_ENGINE_HYBRID])
async def test_an_engine_that_is_not_configured_is_a_failed_precondition(running: Running, engine: Any) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.verifier.Judge(judge_request(engine=engine))
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "ENGINE_UNAVAILABLE"


@pytest.mark.parametrize("method", ["gatekeeper.Validate", "verifier.Judge"])
async def test_another_rule_set_than_expected_is_a_failed_precondition(running: Running, method: str) -> None:
    build = validate_request if method.endswith("Validate") else judge_request
    service, _, name = method.partition(".")
    call = getattr(getattr(running, service), name)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call(build(expected_rule_set_version="0.0.0-none"))
    info = details(refused.value, error_details_pb2.ErrorInfo)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert info.reason == "RULE_SET_VERSION_MISMATCH"
    assert info.metadata["expected"] == "0.0.0-none"
    await call(build(expected_rule_set_version=info.metadata["actual"]))


async def test_bytes_that_are_no_request_are_the_callers_mistake(running: Running) -> None:
    for method in ("Gatekeeper/Validate", "Verifier/Judge", "Verifier/SummarizeTrace", "Gatekeeper/GetRuleCatalog"):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await running.channel.unary_unary(f"/evidencegate.v1.{method}")(b"\x0a\xff")
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert details(refused.value, error_details_pb2.ErrorInfo).reason == "UNDECODABLE_REQUEST"


async def test_a_string_that_is_no_utf8_is_the_callers_mistake(running: Running) -> None:
    request = validate_request(output_text(binding(evidence_excerpt="MARK"))).SerializeToString()
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.channel.unary_unary("/evidencegate.v1.Gatekeeper/Validate")(
            request.replace(b"MARK", b"\xed\xa0\x80k")
        )
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "raw" in (refused.value.details() or "")


async def test_no_request_of_the_contract_raises_what_is_no_callers_mistake(catalog: Catalog) -> None:
    """The empty request of each method is answered or refused, never a fault."""
    methods = Methods(catalog)
    assert methods.validate(b"").payload
    assert methods.get_rule_catalog(b"").payload
    assert methods.summarize_trace(b"").payload is not None


@pytest.mark.req("IO-06", "IO-07")
async def test_an_object_with_an_unset_value_is_the_callers_mistake(running: Running) -> None:
    for request in (validate_request(), judge_request()):
        request.executor_output.object.fields["claims"].list_value.values.add()
        call = (
            running.gatekeeper.Validate
            if isinstance(request, gatekeeper_pb2.ValidateRequest)
            else running.verifier.Judge
        )
        assert await violated(call(request)) == ["executor_output.object.claims[0]"]


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("identity", ["a b", "因", "id-1\u200b2", "é"])
async def test_an_id_may_have_anything_inside(running: Running, identity: str) -> None:
    response = await running.gatekeeper.Validate(validate_request(None, invocation(identity)))
    assert response.gatekeeper_result.input_digest
