"""The requests for grpcurl are the first example session, so that both come out the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evidencegate.v1.gatekeeper_pb2 import ValidateRequest
from evidencegate.v1.trace_pb2 import SummarizeTraceRequest
from evidencegate.v1.verifier_pb2 import JudgeRequest
from evidencegate_client import EvidenceGateClient, request_from_session, vocabulary
from evidencegate_server.cli.own_server import own_server
from google.protobuf import json_format
from google.protobuf.message import Message

from tests.support import ROOT

EXAMPLES = ROOT / "examples"


def session() -> dict[str, Any]:
    return dict(json.loads((EXAMPLES / "sessions" / "01-good-answer.json").read_text(encoding="utf-8")))


def grpcurl(name: str, into: Message) -> Any:
    """Returns the request as grpcurl would read it."""
    return json_format.Parse((EXAMPLES / "grpcurl" / name).read_text(encoding="utf-8"), into)


def test_the_request_to_judge_is_the_first_session() -> None:
    assert grpcurl("judge.json", JudgeRequest()) == request_from_session(session())


def test_the_request_to_validate_holds_the_same_output_as_an_object() -> None:
    request = grpcurl("validate.json", ValidateRequest())
    output = json.loads(session()["executor_output"])
    for claim in output["claims"]:
        for binding in claim["evidence_bindings"]:
            binding["source_invocation_id"] = str(binding["source_invocation_id"])  # an object would lose digits
    assert json_format.MessageToDict(request.executor_output.object) == output
    assert request.tool_invocations == request_from_session(session()).tool_invocations


def test_the_request_to_summarize_has_the_same_calls() -> None:
    request = grpcurl("summarize_trace.json", SummarizeTraceRequest())
    assert request.tool_invocations == request_from_session(session()).tool_invocations


@pytest.mark.req("IO-02")
def test_the_requests_come_out_as_the_readme_says() -> None:
    with own_server() as target, EvidenceGateClient(target) as client:
        checked = client.validate(grpcurl("validate.json", ValidateRequest()))
        judged = client.judge(grpcurl("judge.json", JudgeRequest()))
    assert vocabulary.to_dict(checked.gatekeeper_result)["status"] == "pass"
    evaluation = vocabulary.to_dict(judged.evaluation)
    assert (evaluation["verdict"], evaluation["route"], evaluation["groundedness_score"]) == ("PASS", "COMPOSE", 1.0)
