"""Turns the engine's results into messages. Nothing is decided here.

Results are built straight from the dataclasses, the large ones as bytes (see wire). The steps of a binding's chain
recur by the thousand and are kept serialized by value: a chain has few different outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from evidencegate.v1 import evaluation_pb2, gatekeeper_pb2, material_pb2, prompt_pb2, text_pb2, trace_pb2, verifier_pb2

from evidencegate_server.contract.model import Notice, ParseReport
from evidencegate_server.evidence.model import Span
from evidencegate_server.judge.model import RetryContext, Witness
from evidencegate_server.rules.model import BindingCheck, BindingStep, Finding, GatekeeperResult, RuleError
from evidencegate_server.service import enum_words
from evidencegate_server.service.binding_bytes import binding_bytes
from evidencegate_server.service.wire import VARINT, embed, text_tag
from evidencegate_server.trace.model import TraceItem, TraceSummary
from evidencegate_server.verdict.material import AllowedMaterial, MaterialGap, MaterialItem, ModelUse
from evidencegate_server.verdict.model import (
    ClaimCheck,
    Evaluation,
    EvidenceReference,
    FactCheck,
    LabelStep,
    PromptAudit,
    PromptVersion,
)

_PARSE_STATUS = enum_words.PARSE_STATUS.number
_INVOCATION_STATUS = enum_words.INVOCATION_STATUS.number
_EVIDENCE_KIND = enum_words.EVIDENCE_KIND.number
_EVIDENCE_LEVEL = enum_words.EVIDENCE_LEVEL.number
_OUTCOME = enum_words.OUTCOME.number
_GATEKEEPER_STATUS = enum_words.GATEKEEPER_STATUS.number
_SEVERITY = enum_words.SEVERITY.number
_VERIFICATION = enum_words.VERIFICATION.number
_FACT_VERIFICATION = enum_words.FACT_VERIFICATION.number
_VERDICT = enum_words.VERDICT.number
_ROUTE = enum_words.ROUTE.number
_ENGINE = enum_words.ENGINE.number
_PROMPT_ROLE = enum_words.PROMPT_ROLE.number
_LANGUAGE = enum_words.LANGUAGE.number

_BINDINGS_TAG = text_tag(gatekeeper_pb2.GatekeeperResult.BINDINGS_FIELD_NUMBER)

# The form of an evaluation: raised when a field changes its meaning.
TRACEABILITY_VERSION = "evaluation_v1"


def parse_report(report: ParseReport) -> text_pb2.ParseReport:
    """Returns the message of a parse report."""
    message = text_pb2.ParseReport(
        status=_PARSE_STATUS[report.status],
        raw_sha256=report.raw_sha256,
        raw_length=report.raw_length,
        message=report.message,
        line=report.line,
        column=report.column,
        offset=report.offset,
    )
    if report.reason is not None:
        message.reason = report.reason
    if report.notes:
        message.notes.extend(notices(report.notes))
    if report.warnings:
        message.warnings.extend(notices(report.warnings))
    return message


def notices(items: Iterable[Notice]) -> list[text_pb2.Notice]:
    """Returns the messages of warnings or notes."""
    return [text_pb2.Notice(id=item.id, message=item.message, place=item.place) for item in items]


def gatekeeper_result(result: GatekeeperResult, base: bytes) -> bytes:
    """Returns the serialized Gatekeeper result; `base` is what the catalog alone says (CatalogMessages)."""
    head = gatekeeper_pb2.GatekeeperResult(
        status=_GATEKEEPER_STATUS[result.status],
        severity=_SEVERITY[result.severity],
        checked_bindings=len(result.bindings),
        input_digest=result.input_digest,
        fallback=result.fallback,
    )
    if result.failed_rules:
        head.failed_rules.extend(result.failed_rules)
    if result.warnings:
        head.warnings.extend(notices(result.warnings))
    if result.notes:
        head.notes.extend(notices(result.notes))
    if result.findings:
        head.findings.extend(map(_finding, result.findings))
        head.errors.extend(map(_sentence, result.findings))
    if result.rule_errors:
        head.rule_errors.extend(map(_rule_error, result.rule_errors))
        head.errors.extend(map(_sentence, result.rule_errors))
    if result.uncounted_findings:
        head.uncounted_findings.extend(map(_finding, result.uncounted_findings))
    return b"".join((base, head.SerializeToString(), *_bindings(result.bindings)))


def _sentence(fault: Finding | RuleError) -> str:
    """Returns one readable sentence: which rule, where, what."""
    place = f" at {fault.place}" if fault.place else ""
    return f"{fault.rule_id}{place}: {fault.message}"


def _finding(finding: Finding) -> gatekeeper_pb2.Finding:
    return gatekeeper_pb2.Finding(
        rule_id=finding.rule_id,
        rule_version=finding.rule_version,
        severity=_SEVERITY[finding.severity],
        place=finding.place,
        reason=finding.reason,
        message=finding.message,
        quoted=finding.quoted,
        why=finding.why,
        fix=finding.fix,
        claim_index=finding.claim_index,
        binding_index=finding.binding_index,
        uncounted_reason=finding.uncounted_reason,
    )


def _rule_error(error: RuleError) -> gatekeeper_pb2.RuleError:
    return gatekeeper_pb2.RuleError(
        rule_id=error.rule_id,
        place=error.place,
        message=error.message,
        severity=_SEVERITY[error.severity],
        rule_version=error.rule_version,
        claim_index=error.claim_index,
        binding_index=error.binding_index,
    )


def _bindings(checks: Iterable[BindingCheck]) -> list[bytes]:
    """Returns the pieces of a GatekeeperResult that has nothing but these bindings."""
    pieces: list[bytes] = []
    latest: tuple[BindingStep, ...] | None = None
    steps = b""
    for check in checks:
        if check.steps is not latest:  # mostly it is: those that pass all steps share them
            latest = check.steps
            steps = _steps(latest)
        message = b"".join((*binding_bytes(check), steps))
        pieces += (_BINDINGS_TAG, VARINT[len(message)], message)
    return pieces


@lru_cache(maxsize=512)
def _steps(steps: tuple[BindingStep, ...]) -> bytes:
    """Returns a chain of checks as the bytes of a BindingCheck that has nothing else."""
    return gatekeeper_pb2.BindingCheck(
        steps=[
            gatekeeper_pb2.BindingStep(step=step.step, rule_id=step.rule_id, outcome=_OUTCOME[step.outcome])
            for step in steps
        ]
    ).SerializeToString()


def span(stretch: Span | None) -> text_pb2.TextSpan | None:
    """Returns the message of a span."""
    return None if stretch is None else text_pb2.TextSpan(start=stretch.start, end=stretch.end)


def trace_summary(summary: TraceSummary) -> trace_pb2.ToolTraceSummary:
    """Returns the message of a trace summary."""
    return trace_pb2.ToolTraceSummary(
        items=map(_trace_item, summary.items),
        omitted_invocation_ids=summary.omitted_invocation_ids,
    )


def _trace_item(item: TraceItem) -> trace_pb2.TraceItem:
    return trace_pb2.TraceItem(
        trace_ref=item.trace_ref,
        tool_name=item.tool_name,
        success=item.success,
        input_summary=item.input_summary,
        output_summary=item.output_summary,
        evidence_level=_EVIDENCE_LEVEL[item.evidence_level],
        source_invocation_ids=item.source_invocation_ids,
        status=_INVOCATION_STATUS[item.status],
        round=item.round,
        topic_domain=item.topic_domain,
        queries=item.queries,
        retrieval_layers=item.retrieval_layers,
        relevance_levels=item.relevance_levels,
        source_documents=item.source_documents,
        shortened=item.shortened,
        call_count=item.call_count,
        failed_count=item.failed_count,
        no_hit_count=item.no_hit_count,
        merged_trace_refs=item.merged_trace_refs,
        deduped_count=item.deduped_count,
    )


def evaluation(judged: Evaluation, base: bytes) -> bytes:
    """Returns the serialized evaluation; `base` is as for `gatekeeper_result`."""
    message = evaluation_pb2.Evaluation(
        verdict=_VERDICT[judged.verdict],
        engine_verdict=_VERDICT[judged.engine_verdict],
        groundedness_score=judged.groundedness_score,
        critical_fact_count=judged.critical_fact_count,
        route=_ROUTE[judged.route],
        claim_checks=map(_claim_check, judged.claim_checks),
        facts_checked=map(_fact_check, judged.facts_checked),
        rationale=judged.rationale,
        engine=_ENGINE[judged.engine],
        executor_output_parse_status=parse_report(judged.executor_report),
        tool_trace_summary=trace_summary(judged.trace),
        warnings=notices(judged.warnings),
        prompt_audit=prompt_audit(judged.prompt_audit),
        traceability_version=TRACEABILITY_VERSION,
        source=evaluation_pb2.EVALUATION_SOURCE_SERVER,
        round=judged.round,
        allowed_material=_allowed_material(judged.allowed_material),
    )
    if judged.model_use is not None:
        message.model_use.CopyFrom(model_use(judged.model_use))
    if judged.verifier_report is not None:
        message.verifier_output_parse_status.CopyFrom(parse_report(judged.verifier_report))
    for hypothesis in judged.hypothesis_checks:
        message.hypothesis_checks.add(index=hypothesis.index, text=hypothesis.text, note=hypothesis.note)
    for step in judged.verdict_steps:
        message.verdict_steps.add(
            from_verdict=_VERDICT[step.from_verdict],
            to_verdict=_VERDICT[step.to_verdict],
            reason=step.reason,
            message=step.message,
        )
    number = evaluation_pb2.Evaluation.GATEKEEPER_RESULT_FIELD_NUMBER
    return message.SerializeToString() + embed(number, gatekeeper_result(judged.gatekeeper, base))


def _claim_check(check: ClaimCheck) -> evaluation_pb2.ClaimCheck:
    return evaluation_pb2.ClaimCheck(
        index=check.index,
        claim_id=check.claim_id,
        claim_text=check.claim_text,
        claim_type=check.claim_type,
        verification=_VERIFICATION[check.verification],
        detail=check.detail,
        evidence_refs=_trace_references(check.evidence_refs),
        is_critical=check.is_critical,
        engine=None if check.engine is None else _ENGINE[check.engine],
        engine_verification=_optional_verification(check.engine_verification),
        label_steps=map(_label_step, check.label_steps),
        fabricated=bool(check.fabricated_identifiers),
        fabricated_identifiers=check.fabricated_identifiers,
        witnesses=map(_witness, check.witnesses),
    )


def _allowed_material(material: AllowedMaterial) -> material_pb2.AllowedMaterial:
    return material_pb2.AllowedMaterial(
        confirmed=map(_material_item, material.confirmed),
        inferred=map(_material_item, material.inferred),
        gaps=map(_material_gap, material.gaps),
        directions=map(_material_item, material.directions),
        next_steps=map(_material_item, material.next_steps),
        withheld=[
            material_pb2.WithheldItem(kind=item.kind, index=item.index, reason=item.reason, quote=item.quote)
            for item in material.withheld
        ],
    )


def _material_item(item: MaterialItem) -> material_pb2.MaterialItem:
    return material_pb2.MaterialItem(
        index=item.index, claim_id=item.claim_id, claim_type=item.claim_type, text=item.text
    )


def _material_gap(gap: MaterialGap) -> material_pb2.MaterialGap:
    return material_pb2.MaterialGap(
        index=gap.index,
        claim_id=gap.claim_id,
        is_critical=gap.is_critical,
        verification=gap.verification.value,
        claim_text=gap.claim_text,
        sentences=[
            material_pb2.LocalizedText(language=_LANGUAGE[language], text=text) for language, text in gap.sentences
        ],
    )


def model_use(use: ModelUse) -> material_pb2.ModelUse:
    """Returns the message of what asking a model came to."""
    return material_pb2.ModelUse(
        profile=use.profile,
        model=use.model,
        requests=use.requests,
        prompt_tokens=use.prompt_tokens,
        completion_tokens=use.completion_tokens,
        failure=use.failure,
        masked_secrets=use.masked_secrets,
        left_out_chars=use.left_out_chars,
    )


def _optional_verification(label: Any) -> Any:
    return None if label is None else _VERIFICATION[label]


def _label_step(step: LabelStep) -> evaluation_pb2.LabelStep:
    return evaluation_pb2.LabelStep(
        from_label=_optional_verification(step.from_label),
        to_label=_VERIFICATION[step.to_label],
        reason=step.reason,
        message=step.message,
    )


def _trace_references(references: Sequence[EvidenceReference]) -> list[evaluation_pb2.TraceReference]:
    return [
        evaluation_pb2.TraceReference(
            trace_ref=reference.trace_ref,
            tool_name=reference.tool_name,
            source_invocation_ids=reference.source_invocation_ids,
            note=reference.note,
        )
        for reference in references
    ]


def _witness(witness: Witness) -> evaluation_pb2.Witness:
    return evaluation_pb2.Witness(
        claim_span=span(witness.claim_span),
        invocation_id=witness.invocation_id,
        raw_path=witness.raw_path,
        evidence_span=span(witness.evidence_span),
        relation=witness.relation,
        claim_quote=witness.claim_quote,
        evidence_quote=witness.evidence_quote,
    )


def _fact_check(check: FactCheck) -> evaluation_pb2.FactCheck:
    return evaluation_pb2.FactCheck(
        fact=check.fact,
        is_critical=check.is_critical,
        verification=_FACT_VERIFICATION[check.verification],
        detail=check.detail,
        evidence_refs=_trace_references(check.evidence_refs),
        claim_index=check.claim_index,
        unclaimed=check.unclaimed,
    )


def prompt_audit(audit: PromptAudit) -> prompt_pb2.PromptAudit:
    """Returns the message of a prompt audit."""
    return prompt_pb2.PromptAudit(
        version=audit.version,
        prompts=map(prompt_version, audit.prompts),
        declared=audit.used is not None,
        prompts_used=map(prompt_version, audit.used or ()),
    )


def prompt_version(prompt: PromptVersion) -> prompt_pb2.PromptVersion:
    """Returns the message of a prompt's name and version."""
    return prompt_pb2.PromptVersion(
        role=_PROMPT_ROLE[prompt.role],
        name=prompt.name,
        version=prompt.version,
    )


def validate_response(result: GatekeeperResult, report: ParseReport, base: bytes) -> bytes:
    """Returns the serialized response of Validate."""
    kind = gatekeeper_pb2.ValidateResponse
    return embed(kind.GATEKEEPER_RESULT_FIELD_NUMBER, gatekeeper_result(result, base)) + embed(
        kind.EXECUTOR_OUTPUT_PARSE_STATUS_FIELD_NUMBER, parse_report(report).SerializeToString()
    )


def judge_response(judged: Evaluation, base: bytes) -> bytes:
    """Returns the serialized response of Judge."""
    kind = verifier_pb2.JudgeResponse
    response = embed(kind.EVALUATION_FIELD_NUMBER, evaluation(judged, base))
    if judged.retry_context is not None:
        context = _retry_context(judged.retry_context).SerializeToString()
        response += embed(kind.RETRY_CONTEXT_FIELD_NUMBER, context)
    return response


def _retry_context(context: RetryContext) -> evaluation_pb2.RetryContext:
    message = evaluation_pb2.RetryContext(
        verdict=_VERDICT[context.verdict],
        groundedness_score=context.groundedness_score,
        missing_info=context.missing_info,
    )
    for claim in context.weak_claims:
        message.weak_claims.add(
            index=claim.index,
            claim_id=claim.claim_id,
            claim_text=claim.claim_text,
            verification=_VERIFICATION[claim.verification],
            missing_evidence=claim.missing_evidence,
        )
    return message
