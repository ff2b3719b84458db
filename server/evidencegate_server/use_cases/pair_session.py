"""Makes of one claim and its texts of evidence the session that an engine would see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.claim_types import KNOWLEDGE, is_claim_type
from evidencegate_server.contract.model import Claim, ExecutorOutput, ParseReport
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import ClaimCase, JudgeView, VerifiedBinding
from evidencegate_server.rules.model import BindingCheck, GatekeeperResult
from evidencegate_server.trace.model import TraceSummary
from evidencegate_server.use_cases.summarize import summarize_for
from evidencegate_server.words import (
    EvidenceKind,
    GatekeeperStatus,
    InvocationStatus,
    ParseStatus,
    Resolution,
    Severity,
)

CLAIM_ID: Final = "claim"

_VERSION: Final = "executor_evidence_v2"
_RAW_PATH: Final = "output"
_TOOL: Final = "evidence"
_SHOWN_CHARS: Final = 200  # of an excerpt in the Gatekeeper's result, as in a real one


@record
class PairText:
    """One text of evidence, and what it can testify to."""

    text: str
    kind: EvidenceKind = EvidenceKind.OBSERVATION


def pair_session(
    claim_text: str, claim_type: str, evidence: Sequence[PairText], catalog: Catalog
) -> tuple[ClaimCase, JudgeView]:
    """Returns the claim's case and the session in which calls returned exactly these texts.

    Each text is a call of its own, and the claim quotes each of them whole. The trace summary is empty: code reads the
    calls themselves.
    """
    claim = Claim("claims[0]", 0, CLAIM_ID, claim_type, claim_text, "direct", (), {})
    bindings = tuple(_binding(index, item) for index, item in enumerate(evidence))
    any_kind = is_claim_type(claim_type, KNOWLEDGE)
    may_testify = tuple(any_kind or one.ref.kind is EvidenceKind.OBSERVATION for one in bindings)
    case = ClaimCase(
        claim,
        usable=tuple(one for one, may in zip(bindings, may_testify, strict=True) if may),
        guidance=tuple(one for one, may in zip(bindings, may_testify, strict=True) if not may),
        failed_bindings=0,
    )
    return case, _view(claim, case, tuple(binding.invocation for binding in bindings), catalog)


def shown_to_model(case: ClaimCase, view: JudgeView, catalog: Catalog) -> JudgeView:
    """Returns the session with what a model is told of it: the output as written, the bindings, the trace summary."""
    bindings = sorted((*case.usable, *case.guidance), key=lambda bound: bound.binding_index)
    claim = replace(case.claim, raw=_written(case.claim, bindings))
    shown = replace(case, claim=claim)
    raw = {"answer_version": _VERSION, "claims": [claim.raw]}
    return replace(
        view,
        output=ExecutorOutput(_VERSION, (claim,), (), (), (), raw),
        trace=summarize_for(tuple(map(_with_output, view.invocations)), (shown,), "", catalog),
        gatekeeper=replace(view.gatekeeper, bindings=tuple(_check(bound) for bound in bindings)),
        cases=(shown,),
    )


def _binding(index: int, item: PairText) -> VerifiedBinding:
    ref = EvidenceRef(_RAW_PATH, item.text, item.kind)
    invocation = Invocation(str(index + 1), _TOOL, InvocationStatus.SUCCESS, refs=(ref,))
    return VerifiedBinding(index, invocation, ref, (Span(0, len(item.text)),))


def _with_output(call: Invocation) -> Invocation:
    """Returns a call as the trace summary needs it: with raw output, and an input that no other call has."""
    return replace(call, input=f'{{"part": {call.id}}}', output=call.refs[0].text)


def _written(claim: Claim, bindings: Sequence[VerifiedBinding]) -> dict[str, Any]:
    return {
        "claim_id": claim.claim_id,
        "claim_type": claim.claim_type,
        "claim_text": claim.claim_text,
        "support_level": claim.support_level,
        "evidence_bindings": [
            {
                "tool_name": bound.invocation.tool_name,
                "source_invocation_id": bound.invocation.id,
                "raw_path": bound.ref.raw_path,
                "evidence_excerpt": bound.ref.text,
            }
            for bound in bindings
        ],
    }


def _check(bound: VerifiedBinding) -> BindingCheck:
    return BindingCheck(
        place=f"claims[0].evidence_bindings[{bound.binding_index}]",
        claim_index=0,
        binding_index=bound.binding_index,
        claim_id=CLAIM_ID,
        verified=True,
        resolution=Resolution.NAMED,
        invocation_id=bound.invocation.id,
        tool_name=bound.invocation.tool_name,
        raw_path=bound.ref.raw_path,
        kind=bound.ref.kind,
        steps=(),
        spans=bound.spans,
        evidence_excerpt=bound.ref.text[:_SHOWN_CHARS],
    )


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
        output=ExecutorOutput(_VERSION, (claim,), (), (), (), {}),
        parse_report=ParseReport(ParseStatus.VALID, "", 0),
        trace=TraceSummary(()),
        gatekeeper=gatekeeper,
        retry_context=None,
        cases=(case,),
        invocations=invocations,
    )
