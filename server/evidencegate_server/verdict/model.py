"""Holds an evaluation: everything that came of judging one output. Field meanings stand in `evaluation.proto`."""

from __future__ import annotations

from evidencegate_server.contract.model import Notice, ParseReport
from evidencegate_server.contract.records import record
from evidencegate_server.judge.model import RetryContext, Witness
from evidencegate_server.rules.model import GatekeeperResult
from evidencegate_server.trace.model import TraceSummary
from evidencegate_server.verdict.material import AllowedMaterial, ModelUse
from evidencegate_server.words import Engine, FactVerification, Route, Verdict, Verification


@record
class EvidenceReference:
    """A pointer from a claim to an existing trace item."""

    trace_ref: str
    tool_name: str
    source_invocation_ids: tuple[str, ...]
    note: str = ""


@record
class LabelStep:
    """One lowering of a label by a guard."""

    from_label: Verification | None
    to_label: Verification
    reason: str
    message: str


@record
class ClaimCheck:
    """How one claim fared, in the executor's order."""

    index: int
    claim_id: str
    claim_text: str
    claim_type: str
    verification: Verification
    detail: str
    evidence_refs: tuple[EvidenceReference, ...]
    is_critical: bool
    engine: Engine | None
    engine_verification: Verification | None
    label_steps: tuple[LabelStep, ...] = ()
    fabricated_identifiers: tuple[str, ...] = ()
    witnesses: tuple[Witness, ...] = ()


@record
class HypothesisCheck:
    """One hypothesis, listed and never labelled."""

    index: int
    text: str
    note: str


@record
class FactCheck:
    """One fact in the older form; `unclaimed` marks one that stands in an answer beside the claims and in no claim."""

    fact: str
    is_critical: bool
    verification: FactVerification
    detail: str
    evidence_refs: tuple[EvidenceReference, ...] = ()
    claim_index: int | None = None
    unclaimed: bool = False


@record
class VerdictStep:
    """One lowering of the verdict."""

    from_verdict: Verdict
    to_verdict: Verdict
    reason: str
    message: str


@record
class PromptVersion:
    """One prompt by name and version; `role` is planner, executor, verifier or composer."""

    role: str
    name: str
    version: str


@record
class PromptAudit:
    """Which prompts were in play; `used` is None where the caller declared nothing."""

    version: str
    prompts: tuple[PromptVersion, ...]
    used: tuple[PromptVersion, ...] | None = None


@record
class Evaluation:
    """The evaluation; `retry_context` is set exactly where the route is RETRY."""

    verdict: Verdict
    engine_verdict: Verdict
    groundedness_score: float
    critical_fact_count: int
    route: Route
    claim_checks: tuple[ClaimCheck, ...]
    hypothesis_checks: tuple[HypothesisCheck, ...]
    facts_checked: tuple[FactCheck, ...]
    rationale: str
    verdict_steps: tuple[VerdictStep, ...]
    engine: Engine
    executor_report: ParseReport
    verifier_report: ParseReport | None
    gatekeeper: GatekeeperResult
    trace: TraceSummary
    warnings: tuple[Notice, ...]
    prompt_audit: PromptAudit
    round: int
    retry_context: RetryContext | None = None
    allowed_material: AllowedMaterial = AllowedMaterial()
    model_use: ModelUse | None = None
