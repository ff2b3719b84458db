"""Judges a small session of its own once the server serves, so that no caller's first Judge has to wait.

What judges is a fifth of what a start would load, and its word lists are made ready by the first judgement; neither is
needed before somebody asks for one. Who asks in the meantime gets the same answer and only waits for it.
"""

from __future__ import annotations

import json
from typing import Final

from evidencegate.v1 import executor_output_pb2, invocation_pb2, verifier_pb2

from evidencegate_server.service.logs import Logger, describe_fault
from evidencegate_server.service.process import loading
from evidencegate_server.service.servicers import Methods

_LINES: Final = ("10:00:01 ERROR api-7 timed out after 300 ms", "10:00:02 错误 订单服务 内存使用率 91%，未恢复")


def request() -> bytes:
    """Returns a JudgeRequest of one call that returned two lines, with a claim on each."""
    refs = [invocation_pb2.EvidenceRef(raw_path=f"lines[{at}]", text=line) for at, line in enumerate(_LINES)]
    call = invocation_pb2.ToolInvocation(
        id="1",
        tool_name="query_logs",
        status=invocation_pb2.INVOCATION_STATUS_SUCCESS,
        round=1,
        output="\n".join(_LINES),
        retrieval_details=invocation_pb2.RetrievalDetails(evidence_refs=refs),
    )
    claims = [
        {
            "claim_id": f"c{at}",
            "claim_type": "symptom",
            "claim_text": claim,
            "support_level": "direct",
            "evidence_bindings": [
                {
                    "source_type": "tool_invocation",
                    "tool_name": "query_logs",
                    "source_invocation_id": 1,
                    "raw_path": f"lines[{at}]",
                    "evidence_excerpt": line,
                }
            ],
        }
        for at, (claim, line) in enumerate(
            zip(("api-7 failed because db-2 was slower than 200 ms", "订单服务内存使用率超过 90%"), _LINES, strict=True)
        )
    ]
    output = {
        "answer_version": "executor_evidence_v2",
        "claims": claims,
        "hypotheses": [],
        "recommended_actions": [],
        "missing_info": [],
    }
    text = json.dumps(output, ensure_ascii=False)
    return verifier_pb2.JudgeRequest(
        round=1, executor_output=executor_output_pb2.ExecutorOutput(text=text), tool_invocations=[call]
    ).SerializeToString()


def rehearse(methods: Methods, logger: Logger) -> None:
    """Judges the session and forgets the answer. A fault is logged; the calls that have it too tell their callers."""
    try:
        with loading():
            methods.judge(request())
    except Exception as error:  # noqa: BLE001 - nobody waits for it
        logger.error("fault", method="rehearsal", **describe_fault(error))
