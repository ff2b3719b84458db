"""Turns a ComposeRequest into what is composed, its mistakes into field violations, and an answer into its message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from evidencegate.v1 import composer_pb2, evaluation_pb2, gatekeeper_pb2, material_pb2, text_pb2

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.compose.consistency import Evaluated
from evidencegate_server.compose.model import Answer
from evidencegate_server.contract.records import record
from evidencegate_server.service.enum_words import (
    FACT_VERIFICATION,
    FALLBACK_REASON,
    GATEKEEPER_STATUS,
    LANGUAGE,
    PARSE_STATUS,
    ROUTE,
    SEVERITY,
    SOURCE,
    VERDICT,
    VERIFICATION,
    WRITER,
    EnumWords,
    enum_fault,
)
from evidencegate_server.service.translate_judge import read_prompts
from evidencegate_server.service.translate_request import (
    MAX_QUERY_BYTES,
    Violations,
    check_text_bytes,
    read_model_text,
)
from evidencegate_server.service.translate_result import model_use, parse_report, prompt_audit, span
from evidencegate_server.use_cases.compose import ComposeInput
from evidencegate_server.verdict.material import AllowedMaterial, MaterialGap, MaterialItem, WithheldItem
from evidencegate_server.verdict.model import ClaimCheck
from evidencegate_server.words import (
    EvaluationSource,
    FactVerification,
    GatekeeperStatus,
    Language,
    ParseStatus,
    Route,
    Severity,
    Verdict,
    Verification,
    Writer,
)

_Word = TypeVar("_Word", bound=str)


@record
class ComposeCall:
    """What is composed, with the caller's text for the writer `supplied` and the profile for the writer `model`."""

    request: ComposeInput
    composer_text: str | bytes | None
    model_profile: str


@record
class _Checked:
    """What the verdict needs of a Gatekeeper result."""

    status: GatekeeperStatus
    severity: Severity
    failed_rules: tuple[str, ...]
    rule_errors: tuple[int, ...]
    fallback: bool


def read_compose_request(message: composer_pb2.ComposeRequest, _catalog: Catalog) -> ComposeCall:
    """Returns what is composed; raises CallerError where the request cannot be carried out as it was sent."""
    violations = Violations()
    check_text_bytes("original_query", message.original_query, MAX_QUERY_BYTES)
    language = _optional(message.language, LANGUAGE, Language.ZH, "language", violations)
    writer = _optional(message.writer, WRITER, Writer.TEMPLATE, "writer", violations)
    if writer is Writer.SUPPLIED and not message.HasField("composer_text"):
        violations.add("composer_text", "the writer supplied needs what the caller's model wrote")
    if writer is not Writer.SUPPLIED and message.HasField("composer_text"):
        violations.add("composer_text", f"belongs to the writer supplied, not to {writer.value}")
    if writer is not Writer.MODEL and message.model_profile:
        violations.add("model_profile", f"belongs to the writer model, not to {writer.value}")
    prompts_used = read_prompts(message.prompts_used, violations)
    if not message.HasField("evaluation"):
        violations.add("evaluation", "is missing: hand in what Judge returned")
        violations.raise_if_any()  # what an evaluation that is not there lacks would only be noise
    evaluated = _evaluated(message.evaluation, violations)
    violations.raise_if_any()
    text = read_model_text(message.composer_text) if message.HasField("composer_text") else None
    return ComposeCall(
        ComposeInput(evaluated, message.original_query, language, writer, prompts_used), text, message.model_profile
    )


def _optional(number: int, enum: EnumWords[_Word], unset: _Word, field: str, violations: Violations) -> _Word:
    return unset if number == 0 else _known(number, enum, unset, field, violations)


def _known(number: int, enum: EnumWords[_Word], otherwise: _Word, field: str, violations: Violations) -> _Word:
    word = enum.word.get(number)
    if word is None:
        violations.add(field, enum_fault(number))
        return otherwise
    return word


def _evaluated(message: evaluation_pb2.Evaluation, violations: Violations) -> Evaluated:
    at = "evaluation"
    source = _known(message.source, SOURCE, EvaluationSource.SERVER, f"{at}.source", violations)
    return Evaluated(
        source=source,
        verdict=_known(message.verdict, VERDICT, Verdict.REJECT, f"{at}.verdict", violations),
        engine_verdict=_known(message.engine_verdict, VERDICT, Verdict.REJECT, f"{at}.engine_verdict", violations),
        groundedness_score=message.groundedness_score,
        critical_fact_count=message.critical_fact_count,
        route=_known(message.route, ROUTE, Route.DEGRADE, f"{at}.route", violations),
        round=message.round,
        checks=tuple(
            _claim_check(check, f"{at}.claim_checks[{index}]", violations)
            for index, check in enumerate(message.claim_checks)
        ),
        hypotheses=tuple(check.text for check in message.hypothesis_checks),
        executor_status=_status(message, "executor_output_parse_status", violations),
        verifier_status=_status(message, "verifier_output_parse_status", violations),
        gatekeeper=_gatekeeper(message.gatekeeper_result, violations)
        if message.HasField("gatekeeper_result")
        else None,
        contradicted_fact=FactVerification.CONTRADICTED
        in _critical_audit_facts(message, f"{at}.facts_checked", violations),
        unclaimed_facts=sum(fact.unclaimed for fact in message.facts_checked),
        material=_material(message.allowed_material, f"{at}.allowed_material", violations),
    )


def _claim_check(check: evaluation_pb2.ClaimCheck, field: str, violations: Violations) -> ClaimCheck:
    label = _known(check.verification, VERIFICATION, Verification.UNSUPPORTED, f"{field}.verification", violations)
    return ClaimCheck(
        index=check.index,
        claim_id=check.claim_id,
        claim_text=check.claim_text,
        claim_type=check.claim_type,
        verification=label,
        detail="",
        evidence_refs=(),
        is_critical=check.is_critical,
        engine=None,
        engine_verification=None,
        # The mark alone decides; the names are for readers.
        fabricated_identifiers=("",) if check.fabricated else (),
    )


def _critical_audit_facts(
    message: evaluation_pb2.Evaluation, field: str, violations: Violations
) -> list[FactVerification]:
    """Returns the labels of the facts that can lower the verdict by themselves: critical, and of no claim."""
    return [
        _known(
            fact.verification,
            FACT_VERIFICATION,
            FactVerification.CONTRADICTED,
            f"{field}[{index}].verification",
            violations,
        )
        for index, fact in enumerate(message.facts_checked)
        if fact.is_critical and not fact.HasField("claim_index")
    ]


def _status(message: evaluation_pb2.Evaluation, field: str, violations: Violations) -> ParseStatus | None:
    if not message.HasField(field):
        return None
    report: text_pb2.ParseReport = getattr(message, field)
    return _known(report.status, PARSE_STATUS, ParseStatus.MALFORMED, f"evaluation.{field}.status", violations)


def _gatekeeper(result: gatekeeper_pb2.GatekeeperResult, violations: Violations) -> _Checked:
    at = "evaluation.gatekeeper_result"
    return _Checked(
        _known(result.status, GATEKEEPER_STATUS, GatekeeperStatus.FAIL, f"{at}.status", violations),
        _known(result.severity, SEVERITY, Severity.REJECT, f"{at}.severity", violations),
        tuple(result.failed_rules),
        tuple(range(len(result.rule_errors))),
        result.fallback,
    )


def _material(message: material_pb2.AllowedMaterial, field: str, violations: Violations) -> AllowedMaterial:
    return AllowedMaterial(
        confirmed=_items(message.confirmed),
        inferred=_items(message.inferred),
        gaps=tuple(
            MaterialGap(
                gap.index,
                gap.claim_id,
                gap.is_critical,
                _gap_label(gap.verification, f"{field}.gaps[{index}]", violations),
                gap.claim_text,
                tuple(
                    (
                        _known(one.language, LANGUAGE, Language.ZH, f"{field}.gaps[{index}].sentences", violations),
                        one.text,
                    )
                    for one in gap.sentences
                ),
            )
            for index, gap in enumerate(message.gaps)
        ),
        directions=_items(message.directions),
        next_steps=_items(message.next_steps),
        withheld=tuple(WithheldItem(item.kind, item.index, item.reason, item.quote) for item in message.withheld),
    )


def _gap_label(word: str, field: str, violations: Violations) -> Verification:
    try:
        return Verification(word)
    except ValueError:
        violations.add(f"{field}.verification", f"{word[:80]!r} is no label")
        return Verification.UNSUPPORTED


def _items(items: Iterable[material_pb2.MaterialItem]) -> tuple[MaterialItem, ...]:
    return tuple(MaterialItem(item.index, item.text, item.claim_id, item.claim_type) for item in items)


def compose_response(answer: Answer, template_version: str) -> composer_pb2.ComposeResponse:
    """Returns the response of Compose."""
    output = composer_pb2.ComposerOutput(
        text=answer.text,
        language=LANGUAGE.number[answer.language],
        requested_writer=WRITER.number[answer.requested_writer],
        writer=WRITER.number[answer.writer],
        fallback_reason=_reason(answer),
        fallback_detail=answer.fallback_detail,
        parse_status=None if answer.parse_report is None else parse_report(answer.parse_report),
        prompt_audit=None if answer.prompt_audit is None else prompt_audit(answer.prompt_audit),
        model_use=None if answer.model_use is None else model_use(answer.model_use),
        template_version=template_version,
    )
    for leak in answer.leaks:
        output.leaks.add(kind=leak.kind, quote=leak.quote, span=span(leak.span))
    return composer_pb2.ComposeResponse(composer_output=output)


def _reason(answer: Answer) -> Any:
    return None if answer.fallback_reason is None else FALLBACK_REASON.number[answer.fallback_reason]
