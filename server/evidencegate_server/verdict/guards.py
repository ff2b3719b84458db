"""Caps a claim's label by what is known of its evidence, whatever engine gave the label.

Each guard looks at one fact and says at best which label the claim can have; a guard that changes the label leaves a
step with its reason. They run in a fixed order, from the broadest doubt to the narrowest.
"""

from __future__ import annotations

from dataclasses import dataclass

from evidencegate_server.judge.model import ClaimCase
from evidencegate_server.verdict.labels import at_best
from evidencegate_server.verdict.model import LabelStep
from evidencegate_server.verdict.tables import LabelCaps
from evidencegate_server.words import Verification

CONTRACT_FAULT = "contract_fault"
NO_LABEL = "no_label"
NO_VERIFIED_BINDING = "no_verified_binding"
GUIDANCE_ONLY = "guidance_only"
FAILED_BINDING = "failed_binding"
DROPPED_EVIDENCE_REF = "dropped_evidence_ref"
FABRICATED_IDENTIFIER = "fabricated_identifier"


@dataclass(frozen=True, slots=True)
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
) -> GuardedLabel:
    """Returns the label that a claim may keep.

    A claim without a label is unsupported. `contradicted` is never lifted and never lowered further: the guards are
    about evidence that is missing, and a conflict needs no binding of the claim's own.
    """
    label = engine_label
    steps: list[LabelStep] = []

    def cap(at: Verification, reason: str, message: str) -> None:
        nonlocal label
        capped = at if label is None else at_best(label, at)
        if capped is not label:
            steps.append(LabelStep(label, capped, reason, message))
            label = capped

    if label is None:
        cap(Verification.UNSUPPORTED, NO_LABEL, "The engine gave this claim no label.")
    if case.contract_fault:
        cap(
            Verification.UNSUPPORTED,
            CONTRACT_FAULT,
            "The claim itself breaks the contract, so it counts as not verified.",
        )
    if not case.usable:
        if case.guidance:
            cap(
                caps.guidance_only,
                GUIDANCE_ONLY,
                "Only guidance is bound to it, which tells what to do in general and nothing of this incident.",
            )
        else:
            cap(
                caps.no_verified_binding,
                NO_VERIFIED_BINDING,
                "None of its evidence bindings is verified.",
            )
    if case.failed_bindings:
        count = case.failed_bindings
        cap(
            caps.failed_binding,
            FAILED_BINDING,
            f"{count} of its evidence bindings {'is' if count == 1 else 'are'} not verified.",
        )
    if evidence_ref_dropped:
        cap(
            caps.dropped_reference,
            DROPPED_EVIDENCE_REF,
            "An evidence reference of it points at nothing in the trace summary.",
        )
    if fabricated_identifiers:
        cap(
            Verification.EXTERNAL_UNKNOWN,
            FABRICATED_IDENTIFIER,
            f"It names what occurs nowhere in the session: {quoted(fabricated_identifiers)}.",
        )
    assert label is not None
    return GuardedLabel(label, tuple(steps))


def quoted(identifiers: tuple[str, ...], at_most: int = 5) -> str:
    """Lists identifiers for a sentence, at most so many, each shortened to 80 code points."""
    shown = ", ".join(f"'{name if len(name) <= 80 else name[:79] + '…'}'" for name in identifiers[:at_most])
    rest = len(identifiers) - at_most
    return f"{shown} and {rest} more" if rest > 0 else shown
