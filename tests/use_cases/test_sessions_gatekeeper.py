"""What the Gatekeeper says about the recorded sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.use_cases.validate import ValidationInput, validate
from evidencegate_server.words import EvidenceKind, InvocationStatus, OutputVariant

from tests.rules.cases import catalog
from tests.support import SHARED

SESSIONS = sorted((SHARED / "sessions").glob("*.json"))


def _invocation(row: dict[str, Any]) -> Invocation:
    refs = (row.get("retrieval_details") or {}).get("evidence_refs") or []
    return Invocation(
        id=str(row["id"]),
        tool_name=row["tool_name"],
        status=InvocationStatus(row["status"]),
        round=row.get("round") or 1,
        topic_domain=row.get("topic_domain") or "",
        input=row.get("input") or "",
        output=row.get("output") or "",
        error=row.get("error") or "",
        refs=tuple(
            EvidenceRef(
                raw_path=ref["raw_path"],
                text=ref["text"],
                kind=EvidenceKind(ref.get("kind") or "observation"),
                source_document=ref.get("source_document") or "",
                truncated=bool(ref.get("truncated")),
            )
            for ref in refs
        ),
    )


@pytest.mark.req("GK-06", "GK-02", "EX-08")
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in SESSIONS])
def test_a_recorded_session_fails_the_rules_that_it_should(path: Path) -> None:
    session = json.loads(path.read_text("utf-8"))
    calls = tuple(_invocation(row) for row in session["tool_invocations"])
    request = ValidationInput(OutputVariant.TEXT, session["executor_output"], calls)
    validated = validate(request, catalog())
    result = validated.result
    expected = session["expect"]["gatekeeper"]
    found = {
        "status": result.status.value,
        "severity": result.severity.value,
        "failed_rules": sorted(result.failed_rules),
        "warning_rules": sorted({warning.id for warning in result.warnings}),
    }
    assert found == expected, [f"{each.rule_id} {each.place}: {each.message} {each.quoted}" for each in result.findings]
    assert validated.parsed.report.status.value == session["expect"]["parse_status"]
    assert result.rule_errors == ()
