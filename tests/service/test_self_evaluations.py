"""Proves the evaluation store over the wire: what is written, what is refused, and what a failing store does."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from evidencegate.v1 import (
    composer_pb2,
    evaluation_pb2,
    self_evaluation_pb2,
    self_evaluation_pb2_grpc,
    text_pb2,
    verifier_pb2,
)
from evidencegate_client import vocabulary
from evidencegate_client.errors import service_error
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.store.model import StoreOptions
from evidencegate_server.store.store import Store
from grpc_health.v1 import health_pb2

from tests.service.builders import invocation, judge_request, ref
from tests.service.conftest import Running, serving

SERVICE = "evidencegate.v1.SelfEvaluations"
RULES = self_evaluation_pb2.CHANNEL_RULE_EVALUATION
VERIFIER = self_evaluation_pb2.CHANNEL_VERIFIER_EVALUATION


@pytest.fixture
async def kept(catalog: Catalog, tmp_path: Path) -> AsyncIterator[Running]:
    """A server with a store in a file."""
    store = Store(StoreOptions(f"sqlite:///{tmp_path}/e.db", pool_size=2, timeout_seconds=0.3))
    async with serving(catalog, ServerSettings(store_connections=2), store=store) as server:
        yield server
        server.assembly.store.close()


def stub(server: Running) -> Any:
    """The service's own stub."""
    return self_evaluation_pb2_grpc.SelfEvaluationsStub(server.channel)


def write(**fields: Any) -> self_evaluation_pb2.WriteChannelRequest:
    """A sound write of the rules' channel; `content` fields replace its content."""
    values: dict[str, Any] = {"session_id": "session-1", "request_id": "r1", "channel": RULES}
    if not {"evaluation", "composer_output", "rule_evaluation_json"} & fields.keys():
        values["rule_evaluation_json"] = '{"a":1.00}'
    return self_evaluation_pb2.WriteChannelRequest(**(values | fields))


async def refused(call: Any) -> Any:
    """Returns what a client makes of the refusal."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return service_error(caught.value)


async def judged(server: Running, request: verifier_pb2.JudgeRequest | None = None) -> Any:
    """An evaluation of the server's own."""
    return (await server.verifier.Judge(request or judge_request())).evaluation


@pytest.mark.req("SE-01", "SE-02", "SE-03")
async def test_both_channels_are_stored_with_the_contracts_words(kept: Running) -> None:
    evaluation = await judged(kept)
    store = stub(kept)
    assert (await store.WriteChannel(write(rule_evaluation_json=' {"a":1.00,"a":2} '))).revision == 1
    answer = await store.WriteChannel(
        write(request_id="r2", channel=VERIFIER, evaluation=evaluation, judge_request=judge_request())
    )
    assert (answer.revision, answer.replayed, answer.input_kept, answer.masked_secrets) == (2, False, True, 0)
    output = composer_pb2.ComposerOutput(text="answer", writer=composer_pb2.COMPOSER_WRITER_TEMPLATE)
    await store.WriteChannel(write(request_id="r3", channel=VERIFIER, composer_output=output, expected_revision=2))
    session = (await store.GetSession(self_evaluation_pb2.GetSessionRequest(session_id="session-1"))).session
    assert session.revision == 3
    assert session.self_evaluation_json.startswith(
        '{"rule_evaluation":{"a":1.00,"a":2},"verifier_evaluation":{"verdict":'
    )
    stored = json.loads(session.self_evaluation_json)["verifier_evaluation"]
    composed = stored.pop("composer_output")
    assert stored == vocabulary.to_dict(evaluation)
    assert composed == vocabulary.to_dict(output)
    for field in [
        "verdict",
        "engine_verdict",
        "groundedness_score",
        "critical_fact_count",
        "rationale",
        "claim_checks",
        "facts_checked",
        "executor_output_parse_status",
        "tool_trace_summary",
        "traceability_version",
        "gatekeeper_result",
        "prompt_audit",
    ]:
        assert field in stored
    assert {prompt["role"] for prompt in stored["prompt_audit"]["prompts"]} >= {"planner", "executor", "verifier"}
    assert not session.HasField("judge_request")
    listed = (await store.ListSessions(self_evaluation_pb2.ListSessionsRequest())).sessions
    assert [(each.session_id, each.revision, each.verdict, each.route) for each in listed] == [
        ("session-1", 3, evaluation.verdict, evaluation.route)
    ]
    assert (await store.DeleteSession(self_evaluation_pb2.DeleteSessionRequest(session_id="session-1"))).deleted
    gone = await refused(store.GetSession(self_evaluation_pb2.GetSessionRequest(session_id="session-1")))
    assert (gone.code, gone.reason) == (grpc.StatusCode.NOT_FOUND, "SESSION_NOT_FOUND")


@pytest.mark.req("SE-02")
async def test_a_session_that_was_stored_with_its_input_gives_the_same_bytes_when_it_is_judged_again(
    kept: Running,
) -> None:
    request = judge_request(None, invocation(), invocation("395", ref("lines[1]", "WARN pool wait 30 s")))
    evaluation = await judged(kept, request)
    await stub(kept).WriteChannel(write(channel=VERIFIER, evaluation=evaluation, judge_request=request))
    asked = self_evaluation_pb2.GetSessionRequest(session_id="session-1", include_input=True)
    session = (await stub(kept).GetSession(asked)).session
    again = await judged(kept, session.judge_request)
    assert session.self_evaluation_json == f'{{"verifier_evaluation":{vocabulary.to_json(again)}}}'
    assert again.SerializeToString(deterministic=True) == evaluation.SerializeToString(deterministic=True)


@pytest.mark.req("SE-02")
async def test_credentials_are_overwritten_in_what_is_kept_of_evaluation_and_input(kept: Running) -> None:
    secret = "hunter22secret"
    request = judge_request(None, invocation("394", ref(), ref("lines[1]", f"login with password={secret} failed")))
    evaluation = await judged(kept, request)
    evaluation.rationale += f" password={secret}"
    answer = await stub(kept).WriteChannel(write(channel=VERIFIER, evaluation=evaluation, judge_request=request))
    assert answer.masked_secrets >= 2
    asked = self_evaluation_pb2.GetSessionRequest(session_id="session-1", include_input=True)
    session = (await stub(kept).GetSession(asked)).session
    assert secret not in str(session)
    assert "password=**************" in session.self_evaluation_json


@pytest.mark.req("SE-04")
async def test_a_parse_failure_of_executor_verifier_and_composer_stands_in_what_is_stored(kept: Running) -> None:
    request = judge_request("no json at all", engine=evaluation_pb2.JUDGE_ENGINE_SUPPLIED)
    request.verifier_output.text = "{broken"
    evaluation = await judged(kept, request)
    report = text_pb2.ParseReport(status=text_pb2.PARSE_STATUS_MALFORMED, reason="not_object", message="no object")
    output = composer_pb2.ComposerOutput(text="safe", parse_status=report)
    await stub(kept).WriteChannel(write(channel=VERIFIER, evaluation=evaluation))
    await stub(kept).WriteChannel(write(request_id="r2", channel=VERIFIER, composer_output=output))
    asked = self_evaluation_pb2.GetSessionRequest(session_id="session-1")
    stored = json.loads((await stub(kept).GetSession(asked)).session.self_evaluation_json)["verifier_evaluation"]
    statuses = [
        stored["executor_output_parse_status"]["status"],
        stored["verifier_output_parse_status"]["status"],
        stored["composer_output"]["parse_status"]["status"],
    ]
    assert "valid" not in statuses
    assert stored["verdict"] == "LOW_CONFID"


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a blank session": ({"session_id": " "}, "session_id"),
    "a long session": ({"session_id": "x" * 1025}, "session_id"),
    "a session with a zero": ({"session_id": "a\0"}, "session_id"),
    "a blank request": ({"request_id": ""}, "request_id"),
    "a long request": ({"request_id": "\u00e4" * 101}, "request_id"),
    "no channel": ({"channel": 0}, "channel"),
    "an unknown channel": ({"channel": 77}, "channel"),
    "another channel's content": ({"channel": VERIFIER}, "rule_evaluation_json"),
    "a list": ({"rule_evaluation_json": "[1]"}, "rule_evaluation_json"),
    "broken JSON": ({"rule_evaluation_json": '{"a":}'}, "rule_evaluation_json"),
    "two objects": ({"rule_evaluation_json": "{}{}"}, "rule_evaluation_json"),
    "an input without an evaluation": ({"judge_request": verifier_pb2.JudgeRequest()}, "judge_request"),
    "a revision below 0": ({"expected_revision": -1}, "expected_revision"),
    "a score that is no number": (
        {"channel": VERIFIER, "evaluation": evaluation_pb2.Evaluation(groundedness_score=float("nan"))},
        "evaluation.groundedness_score",
    ),
}


@pytest.mark.req("SE-01", "IO-05")
@pytest.mark.parametrize("case", BAD)
async def test_a_bad_write_is_refused_with_its_field(kept: Running, case: str) -> None:
    fields, place = BAD[case]
    error = await refused(stub(kept).WriteChannel(write(**fields)))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert place in {violation.field for violation in error.field_violations}
    assert not (await stub(kept).ListSessions(self_evaluation_pb2.ListSessionsRequest())).sessions


@pytest.mark.req("SE-01", "IO-05")
async def test_a_rule_evaluation_over_its_limit_quotes_both_numbers(kept: Running, catalog: Catalog) -> None:
    limit = catalog.limits.store.max_rule_evaluation_bytes
    inside = '{"a":"' + "x" * (limit - 8) + '"}'
    assert (await stub(kept).WriteChannel(write(rule_evaluation_json=inside))).revision == 1
    error = await refused(stub(kept).WriteChannel(write(request_id="r2", rule_evaluation_json=inside + " ")))
    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (error.limit, error.actual) == (limit, limit + 1)


@pytest.mark.req("SE-01")
async def test_revision_conflicts_and_reused_request_ids_have_codes_of_their_own(kept: Running) -> None:
    await stub(kept).WriteChannel(write())
    conflict = await refused(stub(kept).WriteChannel(write(request_id="r2", expected_revision=0)))
    assert (conflict.code, conflict.reason) == (grpc.StatusCode.ABORTED, "REVISION_CONFLICT")
    reused = await refused(stub(kept).WriteChannel(write(rule_evaluation_json="{}")))
    assert (reused.code, reused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED")
    assert (await stub(kept).WriteChannel(write())).replayed


@pytest.mark.req("SE-01", "IO-05")
async def test_a_write_of_a_deleted_session_is_refused_under_its_request_id(kept: Running) -> None:
    await stub(kept).WriteChannel(write())
    await stub(kept).DeleteSession(self_evaluation_pb2.DeleteSessionRequest(session_id="session-1"))
    error = await refused(stub(kept).WriteChannel(write()))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "SESSION_DELETED")
    assert "use a new request ID" in error.message
    assert not (await stub(kept).ListSessions(self_evaluation_pb2.ListSessionsRequest())).sessions
    assert (await stub(kept).WriteChannel(write(request_id="r2"))).revision == 1


async def test_a_list_refuses_a_negative_page_size(kept: Running) -> None:
    error = await refused(stub(kept).ListSessions(self_evaluation_pb2.ListSessionsRequest(page_size=-1)))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.req("SE-01")
async def test_without_a_store_every_method_says_so_and_so_does_health(running: Running) -> None:
    error = await refused(stub(running).WriteChannel(write()))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "STORE_UNAVAILABLE")
    response = await running.health.Check(health_pb2.HealthCheckRequest(service=SERVICE))
    assert response.status == health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.mark.req("SE-01")
async def test_a_locked_store_is_unavailable_in_log_and_health_while_judge_answers(
    kept: Running, tmp_path: Path
) -> None:
    holder = sqlite3.connect(tmp_path / "e.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    waiting = asyncio.ensure_future(refused(stub(kept).WriteChannel(write())))
    assert (await judged(kept)).verdict == evaluation_pb2.VERDICT_PASS
    error = await waiting
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_FAILED")
    assert error.retry_delay_seconds is not None
    line = next(line for line in kept.log_lines() if line["event"] == "store_failed")
    assert line["level"] == "error"
    holder.execute("ROLLBACK")
    holder.close()
    assert (await stub(kept).WriteChannel(write())).revision == 1
    watch = kept.health.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
    async for response in watch:
        if response.status == health_pb2.HealthCheckResponse.SERVING:
            break
    watch.cancel()


@pytest.mark.req("SE-05")
async def test_the_log_tells_claim_checks_as_well_as_facts(kept: Running) -> None:
    evaluation = await judged(kept)
    only_facts = evaluation_pb2.Evaluation(
        verdict=evaluation_pb2.VERDICT_LOW_CONFID,
        facts_checked=[evaluation_pb2.FactCheck(verification=evaluation_pb2.FACT_VERIFICATION_NO_EVIDENCE)] * 2,
    )
    await stub(kept).WriteChannel(write(channel=VERIFIER, evaluation=evaluation))
    await stub(kept).WriteChannel(write(request_id="r2", channel=VERIFIER, evaluation=only_facts))
    lines = [line for line in kept.log_lines() if line["event"] == "call"]
    assert [(line["claim_checks"], line["facts_checked"], line["verdict"]) for line in lines] == [
        ({"direct_observation": 1}, {"direct_evidence": 1}, "PASS"),
        ({"direct_observation": 1}, {"direct_evidence": 1}, "PASS"),
        ({}, {"no_evidence": 2}, "LOW_CONFID"),
    ]
    assert kept.metric("evidencegate_verdicts_total", verdict="PASS") == 1
