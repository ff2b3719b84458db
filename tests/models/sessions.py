"""A session with one claim of each kind that a model could be told to lift, and models that obey."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from evidencegate.v1 import evaluation_pb2, executor_output_pb2, invocation_pb2, verifier_pb2

LLM = evaluation_pb2.JUDGE_ENGINE_LLM
HYBRID = evaluation_pb2.JUDGE_ENGINE_HYBRID
LOG = "2026-03-02T06:36:10Z ERROR payment-api: connection pool exhausted after 30 s (active=50, max=50)"
STATED = "payment-api: connection pool exhausted after 30 s (active=50, max=50)"
SILENT = "payment-api lost its customers' trust"
DENIED = "payment-api: connection pool exhausted after 90 s (active=50, max=50)"
RUNBOOK = "Runbook: an exhausted pool is often caused by a leaked connection"
GUIDED = "The pool is exhausted because of a leaked connection"
MADE_UP = "payment-api cannot reach 10.9.8.7"


def bound(excerpt: str, call: int = 1, tool: str = "query_logs", raw_path: str = "lines[0]") -> dict[str, Any]:
    """Returns a binding."""
    return {
        "tool_name": tool,
        "source_invocation_id": call,
        "raw_path": raw_path,
        "evidence_excerpt": excerpt,
    }


QUOTED = bound("connection pool exhausted after 30 s")
CLAIMS: dict[str, dict[str, Any]] = {
    "stated": {"claim_text": STATED, "evidence_bindings": [QUOTED]},
    "silent": {"claim_text": SILENT, "evidence_bindings": [QUOTED]},
    "denied": {"claim_text": DENIED, "evidence_bindings": [QUOTED]},
    "unbound": {"claim_text": STATED, "evidence_bindings": []},
    "failed": {"claim_text": "the metrics show 50 connections", "evidence_bindings": [bound("active=50", 3)]},
    "guided": {
        "claim_text": GUIDED,
        "claim_type": "root_cause",
        "evidence_bindings": [bound("often caused by a leaked connection", 2, "lookup_knowledge")],
    },
    "made_up": {"claim_text": MADE_UP, "evidence_bindings": [QUOTED]},
}
REFUSED = ("denied", "unbound", "failed", "guided", "made_up")


def executor_text(*names: str, extra: Sequence[dict[str, Any]] = ()) -> str:
    """Returns what an executor wrote, with these claims."""
    claims = [{"claim_id": name, "claim_type": "symptom", "support_level": "direct", **CLAIMS[name]} for name in names]
    return json.dumps(
        {
            "answer_version": "executor_evidence_v2",
            "claims": [*claims, *extra],
            "hypotheses": [],
            "recommended_actions": [],
            "missing_info": [],
        },
        ensure_ascii=False,
    )


def call(identity: str, tool: str, text: str, **fields: Any) -> invocation_pb2.ToolInvocation:
    """Returns a tool call with one ref."""
    values: dict[str, Any] = {"status": invocation_pb2.INVOCATION_STATUS_SUCCESS, "round": 1, "output": text} | fields
    message = invocation_pb2.ToolInvocation(id=identity, tool_name=tool, **values)
    if text:
        message.retrieval_details.evidence_refs.add(raw_path="lines[0]", text=text)
    return message


def calls(log: str = LOG, runbook: str = RUNBOOK) -> list[invocation_pb2.ToolInvocation]:
    """Returns the calls of the session."""
    failed = invocation_pb2.INVOCATION_STATUS_FAILED
    return [
        call("1", "query_logs", log),
        call("2", "lookup_knowledge", runbook),
        call("3", "query_metrics", "", status=failed, error="timeout"),
    ]


def judge_request(text: str, engine: Any = LLM, **fields: Any) -> verifier_pb2.JudgeRequest:
    """Returns a request by a model engine."""
    values: dict[str, Any] = {"round": 1, "original_query": "why do payments fail?", "tool_invocations": calls()}
    return verifier_pb2.JudgeRequest(
        session_id="s",
        executor_output=executor_output_pb2.ExecutorOutput(text=text),
        engine=engine,
        **(values | fields),
    )


def verifier_text(labels: dict[str, str], note: str = "", verdict: str = "PASS", ref: str = "inv:1") -> str:
    """Returns what a verifier model writes, one check for each claim."""
    checks = [
        {
            "claim_id": name,
            "verification": label,
            "detail": "because",
            "evidence_refs": [{"trace_ref": ref, "note": note}],
        }
        for name, label in labels.items()
    ]
    return json.dumps(
        {
            "verdict": verdict,
            "groundedness_score": 1.0,
            "critical_fact_count": len(checks),
            "rationale": "r",
            "claim_checks": checks,
        }
    )


def labels_of(evaluation: evaluation_pb2.Evaluation) -> dict[str, str]:
    """Returns each claim's label after the guards."""
    name: Callable[[Any], str] = evaluation_pb2.Verification.Name
    return {
        check.claim_id: name(check.verification).removeprefix("VERIFICATION_").lower()
        for check in evaluation.claim_checks
    }
