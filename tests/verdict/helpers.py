"""Builds cases, results and evaluations for the tests of the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate_server.contract.model import Claim, ExecutorOutput, ParseReport, SideItem
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import (
    ClaimCase,
    ClaimLabel,
    EngineResult,
    JudgeView,
    RefPointer,
    VerifiedBinding,
)
from evidencegate_server.rules.model import GatekeeperResult, RuleError, RuleSet
from evidencegate_server.trace.policy import ToolEntry, ToolRegistry
from evidencegate_server.trace.summary import summarize_trace
from evidencegate_server.verdict.evaluate import evaluate
from evidencegate_server.verdict.model import Evaluation, PromptAudit
from evidencegate_server.verdict.tables import VerdictTables
from evidencegate_server.words import (
    Engine,
    EvidenceKind,
    GatekeeperStatus,
    InvocationStatus,
    ParseStatus,
    Severity,
    Verdict,
    Verification,
)

from tests.trace.helpers import POLICY

TABLES = VerdictTables()
REGISTRY = ToolRegistry(known=(ToolEntry(name="get_current_time", evidence=False),))
AUDIT = PromptAudit("1", ())


def invocation(call_id: str = "1", tool: str = "query_logs", text: str = "the evidence") -> Invocation:
    """Makes a successful call with one ref."""
    return Invocation(call_id, tool, InvocationStatus.SUCCESS, output=text, refs=(EvidenceRef("lines[0]", text),))


def claim(index: int = 0, claim_type: str = "symptom", claim_id: str | None = None, text: str = "it failed") -> Claim:
    """Makes a claim without bindings of its own."""
    return Claim(f"claims[{index}]", index, claim_id or f"claim-{index + 1}", claim_type, text, "direct", (), {})


def binding(call: Invocation | None = None, kind: EvidenceKind = EvidenceKind.OBSERVATION) -> VerifiedBinding:
    """Makes a verified binding of a call."""
    call = call or invocation()
    ref = EvidenceRef("lines[0]", call.refs[0].text, kind)
    return VerifiedBinding(0, call, ref, (Span(0, len(ref.text)),))


def case(
    subject: Claim | None = None,
    *,
    usable: Sequence[VerifiedBinding] | None = None,
    guidance: Sequence[VerifiedBinding] = (),
    failed: int = 0,
    contract_fault: bool = False,
) -> ClaimCase:
    """Makes a case; with one sound binding where nothing else is said."""
    bindings = (binding(),) if usable is None else tuple(usable)
    return ClaimCase(subject or claim(), bindings, tuple(guidance), failed, contract_fault)


def gatekeeper(
    severity: Severity = Severity.NONE,
    *,
    status: GatekeeperStatus | None = None,
    failed_rules: tuple[str, ...] = (),
    rule_errors: tuple[RuleError, ...] = (),
    fallback: bool = False,
) -> GatekeeperResult:
    """Makes a Gatekeeper result; `fail` exactly where it has a severity and nothing else is said."""
    if status is None:
        status = GatekeeperStatus.PASS if severity is Severity.NONE else GatekeeperStatus.FAIL
    return GatekeeperResult(
        status, severity, failed_rules, (), (), (), (), rule_errors, (), RuleSet("1", "c", ()), "d", "e", fallback
    )


def label(
    index: int, verification: Verification, detail: str = "because", pointers: tuple[RefPointer, ...] | None = None
) -> ClaimLabel:
    """Makes a label."""
    return ClaimLabel(index, verification, detail, Engine.SUPPLIED, pointers=pointers)


def judged(
    labels: Sequence[ClaimLabel | Verification | None],
    *,
    cases: Sequence[ClaimCase] | None = None,
    types: Sequence[str] = (),
    result: EngineResult | None = None,
    engine_verdict: Verdict | None = None,
    checked: GatekeeperResult | None = None,
    parse_status: ParseStatus = ParseStatus.VALID,
    fabricated: dict[int, tuple[str, ...]] | None = None,
    invocations: Sequence[Invocation] | None = None,
    round_number: int = 1,
    missing_info: Sequence[str | None] = (),
    hypotheses: Sequence[str | None] = (),
    tables: VerdictTables = TABLES,
) -> Evaluation:
    """Evaluates claims with these labels, each with one sound binding unless cases are given."""
    calls = tuple(invocations) if invocations is not None else (invocation(),)
    if cases is None:
        names = types or ["symptom"] * len(labels)
        cases = [case(claim(at, name)) for at, name in enumerate(names)]
    written = [
        label(at, item) if isinstance(item, Verification) else item
        for at, item in enumerate(labels)
        if item is not None
    ]
    engine_result = result or EngineResult(Engine.SUPPLIED, tuple(written), engine_verdict)
    output = (
        ExecutorOutput(
            "executor_evidence_v2",
            tuple(item.claim for item in cases),
            tuple(SideItem(f"hypotheses[{at}]", at, text, text) for at, text in enumerate(hypotheses)),
            (),
            tuple(SideItem(f"missing_info[{at}]", at, text, text) for at, text in enumerate(missing_info)),
            {},
        )
        if parse_status is ParseStatus.VALID
        else None
    )
    view = JudgeView(
        "what failed?",
        "{}",
        output,
        ParseReport(parse_status, "0" * 64, 2),
        summarize_trace(calls, REGISTRY, POLICY),
        checked or gatekeeper(),
        None,
        tuple(cases) if output is not None else (),
        calls,
    )
    return evaluate(
        view, engine_result, tables, fabricated=fabricated or {}, prompt_audit=AUDIT, round_number=round_number
    )
