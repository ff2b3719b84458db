"""What a claim may be labelled, given its evidence, whatever the engine says."""

from __future__ import annotations

from itertools import product

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import VerifiedBinding
from evidencegate_server.verdict.guards import guard
from evidencegate_server.verdict.labels import at_best
from evidencegate_server.words import EvidenceKind, InvocationStatus, Verification

from tests.verdict.helpers import TABLES, binding, case, claim, judged

DIRECT = Verification.DIRECT_OBSERVATION
INFERENCE = Verification.REASONABLE_INFERENCE
UNSUPPORTED = Verification.UNSUPPORTED
EXTERNAL = Verification.EXTERNAL_UNKNOWN
CONTRADICTED = Verification.CONTRADICTED
GUIDANCE = binding(kind=EvidenceKind.GUIDANCE)


def guarded(
    subject: object, label: Verification | None, *, dropped: bool = False, names: tuple[str, ...] = ()
) -> object:
    """Returns the label after the guards."""
    result = guard(
        subject,  # type: ignore[arg-type]
        label,
        TABLES.label_caps,
        evidence_ref_dropped=dropped,
        fabricated_identifiers=names,
    )
    return result.verification


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("label", Verification)
def test_a_claim_with_sound_evidence_keeps_its_label(label: Verification) -> None:
    assert guarded(case(), label) is label


@pytest.mark.req("VO-09")
@pytest.mark.parametrize("label", Verification)
def test_without_a_verified_binding_a_claim_is_unsupported_at_best(label: Verification) -> None:
    result = guarded(case(usable=(), failed=1), label)
    assert result is (label if label in (EXTERNAL, CONTRADICTED) else UNSUPPORTED)


@pytest.mark.req("VO-09")
@pytest.mark.parametrize("label", Verification)
def test_with_a_failed_binding_a_claim_is_an_inference_at_best(label: Verification) -> None:
    assert guarded(case(failed=1), label) is (INFERENCE if label is DIRECT else label)


@pytest.mark.req("VO-11")
@pytest.mark.parametrize("label", Verification)
def test_a_value_that_code_finds_nowhere_leaves_a_claim_unsupported_at_best(label: Verification) -> None:
    result = guard(
        case(),
        label,
        TABLES.label_caps,
        evidence_ref_dropped=False,
        fabricated_identifiers=(),
        foreign_values=("90 s",),
    )
    assert result.verification is (label if label in (EXTERNAL, CONTRADICTED) else UNSUPPORTED)
    assert [step.reason for step in result.steps] == ([] if result.verification is label else ["foreign_value"])


@pytest.mark.req("EX-08")
@pytest.mark.parametrize("label", Verification)
def test_guidance_alone_supports_nothing(label: Verification) -> None:
    result = guarded(case(usable=(), guidance=(GUIDANCE,)), label)
    assert result is (label if label in (EXTERNAL, CONTRADICTED) else UNSUPPORTED)


@pytest.mark.req("EX-08")
def test_guidance_beside_an_observation_takes_nothing_away() -> None:
    assert guarded(case(guidance=(GUIDANCE,)), DIRECT) is DIRECT


@pytest.mark.req("VO-03")
def test_a_dropped_evidence_ref_leaves_an_inference() -> None:
    assert guarded(case(), DIRECT, dropped=True) is INFERENCE
    assert guarded(case(), Verification.OVERSTATED, dropped=True) is Verification.OVERSTATED


@pytest.mark.req("VD-05")
@pytest.mark.parametrize("label", Verification)
def test_an_invented_identifier_makes_a_claim_external_unknown(label: Verification) -> None:
    result = guarded(case(), label, names=("pod-7",))
    assert result is (CONTRADICTED if label is CONTRADICTED else EXTERNAL)


@pytest.mark.req("VD-05")
def test_an_invented_identifier_counts_before_a_missing_binding() -> None:
    assert guarded(case(usable=(), failed=1), DIRECT, names=("pod-7",)) is EXTERNAL


@pytest.mark.req("VO-08")
def test_a_claim_without_a_label_is_unsupported_with_a_step_from_nothing() -> None:
    result = guard(case(), None, TABLES.label_caps, evidence_ref_dropped=False, fabricated_identifiers=())
    assert result.verification is UNSUPPORTED
    assert [(step.from_label, step.to_label, step.reason) for step in result.steps] == [(None, UNSUPPORTED, "no_label")]


@pytest.mark.req("EX-04")
def test_a_claim_that_breaks_its_contract_counts_as_not_verified() -> None:
    assert guarded(case(contract_fault=True), DIRECT) is UNSUPPORTED


@pytest.mark.req("VO-09", "VD-07")
@pytest.mark.parametrize(
    ("label", "usable", "failed", "dropped", "names"),
    list(product([None, *Verification], [True, False], [0, 2], [True, False], [(), ("pod-7",)])),
)
def test_no_guard_ever_raises_a_label_and_each_lowering_has_a_step(
    label: Verification | None, usable: bool, failed: int, dropped: bool, names: tuple[str, ...]
) -> None:
    subject = case(claim(), usable=None if usable else (), failed=failed)
    result = guard(subject, label, TABLES.label_caps, evidence_ref_dropped=dropped, fabricated_identifiers=names)
    current = label
    for step in result.steps:
        assert step.from_label is current
        assert step.message
        assert current is None or at_best(current, step.to_label) is step.to_label
        current = step.to_label
    assert result.verification is (UNSUPPORTED if current is None else current)
    if label is CONTRADICTED:
        assert result.verification is CONTRADICTED


@pytest.mark.req("VO-09", "GK-08")
def test_what_was_asked_is_no_observation_by_itself() -> None:
    call = Invocation("1", "query_logs", InvocationStatus.NO_HIT, input="connection refused", output="[]")
    asked = VerifiedBinding(0, call, EvidenceRef("input", call.input, implied=True), (Span(0, 18),))
    came = VerifiedBinding(1, call, EvidenceRef("output", call.output, implied=True), (Span(0, 2),))
    subject = claim(claim_type="negative_observation")
    alone = judged([Verification.DIRECT_OBSERVATION], cases=[case(subject, usable=[asked])]).claim_checks[0]
    assert (alone.verification, alone.label_steps[0].reason) == (Verification.REASONABLE_INFERENCE, "question_only")
    both = judged([Verification.DIRECT_OBSERVATION], cases=[case(subject, usable=[asked, came])]).claim_checks[0]
    assert both.verification is Verification.DIRECT_OBSERVATION
