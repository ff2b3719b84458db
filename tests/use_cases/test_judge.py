"""Judging by the whole path: what is asked, what is handed in, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import EngineResult, JudgeView, RetryContext
from evidencegate_server.use_cases import judge as judge_module
from evidencegate_server.use_cases.errors import (
    EngineUnavailableError,
    GatekeeperResultMismatchError,
    InvalidRequestError,
)
from evidencegate_server.use_cases.handed_in import HandedInResult
from evidencegate_server.use_cases.judge import JudgeInput, VerifierText, judge
from evidencegate_server.use_cases.summarize import SummaryInput, summarize
from evidencegate_server.use_cases.validate import ValidationInput, validate
from evidencegate_server.verdict.model import PromptVersion
from evidencegate_server.words import (
    Engine,
    EvidenceKind,
    InvocationStatus,
    OutputVariant,
    Resolution,
    Route,
    Verdict,
    Verification,
)

from tests.use_cases.sessions import catalog

LINE = "ERROR: Database connection failed after 3 retries"
CLAIM = "Database connection failed after 3 retries."
CALL = Invocation("394", "query_logs", InvocationStatus.SUCCESS, output=LINE, refs=(EvidenceRef("lines[0]", LINE),))
RUNBOOK = Invocation(
    "395",
    "lookup_knowledge",
    InvocationStatus.SUCCESS,
    output="The connection pool is exhausted",
    refs=(EvidenceRef("documents[0]", "The connection pool is exhausted", EvidenceKind.GUIDANCE),),
)


def bound(excerpt: str = LINE, call: Invocation = CALL, **fields_: object) -> dict[str, Any]:
    """Returns a binding to a call's first ref."""
    return {
        "tool_name": call.tool_name,
        "source_invocation_id": call.id,
        "raw_path": call.refs[0].raw_path,
        "evidence_excerpt": excerpt,
        **fields_,
    }


def said(
    text: str = CLAIM, claim_type: str = "symptom", claim_id: str = "claim-1", bindings: Sequence[object] | None = None
) -> dict[str, Any]:
    """Returns a claim as an executor writes it."""
    return {
        "claim_id": claim_id,
        "claim_type": claim_type,
        "claim_text": text,
        "support_level": "direct",
        "evidence_bindings": [bound()] if bindings is None else bindings,
    }


def output(*claims: dict[str, Any], **lists: object) -> str:
    """Returns an executor's output."""
    return json.dumps(
        {
            "answer_version": "executor_evidence_v2",
            "claims": list(claims),
            "hypotheses": [],
            "recommended_actions": [],
            "missing_info": [],
            **lists,
        }
    )


def request(text: str | bytes | None = None, **fields_: Any) -> JudgeInput:
    """Returns a request in round 1 that passes, changed by the fields."""
    base = JudgeInput(
        round=1,
        original_query="why does it fail?",
        output_variant=OutputVariant.TEXT,
        output=output(said()) if text is None else text,
        invocations=(CALL, RUNBOOK),
    )
    return replace(base, **fields_)


def handed_in(asked: JudgeInput, **fields_: Any) -> HandedInResult:
    """Returns what Validate gives for a request, changed by the fields."""
    checked = validate(
        ValidationInput(asked.output_variant, asked.output, asked.invocations, asked.narrow_question), catalog()
    )
    return replace(HandedInResult.of(checked.result), **fields_)


def supplied(verification: str = "direct_observation", verdict: str = "PASS", **lists: object) -> VerifierText:
    """Returns a verifier model's text that labels claim-1."""
    check = {"claim_id": "claim-1", "verification": verification, "detail": "seen", "evidence_refs": []}
    head = {"verdict": verdict, "groundedness_score": 1.0, "critical_fact_count": 1, "rationale": "so"}
    return VerifierText(json.dumps({**head, "claim_checks": [check], **lists}))


@pytest.mark.req("VD-01", "VO-10", "GK-21", "RT-06")
def test_a_claim_that_its_quotation_states_passes_without_a_handed_in_result() -> None:
    evaluation = judge(request(), catalog())
    assert (evaluation.verdict, evaluation.groundedness_score, evaluation.route) == (Verdict.PASS, 1.0, Route.COMPOSE)
    assert evaluation.claim_checks[0].verification is Verification.DIRECT_OBSERVATION
    assert [check.verified for check in evaluation.gatekeeper.bindings] == [True]
    assert evaluation.retry_context is None


@pytest.mark.req("VI-01")
def test_a_request_and_a_view_have_no_place_for_reasoning_or_history() -> None:
    assert {item.name for item in fields(JudgeInput)} == {
        "round",
        "original_query",
        "output_variant",
        "output",
        "invocations",
        "gatekeeper_result",
        "retry_context",
        "engine",
        "verifier_output",
        "narrow_question",
        "prompts_used",
        "model_profile",
    }
    assert {item.name for item in fields(JudgeView)} == {
        "original_query",
        "final_answer",
        "output",
        "parse_report",
        "trace",
        "gatekeeper",
        "retry_context",
        "cases",
        "invocations",
    }


@pytest.mark.req("VI-01")
def test_a_reasoning_block_is_no_part_of_the_evaluation() -> None:
    evaluation = judge(request("<think>sekrit</think>" + output(said())), catalog())
    assert evaluation.verdict is Verdict.PASS
    assert "sekrit" not in repr(evaluation)


@pytest.mark.req("VI-01")
def test_an_engine_sees_the_answer_without_reasoning_and_the_retry_context(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[JudgeView] = []

    class Watching:
        def judge(self, view: JudgeView) -> EngineResult:
            seen.append(view)
            return EngineResult(Engine.DETERMINISTIC, ())

    monkeypatch.setitem(judge_module._ENGINES, Engine.DETERMINISTIC, lambda *_: Watching())
    text = output(said())
    context = RetryContext(Verdict.LOW_CONFID, 0.0, (), ("metrics",))
    judge(request("<think>sekrit</think>" + text), catalog())
    judge(request(text, round=2, retry_context=context), catalog())
    first, second = seen
    assert (first.final_answer, first.retry_context) == (text, None)
    assert "sekrit" not in repr(first)
    assert (second.final_answer, second.retry_context) == (text, context)


@pytest.mark.req("VI-02")
def test_a_retry_context_in_round_one_is_refused() -> None:
    context = RetryContext(Verdict.LOW_CONFID, 0.0, (), ())
    with pytest.raises(InvalidRequestError) as caught:
        judge(request(retry_context=context), catalog())
    assert [violation.field for violation in caught.value.violations] == ["retry_context"]


@pytest.mark.req("VI-02")
def test_round_two_without_a_retry_context_is_warned_about_in_the_evaluation() -> None:
    context = RetryContext(Verdict.LOW_CONFID, 0.0, (), ())
    without, with_context = (
        judge(request(round=2), catalog()),
        judge(request(round=2, retry_context=context), catalog()),
    )
    assert [notice.id for notice in without.warnings] == ["judge.retry_context_missing"]
    assert with_context.warnings == ()
    assert without.gatekeeper.warnings == ()


@pytest.mark.req("IO-06")
def test_a_query_that_lost_a_character_on_its_way_is_warned_about() -> None:
    damaged = judge(request(original_query="why does \ufffd fail?"), catalog())
    assert [notice.id for notice in damaged.warnings] == ["input.replacement_character"]
    assert damaged.verdict is Verdict.PASS
    assert judge(request(original_query="数据库为什么失败？"), catalog()).warnings == ()


@pytest.mark.req("VI-02")
def test_what_one_round_returns_can_be_handed_to_the_next() -> None:
    first = judge(request(output(said(bindings=[]), missing_info=["metrics"])), catalog())
    assert first.route is Route.RETRY
    assert first.retry_context is not None
    assert first.retry_context.missing_info == ("metrics",)
    second = judge(request(output(said(bindings=[])), round=2, retry_context=first.retry_context), catalog())
    assert (second.route, second.retry_context) == (Route.COMPOSE_WITH_UNCERTAINTY, None)


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_round_that_does_not_exist_is_refused(number: int) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        judge(request(round=number), catalog())
    assert [violation.field for violation in caught.value.violations] == ["round"]


@pytest.mark.req("IO-07")
def test_the_supplied_engine_without_a_text_is_refused() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        judge(request(engine=Engine.SUPPLIED), catalog())
    assert [violation.field for violation in caught.value.violations] == ["verifier_output"]


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("engine", [Engine.LLM, Engine.HYBRID])
def test_an_engine_that_is_not_configured_is_unavailable(engine: Engine) -> None:
    with pytest.raises(EngineUnavailableError) as caught:
        judge(request(engine=engine), catalog())
    assert (caught.value.reason, caught.value.metadata) == ("ENGINE_UNAVAILABLE", {"engine": engine.value})


@pytest.mark.req("VO-07")
@pytest.mark.parametrize("content", [None, b"\xff", "PASS", "```json\n{}\n```"])
def test_an_unreadable_verifier_text_is_a_result(content: str | bytes | None) -> None:
    evaluation = judge(request(engine=Engine.SUPPLIED, verifier_output=VerifierText(content)), catalog())
    assert (evaluation.verdict, evaluation.engine) == (Verdict.LOW_CONFID, Engine.SUPPLIED)
    assert evaluation.verifier_report is not None
    assert evaluation.prompt_audit.prompts


def test_a_verifier_text_for_another_engine_is_ignored_with_a_warning() -> None:
    evaluation = judge(request(verifier_output=supplied("contradicted")), catalog())
    assert evaluation.verdict is Verdict.PASS
    assert [notice.id for notice in evaluation.warnings] == ["judge.verifier_output_ignored"]
    assert evaluation.verifier_report is None


@pytest.mark.req("VO-09")
def test_a_model_cannot_confirm_a_claim_whose_quotation_is_false() -> None:
    text = output(said(bindings=[bound(), bound("Database connection failed after 30 retries")]))
    evaluation = judge(request(text, engine=Engine.SUPPLIED, verifier_output=supplied()), catalog())
    check = evaluation.claim_checks[0]
    assert check.verification is Verification.REASONABLE_INFERENCE
    assert [step.reason for step in check.label_steps] == ["failed_binding"]
    assert evaluation.verdict is Verdict.REJECT


@pytest.mark.req("EX-08")
def test_a_model_cannot_confirm_a_cause_by_a_runbook() -> None:
    cause = said("The connection pool is exhausted", "root_cause", bindings=[bound(RUNBOOK.output, RUNBOOK)])
    for engine, text in ((Engine.SUPPLIED, supplied()), (Engine.DETERMINISTIC, None)):
        evaluation = judge(request(output(cause), engine=engine, verifier_output=text), catalog())
        assert evaluation.claim_checks[0].verification is Verification.UNSUPPORTED
        assert evaluation.claim_checks[0].label_steps or engine is Engine.DETERMINISTIC
        assert evaluation.verdict is Verdict.LOW_CONFID


@pytest.mark.req("EX-08")
def test_a_runbook_stays_no_evidence_beside_an_observation() -> None:
    bindings = [bound(), bound(RUNBOOK.output, RUNBOOK)]
    text = output(said("The connection pool is exhausted", "root_cause", bindings=bindings))
    check = judge(request(text), catalog()).claim_checks[0]
    assert check.verification not in (Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE)
    assert RUNBOOK.id not in [witness.invocation_id for witness in check.witnesses]
    observed = judge(request(output(said(bindings=bindings))), catalog()).claim_checks[0]
    assert observed.verification is Verification.DIRECT_OBSERVATION
    assert {witness.invocation_id for witness in observed.witnesses} == {CALL.id}


@pytest.mark.req("EX-08")
def test_a_runbook_is_evidence_of_what_the_runbook_says() -> None:
    knowledge = said("The connection pool is exhausted", "knowledge", bindings=[bound(RUNBOOK.output, RUNBOOK)])
    assert judge(request(output(knowledge)), catalog()).verdict is Verdict.PASS


@pytest.mark.req("VD-05")
def test_an_invented_error_code_rejects_whatever_a_model_says() -> None:
    text = output(said("The database returned ETIMEDOUT."))
    evaluation = judge(request(text, engine=Engine.SUPPLIED, verifier_output=supplied()), catalog())
    check = evaluation.claim_checks[0]
    assert (check.verification, check.fabricated_identifiers) == (Verification.EXTERNAL_UNKNOWN, ("ETIMEDOUT",))
    assert (evaluation.verdict, evaluation.route) == (Verdict.REJECT, Route.DEGRADE)
    asked = replace(request(text), original_query="is it ETIMEDOUT?")
    assert judge(asked, catalog()).verdict is Verdict.LOW_CONFID


@pytest.mark.req("VD-08")
@pytest.mark.parametrize("text", ["", None, '{"claims": [', "The database is down."])
@pytest.mark.parametrize("engine", [Engine.DETERMINISTIC, Engine.SUPPLIED])
def test_an_unreadable_output_is_low_confidence_whatever_the_engine_says(text: str | None, engine: Engine) -> None:
    facts = [{"fact": "it failed", "is_critical": True, "verification": "direct_evidence", "detail": "seen"}]
    verifier = supplied(facts_checked=facts, claim_checks=[]) if engine is Engine.SUPPLIED else None
    asked = replace(request(engine=engine, verifier_output=verifier), output=text)
    evaluation = judge(asked, catalog())
    assert (evaluation.verdict, evaluation.groundedness_score, evaluation.route) == (
        Verdict.LOW_CONFID,
        0.0,
        Route.RETRY,
    )
    assert evaluation.claim_checks == ()
    assert len(evaluation.facts_checked) == (1 if engine is Engine.SUPPLIED else 0)


@pytest.mark.req("EX-07", "EX-10")
def test_hypotheses_actions_and_missing_info_are_never_judged() -> None:
    side = ["a leak", {"text": "a spike", "weight": 2}]
    text = output(said(), hypotheses=side, recommended_actions=side, missing_info=side)
    evaluation = judge(request(text), catalog())
    assert [item.text for item in evaluation.hypothesis_checks] == ["a leak", "a spike"]
    assert [fact.fact for fact in evaluation.facts_checked] == [f"claim-1: {CLAIM}"]


@pytest.mark.req("EX-04")
def test_a_fault_in_one_claim_leaves_the_others_judged() -> None:
    broken = said(claim_id="claim-2") | {"support_level": "certain"}
    evaluation = judge(request(output(said(), broken)), catalog())
    assert [check.verification for check in evaluation.claim_checks] == [
        Verification.DIRECT_OBSERVATION,
        Verification.UNSUPPORTED,
    ]
    alone = request(output(broken | {"claim_id": "claim-1"}), engine=Engine.SUPPLIED, verifier_output=supplied())
    (check,) = judge(alone, catalog()).claim_checks
    assert check.verification is Verification.UNSUPPORTED
    assert [step.reason for step in check.label_steps] == ["contract_fault"]


@pytest.mark.req("VO-12")
def test_claims_with_one_id_are_judged_apart() -> None:
    evaluation = judge(request(output(said(), said("It is the moon."))), catalog())
    assert [(check.index, check.verification) for check in evaluation.claim_checks] == [
        (0, Verification.DIRECT_OBSERVATION),
        (1, Verification.UNSUPPORTED),
    ]


@pytest.mark.req("GK-16")
def test_a_result_that_belongs_here_changes_nothing() -> None:
    asked = request()
    assert judge(replace(asked, gatekeeper_result=handed_in(asked)), catalog()) == judge(asked, catalog())


@pytest.mark.req("GK-16")
@pytest.mark.parametrize(
    "other",
    [
        request(output(said("Another claim."))),
        request(invocations=(CALL,)),
        request(narrow_question=True),
    ],
    ids=["output", "invocations", "narrow_question"],
)
def test_a_result_of_another_input_is_refused(other: JudgeInput) -> None:
    with pytest.raises(GatekeeperResultMismatchError) as caught:
        judge(replace(request(), gatekeeper_result=handed_in(other)), catalog())
    assert caught.value.reason == "GATEKEEPER_RESULT_MISMATCH"
    assert caught.value.violations[0].field.startswith("gatekeeper_result")


@pytest.mark.req("GK-16")
def test_a_result_that_was_changed_on_the_way_is_refused() -> None:
    failing = request(output(said(bindings=[bound("no such text")])))
    clean = handed_in(failing, outcome=handed_in(request()).outcome)
    with pytest.raises(GatekeeperResultMismatchError):
        judge(replace(failing, gatekeeper_result=clean), catalog())


@pytest.mark.req("GK-16")
@pytest.mark.parametrize(
    "change",
    [
        {"spans": (Span(0, 5),)},
        {"kind": EvidenceKind.GUIDANCE},
        {"steps": ()},
        {"flags": ("replacement_character",)},
        {"tier": "other"},
        {"resolution": Resolution.BACKFILLED},
        {"tool_name": "other"},
        {"mismatch_reason": "other"},
    ],
    ids=str,
)
def test_a_result_with_another_binding_is_refused(change: dict[str, Any]) -> None:
    asked = request()
    checked = validate(
        ValidationInput(asked.output_variant, asked.output, asked.invocations, asked.narrow_question), catalog()
    ).result
    changed = replace(checked, bindings=(replace(checked.bindings[0], **change),))
    with pytest.raises(GatekeeperResultMismatchError):
        judge(replace(asked, gatekeeper_result=HandedInResult.of(changed)), catalog())


@pytest.mark.req("GK-16", "GK-21")
@pytest.mark.parametrize("field", ["catalog_digest", "engine_version"])
def test_under_another_catalog_or_engine_the_own_checks_count_with_a_warning(field: str) -> None:
    failing = request(output(said(bindings=[bound("no such text")])))
    clean = handed_in(failing, outcome=handed_in(request()).outcome, **{field: "other"})
    evaluation = judge(replace(failing, gatekeeper_result=clean), catalog())
    assert evaluation.verdict is Verdict.REJECT
    assert [notice.id for notice in evaluation.warnings] == ["gatekeeper.revalidated"]


@pytest.mark.req("GK-15", "GK-16")
def test_a_fallback_is_checked_afresh_and_never_passes() -> None:
    fallback = HandedInResult("", "", "", (), fallback=True)
    evaluation = judge(request(gatekeeper_result=fallback), catalog())
    assert (evaluation.verdict, evaluation.engine_verdict) == (Verdict.LOW_CONFID, Verdict.PASS)
    assert [step.reason for step in evaluation.verdict_steps] == ["fallback"]
    assert evaluation.gatekeeper.fallback
    assert [check.verified for check in evaluation.gatekeeper.bindings] == [True]
    failing = request(output(said(bindings=[bound("no such text")])), gatekeeper_result=fallback)
    assert judge(failing, catalog()).verdict is Verdict.REJECT


def test_checks_that_were_just_made_need_not_be_made_again() -> None:
    asked = request()
    checked = validate(ValidationInput(asked.output_variant, asked.output, asked.invocations), catalog())
    assert judge(asked, catalog(), checked) == judge(asked, catalog())


@pytest.mark.req("VO-07")
def test_the_prompts_are_told_and_what_the_caller_declared() -> None:
    used = (PromptVersion("verifier", "mine", "7"),)
    audit = judge(request(prompts_used=used), catalog()).prompt_audit
    assert [prompt.role for prompt in audit.prompts] == ["planner", "executor", "verifier", "composer"]
    assert (audit.version, audit.used) == (catalog().prompts.version, used)
    assert judge(request(), catalog()).prompt_audit.used is None


@pytest.mark.req("TS-02", "VO-03")
def test_a_reference_of_each_claim_stands_in_the_trace() -> None:
    evaluation = judge(request(), catalog())
    refs = {ref.trace_ref for check in evaluation.claim_checks for ref in check.evidence_refs}
    assert refs == {"inv:394"}
    assert refs <= {item.trace_ref for item in evaluation.trace.items}
    assert judge(request(invocations=(RUNBOOK, CALL)), catalog()).trace == evaluation.trace


@pytest.mark.req("VO-05", "EX-08")
def test_a_type_that_the_catalog_does_not_know_is_warned_about_at_its_place() -> None:
    claims = [
        said(),
        said(claim_type="根因"),
        said(claim_type="根因"),
        said(claim_type="Root Cause"),
        said(claim_type="x" * 200),
    ]
    evaluation = judge(request(output(*claims)), catalog())
    assert [(notice.id, notice.place) for notice in evaluation.warnings] == [
        ("judge.unknown_claim_type", "claims[1].claim_type"),
        ("judge.unknown_claim_type", "claims[4].claim_type"),
    ]
    assert [check.is_critical for check in evaluation.claim_checks] == [True, False, False, True, False]


@pytest.mark.req("VD-05")
def test_a_claim_that_is_too_long_to_be_examined_cannot_be_confirmed() -> None:
    long = "Database connection failed after 3 retries. " + "x " * 5_000
    evaluation = judge(request(output(said(long)), engine=Engine.SUPPLIED, verifier_output=supplied()), catalog())
    check = evaluation.claim_checks[0]
    assert (check.verification, [step.reason for step in check.label_steps]) == (
        Verification.UNSUPPORTED,
        ["not_examined"],
    )
    assert evaluation.verdict is Verdict.LOW_CONFID


def open_kind(call: Invocation, kind: EvidenceKind = EvidenceKind.OBSERVATION) -> Invocation:
    """Returns a call whose refs have no kind of the caller's."""
    return replace(call, refs=tuple(replace(ref, kind=kind, kind_given=False) for ref in call.refs))


@pytest.mark.req("EX-08", "GK-16")
def test_a_kind_that_is_left_open_is_what_the_tools_results_are() -> None:
    cause = said("The connection pool is exhausted", "root_cause", bindings=[bound(RUNBOOK.output, RUNBOOK)])
    runbook = open_kind(RUNBOOK)
    asked = request(output(cause), invocations=(CALL, runbook))
    evaluation = judge(asked, catalog())
    assert evaluation.claim_checks[0].verification is Verification.UNSUPPORTED
    assert evaluation.gatekeeper.bindings[0].kind is EvidenceKind.GUIDANCE
    assert [item.evidence_level.value for item in evaluation.trace.items] == ["observation", "guidance"]
    given = replace(runbook, refs=tuple(replace(ref, kind_given=True) for ref in runbook.refs))
    as_given = judge(replace(asked, invocations=(CALL, given)), catalog())
    assert as_given.verdict is Verdict.PASS
    assert as_given.gatekeeper.input_digest == evaluation.gatekeeper.input_digest
    assert judge(request(invocations=(open_kind(CALL), RUNBOOK)), catalog()).verdict is Verdict.PASS
    assert [item.evidence_level.value for item in summarize(SummaryInput((runbook,)), catalog()).items] == ["guidance"]


@pytest.mark.req("EX-08", "GK-08")
def test_a_runbook_search_without_a_hit_proves_no_absence() -> None:
    path = {"raw_path": "output"}
    claims = {}
    for tool in ("lookup_knowledge", "query_logs"):
        call = Invocation("7", tool, InvocationStatus.NO_HIT, input="pool", output="no entry was found for the pool")
        binding = {"tool_name": tool, "source_invocation_id": "7", "evidence_excerpt": call.output, **path}
        text = output(said("no entry was found for the pool", "negative_observation", bindings=[binding]))
        claims[tool] = judge(request(text, invocations=(call,)), catalog()).claim_checks[0]
    assert [step.reason for step in claims["query_logs"].label_steps] == []
    assert claims["lookup_knowledge"].verification is Verification.UNSUPPORTED
