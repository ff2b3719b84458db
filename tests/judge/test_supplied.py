"""A verifier model's text gives labels and pointers, and decides nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from evidencegate_server.contract.model import Claim
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.verifier_output import parse_verifier_output
from evidencegate_server.judge.model import EngineResult
from evidencegate_server.judge.supplied import SuppliedEngine
from evidencegate_server.verdict.model import Evaluation
from evidencegate_server.words import Engine, FactVerification, ParseStatus, Verdict, Verification

from tests.verdict.helpers import case, claim, judged

DIRECT = Verification.DIRECT_OBSERVATION
UNSUPPORTED = Verification.UNSUPPORTED


def written(verdict: str = "PASS", score: float = 1.0, **lists: object) -> str:
    """Returns a verifier model's text."""
    return json.dumps(
        {"verdict": verdict, "groundedness_score": score, "critical_fact_count": 1, "rationale": "so", **lists}
    )


def check(claim_id: str, verification: str, **fields: object) -> dict[str, Any]:
    """Returns one claim check as a model writes it."""
    return {"claim_id": claim_id, "verification": verification, "detail": "as seen", "evidence_refs": [], **fields}


def fact(text: str, verification: str, *, critical: bool = True) -> dict[str, Any]:
    """Returns one legacy fact as a model writes it."""
    return {"fact": text, "is_critical": critical, "verification": verification, "detail": "as seen"}


def supplied(text: str, claims: Sequence[Claim] = ()) -> EngineResult:
    """Returns what the engine makes of a text, over these claims."""
    return _engine(text).judge(_view(claims))


def evaluated(text: str, claims: Sequence[Claim] = ()) -> Evaluation:
    """Returns the evaluation of these claims by that text."""
    return judged([], cases=[case(item) for item in claims], result=supplied(text, claims))


def _engine(text: str) -> SuppliedEngine:
    return SuppliedEngine(parse_verifier_output(text, ParsingPolicy()))


def _view(claims: Sequence[Claim]) -> Any:
    class View:
        cases = tuple(case(item) for item in claims)

    return View()


@pytest.mark.req("VO-07", "VO-02")
def test_claim_checks_become_labels() -> None:
    result = supplied(written(claim_checks=[check("claim-1", "overstated")]), [claim()])
    (label,) = result.labels
    assert (label.index, label.verification, label.detail, label.engine) == (
        0,
        Verification.OVERSTATED,
        "as seen",
        Engine.SUPPLIED,
    )
    assert result.verdict is Verdict.PASS


@pytest.mark.req("VD-06")
@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_a_score_that_a_model_writes_is_ignored(score: float) -> None:
    text = written(score=score, claim_checks=[check("claim-1", "reasonable_inference")])
    assert evaluated(text, [claim()]).groundedness_score == 0.6


@pytest.mark.req("VO-08")
def test_left_out_claims_are_unsupported_and_unknown_ones_dropped() -> None:
    text = written(claim_checks=[check("claim-9", "direct_observation"), check("claim-2", "direct_observation")])
    evaluation = evaluated(text, [claim(0), claim(1)])
    assert [item.verification for item in evaluation.claim_checks] == [UNSUPPORTED, DIRECT]
    assert [(notice.id, notice.place) for notice in evaluation.warnings] == [("judge.unknown_claim", "claim_checks[0]")]
    assert evaluation.verdict is Verdict.LOW_CONFID


@pytest.mark.req("VO-08", "VO-12")
def test_checks_of_repeated_ids_are_taken_in_order_and_what_is_left_over_counts_for_all() -> None:
    claims = [claim(at, claim_id="same") for at in range(2)]
    labels = ["direct_observation", "contradicted", "direct_observation", "overstated", "direct_observation"]
    in_order = supplied(written(claim_checks=[check("same", label) for label in labels[:2]]), claims)
    assert [label.verification.value for label in in_order.labels] == labels[:2]
    assert in_order.warnings == ()
    result = supplied(written(claim_checks=[check("same", label) for label in labels]), claims)
    assert [(label.index, label.verification.value) for label in result.labels] == [
        (0, "overstated"),
        (1, "contradicted"),
    ]
    assert [notice.id for notice in result.warnings] == ["judge.repeated_claim_check"] * 2


@pytest.mark.req("VO-08")
@pytest.mark.parametrize(
    ("checks", "label"),
    [
        ([("direct_observation", None), ("contradicted", None)], "contradicted"),
        ([("contradicted", None), ("direct_observation", 0)], "contradicted"),
        ([("direct_observation", 0), ("unsupported", None)], "unsupported"),
        ([("direct_observation", 0), ("external_unknown", 0), ("unsupported", 0)], "external_unknown"),
        ([("direct_observation", 7), ("reasonable_inference", 0)], "reasonable_inference"),
        ([("overstated", None), ("reasonable_inference", 1)], "overstated"),
    ],
)
def test_of_several_checks_of_one_claim_the_weakest_holds(checks: list[tuple[str, int | None]], label: str) -> None:
    written_checks = [
        check("claim-1", verification) if at is None else check("claim-1", verification, claim_index=at)
        for verification, at in checks
    ]
    result = supplied(written(claim_checks=written_checks), [claim(0), claim(1)])
    assert [(item.index, item.verification.value) for item in result.labels] == [(0, label)]
    notice = result.warnings[-1]
    assert (notice.id, notice.place) == ("judge.repeated_claim_check", f"claim_checks[{len(checks) - 1}]")


@pytest.mark.req("VO-12")
def test_a_position_that_fits_its_id_goes_before_the_order() -> None:
    claims = [claim(at, claim_id="same") for at in range(2)]
    checks = [check("same", "overstated", claim_index=1), check("same", "direct_observation", claim_index=0)]
    result = supplied(written(claim_checks=checks), claims)
    assert {label.index: label.verification for label in result.labels} == {0: DIRECT, 1: Verification.OVERSTATED}


def test_a_position_of_another_claim_counts_for_nothing() -> None:
    checks = [check("claim-1", "direct_observation", claim_index=1)]
    result = supplied(written(claim_checks=checks), [claim(0), claim(1)])
    assert [label.index for label in result.labels] == [0]
    assert [notice.id for notice in result.warnings] == ["judge.claim_index_mismatch"]


@pytest.mark.req("VO-03")
def test_references_are_handed_on_as_pointers() -> None:
    refs = [{"trace_ref": "inv:1", "source_invocation_ids": [1], "note": "line 3"}]
    result = supplied(written(claim_checks=[check("claim-1", "direct_observation", evidence_refs=refs)]), [claim()])
    (pointer,) = result.labels[0].pointers or ()
    assert (pointer.trace_ref, pointer.source_invocation_ids, pointer.note) == ("inv:1", ("1",), "line 3")


@pytest.mark.req("VO-04")
def test_where_a_model_writes_both_lists_the_claim_checks_win() -> None:
    text = written(
        claim_checks=[check("claim-1", "direct_observation")],
        facts_checked=[fact("claim-1: it failed", "contradicted")],
    )
    evaluation = evaluated(text, [claim()])
    assert evaluation.claim_checks[0].verification is DIRECT
    assert [item.verification for item in evaluation.facts_checked] == [FactVerification.DIRECT_EVIDENCE]
    assert evaluation.verdict is Verdict.PASS


@pytest.mark.req("VO-06")
@pytest.mark.parametrize(
    ("older", "label"),
    [
        ("direct_evidence", DIRECT),
        ("indirect_support", Verification.REASONABLE_INFERENCE),
        ("no_evidence", UNSUPPORTED),
        ("contradicted", Verification.CONTRADICTED),
    ],
)
@pytest.mark.parametrize(
    "text", ["claim-1: it failed", "claim-1：otherwise put", " it  failed ", "claim-1 : it failed badly"]
)
def test_a_legacy_fact_belongs_to_its_claim_by_prefix_or_text(text: str, older: str, label: Verification) -> None:
    evaluation = evaluated(written(facts_checked=[fact(text, older)]), [claim()])
    assert [item.verification for item in evaluation.claim_checks] == [label]
    assert len(evaluation.facts_checked) == 1


@pytest.mark.req("VO-06", "VD-01")
def test_legacy_facts_can_pass_by_the_old_matrix() -> None:
    facts = [fact("claim-1: it failed", "direct_evidence"), fact("claim-2: it failed", "indirect_support")]
    evaluation = evaluated(written(facts_checked=facts), [claim(0), claim(1)])
    assert (evaluation.verdict, evaluation.groundedness_score) == (Verdict.PASS, 0.8)


@pytest.mark.req("VO-06")
def test_a_fact_of_no_claim_is_for_audit_and_claims_without_one_are_unsupported() -> None:
    evaluation = evaluated(written(facts_checked=[fact("the moon is full", "direct_evidence")]), [claim()])
    assert evaluation.claim_checks[0].verification is UNSUPPORTED
    assert [(item.fact, item.claim_index) for item in evaluation.facts_checked] == [
        ("claim-1: it failed", 0),
        ("the moon is full", None),
    ]
    assert (evaluation.groundedness_score, evaluation.critical_fact_count) == (0.0, 1)


@pytest.mark.req("VO-06", "VD-04")
@pytest.mark.parametrize("text", ["the moon is full", "claim-2: it failed"])
def test_a_critical_contradicted_fact_rejects_whether_or_not_it_belongs_to_a_critical_claim(text: str) -> None:
    facts = [fact("claim-1: it failed", "direct_evidence"), fact(text, "contradicted")]
    evaluation = evaluated(written(facts_checked=facts), [claim(0), claim(1, "observation")])
    assert (evaluation.verdict, evaluation.groundedness_score) == (Verdict.REJECT, 0.0)


@pytest.mark.req("VO-06")
def test_a_contradicted_audit_fact_that_is_not_critical_does_not_reject() -> None:
    facts = [fact("claim-1: it failed", "direct_evidence"), fact("the moon is full", "contradicted", critical=False)]
    assert evaluated(written(facts_checked=facts), [claim()]).verdict is Verdict.PASS


@pytest.mark.req("VO-05", "VO-06")
def test_critical_is_what_the_claims_type_says_not_the_model() -> None:
    facts = [fact("claim-1: it failed", "direct_evidence", critical=False), fact("claim-2: it failed", "no_evidence")]
    evaluation = evaluated(written(facts_checked=facts), [claim(0), claim(1, "observation")])
    assert [item.is_critical for item in evaluation.claim_checks] == [True, False]
    assert (evaluation.verdict, evaluation.groundedness_score) == (Verdict.PASS, 1.0)


def test_the_weakest_of_several_facts_of_one_claim_holds() -> None:
    facts = [fact("claim-1: it failed", "direct_evidence"), fact("claim-1: for good", "no_evidence")]
    result = supplied(written(facts_checked=facts), [claim()])
    assert [label.verification for label in result.labels] == [UNSUPPORTED]


def test_a_longer_claim_id_is_not_taken_for_a_shorter_one() -> None:
    claims = [claim(0, claim_id="c:1", text="a"), claim(1, claim_id="c", text="b")]
    result = supplied(written(facts_checked=[fact("c:1: a thing", "direct_evidence")]), claims)
    assert [label.index for label in result.labels] == [0]


@pytest.mark.req("VO-07")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "PASS",
        "```json\n" + written(claim_checks=[]) + "\n```",
        written(claim_checks=[]) + " done",
        written(claim_checks=[{"claim_id": "claim-1", "verification": "direct_observation", "detail": "x"}]),
        written(claim_checks=[check("claim-1", "supported")]),
        written(verdict="OK", claim_checks=[]),
        written(),
        '{"verdict": "PASS"}',
    ],
)
def test_what_is_not_exactly_the_schema_is_low_confidence(text: str) -> None:
    result = supplied(text, [claim()])
    assert (result.verdict, result.labels) == (Verdict.LOW_CONFID, ())
    assert result.report is not None
    assert result.report.status is not ParseStatus.VALID
    evaluation = evaluated(text, [claim()])
    assert (evaluation.verdict, evaluation.verifier_report) == (Verdict.LOW_CONFID, result.report)


@pytest.mark.req("VD-07")
@pytest.mark.parametrize("verdict", Verdict)
def test_the_models_own_verdict_is_a_bound_and_never_a_lift(verdict: Verdict) -> None:
    good = evaluated(written(verdict.value, claim_checks=[check("claim-1", "direct_observation")]), [claim()])
    assert (good.engine_verdict, good.verdict) == (verdict, verdict)
    bad = evaluated(written(verdict.value, claim_checks=[check("claim-1", "contradicted")]), [claim()])
    assert (bad.engine_verdict, bad.verdict) == (verdict, Verdict.REJECT)


@pytest.mark.req("VO-04", "VO-08")
def test_an_empty_list_of_claim_checks_is_no_absent_one_so_facts_lift_nothing() -> None:
    text = written(claim_checks=[], facts_checked=[fact("claim-1: it failed", "direct_evidence")])
    evaluation = evaluated(text, [claim()])
    assert evaluation.claim_checks[0].verification is UNSUPPORTED
    assert evaluation.verdict is Verdict.LOW_CONFID
