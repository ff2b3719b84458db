"""Caps a claim's label by what is known of its evidence, whatever engine gave the label.

Each guard looks at one fact and says at best which label the claim can have; a guard that changes the label leaves a
step with its reason. They run in a fixed order, from the broadest doubt to the narrowest.
"""

from __future__ import annotations

from evidencegate_server.contract.records import record
from evidencegate_server.evidence.index import IMPLIED_INPUT
from evidencegate_server.judge.model import ClaimCase, VerifiedBinding
from evidencegate_server.verdict.labels import at_best
from evidencegate_server.verdict.model import LabelStep
from evidencegate_server.verdict.tables import LabelCaps
from evidencegate_server.words import Verification

CONTRACT_FAULT = "contract_fault"
NO_LABEL = "no_label"
NO_VERIFIED_BINDING = "no_verified_binding"
GUIDANCE_ONLY = "guidance_only"
QUESTION_ONLY = "question_only"
FAILED_BINDING = "failed_binding"
DROPPED_EVIDENCE_REF = "dropped_evidence_ref"
UNUSABLE_EVIDENCE_REF = "unusable_evidence_ref"
NOT_EXAMINED = "not_examined"
FABRICATED_IDENTIFIER = "fabricated_identifier"
FOREIGN_VALUE = "foreign_value"
MODEL_ALONE = "model_alone"
CONTRADICTED_BY_CODE = "contradicted_by_code"


@record
class GuardedLabel:
    """A label after the guards, with each lowering."""

    verification: Verification
    steps: tuple[LabelStep, ...]


def guard(
    case: ClaimCase,
    engine_label: Verification | None,
    caps: LabelCaps,
    *,
    evidence_ref_dropped: bool,
    fabricated_identifiers: tuple[str, ...],
    evidence_refs_unusable: bool = False,
    not_examined: bool = False,
    foreign_values: tuple[str, ...] = (),
    model_alone: Verification = Verification.DIRECT_OBSERVATION,
    contradicted_by_code: bool = False,
) -> GuardedLabel:
    """Returns the label that a claim may keep.

    `foreign_values` are those for which code calls the claim external_unknown, `model_alone` is the best label that a
    model may give this claim, and `contradicted_by_code` says that the deterministic engine found the claim in conflict
    with the evidence: no model lifts these. A claim without a label is unsupported. `contradicted` is never lifted and
    never lowered further: the guards are about evidence that is missing, and a conflict needs no binding of the claim's
    own.
    """
    label = engine_label
    steps: list[LabelStep] = []
    bounds = (
        (label is None, Verification.UNSUPPORTED, NO_LABEL, "The engine gave this claim no label."),
        (
            case.contract_fault,
            Verification.UNSUPPORTED,
            CONTRACT_FAULT,
            "The claim itself breaks the contract, so it counts as not verified.",
        ),
        (
            not case.usable and bool(case.guidance),
            caps.guidance_only,
            GUIDANCE_ONLY,
            "Only guidance is bound to it, which tells what to do in general and nothing of this incident.",
        ),
        (
            not case.usable and not case.guidance,
            caps.no_verified_binding,
            NO_VERIFIED_BINDING,
            "None of its evidence bindings is verified.",
        ),
        (
            bool(case.usable) and all(_is_question(bound) for bound in case.usable),
            Verification.REASONABLE_INFERENCE,
            QUESTION_ONLY,
            "It is bound only to what was asked, which the agent wrote itself and no tool returned.",
        ),
        (
            case.failed_bindings > 0,
            caps.failed_binding,
            FAILED_BINDING,
            f"{case.failed_bindings} of its evidence bindings {'is' if case.failed_bindings == 1 else 'are'} not "
            "verified.",
        ),
        (
            evidence_ref_dropped,
            caps.dropped_reference,
            DROPPED_EVIDENCE_REF,
            "An evidence reference of it points at nothing in the trace summary.",
        ),
        (
            evidence_refs_unusable,
            caps.dropped_reference,
            UNUSABLE_EVIDENCE_REF,
            "None of its evidence references points at a call that can bear it.",
        ),
        (
            not_examined,
            Verification.UNSUPPORTED,
            NOT_EXAMINED,
            "It names more, or at greater length, than is looked up, so nothing says that all of it exists.",
        ),
        (
            bool(fabricated_identifiers),
            Verification.EXTERNAL_UNKNOWN,
            FABRICATED_IDENTIFIER,
            f"It names what occurs nowhere in the session: {quoted(fabricated_identifiers)}.",
        ),
        (
            bool(foreign_values),
            caps.foreign_value,
            FOREIGN_VALUE,
            f"It has what stands nowhere in its evidence: {quoted(foreign_values)}.",
        ),
        (
            True,
            model_alone,
            MODEL_ALONE,
            "Only a model says so; code does not find as much in the evidence.",
        ),
        (
            contradicted_by_code,
            Verification.CONTRADICTED,
            CONTRADICTED_BY_CODE,
            "Code finds it in conflict with its evidence, which no model can lift.",
        ),
    )
    for applies, at, reason, message in bounds:
        if not applies:
            continue
        capped = at if label is None else at_best(label, at)
        if capped is not label:
            steps.append(LabelStep(label, capped, reason, message))
            label = capped
    assert label is not None
    return GuardedLabel(label, tuple(steps))


def _is_question(bound: VerifiedBinding) -> bool:
    return bound.ref.implied and bound.ref.raw_path == IMPLIED_INPUT


def quoted(identifiers: tuple[str, ...], at_most: int = 5) -> str:
    """Lists identifiers for a sentence, at most so many, each shortened to 80 code points."""
    shown = ", ".join(f"'{name if len(name) <= 80 else name[:79] + '…'}'" for name in identifiers[:at_most])
    rest = len(identifiers) - at_most
    return f"{shown} and {rest} more" if rest > 0 else shown
