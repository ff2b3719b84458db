"""Retries, sizes, deadlines and metadata, through a real channel."""

from __future__ import annotations

import json

import grpc
import pytest
from evidencegate.v1.catalog_pb2 import GetRuleCatalogResponse
from evidencegate.v1.evaluation_pb2 import JUDGE_ENGINE_LLM
from evidencegate.v1.gatekeeper_pb2 import ValidateRequest, ValidateResponse
from evidencegate.v1.trace_pb2 import SummarizeTraceRequest, SummarizeTraceResponse
from evidencegate.v1.verifier_pb2 import JudgeRequest
from evidencegate_client import ClientConfig, LimitExceededError, RetryPolicy, UnavailableError, judge_request
from evidencegate_client.calls import judge
from evidencegate_client.config import MAX_MESSAGE_BYTES, service_config

from tests.client.fake_service import Caller, Failure, FakeService

QUICK = ClientConfig(retry=RetryPolicy(initial_backoff_seconds=0.01, max_backoff_seconds=0.02))
DOWN = Failure(grpc.StatusCode.UNAVAILABLE)


@pytest.mark.req("IO-07")
def test_unavailable_is_tried_again(call: Caller, fake: FakeService) -> None:
    fake.scripts["GetRuleCatalog"] = [DOWN, DOWN, GetRuleCatalogResponse(rule_set_version="3")]
    assert call(fake.target, "get_rule_catalog", config=QUICK).rule_set_version == "3"
    assert fake.count("GetRuleCatalog") == 3


def test_attempts_end_at_the_policys_number(call: Caller, fake: FakeService) -> None:
    fake.scripts["GetRuleCatalog"] = [DOWN] * 9
    with pytest.raises(UnavailableError):
        call(fake.target, "get_rule_catalog", config=QUICK)
    assert fake.count("GetRuleCatalog") == QUICK.retry.max_attempts


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("code", ["RESOURCE_EXHAUSTED", "INTERNAL", "UNKNOWN", "ABORTED", "INVALID_ARGUMENT"])
def test_no_other_code_is_tried_again(call: Caller, fake: FakeService, code: str) -> None:
    fake.scripts["Validate"] = [Failure(grpc.StatusCode[code])] * 9
    with pytest.raises(Exception, match=code):
        call(fake.target, "validate", ValidateRequest(), config=QUICK)
    assert fake.count("Validate") == 1


def test_a_large_request_is_tried_again_as_well(call: Caller, fake: FakeService) -> None:
    """GRPC's own retry buffer of 256 KiB would send this once and give up."""
    fake.scripts["Judge"] = [DOWN]
    request = judge_request(executor_output="{}", tool_invocations=(), original_query="x" * 3_000_000)
    call(fake.target, "judge", request, config=QUICK)
    assert fake.count("Judge") == 2


def test_messages_over_grpcs_own_limit_go_both_ways(call: Caller, fake: FakeService) -> None:
    answer = SummarizeTraceResponse()
    answer.tool_trace_summary.omitted_invocation_ids.append("y" * 9_000_000)
    fake.scripts["SummarizeTrace"] = [answer]
    request = SummarizeTraceRequest(session_id="x" * 9_000_000)
    assert call(fake.target, "summarize_trace", request) == answer


@pytest.mark.req("IO-05")
def test_a_request_over_32_mib_is_refused_before_it_is_sent(call: Caller, fake: FakeService) -> None:
    request = ValidateRequest(session_id="x" * (MAX_MESSAGE_BYTES + 1))
    with pytest.raises(LimitExceededError, match=str(MAX_MESSAGE_BYTES)):
        call(fake.target, "validate", request)
    assert fake.count("Validate") == 0


def test_a_token_goes_with_every_call(call: Caller, fake: FakeService) -> None:
    config = ClientConfig(metadata=(("authorization", "Bearer t"),))
    call(fake.target, "validate", ValidateRequest(), config=config)
    assert ("authorization", "Bearer t") in fake.metadata
    assert "Bearer" not in repr(config)


def test_each_method_is_called_by_its_name(call: Caller, fake: FakeService) -> None:
    fake.scripts["Validate"] = [ValidateResponse()]
    call(fake.target, "validate", ValidateRequest())
    call(fake.target, "judge", JudgeRequest())
    call(fake.target, "summarize_trace", SummarizeTraceRequest())
    call(fake.target, "get_rule_catalog")
    assert [method for method, _ in fake.calls] == ["Validate", "Judge", "SummarizeTrace", "GetRuleCatalog"]


def test_the_retry_policy_names_every_method_and_unavailable_alone() -> None:
    assert json.loads(service_config(RetryPolicy())) == {
        "methodConfig": [
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 4,
                    "initialBackoff": "0.1s",
                    "maxBackoff": "2s",
                    "backoffMultiplier": 2.0,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ]
    }
    assert json.loads(service_config(RetryPolicy(max_attempts=1))) == {"methodConfig": [{"name": [{}]}]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_attempts": 0},
        {"max_attempts": 6},
        {"initial_backoff_seconds": 0.009},
        {"initial_backoff_seconds": 3.0},
        {"backoff_multiplier": 0.5},
    ],
)
def test_a_policy_that_grpc_would_ignore_or_hang_on_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        RetryPolicy(**wrong)  # type: ignore[arg-type]


def test_a_judge_that_asks_a_model_has_the_longer_deadline() -> None:
    config = ClientConfig()
    plain = next(judge(JudgeRequest(), config))
    by_model = next(judge(JudgeRequest(engine=JUDGE_ENGINE_LLM), config))
    assert (plain.timeout_seconds, by_model.timeout_seconds) == (10.0, 120.0)
