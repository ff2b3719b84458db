"""What the client goes on with when the service cannot be reached, and when it must not."""

from __future__ import annotations

import threading

import grpc
import pytest
from evidencegate.v1.evaluation_pb2 import Evaluation, RetryContext
from evidencegate.v1.gatekeeper_pb2 import GatekeeperResult, ValidateRequest, ValidateResponse
from evidencegate.v1.prompt_pb2 import PROMPT_ROLE_EXECUTOR, PromptVersion
from evidencegate.v1.text_pb2 import ParseReport
from evidencegate.v1.verifier_pb2 import JudgeRequest, JudgeResponse
from evidencegate_client import (
    ClientConfig,
    DeadlineError,
    Deadlines,
    RetryPolicy,
    ServiceError,
    UnavailableError,
    judge_request,
    safe_text,
    vocabulary,
)

from tests.client.fake_service import Caller, Failure, FakeService

ONCE = ClientConfig(retry=RetryPolicy(max_attempts=1))
REQUEST = judge_request(executor_output="{}", tool_invocations=(), original_query="why?")
FALLBACK = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN"]
RAISED = [code.name for code in grpc.StatusCode if code.name not in {*FALLBACK, "OK"}]


@pytest.mark.req("GK-15")
def test_an_unreachable_gatekeeper_is_a_pass_that_is_marked_as_fallback(call: Caller, dead_target: str) -> None:
    outcome = call(dead_target, "validate_or_fall_back", ValidateRequest(), config=ONCE)
    assert vocabulary.to_dict(outcome.gatekeeper_result) == {
        "status": "pass",
        "severity": "none",
        "checked_bindings": 0,
        "failed_rules": [],
        "warnings": [
            {
                "id": "gatekeeper.fallback",
                "message": "The Gatekeeper could not be reached, so no rule has looked at this output.",
                "place": "",
            }
        ],
        "errors": [],
        "findings": [],
        "rule_errors": [],
        "bindings": [],
        "notes": [],
        "rule_set_version": "1.0.0",
        "rules": [],
        "input_digest": "",
        "catalog_digest": "",
        "engine_version": "",
        "fallback": True,
        "uncounted_findings": [],
    }
    assert outcome.parse_report is None
    assert isinstance(outcome.failure, UnavailableError)


@pytest.mark.req("GK-15")
@pytest.mark.parametrize("round_number", [1, 2])
def test_an_unreachable_verifier_is_low_confid_without_labels(
    call: Caller, dead_target: str, round_number: int
) -> None:
    request = judge_request(executor_output="{}", tool_invocations=(), round=round_number)
    outcome = call(dead_target, "judge_or_fall_back", request, config=ONCE)
    evaluation = vocabulary.to_dict(outcome.evaluation)
    expected = {
        "verdict": "LOW_CONFID",
        "engine_verdict": "LOW_CONFID",
        "groundedness_score": 0.0,
        "critical_fact_count": 0,
        "route": "COMPOSE_WITH_UNCERTAINTY",
        "claim_checks": [],
        "hypothesis_checks": [],
        "facts_checked": [],
        "source": "CLIENT_FALLBACK",
        "round": round_number,
    }
    assert {key: evaluation[key] for key in expected} == expected
    assert outcome.retry_context is None
    absent = {
        "engine",
        "executor_output_parse_status",
        "verifier_output_parse_status",
        "gatekeeper_result",
        "tool_trace_summary",
    }
    assert not absent & evaluation.keys()


@pytest.mark.req("GK-15", "IO-07")
@pytest.mark.parametrize("code", FALLBACK)
@pytest.mark.parametrize("method", ["Validate", "Judge"])
def test_only_four_codes_lead_to_a_fallback(call: Caller, fake: FakeService, method: str, code: str) -> None:
    fake.scripts[method] = [Failure(grpc.StatusCode[code])]
    result = call(fake.target, "evaluate", REQUEST, config=ONCE)
    failure = result.validation.failure if method == "Validate" else result.judgement.failure
    assert failure.code is grpc.StatusCode[code]


@pytest.mark.req("GK-15", "IO-07")
@pytest.mark.parametrize("code", RAISED)
@pytest.mark.parametrize("method", ["Validate", "Judge"])
def test_every_other_code_is_raised_and_never_a_silent_fallback(
    call: Caller, fake: FakeService, method: str, code: str
) -> None:
    fake.scripts[method] = [Failure(grpc.StatusCode[code])]
    with pytest.raises(ServiceError) as caught:
        call(fake.target, "evaluate", REQUEST, config=ONCE)
    assert caught.value.code is grpc.StatusCode[code]


@pytest.mark.req("GK-15")
def test_a_fallback_is_handed_to_judge_so_that_the_service_can_cap_the_verdict(call: Caller, fake: FakeService) -> None:
    fake.scripts["Validate"] = [Failure(grpc.StatusCode.UNAVAILABLE)]
    call(fake.target, "evaluate", REQUEST, config=ONCE)
    judged = [request for method, request in fake.calls if method == "Judge"]
    assert [request.gatekeeper_result.fallback for request in judged] == [True]


@pytest.mark.req("GK-15")
def test_a_service_that_passes_a_fallback_is_not_believed(call: Caller, fake: FakeService) -> None:
    fake.scripts["Validate"] = [Failure(grpc.StatusCode.UNAVAILABLE)]
    fake.scripts["Judge"] = [JudgeResponse(evaluation=Evaluation(verdict=1, route=1, source=1))]
    result = call(fake.target, "evaluate", REQUEST, config=ONCE)
    assert (result.verdict, result.route) == ("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY")


@pytest.mark.req("GK-15")
def test_evaluate_without_any_service_never_passes(call: Caller, dead_target: str) -> None:
    result = call(dead_target, "evaluate", REQUEST, config=ONCE)
    assert (result.verdict, result.route, result.score) == ("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY", 0.0)
    assert result.is_fallback
    assert result.safe_text() == safe_text("zh")
    assert result.safe_text("en") == safe_text("en")


@pytest.mark.req("GK-15")
def test_the_safe_text_is_chinese_by_default_and_english_on_request() -> None:
    assert "无法核验" in safe_text()
    assert safe_text("en").startswith("The findings of this diagnosis could not be checked")
    with pytest.raises(ValueError, match="no text in 'fr'"):
        safe_text("fr")


def test_a_fallback_keeps_what_the_caller_declared_of_its_prompts(call: Caller, dead_target: str) -> None:
    used = PromptVersion(role=PROMPT_ROLE_EXECUTOR, name="diagnose", version="7")
    request = judge_request(executor_output="{}", tool_invocations=(), prompts_used=[used])
    audit = call(dead_target, "judge_or_fall_back", request, config=ONCE).evaluation.prompt_audit
    assert (audit.declared, list(audit.prompts_used)) == (True, [used])
    assert [prompt.name for prompt in audit.prompts] == ["planner", "executor", "verifier", "composer"]


def test_a_pinned_rule_set_version_stands_in_the_fallback(call: Caller, dead_target: str) -> None:
    request = ValidateRequest(expected_rule_set_version="2.7.0")
    outcome = call(dead_target, "validate_or_fall_back", request, config=ONCE)
    assert outcome.gatekeeper_result.rule_set_version == "2.7.0"


@pytest.mark.req("GK-15", "IO-07")
def test_no_answer_within_the_deadline_is_a_fallback(call: Caller, fake: FakeService) -> None:
    fake.release = threading.Event()
    config = ClientConfig(deadlines=Deadlines(judge_seconds=0.2))
    outcome = call(fake.target, "judge_or_fall_back", REQUEST, config=config)
    assert isinstance(outcome.failure, DeadlineError)
    assert vocabulary.to_dict(outcome.evaluation)["source"] == "CLIENT_FALLBACK"


def test_evaluate_hands_the_gatekeepers_result_to_judge_and_leaves_the_request_alone(
    call: Caller, fake: FakeService
) -> None:
    found = GatekeeperResult(status=2, severity=1, input_digest="abc")
    report = ParseReport(status=1)
    retry = RetryContext(verdict=2, groundedness_score=0.25)
    fake.scripts["Validate"] = [ValidateResponse(gatekeeper_result=found, executor_output_parse_status=report)]
    evaluation = Evaluation(verdict=2, route=3, groundedness_score=0.25, source=1)
    fake.scripts["Judge"] = [JudgeResponse(evaluation=evaluation, retry_context=retry)]
    before = JudgeRequest()
    before.CopyFrom(REQUEST)
    result = call(fake.target, "evaluate", REQUEST)
    assert [(name, request.gatekeeper_result) for name, request in fake.calls if name == "Judge"] == [("Judge", found)]
    assert (result.verdict, result.route, result.score) == ("LOW_CONFID", "RETRY", 0.25)
    assert (result.retry_context, result.validation.parse_report) == (retry, report)
    assert not result.is_fallback
    assert result.safe_text() is None
    assert result.safe_text("en") is None
    assert before == REQUEST


@pytest.mark.parametrize(
    ("verdict", "route", "expected"),
    [
        (0, 1, ("REJECT", "DEGRADE")),
        (9, 1, ("REJECT", "DEGRADE")),
        (2, 0, ("LOW_CONFID", "DEGRADE")),
        (1, 77, ("PASS", "DEGRADE")),
        (1, 1, ("PASS", "COMPOSE")),
        (3, 4, ("REJECT", "DEGRADE")),
    ],
)
def test_a_value_that_is_unset_or_unknown_reads_on_the_safe_side(
    call: Caller, fake: FakeService, verdict: int, route: int, expected: tuple[str, str]
) -> None:
    fake.scripts["Judge"] = [JudgeResponse(evaluation=Evaluation(verdict=verdict, route=route, source=1))]
    result = call(fake.target, "evaluate", REQUEST)
    assert (result.verdict, result.route) == expected
