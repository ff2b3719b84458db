"""An evaluation as a whole: every claim once, nothing raised, each lowering told."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from evidencegate_server.contract.model import ParseReport
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.judge.model import AuditFact, EngineResult, RefPointer
from evidencegate_server.rules.model import RuleError
from evidencegate_server.verdict.guards import guard
from evidencegate_server.verdict.route import route
from evidencegate_server.words import (
    Engine,
    EvidenceKind,
    FactVerification,
    GatekeeperStatus,
    InvocationStatus,
    ParseReason,
    ParseStatus,
    Route,
    Severity,
    Verdict,
    Verification,
)

from tests.verdict.helpers import TABLES, binding, case, claim, gatekeeper, invocation, judged, label

DIRECT = Verification.DIRECT_OBSERVATION
INFERENCE = Verification.REASONABLE_INFERENCE
ORDER = [Verdict.PASS, Verdict.LOW_CONFID, Verdict.REJECT]


@pytest.mark.req("VD-07", "VD-01", "VD-08", "GK-15")
@pytest.mark.parametrize(
    ("engine", "severity", "failed", "parse", "fallback", "weak"),
    list(product(Verdict, Severity, [True, False], ParseStatus, [True, False], [True, False])),
)
def test_the_effective_verdict_is_the_lowest_of_all_that_speaks(
    engine: Verdict, severity: Severity, failed: bool, parse: ParseStatus, fallback: bool, weak: bool
) -> None:
    status = GatekeeperStatus.FAIL if failed or severity is not Severity.NONE else GatekeeperStatus.PASS
    evaluation = judged(
        [DIRECT, Verification.UNSUPPORTED if weak else DIRECT],
        engine_verdict=engine,
        checked=gatekeeper(severity, status=status, fallback=fallback),
        parse_status=parse,
    )
    # Of an output that could not be read no engine can say anything, a REJECT included.
    bounds = [engine if parse is ParseStatus.VALID else Verdict.LOW_CONFID]
    if status is GatekeeperStatus.FAIL:
        bounds.append(Verdict.REJECT if severity is Severity.REJECT else Verdict.LOW_CONFID)
    if parse is not ParseStatus.VALID or fallback or weak:
        bounds.append(Verdict.LOW_CONFID)
    expected = max(bounds, key=ORDER.index)
    assert evaluation.verdict is expected
    assert evaluation.engine_verdict is engine
    path = [engine]
    for step in evaluation.verdict_steps:
        assert step.from_verdict is path[-1]
        lowered = ORDER.index(step.to_verdict) > ORDER.index(step.from_verdict)
        assert lowered or step.reason == "parse_status"
        assert step.reason
        assert step.message
        path.append(step.to_verdict)
    assert path[-1] is expected


@pytest.mark.req("VD-07")
def test_a_gatekeeper_failure_of_severity_none_still_prevents_a_pass() -> None:
    checked = gatekeeper(status=GatekeeperStatus.FAIL, failed_rules=("some.rule",))
    assert judged([DIRECT], checked=checked).verdict is Verdict.LOW_CONFID


@pytest.mark.req("VD-06")
def test_a_reject_for_another_reason_than_the_facts_leaves_the_score() -> None:
    refused = judged([DIRECT], checked=gatekeeper(Severity.REJECT, failed_rules=("some.rule",)))
    assert (refused.verdict, refused.groundedness_score, refused.route) == (Verdict.REJECT, 1.0, Route.DEGRADE)
    invented = judged([DIRECT, DIRECT], fabricated={1: ("db-9",)})
    assert (invented.verdict, invented.groundedness_score) == (Verdict.REJECT, 0.5)


@pytest.mark.req("GK-18")
def test_a_crashed_rule_prevents_a_pass() -> None:
    checked = gatekeeper(
        Severity.LOW_CONFID, failed_rules=("some.rule",), rule_errors=(RuleError("some.rule", "", "ValueError"),)
    )
    assert judged([DIRECT], checked=checked).verdict is Verdict.LOW_CONFID


@pytest.mark.req("VO-01")
@pytest.mark.parametrize("labels", list(product(Verification, repeat=2)))
def test_score_and_count_and_facts_come_with_every_verdict(labels: tuple[Verification, ...]) -> None:
    evaluation = judged(labels)
    assert 0.0 <= evaluation.groundedness_score <= 1.0
    assert evaluation.critical_fact_count == 2
    assert len(evaluation.claim_checks) == len(evaluation.facts_checked) == 2
    assert evaluation.rationale.startswith(evaluation.verdict.value)


@pytest.mark.req("VO-02", "VO-03")
def test_a_claim_check_carries_the_claim_its_label_and_its_references() -> None:
    check = judged([DIRECT]).claim_checks[0]
    assert (check.claim_id, check.claim_text, check.claim_type) == ("claim-1", "it failed", "symptom")
    assert (check.verification, check.detail, check.engine) == (DIRECT, "because", Engine.SUPPLIED)
    assert [(ref.trace_ref, ref.tool_name, ref.source_invocation_ids) for ref in check.evidence_refs] == [
        ("inv:1", "query_logs", ("1",))
    ]


@pytest.mark.req("VO-04")
def test_facts_are_the_claim_checks_in_the_older_form() -> None:
    evaluation = judged(list(Verification))
    for check, fact in zip(evaluation.claim_checks, evaluation.facts_checked, strict=True):
        assert fact.fact == f"{check.claim_id}: {check.claim_text}"
        assert (fact.detail, fact.evidence_refs, fact.is_critical) == (
            check.detail,
            check.evidence_refs,
            check.is_critical,
        )
        assert fact.claim_index == check.index
    assert [fact.verification.value for fact in evaluation.facts_checked] == [
        "direct_evidence",
        "indirect_support",
        "indirect_support",
        "no_evidence",
        "no_evidence",
        "contradicted",
    ]


@pytest.mark.req("VO-08")
def test_a_claim_that_the_engine_left_out_is_unsupported() -> None:
    evaluation = judged([DIRECT, None])
    left_out = evaluation.claim_checks[1]
    assert (left_out.verification, left_out.engine, left_out.engine_verification) == (
        Verification.UNSUPPORTED,
        None,
        None,
    )


@pytest.mark.req("VO-08")
def test_a_label_for_a_claim_that_is_not_there_is_dropped_with_a_warning() -> None:
    evaluation = judged([DIRECT, label(7, Verification.CONTRADICTED)], types=["symptom"])
    assert len(evaluation.claim_checks) == 1
    assert [notice.id for notice in evaluation.warnings] == ["judge.unknown_claim"]
    assert evaluation.verdict is Verdict.PASS


@pytest.mark.req("VO-12")
def test_repeated_claim_ids_stay_apart_and_in_order() -> None:
    cases = [case(claim(at, claim_id="same", text=f"text {at}")) for at in range(3)]
    evaluation = judged([DIRECT, INFERENCE, Verification.OVERSTATED], cases=cases)
    assert [(check.index, check.claim_text, check.verification) for check in evaluation.claim_checks] == [
        (0, "text 0", DIRECT),
        (1, "text 1", INFERENCE),
        (2, "text 2", Verification.OVERSTATED),
    ]


@pytest.mark.req("VO-03")
def test_a_reference_that_points_nowhere_is_dropped_and_the_claim_is_not_direct() -> None:
    pointers = (RefPointer("inv:1", ("1",)), RefPointer("inv:99", ()))
    evaluation = judged([label(0, DIRECT, pointers=pointers)])
    check = evaluation.claim_checks[0]
    assert [ref.trace_ref for ref in check.evidence_refs] == ["inv:1"]
    assert (check.verification, check.engine_verification) == (INFERENCE, DIRECT)
    assert [notice.id for notice in evaluation.warnings] == ["judge.evidence_ref_dropped"]
    assert evaluation.verdict is Verdict.LOW_CONFID


@pytest.mark.req("VO-09")
def test_a_reference_to_an_invocation_that_does_not_exist_is_dropped() -> None:
    evaluation = judged([label(0, DIRECT, pointers=(RefPointer("inv:1", ("1", "909")),))])
    assert evaluation.claim_checks[0].verification is INFERENCE


@pytest.mark.req("VO-03")
def test_a_reference_that_also_names_an_invented_invocation_is_dropped_with_a_warning() -> None:
    evaluation = judged([label(0, DIRECT, pointers=(RefPointer("inv:1", ("1", "909")),))])
    check = evaluation.claim_checks[0]
    assert (check.verification, check.evidence_refs) == (INFERENCE, ())
    assert [step.reason for step in check.label_steps] == ["dropped_evidence_ref"]
    assert [notice.id for notice in evaluation.warnings] == ["judge.evidence_ref_dropped"]


@pytest.mark.req("TS-02")
def test_a_wrong_address_is_resolved_by_its_invocations_with_a_warning() -> None:
    evaluation = judged([label(0, DIRECT, pointers=(RefPointer("trace-1", ("1",), "the line"),))])
    check = evaluation.claim_checks[0]
    assert [(ref.trace_ref, ref.note) for ref in check.evidence_refs] == [("inv:1", "the line")]
    assert check.verification is DIRECT
    assert [notice.id for notice in evaluation.warnings] == ["judge.evidence_ref_resolved"]


UNUSABLE = [
    replace(invocation("2"), status=InvocationStatus.FAILED),
    replace(invocation("2"), status=InvocationStatus.DEDUPED),
    replace(invocation("2"), status=InvocationStatus.NO_HIT),
    replace(invocation("2"), output=" ", refs=()),
    replace(invocation("2"), refs=(EvidenceRef("documents[0]", "restart it", EvidenceKind.GUIDANCE),)),
]


@pytest.mark.req("VO-03", "VO-09", "TS-06")
@pytest.mark.parametrize("other", UNUSABLE, ids=["failed", "deduped", "no hit", "no text", "guidance"])
def test_references_to_calls_that_bear_nothing_leave_an_inference(other: Invocation) -> None:
    calls = [invocation(), other]
    alone = judged([label(0, DIRECT, pointers=(RefPointer("inv:2", ()),))], invocations=calls)
    check = alone.claim_checks[0]
    assert (check.verification, [step.reason for step in check.label_steps]) == (INFERENCE, ["unusable_evidence_ref"])
    assert [notice.id for notice in alone.warnings] == ["judge.evidence_refs_unusable"]
    assert [ref.trace_ref for ref in check.evidence_refs] == ["inv:2"]
    pointers = (RefPointer("inv:2", ()), RefPointer("inv:1", ()))
    beside = judged([label(0, DIRECT, pointers=pointers)], invocations=calls)
    assert (beside.claim_checks[0].verification, beside.warnings) == (DIRECT, ())


@pytest.mark.req("VO-03", "EX-08")
@pytest.mark.parametrize(("other", "claim_type"), [(UNUSABLE[2], "Negative-Observation"), (UNUSABLE[4], "Knowledge")])
def test_a_call_without_a_hit_bears_an_absence_and_a_runbook_what_it_says(other: Invocation, claim_type: str) -> None:
    evaluation = judged(
        [label(0, DIRECT, pointers=(RefPointer("inv:2", ()),))], types=[claim_type], invocations=[invocation(), other]
    )
    assert (evaluation.claim_checks[0].verification, evaluation.warnings) == (DIRECT, ())


@pytest.mark.req("VO-03")
@pytest.mark.parametrize(
    "pointer",
    [RefPointer("inv:1", ("2",)), RefPointer("inv:1", ("1", "2")), RefPointer("inv:1", (), tool_name="made_up")],
)
def test_a_reference_keeps_the_tool_and_the_invocations_of_its_item(pointer: RefPointer) -> None:
    evaluation = judged([label(0, DIRECT, pointers=(pointer,))], invocations=[invocation(), invocation("2", "other")])
    (ref,) = evaluation.claim_checks[0].evidence_refs
    assert (ref.tool_name, ref.source_invocation_ids) == ("query_logs", ("1",))
    assert [notice.id for notice in evaluation.warnings] == ["judge.evidence_ref_corrected"]
    assert evaluation.claim_checks[0].verification is DIRECT


@pytest.mark.req("VO-03")
def test_a_model_that_points_at_nothing_leaves_a_claim_its_own_bindings() -> None:
    evaluation = judged([label(0, DIRECT, pointers=())], invocations=[invocation()])
    assert evaluation.claim_checks[0].verification is DIRECT
    assert [ref.trace_ref for ref in evaluation.claim_checks[0].evidence_refs] == ["inv:1"]


@pytest.mark.req("VD-05")
def test_a_claim_whose_names_were_not_all_looked_up_is_unsupported() -> None:
    result = guard(
        case(), DIRECT, TABLES.label_caps, evidence_ref_dropped=False, fabricated_identifiers=(), not_examined=True
    )
    assert (result.verification, [step.reason for step in result.steps]) == (Verification.UNSUPPORTED, ["not_examined"])


@pytest.mark.req("VO-03", "TS-03")
def test_a_claim_bound_to_a_helper_tool_is_not_direct() -> None:
    clock = invocation("9", "get_current_time", "2025-01-01T00:00:00Z")
    evaluation = judged([DIRECT], cases=[case(usable=(binding(clock),))], invocations=[clock])
    assert evaluation.claim_checks[0].verification is INFERENCE
    assert evaluation.claim_checks[0].evidence_refs == ()
    assert [notice.id for notice in evaluation.warnings] == ["judge.evidence_ref_dropped"]


@pytest.mark.req("VO-07", "VD-07")
def test_an_unreadable_verifier_output_is_low_confidence_and_stays_visible() -> None:
    report = ParseReport(ParseStatus.MALFORMED, "0" * 64, 3, ParseReason.SYNTAX)
    result = EngineResult(Engine.SUPPLIED, (), Verdict.LOW_CONFID, report=report)
    evaluation = judged([], cases=[case()], result=result)
    assert (evaluation.verdict, evaluation.verifier_report) == (Verdict.LOW_CONFID, report)
    assert evaluation.claim_checks[0].verification is Verification.UNSUPPORTED


@pytest.mark.req("VO-06", "VD-08")
def test_audit_facts_follow_the_claims_and_never_give_a_pass() -> None:
    facts = (AuditFact("the disk was full", True, FactVerification.DIRECT_EVIDENCE, "seen"),)
    result = EngineResult(Engine.SUPPLIED, (), Verdict.PASS, audit_facts=facts)
    evaluation = judged([], cases=[], result=result, parse_status=ParseStatus.MISSING)
    assert evaluation.verdict is Verdict.LOW_CONFID
    assert [(fact.fact, fact.claim_index) for fact in evaluation.facts_checked] == [("the disk was full", None)]
    assert (evaluation.groundedness_score, evaluation.critical_fact_count) == (0.0, 0)


@pytest.mark.req("VO-01", "EX-07")
def test_hypotheses_are_listed_without_a_label() -> None:
    evaluation = judged([DIRECT], hypotheses=["a leak", None])
    assert [(item.index, item.text) for item in evaluation.hypothesis_checks] == [(0, "a leak"), (1, "")]
    assert all(item.note for item in evaluation.hypothesis_checks)
    assert [check.claim_text for check in evaluation.claim_checks] == ["it failed"]
    assert len(evaluation.facts_checked) == 1


@pytest.mark.req("RT-06")
@pytest.mark.parametrize(
    ("verdict", "score", "round_number", "expected"),
    [
        (Verdict.PASS, 1.0, 1, Route.COMPOSE),
        (Verdict.PASS, 1.0, 2, Route.COMPOSE),
        (Verdict.LOW_CONFID, 0.5, 1, Route.COMPOSE_WITH_UNCERTAINTY),
        (Verdict.LOW_CONFID, 1.0, 1, Route.COMPOSE_WITH_UNCERTAINTY),
        (Verdict.LOW_CONFID, 0.4999, 1, Route.RETRY),
        (Verdict.LOW_CONFID, 0.0, 1, Route.RETRY),
        (Verdict.LOW_CONFID, 0.4999, 2, Route.COMPOSE_WITH_UNCERTAINTY),
        (Verdict.LOW_CONFID, 0.5, 2, Route.COMPOSE_WITH_UNCERTAINTY),
        (Verdict.REJECT, 0.0, 1, Route.DEGRADE),
        (Verdict.REJECT, 0.9, 1, Route.DEGRADE),
        (Verdict.REJECT, 0.0, 2, Route.DEGRADE),
    ],
)
def test_the_route_of_each_verdict_score_and_round(
    verdict: Verdict, score: float, round_number: int, expected: Route
) -> None:
    assert route(verdict, score, round_number, TABLES) is expected


@pytest.mark.req("VI-02", "RT-06")
@pytest.mark.parametrize(("labels", "round_number"), list(product(product(Verification, repeat=2), [1, 2])))
def test_a_retry_context_comes_exactly_with_the_route_retry(
    labels: tuple[Verification, ...], round_number: int
) -> None:
    evaluation = judged(labels, round_number=round_number)
    assert (evaluation.retry_context is not None) is (evaluation.route is Route.RETRY)


@pytest.mark.req("VI-02")
def test_the_retry_context_says_what_was_weak_and_what_is_missing() -> None:
    evaluation = judged(
        [INFERENCE, Verification.EXTERNAL_UNKNOWN, Verification.UNSUPPORTED],
        missing_info=["the node's metrics", None],
    )
    context = evaluation.retry_context
    assert context is not None
    assert (context.verdict, context.groundedness_score) == (Verdict.LOW_CONFID, evaluation.groundedness_score)
    assert [(weak.index, weak.claim_id, weak.verification) for weak in context.weak_claims] == [
        (1, "claim-2", Verification.EXTERNAL_UNKNOWN),
        (2, "claim-3", Verification.UNSUPPORTED),
    ]
    assert all(weak.missing_evidence for weak in context.weak_claims)
    assert context.missing_info == ("the node's metrics",)


def test_the_rationale_quotes_neither_claims_nor_evidence() -> None:
    subject = case(claim(text="sekrit-claim"), usable=(), failed=1)
    evaluation = judged([label(0, DIRECT, "sekrit-detail")], cases=[subject])
    assert "sekrit" not in evaluation.rationale
    assert "Lowered from PASS" in evaluation.rationale
