"""Labels one claim beside texts that count as its verified evidence, so that a team can measure the judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.claim_types import KNOWLEDGE, is_claim_type
from evidencegate_server.contract.model import Claim, ExecutorOutput, ParseReport
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.deterministic import DeterministicEngine
from evidencegate_server.judge.identifiers import find_fabricated
from evidencegate_server.judge.model import ClaimCase, JudgeEngine, JudgeView, VerifiedBinding, Witness
from evidencegate_server.rules.model import GatekeeperResult
from evidencegate_server.trace.model import TraceSummary
from evidencegate_server.verdict.guards import guard
from evidencegate_server.words import (
    EvidenceKind,
    GatekeeperStatus,
    InvocationStatus,
    ParseStatus,
    Severity,
    Verification,
)

_RAW_PATH: Final = "output"
_TOOL: Final = "evidence"


@record
class PairText:
    """One text of evidence, and what it can testify to."""

    text: str
    kind: EvidenceKind = EvidenceKind.OBSERVATION


@record
class PairLabel:
    """The label of a claim, and why in one sentence."""

    verification: Verification
    detail: str


@runtime_checkable
class _ExplainingEngine(Protocol):
    def explain(self, view: JudgeView) -> str: ...


class PairJudge:
    """The deterministic engine and the guards that stand over it, for claims without a session."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._engine: JudgeEngine = DeterministicEngine(catalog.lexicon)

    def label(self, claim_text: str, claim_type: str, evidence: Sequence[PairText]) -> PairLabel:
        """Returns the label that the claim would have in a session whose calls returned exactly these texts.

        Each text is a call of its own, and the claim quotes each of them whole.
        """
        case, view = self._session(claim_text, claim_type, evidence)
        result = self._engine.judge(view)
        label = next((one for one in result.labels if one.index == 0), None)
        found = find_fabricated([case.claim], view.invocations, "", self._catalog.lexicon.identifiers)
        guarded = guard(
            case,
            None if label is None else label.verification,
            self._catalog.verdict.label_caps,
            evidence_ref_dropped=False,
            fabricated_identifiers=found.names.get(0, ()),
            not_examined=0 in found.not_examined,
        )
        said = [step.message for step in guarded.steps]
        if label is not None and label.detail:
            said.append(label.detail)
        return PairLabel(guarded.verification, " ".join(said))

    def explain(self, claim_text: str, claim_type: str, evidence: Sequence[PairText]) -> str:
        """Returns how the engine came to its label, for people: lines of text whose form may change.

        The guards stand over the engine and are not in it: `label` can differ from what is explained here.
        """
        _, view = self._session(claim_text, claim_type, evidence)
        if isinstance(self._engine, _ExplainingEngine):
            return self._engine.explain(view)
        labels = self._engine.judge(view).labels
        return "\n".join(_told(witness) for label in labels for witness in label.witnesses) or "There is no witness."

    def _session(self, claim_text: str, claim_type: str, evidence: Sequence[PairText]) -> tuple[ClaimCase, JudgeView]:
        claim = Claim("claims[0]", 0, "claim", claim_type, claim_text, "direct", (), {})
        bindings = tuple(_binding(index, item) for index, item in enumerate(evidence))
        any_kind = is_claim_type(claim_type, KNOWLEDGE)
        may_testify = tuple(any_kind or one.ref.kind is EvidenceKind.OBSERVATION for one in bindings)
        case = ClaimCase(
            claim,
            usable=tuple(one for one, may in zip(bindings, may_testify, strict=True) if may),
            guidance=tuple(one for one, may in zip(bindings, may_testify, strict=True) if not may),
            failed_bindings=0,
        )
        invocations = tuple(binding.invocation for binding in bindings)
        return case, _view(claim, case, invocations, self._catalog)


def _told(witness: Witness) -> str:
    beside = f" | {witness.invocation_id}: {witness.evidence_quote}" if witness.evidence_span else ""
    return f"{witness.relation}: {witness.claim_quote}{beside}"


def _binding(index: int, item: PairText) -> VerifiedBinding:
    ref = EvidenceRef(_RAW_PATH, item.text, item.kind)
    invocation = Invocation(str(index + 1), _TOOL, InvocationStatus.SUCCESS, refs=(ref,))
    return VerifiedBinding(index, invocation, ref, (Span(0, len(item.text)),))


def _view(claim: Claim, case: ClaimCase, invocations: tuple[Invocation, ...], catalog: Catalog) -> JudgeView:
    gatekeeper = GatekeeperResult(
        status=GatekeeperStatus.PASS,
        severity=Severity.NONE,
        failed_rules=(),
        warnings=(),
        notes=(),
        findings=(),
        uncounted_findings=(),
        rule_errors=(),
        bindings=(),
        rule_set=catalog.rule_set,
        input_digest="",
        engine_version="",
    )
    return JudgeView(
        original_query="",
        final_answer="",
        output=ExecutorOutput("executor_evidence_v2", (claim,), (), (), (), {}),
        parse_report=ParseReport(ParseStatus.VALID, "", 0),
        trace=TraceSummary(()),
        gatekeeper=gatekeeper,
        retry_context=None,
        cases=(case,),
        invocations=invocations,
    )
