"""Holds the verdict's tables: catalog data that may make the verdict stricter, never laxer.

The defaults are the standard tables. Each validator compares with them, so that no edit of the catalog can let pass
what the standard tables stop: malformed output, a crashed rule, a fallback, a reject finding, a contradicted claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from evidencegate_server.contract.claim_types import known_claim_type
from evidencegate_server.words import FactVerification, Severity, Verdict, Verification

CORE_CRITICAL_TYPES: tuple[str, ...] = ("root_cause", "symptom", "impact", "risk")
"""The claim types that are critical under every catalog."""

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


def _not_pass(verdict: Verdict) -> Verdict:
    if verdict is Verdict.PASS:
        raise ValueError("PASS would let through what this cap stops; LOW_CONFID and REJECT are allowed")
    return verdict


def _only_reject(verdict: Verdict) -> Verdict:
    if verdict is not Verdict.REJECT:
        raise ValueError(f"{verdict.value} is laxer than REJECT, and a cap may only be lowered")
    return verdict


BelowPass = Annotated[Verdict, AfterValidator(_not_pass)]
"""A cap that stands at LOW_CONFID and may be lowered to REJECT."""

RejectOnly = Annotated[Verdict, AfterValidator(_only_reject)]
"""A cap that stands at REJECT, which is the lowest there is."""

GuardLabel = Literal[Verification.REASONABLE_INFERENCE, Verification.OVERSTATED, Verification.UNSUPPORTED]
"""The labels that a guard may lower a claim to; contradicted and external_unknown would assert something new."""


class FactScores(BaseModel):
    """What each critical fact adds to the mean. A contradicted one makes the score 0 and needs no number."""

    model_config = _STRICT

    direct_evidence: float = Field(default=1.0, ge=0.0, le=1.0)
    indirect_support: float = Field(default=0.6, ge=0.0, le=0.6)
    no_evidence: float = Field(default=0.0, ge=0.0, le=0.0)

    @model_validator(mode="after")
    def _keep_order(self) -> FactScores:
        if self.indirect_support > self.direct_evidence:
            raise ValueError(
                f"indirect_support ({self.indirect_support}) is above direct_evidence ({self.direct_evidence}): "
                "weaker evidence would count more"
            )
        return self

    def of(self, verification: FactVerification) -> float:
        """Returns the value of a fact with that label; 0 for a contradicted one."""
        match verification:
            case FactVerification.DIRECT_EVIDENCE:
                return self.direct_evidence
            case FactVerification.INDIRECT_SUPPORT:
                return self.indirect_support
            case FactVerification.NO_EVIDENCE:
                return self.no_evidence
            case FactVerification.CONTRADICTED:
                return 0.0


class SeverityCaps(BaseModel):
    """The best verdict beside a failed rule of each severity."""

    model_config = _STRICT

    low_confid: BelowPass = Verdict.LOW_CONFID
    reject: RejectOnly = Verdict.REJECT

    def of(self, severity: Severity) -> Verdict:
        """Returns the cap of that severity; PASS, which caps nothing, for none."""
        match severity:
            case Severity.REJECT:
                return self.reject
            case Severity.LOW_CONFID:
                return self.low_confid
            case Severity.NONE:
                return Verdict.PASS


class VerdictCaps(BaseModel):
    """The best verdict that each circumstance leaves possible."""

    model_config = _STRICT

    severity: SeverityCaps = SeverityCaps()
    parse_missing: BelowPass = Verdict.LOW_CONFID
    parse_malformed: BelowPass = Verdict.LOW_CONFID
    verifier_unreadable: BelowPass = Verdict.LOW_CONFID
    rule_error: BelowPass = Verdict.LOW_CONFID
    fallback: BelowPass = Verdict.LOW_CONFID
    no_claims: BelowPass = Verdict.LOW_CONFID
    weak_critical_claim: BelowPass = Verdict.LOW_CONFID
    only_inference: BelowPass = Verdict.LOW_CONFID
    contradicted_claim: BelowPass = Verdict.LOW_CONFID
    contradicted_critical_claim: RejectOnly = Verdict.REJECT
    fabricated_identifier: RejectOnly = Verdict.REJECT
    unclaimed_answer_fact: BelowPass = Verdict.LOW_CONFID


class LabelCaps(BaseModel):
    """The best label that the guards leave to a claim, whatever an engine says."""

    model_config = _STRICT

    failed_binding: GuardLabel = Verification.REASONABLE_INFERENCE
    dropped_reference: GuardLabel = Verification.REASONABLE_INFERENCE
    no_verified_binding: Literal[Verification.UNSUPPORTED] = Verification.UNSUPPORTED
    guidance_only: Literal[Verification.UNSUPPORTED] = Verification.UNSUPPORTED
    foreign_value: Literal[Verification.UNSUPPORTED] = Verification.UNSUPPORTED


class VerdictTables(BaseModel):
    """Everything that turns labels into score, verdict and route.

    `pass_threshold` is the score under which nothing passes, and under which round 1 may end in another round.

    `max_label_without_code` is the best label that a model can give to a claim beyond what the deterministic engine
    gives it: what a model alone can lift.

    `critical_claim_types` holds at least the core types. A further type makes more claims critical, and that alone is
    not always stricter: one more confirmed claim lifts a mean, can be the one direct observation that a pass needs,
    and can keep a session of observations from the reading in which all claims count. `critical_sets` therefore gives
    both readings, and the lower score and verdict of the two holds.
    """

    model_config = _STRICT

    critical_claim_types: tuple[str, ...] = CORE_CRITICAL_TYPES
    fact_scores: FactScores = FactScores()
    pass_threshold: float = Field(default=0.5, ge=0.5, le=1.0)
    max_rounds: int = Field(default=2, ge=1, le=2)
    caps: VerdictCaps = VerdictCaps()
    label_caps: LabelCaps = LabelCaps()
    max_label_without_code: Literal[Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE] = (
        Verification.DIRECT_OBSERVATION
    )

    @field_validator("critical_claim_types")
    @classmethod
    def _keep_core_types(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        missing = [name for name in CORE_CRITICAL_TYPES if name not in names]
        if missing:
            raise ValueError(f"lacks {', '.join(missing)}: those claims would count less")
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"names {', '.join(repeated)} more than once")
        return names

    def critical_sets(self, claim_types: Sequence[str]) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
        """Returns, for claims of these types in order, which are critical by the core types, and which in all.

        The first set is the standard reading: the core types, or every claim where no claim has one of them. The
        second adds the further types of this catalog and always contains the first. A pass needs a direct observation
        in the first set and no weak claim in the second; the score is the lower mean of the two. How a type is
        spelled makes no difference.
        """
        core = tuple(known_claim_type(name, CORE_CRITICAL_TYPES) is not None for name in claim_types)
        if not any(core):
            core = (True,) * len(core)
        further = self.critical_claim_types
        return core, tuple(
            is_core or known_claim_type(name, further) is not None
            for is_core, name in zip(core, claim_types, strict=True)
        )
