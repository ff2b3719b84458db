"""Builds requests for the tests of the service."""

from __future__ import annotations

import json
from typing import Any

from evidencegate.v1 import executor_output_pb2, gatekeeper_pb2, invocation_pb2, verifier_pb2

SUCCESS = invocation_pb2.INVOCATION_STATUS_SUCCESS
LOG_LINE = "2026-03-02T06:36:10Z ERROR payment-api: connection pool exhausted after 30 s (active=50, max=50)"


def ref(raw_path: str = "lines[0]", text: str = LOG_LINE, **fields: Any) -> invocation_pb2.EvidenceRef:
    """A ref of one log line."""
    return invocation_pb2.EvidenceRef(raw_path=raw_path, text=text, **fields)


def invocation(
    identity: str = "394", *refs: invocation_pb2.EvidenceRef, **fields: Any
) -> invocation_pb2.ToolInvocation:
    """A successful query of logs; without refs given it has one."""
    values: dict[str, Any] = {"id": identity, "tool_name": "query_logs", "status": SUCCESS, "round": 1} | fields
    message = invocation_pb2.ToolInvocation(**values)
    message.retrieval_details.evidence_refs.extend(refs or (ref(),))
    return message


def binding(**fields: Any) -> dict[str, Any]:
    """A sound binding to the log line; a field given as None is left out."""
    values = {
        "tool_name": "query_logs",
        "source_invocation_id": 394,
        "raw_path": "lines[0]",
        "evidence_excerpt": "connection pool exhausted after 30 s",
    } | fields
    return {name: value for name, value in values.items() if value is not None}


def output_text(*bindings: dict[str, Any], **fields: Any) -> str:
    """A sound executor output with one claim."""
    claim = {
        "claim_id": "c1",
        "claim_type": "symptom",
        "claim_text": "payment-api: connection pool exhausted after 30 s (active=50, max=50)",
        "support_level": "direct",
        "evidence_bindings": list(bindings or (binding(),)),
    }
    values: dict[str, Any] = {
        "answer_version": "executor_evidence_v2",
        "claims": [claim],
        "hypotheses": [],
        "recommended_actions": [],
        "missing_info": [],
    } | fields
    return json.dumps(values, ensure_ascii=False)


def validate_request(text: str | None = None, *invocations: Any, **fields: Any) -> gatekeeper_pb2.ValidateRequest:
    """A sound request to Validate."""
    return gatekeeper_pb2.ValidateRequest(
        session_id="session-1",
        executor_output=executor_output_pb2.ExecutorOutput(text=output_text() if text is None else text),
        tool_invocations=invocations or (invocation(),),
        **fields,
    )


def judge_request(text: str | None = None, *invocations: Any, **fields: Any) -> verifier_pb2.JudgeRequest:
    """A sound request to Judge."""
    values: dict[str, Any] = {"round": 1, "original_query": "why are payments failing?"} | fields
    return verifier_pb2.JudgeRequest(
        session_id="session-1",
        executor_output=executor_output_pb2.ExecutorOutput(text=output_text() if text is None else text),
        tool_invocations=invocations or (invocation(),),
        **values,
    )
