"""The matrix and the score over every combination of labels."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest
from evidencegate_server.verdict.labels import FACT_OF
from evidencegate_server.verdict.matrix import Judged, matrix
from evidencegate_server.verdict.tables import FactScores, VerdictTables
from evidencegate_server.words import FactVerification, Verdict, Verification

from tests.verdict.helpers import TABLES

DIRECT = Verification.DIRECT_OBSERVATION
INFERENCE = Verification.REASONABLE_INFERENCE
WEAK = (Verification.OVERSTATED, Verification.UNSUPPORTED, Verification.EXTERNAL_UNKNOWN)
CONTRADICTED = Verification.CONTRADICTED


def of(*labels: Verification, claim_type: str = "symptom") -> list[Judged]:
    """Returns claims of one type with these labels."""
    return [Judged(claim_type, label) for label in labels]


@pytest.mark.req("VD-01", "VD-02", "VD-03", "VD-04", "VD-06")
@pytest.mark.parametrize("labels", list(combinations_with_replacement(Verification, 3)))
def test_critical_labels_decide(labels: tuple[Verification, ...]) -> None:
    result = matrix(of(*labels), TABLES)
    points = {DIRECT: 1.0, INFERENCE: 0.6, Verification.OVERSTATED: 0.6}
    if CONTRADICTED in labels:
        assert (result.verdict, result.score) == (Verdict.REJECT, 0.0)
        return
    assert result.score == pytest.approx(sum(points.get(label, 0.0) for label in labels) / 3)
    passes = all(label in (DIRECT, INFERENCE) for label in labels) and DIRECT in labels
    assert result.verdict is (Verdict.PASS if passes else Verdict.LOW_CONFID)
    if passes:
        assert result.score >= 0.5


@pytest.mark.req("VD-02")
@pytest.mark.parametrize("weak", WEAK)
def test_one_weak_critical_claim_stops_a_pass(weak: Verification) -> None:
    result = matrix(of(DIRECT, DIRECT, DIRECT, weak), TABLES)
    assert (result.verdict, result.reason) == (Verdict.LOW_CONFID, "weak_critical_claim")


@pytest.mark.req("VD-03")
def test_inferences_alone_are_not_enough() -> None:
    result = matrix(of(INFERENCE, INFERENCE), TABLES)
    assert (result.verdict, result.reason, result.score) == (Verdict.LOW_CONFID, "only_inference", 0.6)


@pytest.mark.req("VD-04", "VD-06")
def test_a_contradicted_critical_claim_rejects_with_score_zero() -> None:
    result = matrix(of(DIRECT, DIRECT, CONTRADICTED), TABLES)
    assert (result.verdict, result.score) == (Verdict.REJECT, 0.0)


@pytest.mark.req("VD-05", "VD-06")
@pytest.mark.parametrize("label", Verification)
def test_a_critical_claim_that_names_something_invented_rejects(label: Verification) -> None:
    claims = [*of(DIRECT, DIRECT), Judged("root_cause", label, fabricated=True)]
    result = matrix(claims, TABLES)
    assert result.verdict is Verdict.REJECT
    assert (result.score > 0) is (label is not CONTRADICTED)


@pytest.mark.req("VD-05")
def test_something_invented_in_a_side_claim_does_not_reject() -> None:
    claims = [*of(DIRECT), Judged("observation", Verification.EXTERNAL_UNKNOWN, fabricated=True)]
    assert matrix(claims, TABLES).verdict is Verdict.PASS


@pytest.mark.req("VD-09")
def test_a_contradicted_side_claim_prevents_a_pass_and_leaves_the_score() -> None:
    result = matrix([*of(DIRECT), *of(CONTRADICTED, claim_type="observation")], TABLES)
    assert (result.verdict, result.reason, result.score) == (Verdict.LOW_CONFID, "contradicted_claim", 1.0)


@pytest.mark.parametrize("weak", WEAK)
def test_a_weak_side_claim_does_not_prevent_a_pass(weak: Verification) -> None:
    assert matrix([*of(DIRECT), *of(weak, claim_type="observation")], TABLES).verdict is Verdict.PASS


@pytest.mark.req("VD-10", "VD-06")
def test_no_claims_are_low_confidence_with_score_zero() -> None:
    result = matrix([], TABLES)
    assert (result.verdict, result.reason, result.score) == (Verdict.LOW_CONFID, "no_claims", 0.0)


@pytest.mark.req("VO-05")
@pytest.mark.parametrize("name", ["root_cause", "symptom", "impact", "risk", " Root-Cause ", "SYMPTOM"])
def test_the_core_types_are_critical_and_the_others_are_not(name: str) -> None:
    names = [name, "observation", "negative_observation", "change", "knowledge", "anything"]
    assert matrix([Judged(item, DIRECT) for item in names], TABLES).critical == (True, *[False] * 5)


@pytest.mark.req("VO-05")
def test_all_claims_are_critical_where_none_has_a_core_type() -> None:
    result = matrix([Judged("observation", DIRECT), Judged("change", Verification.UNSUPPORTED)], TABLES)
    assert result.critical == (True, True)
    assert (result.verdict, result.score) == (Verdict.LOW_CONFID, 0.5)


@pytest.mark.req("VO-06", "VD-04")
def test_a_contradicted_fact_of_no_claim_rejects_with_score_zero() -> None:
    result = matrix(of(DIRECT), TABLES, contradicted_fact=True)
    assert (result.verdict, result.reason, result.score) == (Verdict.REJECT, "contradicted_fact", 0.0)


@pytest.mark.req("VO-04")
def test_every_label_has_its_older_word() -> None:
    assert FACT_OF == {
        DIRECT: FactVerification.DIRECT_EVIDENCE,
        INFERENCE: FactVerification.INDIRECT_SUPPORT,
        Verification.OVERSTATED: FactVerification.INDIRECT_SUPPORT,
        Verification.UNSUPPORTED: FactVerification.NO_EVIDENCE,
        Verification.EXTERNAL_UNKNOWN: FactVerification.NO_EVIDENCE,
        CONTRADICTED: FactVerification.CONTRADICTED,
    }


@pytest.mark.req("VD-06")
def test_the_mean_meets_the_threshold_exactly() -> None:
    """Five times 0.6 of six is a half, which sums of binary fractions miss."""
    result = matrix(of(*[Verification.OVERSTATED] * 5, Verification.UNSUPPORTED), TABLES)
    assert result.score == 0.5


def test_a_stricter_catalog_lowers_score_and_verdict() -> None:
    tables = VerdictTables(fact_scores=FactScores(indirect_support=0.1), pass_threshold=0.6)
    result = matrix(of(DIRECT, INFERENCE), tables)
    assert (result.verdict, result.reason, result.score) == (Verdict.LOW_CONFID, "low_score", 0.55)


@pytest.mark.parametrize(("first", "second"), list(product(Verification, repeat=2)))
def test_a_further_critical_type_never_raises_anything(first: Verification, second: Verification) -> None:
    wide = VerdictTables(critical_claim_types=("root_cause", "symptom", "impact", "risk", "observation"))
    claims = [Judged("symptom", first), Judged("observation", second)]
    before, after = matrix(claims, TABLES), matrix(claims, wide)
    order = [Verdict.PASS, Verdict.LOW_CONFID, Verdict.REJECT]
    assert order.index(after.verdict) >= order.index(before.verdict)
    assert after.score <= before.score


@pytest.mark.req("VO-05")
@pytest.mark.parametrize(
    "spelling", ["rootCause", "root\u00a0cause", "root  cause", "ｒｏｏｔ_cause", "root_cause\u200b", "ROOT.CAUSE"]
)
def test_a_critical_type_is_critical_however_it_is_spelled(spelling: str) -> None:
    result = matrix([Judged("symptom", DIRECT), Judged(spelling, Verification.UNSUPPORTED)], TABLES)
    assert (result.critical, result.verdict) == ((True, True), Verdict.LOW_CONFID)
    assert matrix([Judged("symptom", DIRECT), Judged("根因", Verification.UNSUPPORTED)], TABLES).critical == (
        True,
        False,
    )
