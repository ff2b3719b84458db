"""Turns a JudgeRequest into the judge's input, and its mistakes into field violations."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate.v1 import evaluation_pb2, gatekeeper_pb2, prompt_pb2, verifier_pb2

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.judge.model import RetryContext, WeakClaim
from evidencegate_server.service.enum_words import (
    ENGINE,
    EVIDENCE_KIND,
    GATEKEEPER_STATUS,
    OUTCOME,
    PROMPT_ROLE,
    RESOLUTION,
    SEVERITY,
    VERDICT,
    VERIFICATION,
    enum_fault,
)
from evidencegate_server.service.translate_request import (
    MAX_QUERY_BYTES,
    Violations,
    check_request,
    check_text_bytes,
    read_invocations,
    read_model_text,
    read_output,
)
from evidencegate_server.use_cases.handed_in import HandedInResult, Outcome, binding_outcome, outcome
from evidencegate_server.use_cases.judge import ROUNDS, JudgeInput, VerifierText
from evidencegate_server.verdict.model import PromptVersion
from evidencegate_server.words import Engine, Verdict, Verification

_ENGINE = {0: Engine.DETERMINISTIC, **ENGINE.word}


def read_judge_request(
    message: verifier_pb2.JudgeRequest, catalog: Catalog, request_bytes: int | None = None
) -> JudgeInput:
    """Returns the judge's input; raises CallerError where the request cannot be carried out as it was sent.

    `request_bytes` is the serialized size, counted here where it is not given.
    """
    check_request(message, catalog, request_bytes)
    check_text_bytes("original_query", message.original_query, MAX_QUERY_BYTES)
    violations = Violations()
    if message.round not in ROUNDS:
        violations.add("round", f"is {message.round}; the round is 1 or 2")
    engine = _ENGINE.get(message.engine)
    if engine is None:
        violations.add("engine", f"has the unknown number {message.engine}")
    verifier_output = None
    if message.HasField("verifier_output"):
        verifier_output = VerifierText(read_model_text(message.verifier_output))
    elif engine is Engine.SUPPLIED:
        violations.add("verifier_output", "is not set; the engine `supplied` needs what the verifier model wrote")
    retry_context = None
    if message.HasField("retry_context"):
        if message.round == 1:
            violations.add("retry_context", "is set in round 1; it belongs to round 2")
        retry_context = _read_retry_context(message.retry_context, violations)
    prompts_used = read_prompts(message.prompts_used, violations)
    invocations = read_invocations(message.tool_invocations, violations)
    violations.raise_if_any()
    assert engine is not None  # noted as a violation above
    variant, output = read_output(message.executor_output)
    return JudgeInput(
        round=message.round,
        original_query=message.original_query,
        output_variant=variant,
        output=output,
        invocations=invocations,
        gatekeeper_result=_handed_in(message.gatekeeper_result) if message.HasField("gatekeeper_result") else None,
        retry_context=retry_context,
        engine=engine,
        verifier_output=verifier_output,
        narrow_question=message.narrow_question,
        prompts_used=prompts_used,
        model_profile=message.model_profile,
    )


def _read_retry_context(message: evaluation_pb2.RetryContext, violations: Violations) -> RetryContext:
    verdict = VERDICT.word.get(message.verdict)
    if verdict is None:
        violations.add("retry_context.verdict", enum_fault(message.verdict))
    score = message.groundedness_score
    if not 0.0 <= score <= 1.0:
        violations.add("retry_context.groundedness_score", "is not between 0 and 1")
    weak_claims: list[WeakClaim] = []
    for index, claim in enumerate(message.weak_claims):
        label = VERIFICATION.word.get(claim.verification)
        if label is None:
            violations.add(f"retry_context.weak_claims[{index}].verification", enum_fault(claim.verification))
        weak_claims.append(
            WeakClaim(
                claim.index,
                claim.claim_id,
                claim.claim_text,
                label or Verification.UNSUPPORTED,
                claim.missing_evidence,
            )
        )
    return RetryContext(verdict or Verdict.REJECT, score, tuple(weak_claims), tuple(message.missing_info))


def read_prompts(
    messages: Sequence[prompt_pb2.PromptVersion], violations: Violations
) -> tuple[PromptVersion, ...] | None:
    """Returns the prompts that a caller declares, None where it declares nothing."""
    if not messages:
        return None
    prompts: list[PromptVersion] = []
    for index, prompt in enumerate(messages):
        role = PROMPT_ROLE.word.get(prompt.role)
        if role is None:
            violations.add(f"prompts_used[{index}].role", enum_fault(prompt.role))
        prompts.append(PromptVersion(role or "", prompt.name, prompt.version))
    return tuple(prompts)


def _handed_in(message: gatekeeper_pb2.GatekeeperResult) -> HandedInResult:
    """Returns as much of a handed-in result as is compared. A number without a word agrees with no word."""
    return HandedInResult(
        message.input_digest,
        message.catalog_digest,
        message.engine_version,
        outcome(
            GATEKEEPER_STATUS.word.get(message.status, ""),
            SEVERITY.word.get(message.severity, ""),
            tuple(message.failed_rules),
            tuple((finding.rule_id, finding.place, finding.reason) for finding in message.findings),
            tuple((error.rule_id, error.place) for error in message.rule_errors),
            tuple(map(_binding, message.bindings)),
        ),
        message.fallback,
    )


def _binding(check: gatekeeper_pb2.BindingCheck) -> Outcome:
    return binding_outcome(
        check.place,
        check.verified,
        RESOLUTION.word.get(check.resolution, ""),
        check.invocation_id,
        check.tool_name,
        check.raw_path,
        EVIDENCE_KIND.word.get(check.kind, ""),
        tuple((step.step, step.rule_id, OUTCOME.word.get(step.outcome, "")) for step in check.steps),
        check.tier,
        tuple((span.start, span.end) for span in check.spans),
        tuple(check.flags),
        check.mismatch_reason,
    )
