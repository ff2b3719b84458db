"""What an editor changes in the catalog changes what the service decides, and never for the laxer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.use_cases.judge import JudgeInput, VerifierText, judge
from evidencegate_server.use_cases.validate import ValidationInput, validate
from evidencegate_server.verdict.model import Evaluation
from evidencegate_server.words import (
    Engine,
    GatekeeperStatus,
    InvocationStatus,
    OutputVariant,
    Route,
    Severity,
    Verdict,
    Verification,
)

from tests.catalog.support import RULES, copy_rules, edit

TEXT = "pod checkout-7d9 was OOMKilled at 10:02 and restarted 3 times"
INVOCATIONS = (
    Invocation(
        id="7",
        tool_name="kubectl_describe",
        status=InvocationStatus.SUCCESS,
        input='{"pod":"checkout-7d9"}',
        output=TEXT,
        refs=(EvidenceRef(raw_path="lines[0]", text=TEXT),),
    ),
)


def _claim(claim_id: str, claim_type: str, **binding: Any) -> dict[str, Any]:
    bound = {
        "tool_name": "kubectl_describe",
        "source_invocation_id": "7",
        "raw_path": "lines[0]",
        "evidence_excerpt": "was OOMKilled at 10:02",
        **binding,
    }
    return {
        "claim_id": claim_id,
        "claim_type": claim_type,
        "claim_text": "pod checkout-7d9 was OOMKilled at 10:02",
        "support_level": "direct",
        "evidence_bindings": [{key: value for key, value in bound.items() if value is not None}],
    }


def _output(*claims: dict[str, Any]) -> str:
    return json.dumps(
        {
            "answer_version": "executor_evidence_v2",
            "claims": claims,
            "hypotheses": [],
            "recommended_actions": [],
            "missing_info": [],
        }
    )


def _judge(catalog: Catalog, output: str, *labels: Verification) -> Evaluation:
    """Returns the evaluation in round 1 where a verifier model gave the claims c0, c1, ... these labels."""
    checks = [
        {"claim_id": f"c{at}", "verification": label.value, "detail": "", "evidence_refs": [{"trace_ref": "inv:7"}]}
        for at, label in enumerate(labels)
    ]
    verifier_output = json.dumps(
        {
            "verdict": "PASS",
            "groundedness_score": 1.0,
            "critical_fact_count": len(labels),
            "rationale": "",
            "claim_checks": checks,
            "facts_checked": [],
        }
    )
    request = JudgeInput(
        round=1,
        original_query="why did checkout restart?",
        output_variant=OutputVariant.TEXT,
        output=output,
        invocations=INVOCATIONS,
        engine=Engine.SUPPLIED,
        verifier_output=VerifierText(verifier_output),
    )
    return judge(request, catalog)


DIRECT = Verification.DIRECT_OBSERVATION
UNKNOWN_PATH = _output(_claim("c0", "symptom", raw_path="lines[99]"))
NO_PATH = _output(_claim("c0", "symptom", raw_path=None))


def _edited(folder: Path, file: str, old: str, new: str) -> Catalog:
    rules = copy_rules(folder)
    edit(rules, file, old, new)
    return load_catalog(rules)


@pytest.mark.req("RC-03")
def test_a_severity_that_is_edited_decides(tmp_path: Path) -> None:
    standard = _judge(load_catalog(RULES), UNKNOWN_PATH, DIRECT)
    edited = _judge(
        _edited(tmp_path, "evidence/raw_path.yaml", "severity: reject", "severity: low_confid"), UNKNOWN_PATH, DIRECT
    )

    assert (standard.gatekeeper.severity, standard.verdict) == (Severity.REJECT, Verdict.REJECT)
    assert (edited.gatekeeper.severity, edited.verdict) == (Severity.LOW_CONFID, Verdict.LOW_CONFID)
    assert edited.gatekeeper.failed_rules == ("evidence.raw_path",)


@pytest.mark.req("RC-03")
def test_a_rule_that_is_switched_off_counts_no_more_and_verifies_nothing(tmp_path: Path) -> None:
    catalog = _edited(tmp_path, "evidence/raw_path.yaml", "enabled: true", "enabled: false")
    evaluation = _judge(catalog, UNKNOWN_PATH, DIRECT)

    assert evaluation.gatekeeper.failed_rules == ()
    assert [finding.rule_id for finding in evaluation.gatekeeper.uncounted_findings] == ["evidence.raw_path"]
    assert [binding.verified for binding in evaluation.gatekeeper.bindings] == [False]
    assert evaluation.claim_checks[0].verification is Verification.UNSUPPORTED
    assert evaluation.verdict is Verdict.LOW_CONFID


@pytest.mark.req("RC-03")
def test_a_claim_that_breaks_the_contract_stays_unsound_where_the_rule_is_switched_off(tmp_path: Path) -> None:
    catalog = _edited(tmp_path, "schema/executor_v2.yaml", "enabled: true", "enabled: false")
    evaluation = _judge(catalog, _output({**_claim("c0", "symptom"), "support_level": "certain"}), DIRECT)
    check = evaluation.claim_checks[0]

    assert evaluation.gatekeeper.failed_rules == ()
    assert [finding.reason for finding in evaluation.gatekeeper.uncounted_findings] == ["unknown_support_level"]
    assert check.verification is Verification.UNSUPPORTED
    assert [step.reason for step in check.label_steps] == ["contract_fault"]


@pytest.mark.req("RC-03")
def test_a_parameter_that_is_edited_decides(tmp_path: Path) -> None:
    catalog = _edited(tmp_path, "schema/executor_v2.yaml", "max_claims: 200", "max_claims: 1")
    two = _output(_claim("c0", "symptom"), _claim("c1", "symptom"))
    request = ValidationInput(OutputVariant.TEXT, two, INVOCATIONS)

    assert validate(request, load_catalog(RULES)).result.status is GatekeeperStatus.PASS
    result = validate(request, catalog).result
    assert result.failed_rules == ("schema.executor_v2",)
    assert [finding.reason for finding in result.findings] == ["too_many_claims"]


@pytest.mark.req("RC-03")
def test_a_lowered_cap_decides(tmp_path: Path) -> None:
    catalog = _edited(tmp_path, "catalog.yaml", "low_confid: LOW_CONFID", "low_confid: REJECT")

    assert _judge(load_catalog(RULES), NO_PATH, DIRECT).verdict is Verdict.LOW_CONFID
    assert _judge(catalog, NO_PATH, DIRECT).verdict is Verdict.REJECT


@pytest.mark.req("RC-03")
def test_a_single_round_ends_in_no_retry(tmp_path: Path) -> None:
    catalog = _edited(tmp_path, "catalog.yaml", "max_rounds: 2", "max_rounds: 1")

    assert _judge(load_catalog(RULES), NO_PATH, DIRECT).route is Route.RETRY
    assert _judge(catalog, NO_PATH, DIRECT).route is Route.COMPOSE_WITH_UNCERTAINTY


@pytest.mark.req("RC-03")
def test_lower_scores_and_a_higher_threshold_decide(tmp_path: Path) -> None:
    output = _output(_claim("c0", "symptom"), _claim("c1", "symptom"))
    labels = (DIRECT, Verification.REASONABLE_INFERENCE)
    standard = _judge(load_catalog(RULES), output, *labels)
    lower = _judge(
        _edited(tmp_path / "a", "catalog.yaml", "indirect_support: 0.6", "indirect_support: 0.25"), output, *labels
    )
    higher = _judge(
        _edited(tmp_path / "b", "catalog.yaml", "pass_threshold: 0.5", "pass_threshold: 0.81"), output, *labels
    )

    assert (standard.verdict, standard.groundedness_score) == (Verdict.PASS, 0.8)
    assert (lower.verdict, lower.groundedness_score) == (Verdict.PASS, 0.625)
    assert (higher.verdict, higher.groundedness_score) == (Verdict.LOW_CONFID, 0.8)


ONE_MORE = ("[root_cause, symptom, impact, risk]", "[root_cause, symptom, impact, risk, change]")


@pytest.mark.req("RC-03")
def test_a_further_critical_type_must_be_confirmed_as_well(tmp_path: Path) -> None:
    output = _output(_claim("c0", "symptom"), _claim("c1", "change"))
    labels = (DIRECT, Verification.UNSUPPORTED)

    assert _judge(load_catalog(RULES), output, *labels).verdict is Verdict.PASS
    edited = _judge(_edited(tmp_path, "catalog.yaml", *ONE_MORE), output, *labels)
    assert edited.verdict is Verdict.LOW_CONFID
    assert [check.is_critical for check in edited.claim_checks] == [True, True]


@pytest.mark.req("RC-03")
@pytest.mark.parametrize(
    ("types", "labels"),
    [
        # The confirmed change would be the one direct observation that a pass needs.
        (("symptom", "change"), (Verification.REASONABLE_INFERENCE, DIRECT)),
        # The observation would no more be critical.
        (("observation", "change"), (Verification.UNSUPPORTED, DIRECT)),
        # The confirmed change would lift the mean.
        (("symptom", "change"), (Verification.UNSUPPORTED, DIRECT)),
    ],
)
def test_a_further_critical_type_lifts_nothing(
    types: tuple[str, ...], labels: tuple[Verification, ...], tmp_path: Path
) -> None:
    output = _output(*(_claim(f"c{at}", name) for at, name in enumerate(types)))
    standard = _judge(load_catalog(RULES), output, *labels)
    edited = _judge(_edited(tmp_path, "catalog.yaml", *ONE_MORE), output, *labels)

    assert standard.verdict is Verdict.LOW_CONFID
    assert edited.verdict is Verdict.LOW_CONFID
    assert edited.groundedness_score <= standard.groundedness_score
