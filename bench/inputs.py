"""Builds requests of a stated size, English or Chinese, the same ones each time.

`size` is the whole request in bytes, about 3 kB of it the executor's output with ten bindings. Evidence travels
twice, as whole output and in refs, as it does for real tools. Each excerpt is a verbatim piece, as most are in
practice; `folded` makes each differ by white space, so that the text has to be folded.
"""

from __future__ import annotations

import json

from evidencegate.v1 import executor_output_pb2, gatekeeper_pb2, invocation_pb2, verifier_pb2

ENGLISH = (
    "2026-11-30T10:{minute:02d}:{second:02d}Z ERROR checkout-{number} upstream payment-api timed out after {number} ms"
)
CHINESE = (
    "2026-11-30T10:{minute:02d}:{second:02d}Z 错误 结算服务-{number} 调用支付接口超时，耗时 {number} 毫秒，已重试三次"
)
INVOCATIONS = 4
REFS = 3
OUTPUT_BYTES_A_BINDING = 330
OVERHEAD_BYTES = 600


def _lines(template: str, size: int, salt: int) -> list[str]:
    lines, used, number = [], 0, salt * 1_000_003
    while used < size:
        line = template.format(minute=number // 60 % 60, second=number % 60, number=number)
        lines.append(line)
        used += len(line.encode()) + 1
        number += 1
    return lines


def validate_request(
    size: int, *, chinese: bool = False, bindings: int = 10, salt: int = 0, folded: bool = False
) -> gatekeeper_pb2.ValidateRequest:
    """Returns one request; another `salt` gives other text of the same size, so that no cache knows it."""
    evidence = max(INVOCATIONS, size - bindings * OUTPUT_BYTES_A_BINDING - OVERHEAD_BYTES)
    lines = _lines(CHINESE if chinese else ENGLISH, evidence // 2, salt)
    share = max(1, len(lines) // INVOCATIONS)
    invocations, claims = [], []
    for index in range(INVOCATIONS):
        part = lines[index * share : (index + 1) * share if index < INVOCATIONS - 1 else None] or lines[-1:]
        cut = max(1, len(part) // REFS)
        refs = [
            invocation_pb2.EvidenceRef(raw_path=f"lines[{start}]", text="\n".join(part[start : start + cut]))
            for start in range(0, len(part), cut)
        ]
        invocations.append(
            invocation_pb2.ToolInvocation(
                id=str(100 + index),
                tool_name="query_logs",
                status=invocation_pb2.INVOCATION_STATUS_SUCCESS,
                round=1,
                topic_domain="logs",
                input='{"query": "error"}',
                output="\n".join(part),
                retrieval_details=invocation_pb2.RetrievalDetails(evidence_refs=refs),
            )
        )
    for number in range(bindings):
        owner = number % INVOCATIONS
        refs = invocations[owner].retrieval_details.evidence_refs
        ref = refs[number % len(refs)]
        text = ref.text.split("\n")
        excerpt = text[(number * 7919) % len(text)][21:]
        binding = {
            "source_type": "tool_invocation",
            "tool_name": "query_logs",
            "source_invocation_id": 100 + owner,
            "raw_path": ref.raw_path,
            "evidence_excerpt": excerpt.replace(" ", "  ") if folded else excerpt,
        }
        claims.append(
            {
                "claim_id": f"c{number + 1}",
                "claim_type": "symptom",
                "claim_text": excerpt,
                "support_level": "direct",
                "evidence_bindings": [binding],
            }
        )
    output = {
        "answer_version": "executor_evidence_v2",
        "claims": claims,
        "hypotheses": [],
        "recommended_actions": [],
        "missing_info": [],
    }
    return gatekeeper_pb2.ValidateRequest(
        session_id="bench",
        executor_output=executor_output_pb2.ExecutorOutput(text=json.dumps(output, ensure_ascii=False)),
        tool_invocations=invocations,
    )


def judge_request(size: int, claims: int, salt: int) -> verifier_pb2.JudgeRequest:
    """Returns a request to Judge with so many claims beside evidence of this size.

    Each claim says of its line what follows from it and stands nowhere word for word, in both languages by turns, so
    that all of it has to be read.
    """
    asked = validate_request(size + claims * OUTPUT_BYTES_A_BINDING, bindings=claims, salt=salt)
    output = json.loads(asked.executor_output.text)
    for at, claim in enumerate(output["claims"]):
        words = claim["claim_text"].split()
        name, took = next(word for word in words if word.startswith("checkout-")), int(words[-2])
        claim["claim_text"] = (
            f"{name} 调用 payment-api 超时，耗时超过 {took - 1} ms"
            if at % 2
            else f"The call of {name} to payment-api timed out after more than {took - 1} ms"
        )
    return verifier_pb2.JudgeRequest(
        session_id=asked.session_id,
        round=1,
        executor_output=executor_output_pb2.ExecutorOutput(text=json.dumps(output, ensure_ascii=False)),
        tool_invocations=asked.tool_invocations,
    )
