"""Reads verifier outputs by the strict schema."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.verifier_model import ModelClaimCheck, ModelEvidenceRef, ModelFactCheck
from evidencegate_server.contract.verifier_output import parse_verifier_output
from evidencegate_server.words import FactVerification, Verdict, Verification

from tests.contract.cases import HERE

_POLICY = ParsingPolicy(allow_text_outside_json=True)

_CLAIMS: dict[str, Any] = {
    "verdict": "LOW_CONFID",
    "groundedness_score": 0.62,
    "critical_fact_count": 1,
    "claim_checks": [
        {
            "claim_id": "c1",
            "claim_text": "CPU is high",
            "claim_type": "symptom",
            "verification": "direct_observation",
            "detail": "query_metrics shows 92 %",
            "evidence_refs": [
                {
                    "trace_ref": "inv:394",
                    "tool_name": "query_metrics",
                    "source_invocation_ids": [394, "395"],
                    "note": "92",
                }
            ],
        }
    ],
    "rationale": "one source",
}
_FACTS: dict[str, Any] = {
    "verdict": "PASS",
    "groundedness_score": 1,
    "critical_fact_count": 1,
    "facts_checked": [
        {"fact": "c1: CPU is high", "is_critical": True, "verification": "direct_evidence", "detail": "92 %"}
    ],
    "rationale": "",
}


def _text(case: dict[str, Any]) -> str:
    if "raw" in case:
        return str(case["raw"])
    value = copy.deepcopy({"CLAIMS": _CLAIMS, "FACTS": _FACTS}[case["base"]])
    for path, put in case.get("set", {}).items():
        parent, last = _parent(value, path)
        parent[last] = put
    for path in case.get("drop", ()):
        parent, last = _parent(value, path)
        del parent[last]
    return f"{case.get('before', '')}{json.dumps(value)}{case.get('after', '')}"


def _parent(value: Any, path: str) -> tuple[Any, Any]:
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in way:
        value = value[part]
    return value, last


_CASES = yaml.safe_load((HERE / "verifier_cases.yaml").read_text("utf-8"))


@pytest.mark.req("VO-07")
@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_a_verifier_output_gets_its_status_reason_and_place(case: dict[str, Any]) -> None:
    parsed = parse_verifier_output(_text(case), _POLICY)
    report = parsed.report
    assert (case["status"], case.get("reason", "")) == (report.status, report.reason or ""), report
    assert (parsed.output is not None) == (report.status == "valid")
    assert case.get("says", "") in report.message
    if "offset" in case:
        assert case["offset"] == report.offset
    if "notes" in case:
        assert case["notes"] == [note.id for note in report.notes]


@pytest.mark.req("VO-02", "VO-07")
def test_claim_checks_are_read_with_ids_as_texts() -> None:
    output = parse_verifier_output(json.dumps(_CLAIMS), _POLICY).output
    assert output is not None
    assert output.verdict is Verdict.LOW_CONFID
    assert (output.groundedness_score, output.critical_fact_count, output.rationale) == (0.62, 1, "one source")
    assert output.facts_checked is None
    ref_place = "claim_checks[0].evidence_refs[0]"
    assert output.claim_checks == (
        ModelClaimCheck(
            "claim_checks[0]",
            0,
            "c1",
            None,
            "CPU is high",
            "symptom",
            Verification.DIRECT_OBSERVATION,
            "query_metrics shows 92 %",
            (ModelEvidenceRef(ref_place, "inv:394", "query_metrics", ("394", "395"), "92"),),
        ),
    )


@pytest.mark.req("VO-06", "VO-07")
def test_the_older_fact_list_is_read_alone() -> None:
    output = parse_verifier_output(json.dumps(_FACTS).encode(), _POLICY).output
    assert output is not None
    assert output.claim_checks is None
    assert output.facts_checked == (
        ModelFactCheck("facts_checked[0]", 0, "c1: CPU is high", True, FactVerification.DIRECT_EVIDENCE, "92 %", ()),
    )


@pytest.mark.req("VO-07")
def test_no_output_is_missing() -> None:
    report = parse_verifier_output(None, _POLICY).report
    assert (report.status, report.reason) == ("missing", "empty")
