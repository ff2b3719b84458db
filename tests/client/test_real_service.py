"""The client against the service as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evidencegate.v1.gatekeeper_pb2 import ValidateResponse
from evidencegate.v1.trace_pb2 import SummarizeTraceRequest
from evidencegate.v1.verifier_pb2 import JudgeResponse
from evidencegate_client import (
    InvalidRequestError,
    LimitExceededError,
    PreconditionError,
    fallback_gatekeeper_result,
    judge_request,
    request_from_session,
    validate_request,
    vocabulary,
)
from evidencegate_client.fallback import TRACEABILITY_VERSION
from evidencegate_server.cli.own_server import own_server

from tests.client.fake_service import Caller
from tests.support import ROOT

SESSIONS = sorted((ROOT / "examples" / "sessions").glob("*.json"))


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    """HOST:PORT of the real service."""
    with own_server() as address:
        yield address


def session(name: str) -> dict[str, Any]:
    """Returns an example session."""
    (path,) = (path for path in SESSIONS if path.stem.startswith(name))
    return dict(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.req("IO-01")
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_evaluate_gives_the_verdict_that_the_example_expects(call: Caller, target: str, path: Path) -> None:
    example = json.loads(path.read_text(encoding="utf-8"))
    result = call(target, "evaluate", request_from_session(example))
    assert (result.verdict, result.is_fallback) == (example["expect"]["verdict"], False)


@pytest.mark.req("GK-15")
def test_a_fallback_handed_in_caps_a_pass_at_low_confid(call: Caller, target: str) -> None:
    request = request_from_session(session("01"))
    assert vocabulary.to_dict(call(target, "judge", request))["evaluation"]["verdict"] == "PASS"
    request.gatekeeper_result.CopyFrom(fallback_gatekeeper_result())
    evaluation = vocabulary.to_dict(call(target, "judge", request))["evaluation"]
    assert evaluation["verdict"] == "LOW_CONFID"
    assert evaluation["gatekeeper_result"]["fallback"] is True
    assert evaluation["gatekeeper_result"]["checked_bindings"] == 3


@pytest.mark.req("VI-02")
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_retry_context_comes_exactly_with_the_route_retry(call: Caller, target: str, path: Path) -> None:
    request = request_from_session(json.loads(path.read_text(encoding="utf-8")))
    result = call(target, "evaluate", request)
    assert (result.retry_context is not None) == (result.route == "RETRY")


@pytest.mark.req("VI-02")
def test_a_retry_context_is_handed_back_unchanged_in_round_2_alone(call: Caller, target: str) -> None:
    first = session("06")
    context = call(target, "evaluate", request_from_session(first)).retry_context
    stored = vocabulary.to_dict(context)
    assert [claim["claim_id"] for claim in stored["weak_claims"]] == ["c1"]
    assert stored["missing_info"] == ["Logs of invoice-writer"]
    second = call(target, "evaluate", request_from_session({**first, "round": 2, "retry_context": stored}))
    assert [warning.id for warning in second.evaluation.warnings] == []
    assert (second.route, second.retry_context) == ("COMPOSE_WITH_UNCERTAINTY", None)
    without = call(target, "evaluate", request_from_session({**first, "round": 2}))
    assert [warning.id for warning in without.evaluation.warnings] == ["judge.retry_context_missing"]
    assert [warning.id for warning in without.evaluation.gatekeeper_result.warnings] == []
    with pytest.raises(InvalidRequestError) as caught:
        call(target, "evaluate", request_from_session({**first, "retry_context": stored}))
    assert [violation.field for violation in caught.value.field_violations] == ["retry_context"]


@pytest.mark.req("IO-05")
def test_a_wrong_request_is_raised_with_the_fields(call: Caller, target: str) -> None:
    rows = [{"id": "1", "tool_name": "t", "status": "SUCCESS"}] * 2
    with pytest.raises(InvalidRequestError) as caught:
        call(target, "evaluate", judge_request(executor_output="{}", tool_invocations=rows))
    assert [violation.field for violation in caught.value.field_violations] == ["tool_invocations[1].id"]
    assert caught.value.domain == "evidencegate"


@pytest.mark.req("IO-05")
def test_too_much_evidence_is_raised_with_both_numbers(call: Caller, target: str) -> None:
    limits = call(target, "get_rule_catalog").limits
    rows = [
        {"id": str(number), "tool_name": "t", "status": "SUCCESS"} for number in range(limits.max_tool_invocations + 1)
    ]
    with pytest.raises(LimitExceededError) as caught:
        call(target, "evaluate", judge_request(executor_output="{}", tool_invocations=rows))
    assert caught.value.limit == limits.max_tool_invocations
    assert caught.value.actual == limits.max_tool_invocations + 1


@pytest.mark.req("IO-07")
def test_another_rule_set_than_expected_is_raised(call: Caller, target: str) -> None:
    request = judge_request(executor_output="{}", tool_invocations=[], expected_rule_set_version="0.0.1")
    with pytest.raises(PreconditionError) as caught:
        call(target, "evaluate", request)
    assert caught.value.reason == "RULE_SET_VERSION_MISMATCH"
    assert caught.value.metadata["expected"] == "0.0.1"


@pytest.mark.req("IO-06")
def test_a_lone_surrogate_is_a_result_and_names_itself(call: Caller, target: str) -> None:
    request = judge_request(executor_output='{"a": "\ud800"}', tool_invocations=[])
    report = vocabulary.to_dict(call(target, "evaluate", request).evaluation.executor_output_parse_status)
    assert (report["status"], report["reason"]) == ("malformed", "invalid_unicode")


@pytest.mark.req("IO-07")
def test_no_output_is_parse_status_missing(call: Caller, target: str) -> None:
    request = judge_request(executor_output=None, tool_invocations=[])
    assert vocabulary.to_dict(call(target, "evaluate", request).validation.parse_report)["status"] == "missing"


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_every_answer_reads_back_from_stored_json(call: Caller, target: str, path: Path) -> None:
    request = request_from_session(json.loads(path.read_text(encoding="utf-8")))
    checked = call(target, "validate", validate_request(request))
    judged = call(target, "judge", request)
    assert vocabulary.from_json(ValidateResponse, vocabulary.to_json(checked)) == checked
    assert vocabulary.from_json(JudgeResponse, vocabulary.to_json(judged)) == judged
    assert "UNSPECIFIED" not in vocabulary.to_json(judged).upper()
    assert judged.evaluation.traceability_version == TRACEABILITY_VERSION


def test_the_trace_is_summarized(call: Caller, target: str) -> None:
    request = request_from_session(session("08"))
    asked = SummarizeTraceRequest(tool_invocations=request.tool_invocations)
    items = call(target, "summarize_trace", asked).tool_trace_summary.items
    assert [(item.trace_ref, item.success) for item in items] == [("inv:5801", False), ("inv:5802", True)]
