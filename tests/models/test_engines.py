"""The engines llm and hybrid over the wire: what a model can lift, what it cannot, and what is seen of its failures."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest
from evidencegate.v1 import composer_pb2, composer_pb2_grpc, evaluation_pb2, text_pb2
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.words import Verification
from google.rpc import error_details_pb2

from tests.models.endpoint import FakeEndpoint, Script, endpoint, models_of
from tests.models.sessions import (
    CLAIMS,
    HYBRID,
    LLM,
    LOG,
    REFUSED,
    executor_text,
    judge_request,
    labels_of,
    verifier_text,
)
from tests.service.conftest import Running, serving
from tests.service.test_guard import details
from tests.trace.helpers import shipped

DIRECT = "direct_observation"
BOTH = pytest.mark.parametrize("engine", [LLM, HYBRID], ids=["llm", "hybrid"])
PASS = evaluation_pb2.VERDICT_PASS
LOW = evaluation_pb2.VERDICT_LOW_CONFID
REJECT = evaluation_pb2.VERDICT_REJECT
QUOTE = "connection pool exhausted after 30 s"


@asynccontextmanager
async def judging(catalog: Catalog | None = None, **fields: Any) -> AsyncIterator[tuple[FakeEndpoint, Running]]:
    """Gives a server with a model behind it."""
    async with (
        endpoint() as fake,
        models_of(fake, **fields) as models,
        serving(catalog or shipped(), models=models) as server,
    ):
        yield fake, server


@pytest.mark.req("VO-11", "PR-03", "SE-03")
async def test_a_model_labels_what_code_is_silent_on() -> None:
    async with judging() as (fake, server):
        fake.say(verifier_text({"stated": DIRECT, "silent": "reasonable_inference"}))
        judged = (await server.verifier.Judge(judge_request(executor_text("stated", "silent")))).evaluation
        (asked,) = fake.requests
    assert labels_of(judged) == {"stated": DIRECT, "silent": "reasonable_inference"}
    assert judged.verdict == PASS
    assert judged.engine == LLM
    assert {check.engine for check in judged.claim_checks} == {LLM}
    assert (judged.model_use.profile, judged.model_use.requests, judged.model_use.failure) == ("test", 1, "")
    assert judged.model_use.prompt_tokens == 11
    assert {prompt.name for prompt in judged.prompt_audit.prompts} >= {"verifier"}
    assert "<gatekeeper_result>" in asked.prompt


@pytest.mark.req("VO-09", "VI-04")
@BOTH
@pytest.mark.parametrize("name", REFUSED)
async def test_what_the_code_refuses_no_model_lifts(name: str, engine: Any) -> None:
    async with judging() as (fake, server):
        fake.say(verifier_text({"stated": DIRECT, name: DIRECT}, note=QUOTE))
        judged = (await server.verifier.Judge(judge_request(executor_text("stated", name), engine))).evaluation
    found = labels_of(judged)
    assert found[name] not in (DIRECT, "reasonable_inference")
    assert found["stated"] == DIRECT
    assert judged.verdict != PASS


@pytest.mark.req("VO-11")
@BOTH
async def test_what_code_calls_contradicted_stays_so_and_shows_why(engine: Any) -> None:
    async with judging() as (fake, server):
        fake.say(verifier_text({"denied": DIRECT}, note=QUOTE))
        judged = (await server.verifier.Judge(judge_request(executor_text("denied"), engine))).evaluation
    (check,) = judged.claim_checks
    assert check.verification == evaluation_pb2.VERIFICATION_CONTRADICTED
    assert judged.verdict == REJECT
    assert any(witness.relation == "in_conflict" for witness in check.witnesses)
    if engine == LLM:
        assert [step.reason for step in check.label_steps] == ["contradicted_by_code"]


@pytest.mark.req("VO-11", "RC-03")
@BOTH
async def test_the_strict_catalog_lets_a_model_alone_only_infer(engine: Any) -> None:
    strict = replace(
        shipped(),
        verdict=shipped().verdict.model_copy(update={"max_label_without_code": Verification.REASONABLE_INFERENCE}),
    )
    found = []
    for catalog in (shipped(), strict):
        async with judging(catalog) as (fake, server):
            fake.say(verifier_text({"stated": DIRECT, "silent": DIRECT}, note=QUOTE))
            judged = (await server.verifier.Judge(judge_request(executor_text("stated", "silent"), engine))).evaluation
            found.append(labels_of(judged))
    assert found[0] == {"stated": DIRECT, "silent": DIRECT}
    assert found[1] == {"stated": DIRECT, "silent": "reasonable_inference"}


@pytest.mark.req("VO-11")
async def test_hybrid_asks_only_about_what_code_left_open() -> None:
    names = tuple(CLAIMS)
    async with judging() as (fake, server):
        fake.say(verifier_text(dict.fromkeys(names, DIRECT), note=QUOTE))
        judged = (await server.verifier.Judge(judge_request(executor_text(*names), HYBRID))).evaluation
        (asked,) = fake.requests
    data = asked.prompt.partition("<executor_structured_output>")[2].partition("</executor_structured_output>")[0]
    assert [claim["claim_id"] for claim in json.loads(data)["claims"]] == ["silent"]
    assert '"code_reading"' in asked.prompt
    engines = {check.claim_id: check.engine for check in judged.claim_checks}
    assert engines["silent"] == LLM
    assert {engine for name, engine in engines.items() if name != "silent"} == {
        evaluation_pb2.JUDGE_ENGINE_DETERMINISTIC
    }
    assert judged.engine == HYBRID


@pytest.mark.req("VO-11")
async def test_hybrid_asks_nobody_where_code_has_settled_all() -> None:
    async with judging() as (fake, server):
        judged = (await server.verifier.Judge(judge_request(executor_text("stated"), HYBRID))).evaluation
        assert not fake.requests
    assert judged.verdict == PASS
    assert not judged.HasField("model_use")


@pytest.mark.req("VO-11")
@pytest.mark.parametrize("label", [DIRECT, "reasonable_inference", "overstated", "contradicted"])
@pytest.mark.parametrize(
    ("note", "counts"),
    [(QUOTE, True), ("", False), ("connection pool exhausted after 31 s", False), ("pool", False), (LOG, True)],
)
async def test_hybrid_takes_no_label_without_a_real_quotation(label: str, note: str, counts: bool) -> None:
    async with judging() as (fake, server):
        fake.say(verifier_text({"silent": label}, note=note))
        judged = (await server.verifier.Judge(judge_request(executor_text("silent"), HYBRID))).evaluation
    assert labels_of(judged) == {"silent": label if counts else "unsupported"}
    if counts:
        (witness,) = judged.claim_checks[0].witnesses
        span = witness.evidence_span
        assert LOG[span.start : span.end] == note


@pytest.mark.req("VO-07", "SE-04")
@BOTH
@pytest.mark.parametrize(
    ("script", "status", "failure"),
    [
        (Script("no JSON"), "MISSING", "unreadable"),
        (Script("```json\n" + verifier_text({"silent": DIRECT}) + "\n```"), "MALFORMED", "unreadable"),
        (Script('{"verdict": "PASS"}'), "MALFORMED", "unreadable"),
        (Script(verifier_text({"silent": "proved"})), "MALFORMED", "unreadable"),
        (Script(verifier_text({"silent": DIRECT})[:-9]), "MALFORMED", "unreadable"),
        (Script(status=500, body=b"{}"), "NOTHING", "status_500"),
        (Script(status=401, body=b"{}"), "NOTHING", "status_401"),
        (Script(hang=True), "NOTHING", "timeout"),
        (Script("x", drop_after=3), "NOTHING", "transport"),
    ],
)
async def test_a_model_that_fails_is_low_confidence_and_seen(
    script: Script, status: str, failure: str, engine: Any
) -> None:
    budgets = {"timeout_seconds": 0.1, "total_seconds": 0.25} if script.hang else {}
    async with judging(**budgets) as (fake, server):
        fake.say(script)
        judged = (await server.verifier.Judge(judge_request(executor_text("stated", "silent"), engine))).evaluation
        metric = server.metric("evidencegate_model_failures_total", profile="test", failure=failure)
    assert judged.verdict == LOW
    report = judged.verifier_output_parse_status
    assert report.status != text_pb2.PARSE_STATUS_VALID
    assert (report.raw_length == 0) == (status == "NOTHING")
    assert [warning.id for warning in judged.warnings] == ["judge.model_failed"]
    assert judged.model_use.failure == failure
    assert judged.prompt_audit.prompts
    assert metric == 1.0
    assert labels_of(judged)["silent"] in ("unsupported", "overstated")


@pytest.mark.req("VO-11")
async def test_a_models_answer_is_never_remembered() -> None:
    async with judging() as (fake, server):
        fake.say(verifier_text({"silent": "reasonable_inference"}), verifier_text({"silent": "overstated"}))
        request = judge_request(executor_text("silent"))
        first = (await server.verifier.Judge(request)).evaluation
        second = (await server.verifier.Judge(request)).evaluation
    assert (labels_of(first), labels_of(second)) == ({"silent": "reasonable_inference"}, {"silent": "overstated"})


@pytest.mark.req("IO-07")
@BOTH
async def test_a_server_without_the_model_says_so(engine: Any) -> None:
    async with judging() as (_, server), serving(shipped()) as bare:
        for running, profile in ((server, "other"), (bare, "")):
            request = judge_request(executor_text("stated"), engine, model_profile=profile)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await running.verifier.Judge(request)
            assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
            assert details(caught.value, error_details_pb2.ErrorInfo).reason == "ENGINE_UNAVAILABLE"


async def test_a_request_names_its_profile() -> None:
    async with (
        endpoint() as fake,
        models_of(fake, ("first", "second")) as models,
        serving(shipped(), models=models) as server,
    ):
        fake.say(verifier_text({"silent": "overstated"}))
        request = judge_request(executor_text("silent"), model_profile="second")
        assert (await server.verifier.Judge(request)).evaluation.model_use.profile == "second"


async def test_a_profile_beside_an_engine_that_asks_nobody_is_a_warning() -> None:
    async with judging() as (_, server):
        request = judge_request(executor_text("stated"), evaluation_pb2.JUDGE_ENGINE_DETERMINISTIC, model_profile="x")
        judged = (await server.verifier.Judge(request)).evaluation
    assert [warning.id for warning in judged.warnings] == ["judge.model_profile_ignored"]


@pytest.mark.req("VI-01", "VI-04")
async def test_a_long_session_is_left_out_in_part_and_counted() -> None:
    async with judging(max_prompt_bytes=12_000) as (fake, server):
        fake.say(verifier_text({"stated": DIRECT}))
        request = judge_request(executor_text("stated") + " " * 4_000, original_query="why? " * 2_000)
        judged = (await server.verifier.Judge(request)).evaluation
        (asked,) = fake.requests
    assert len(asked.prompt.encode()) <= 12_000
    assert judged.model_use.left_out_chars >= 6_000


@pytest.mark.req("VI-01")
async def test_reasoning_reaches_no_model() -> None:
    async with judging() as (fake, server):
        fake.say(verifier_text({"stated": DIRECT}))
        text = "<think>SECRET REASONING</think>" + executor_text("stated")
        await server.verifier.Judge(judge_request(text))
        (asked,) = fake.requests
    assert "SECRET REASONING" not in asked.prompt


@pytest.mark.req("SE-01")
async def test_credentials_in_evidence_reach_no_model() -> None:
    secret = "ghp_" + "a1B2" * 9
    async with judging() as (fake, server):
        fake.say(verifier_text({"stated": DIRECT}))
        request = judge_request(executor_text("stated"), original_query=f"why? token={secret}")
        judged = (await server.verifier.Judge(request)).evaluation
        (asked,) = fake.requests
    assert secret not in asked.prompt
    assert judged.model_use.masked_secrets == 1


@pytest.mark.req("CP-04", "CP-05")
@pytest.mark.parametrize(
    ("script", "writer", "reason"),
    [
        (Script(status=500, body=b"{}"), composer_pb2.COMPOSER_WRITER_TEMPLATE, "UNAVAILABLE"),
        (Script("The database db-9 is down."), composer_pb2.COMPOSER_WRITER_TEMPLATE, "LEAK"),
        (
            Script("payment-api: connection pool exhausted after 30 s (active=50, max=50)"),
            composer_pb2.COMPOSER_WRITER_MODEL,
            "UNSPECIFIED",
        ),
    ],
)
async def test_the_servers_model_writes_only_what_may_be_said(script: Script, writer: Any, reason: str) -> None:
    async with judging() as (fake, server):
        deterministic = judge_request(executor_text("stated"), evaluation_pb2.JUDGE_ENGINE_DETERMINISTIC)
        judged = (await server.verifier.Judge(deterministic)).evaluation
        fake.say(script)
        composer: Any = composer_pb2_grpc.ComposerStub(server.channel)
        request = composer_pb2.ComposeRequest(
            evaluation=judged, writer=composer_pb2.COMPOSER_WRITER_MODEL, language="LANGUAGE_EN"
        )
        output = (await composer.Compose(request)).composer_output
    assert output.writer == writer
    assert composer_pb2.FallbackReason.Name(output.fallback_reason) == f"FALLBACK_REASON_{reason}"
    assert output.model_use.requests >= 1
