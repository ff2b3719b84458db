"""Holds what an engine sees and what it says. Every engine has this one interface."""

from __future__ import annotations

from typing import Protocol

from evidencegate_server.contract.model import Claim, ExecutorOutput, Notice, ParseReport
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.rules.model import GatekeeperResult
from evidencegate_server.trace.model import TraceSummary
from evidencegate_server.words import Engine, FactVerification, Verdict, Verification


@record
class VerifiedBinding:
    """One binding of a claim that passed every check: the ref it points at and where the excerpt stands in it."""

    binding_index: int
    invocation: Invocation
    ref: EvidenceRef
    spans: tuple[Span, ...]


@record
class ClaimCase:
    """One claim with the evidence that counts for it.

    `usable` are the verified bindings that may testify to this claim (guidance only for type `knowledge`), `guidance`
    the verified ones that may not; `failed_bindings` counts those that did not verify; `contract_fault` says that the
    claim's own fields break the contract, so that it counts as not verified.
    """

    claim: Claim
    usable: tuple[VerifiedBinding, ...]
    guidance: tuple[VerifiedBinding, ...]
    failed_bindings: int
    contract_fault: bool = False


@record
class WeakClaim:
    """A claim of the first round that was too weak."""

    index: int
    claim_id: str
    claim_text: str
    verification: Verification
    missing_evidence: str


@record
class RetryContext:
    """What the second round is told about the first."""

    verdict: Verdict
    groundedness_score: float
    weak_claims: tuple[WeakClaim, ...]
    missing_info: tuple[str, ...]


@record
class JudgeView:
    """Exactly what an engine may see.

    `output` is None where the parse status is not valid. `retry_context` is None in round 1. `invocations` are for the
    deterministic engine and the guards alone: a model engine sends nothing of them beyond the trace summary.
    """

    original_query: str
    final_answer: str
    output: ExecutorOutput | None
    parse_report: ParseReport
    trace: TraceSummary
    gatekeeper: GatekeeperResult
    retry_context: RetryContext | None
    cases: tuple[ClaimCase, ...]
    invocations: tuple[Invocation, ...]


@record
class Witness:
    """A fact of a claim beside the evidence that decided it, if there is any; quotes are shortened to 200 code points.

    `relation` is stated, derivable, part, silent, foreign or in_conflict.
    """

    relation: str
    claim_span: Span
    claim_quote: str
    invocation_id: str = ""
    raw_path: str = ""
    evidence_span: Span | None = None
    evidence_quote: str = ""


@record
class RefPointer:
    """An evidence ref as a model wrote it, not yet resolved against the trace; empty where it left one out."""

    trace_ref: str
    source_invocation_ids: tuple[str, ...]
    note: str = ""
    tool_name: str = ""


@record
class ClaimLabel:
    """What an engine says of one claim.

    `pointers` is None for engines whose claims are witnessed by their own bindings; for model engines it holds what
    the model pointed at. `foreign_values` are the claim's figures, dates and times that stand nowhere in its evidence,
    where the engine looks for them and calls the claim external_unknown.
    """

    index: int
    verification: Verification
    detail: str
    engine: Engine
    witnesses: tuple[Witness, ...] = ()
    pointers: tuple[RefPointer, ...] | None = None
    foreign_values: tuple[str, ...] = ()


@record
class AuditFact:
    """A fact that belongs to no claim: for audit, and decisive only where it is critical and contradicted.

    `unclaimed` marks one that the executor's answer for the user tells beside its claims, which lowers the verdict.
    """

    fact: str
    is_critical: bool
    verification: FactVerification
    detail: str
    unclaimed: bool = False


@record
class EngineResult:
    """What an engine says of a whole output.

    `labels` has at most one label for each claim; a claim without one is unsupported. `verdict` is the engine's own,
    None where the matrix over its labels is its verdict. `report` tells how a model's text was read, None where no
    model took part. `contradicted_fact` says that the model calls a fact critical and contradicted, whether or not it
    belongs to a claim: that alone rejects.
    """

    engine: Engine
    labels: tuple[ClaimLabel, ...]
    verdict: Verdict | None = None
    audit_facts: tuple[AuditFact, ...] = ()
    report: ParseReport | None = None
    rationale: str = ""
    warnings: tuple[Notice, ...] = ()
    contradicted_fact: bool = False


class JudgeEngine(Protocol):
    """Labels the claims of one output."""

    def judge(self, view: JudgeView) -> EngineResult:
        """Returns at most one label for each claim.

        Pure: the same view gives the same result. Never raises for what a model wrote.
        """
        ...
