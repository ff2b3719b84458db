"""The older executor contract by the whole path: read behind the switch, and its answer never shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from evidencegate_server.catalog.model import Catalog, ContractSwitches, ExecutorV1Switch
from evidencegate_server.use_cases.judge import judge
from evidencegate_server.use_cases.validate import ValidationInput, validate
from evidencegate_server.verdict.model import Evaluation
from evidencegate_server.words import (
    Engine,
    FactVerification,
    GatekeeperStatus,
    OutputVariant,
    ParseStatus,
    Route,
    Severity,
    Verdict,
    Verification,
)

from tests.use_cases.sessions import catalog
from tests.use_cases.test_judge import CALL, CLAIM, RUNBOOK, bound, output, request, said, supplied

ANSWER = "Database connection failed after 3 retries."
UNCLAIMED = "The disk of db-9 is full."


def switched() -> Catalog:
    """Returns the catalog with the older contract switched on."""
    return replace(catalog(), contracts=ContractSwitches(executor_v1=ExecutorV1Switch(enabled=True)))


def older(*claims: dict[str, Any], answer: str = ANSWER, **fields: Any) -> str:
    """Returns an output of the older contract; its bindings name invocations by the list alone."""
    texts = {"answer_version": "executor_evidence_v1", "diagnosis_summary": "s", "user_facing_answer": answer}
    return output(*(claims or (said(bindings=[listed()]),)), **texts, **fields)


def listed(**fields: object) -> dict[str, Any]:
    """Returns a binding in the older form, with the path that it did not ask for."""
    binding = bound(source_type="tool_trace", source_id="394", source_invocation_ids=["394"], **fields)
    del binding["source_invocation_id"]
    return binding


def judged(text: str, **fields: Any) -> Evaluation:
    """Returns the evaluation with the switch on."""
    return judge(request(text, **fields), switched())


def checked(text: str, used: Catalog) -> Any:
    """Returns what the Gatekeeper says."""
    return validate(ValidationInput(OutputVariant.TEXT, text, (CALL, RUNBOOK)), used).result


@pytest.mark.req("EX-09", "GK-03")
def test_by_default_the_older_contract_fails_the_present_one_whatever_else_is_right() -> None:
    result = checked(older(), catalog())
    assert (result.status, result.severity) == (GatekeeperStatus.FAIL, Severity.LOW_CONFID)
    assert result.failed_rules == ("schema.executor_v2",)
    assert judge(request(older()), catalog()).executor_report.status is ParseStatus.MALFORMED


@pytest.mark.req("EX-09", "GK-03")
@pytest.mark.parametrize("used", [catalog, switched])
def test_an_output_of_the_present_contract_with_the_removed_fields_fails_with_and_without_the_switch(used: Any) -> None:
    result = checked(output(said(), diagnosis_summary="s", user_facing_answer="a"), used())
    assert [(one.rule_id, one.place) for one in result.findings] == [
        ("schema.executor_v2", "diagnosis_summary"),
        ("schema.executor_v2", "user_facing_answer"),
    ]


@pytest.mark.req("EX-09", "GK-12")
def test_behind_the_switch_a_sound_output_passes_and_its_bindings_are_verified_as_ever() -> None:
    evaluation = judged(older())
    assert (evaluation.verdict, evaluation.route) == (Verdict.PASS, Route.COMPOSE)
    assert [check.verified for check in evaluation.gatekeeper.bindings] == [True]
    assert [fact.claim_index for fact in evaluation.facts_checked] == [0]


@pytest.mark.req("EX-09", "GK-12")
def test_a_binding_in_the_older_form_without_a_path_is_never_precise() -> None:
    binding = listed()
    del binding["raw_path"]
    evaluation = judged(older(said(bindings=[binding])))
    assert evaluation.gatekeeper.failed_rules == ("evidence.raw_path_missing",)
    assert evaluation.verdict is Verdict.LOW_CONFID


@pytest.mark.req("EX-09")
@pytest.mark.parametrize("engine", [Engine.DETERMINISTIC, Engine.SUPPLIED])
def test_a_fact_of_the_answer_alone_is_listed_for_audit_and_lowers_the_verdict(engine: Engine) -> None:
    model = {"verifier_output": supplied()} if engine is Engine.SUPPLIED else {}
    evaluation = judged(older(answer=f"{ANSWER} {UNCLAIMED}"), engine=engine, **model)
    assert (evaluation.verdict, evaluation.engine_verdict) == (Verdict.LOW_CONFID, Verdict.PASS)
    assert [(step.from_verdict, step.to_verdict, step.reason) for step in evaluation.verdict_steps] == [
        (Verdict.PASS, Verdict.LOW_CONFID, "unclaimed_answer_fact")
    ]
    assert "tells 1 fact that no claim has" in evaluation.verdict_steps[0].message
    audit = evaluation.facts_checked[-1]
    assert (audit.fact, audit.verification, audit.claim_index) == (UNCLAIMED, FactVerification.NO_EVIDENCE, None)
    assert audit.unclaimed
    assert (evaluation.groundedness_score, evaluation.critical_fact_count) == (1.0, 1)


@pytest.mark.req("EX-09", "RC-03")
def test_a_stricter_catalog_rejects_for_it() -> None:
    tables = switched().verdict
    caps = tables.caps.model_copy(update={"unclaimed_answer_fact": Verdict.REJECT})
    strict = replace(switched(), verdict=tables.model_copy(update={"caps": caps}))
    evaluation = judge(request(older(answer=UNCLAIMED)), strict)
    assert (evaluation.verdict, evaluation.route) == (Verdict.REJECT, Route.DEGRADE)


@pytest.mark.req("EX-09", "VD-07")
def test_nothing_in_the_answer_lifts_a_verdict() -> None:
    evaluation = judged(older(said("The database is fine.", bindings=[listed()]), answer=ANSWER))
    assert evaluation.verdict is not Verdict.PASS


@pytest.mark.req("EX-09", "CP-01")
@pytest.mark.parametrize("claim", [CLAIM, "The disk of db-9 is broken."])
def test_the_answer_and_the_summary_are_never_material(claim: str) -> None:
    marked = f"{ANSWER} MARK-77 is down."
    evaluation = judged(older(said(claim, bindings=[listed()]), answer=marked, missing_info=["logs"]))
    assert "MARK-77" in str(evaluation.facts_checked)
    assert "MARK-77" not in str(evaluation.allowed_material)
    assert "MARK-77" not in str(evaluation.retry_context)
    assert "MARK-77" not in evaluation.rationale


@pytest.mark.req("EX-09")
@pytest.mark.parametrize("bindings", [[], [listed()], None])
def test_a_claim_that_nothing_supports_by_its_own_word_keeps_the_contract_and_has_no_evidence(bindings: Any) -> None:
    claim = {**said(bindings=bindings or []), "support_level": "none"}
    if bindings is None:
        del claim["evidence_bindings"]
    evaluation = judged(older(claim))
    assert evaluation.gatekeeper.failed_rules == ()
    assert evaluation.claim_checks[0].verification is Verification.UNSUPPORTED
    assert evaluation.verdict is Verdict.LOW_CONFID


@pytest.mark.req("EX-09", "GK-03")
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"support_level": "maybe"}, "claims[0].support_level"),
        ({"support_level": "indirect", "evidence_bindings": []}, "claims[0].evidence_bindings"),
        ({"support_level": "none", "evidence_bindings": "x"}, "claims[0].evidence_bindings"),
        ({"claim_id": ""}, "claims[0].claim_id"),
    ],
)
def test_a_fault_of_a_claim_is_found_at_its_place(change: dict[str, Any], place: str) -> None:
    result = checked(older({**said(bindings=[listed()]), **change}), switched())
    assert [(one.rule_id, one.place) for one in result.findings] == [("schema.executor_v2", place)]


@pytest.mark.req("EX-09", "GK-01")
def test_twice_gives_the_same_evaluation() -> None:
    text = older(answer=f"{UNCLAIMED} {ANSWER}")
    assert judged(text) == judged(text)
    assert json.loads(text)["answer_version"] == "executor_evidence_v1"
