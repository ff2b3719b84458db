"""Proves that nothing of a result is left behind on the way to its message."""

from __future__ import annotations

from evidencegate.v1 import evaluation_pb2, gatekeeper_pb2, text_pb2, trace_pb2, verifier_pb2
from evidencegate_server.contract.model import Notice, ParseReport
from evidencegate_server.evidence.model import Span
from evidencegate_server.excerpts.model import ExcerptTier
from evidencegate_server.judge.model import RetryContext, WeakClaim, Witness
from evidencegate_server.rules.model import (
    BindingCheck,
    BindingStep,
    Finding,
    GatekeeperResult,
    RuleEntry,
    RuleError,
    RuleParameters,
    RuleSet,
)
from evidencegate_server.service import enum_words, translate_result
from evidencegate_server.service.binding_bytes import binding_bytes
from evidencegate_server.service.catalog_messages import rule_metadata
from evidencegate_server.service.wire import embed
from evidencegate_server.trace.model import TraceItem, TraceSummary
from evidencegate_server.verdict.material import AllowedMaterial, MaterialGap, MaterialItem, ModelUse, WithheldItem
from evidencegate_server.verdict.model import (
    ClaimCheck,
    Evaluation,
    EvidenceReference,
    FactCheck,
    HypothesisCheck,
    LabelStep,
    PromptAudit,
    PromptVersion,
    VerdictStep,
)
from evidencegate_server.words import (
    Engine,
    EvidenceKind,
    EvidenceLevel,
    FactVerification,
    GatekeeperStatus,
    InvocationStatus,
    Language,
    Outcome,
    ParseReason,
    ParseStatus,
    Resolution,
    Route,
    Severity,
    Verdict,
    Verification,
)
from google.protobuf import empty_pb2, unknown_fields
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st


class SomeParameters(RuleParameters):
    """Parameters of two kinds."""

    words: tuple[str, ...] = ("数", "b")
    limit: int = 7


NOTICE = Notice("notice.id", "message", "claims[1]")
REPORT = ParseReport(ParseStatus.MALFORMED, "a" * 64, 10, ParseReason.SYNTAX, "wrong", 1, 2, 3, (NOTICE,), (NOTICE,))
FINDING = Finding(
    "rule.a", 2, Severity.REJECT, "claims[1]", "why_not", "found", "quoted", "why", "fix", 1, 2, "disabled"
)
STEP = BindingStep("step", "rule.a", Outcome.FAIL)
BINDING = BindingCheck(
    "claims[1].evidence_bindings[2]",
    1,
    2,
    "c1",
    True,
    Resolution.LEGACY_IDS,
    "394",
    "query_logs",
    "lines[1]",
    EvidenceKind.GUIDANCE,
    (STEP, STEP),
    "folded",
    (Span(1, 2), Span(3, 4)),
    ("flag",),
    "mid_number",
    "excerpt",
)
ENTRY = RuleEntry("rule.a", 2, "demands", "why", "fix", Severity.REJECT, True, "stable", SomeParameters())
RESULT = GatekeeperResult(
    GatekeeperStatus.FAIL,
    Severity.REJECT,
    ("rule.a",),
    (NOTICE,),
    (NOTICE,),
    (FINDING,),
    (FINDING,),
    (RuleError("rule.a", "claims[1]", "crashed", Severity.REJECT, 2, 1, 2),),
    (BINDING, BINDING),
    RuleSet("1.2.3", "d" * 64, (ENTRY,)),
    "e" * 64,
    "1",
    True,
)
BASE = gatekeeper_pb2.GatekeeperResult(
    rule_set_version="1.2.3", catalog_digest="d" * 64, engine_version="1", rules=[rule_metadata(ENTRY)]
).SerializeToString()
REFERENCE = EvidenceReference("inv:394", "query_logs", ("394",), "note")
ITEM = TraceItem(
    "inv:394",
    "query_logs",
    True,
    "asked",
    "came",
    EvidenceLevel.OBSERVATION,
    ("394",),
    InvocationStatus.NO_HIT,
    2,
    "logs",
    ("q",),
    ("vector",),
    ("high",),
    ("doc",),
    True,
    4,
    1,
    2,
    ("inv:395",),
    3,
)
PROMPT = PromptVersion("verifier", "verifier.default", "3")
EVALUATION = Evaluation(
    verdict=Verdict.LOW_CONFID,
    engine_verdict=Verdict.PASS,
    groundedness_score=0.6,
    critical_fact_count=2,
    route=Route.RETRY,
    claim_checks=(
        ClaimCheck(
            1,
            "c1",
            "text",
            "symptom",
            Verification.OVERSTATED,
            "detail",
            (REFERENCE,),
            True,
            Engine.SUPPLIED,
            Verification.DIRECT_OBSERVATION,
            (LabelStep(Verification.DIRECT_OBSERVATION, Verification.OVERSTATED, "guard", "message"),),
            ("pod-1",),
            (Witness("stated", Span(1, 2), "claim quote", "394", "lines[1]", Span(3, 4), "evidence quote"),),
        ),
    ),
    hypothesis_checks=(HypothesisCheck(1, "text", "note"),),
    facts_checked=(
        FactCheck("c1: text", True, FactVerification.INDIRECT_SUPPORT, "detail", (REFERENCE,), 1, unclaimed=True),
    ),
    rationale="because",
    verdict_steps=(VerdictStep(Verdict.PASS, Verdict.LOW_CONFID, "gatekeeper", "message"),),
    engine=Engine.SUPPLIED,
    executor_report=REPORT,
    verifier_report=REPORT,
    gatekeeper=RESULT,
    trace=TraceSummary((ITEM,), ("396",)),
    warnings=(NOTICE,),
    prompt_audit=PromptAudit("5", (PROMPT,), (PROMPT,)),
    round=1,
    retry_context=RetryContext(
        Verdict.LOW_CONFID, 0.6, (WeakClaim(1, "c1", "text", Verification.UNSUPPORTED, "a log"),), ("missing",)
    ),
    allowed_material=AllowedMaterial(
        (MaterialItem(1, "text", "c1", "symptom"),),
        (MaterialItem(1, "text", "c1", "symptom"),),
        (MaterialGap(1, "c1", True, Verification.OVERSTATED, "text", ((Language.EN, "a gap"),)),),
        (MaterialItem(1, "text", "c1", "symptom"),),
        (MaterialItem(1, "text", "c1", "symptom"),),
        (WithheldItem("direction", 1, "unknown_number", "9"),),
    ),
    model_use=ModelUse("default", "a-model", 2, 300, 40, "timeout", 1, 7),
)


def unset_fields(message: Message, path: str = "") -> list[str]:
    """Names each field, at any depth, that holds nothing or its default."""
    unset = []
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        place = f"{path}.{field.name}".lstrip(".")
        if field.is_repeated:
            if not value:
                unset.append(place)
            elif field.type == FieldDescriptor.TYPE_MESSAGE:
                unset.extend(unset_fields(value[0], place))
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            unset.extend(unset_fields(value, place) if message.HasField(field.name) else [place])
        elif not value:
            unset.append(place)
    return unset


def test_a_response_of_validate_carries_every_field() -> None:
    response = gatekeeper_pb2.ValidateResponse.FromString(translate_result.validate_response(RESULT, REPORT, BASE))
    assert unset_fields(response) == []
    first, second = response.gatekeeper_result.bindings
    assert first == second
    assert [(span.start, span.end) for span in first.spans] == [(1, 2), (3, 4)]
    assert len(first.steps) == 2
    assert response.gatekeeper_result.checked_bindings == 2
    assert response.gatekeeper_result.errors == ["rule.a at claims[1]: found", "rule.a at claims[1]: crashed"]


def test_a_response_of_judge_carries_every_field() -> None:
    response = verifier_pb2.JudgeResponse.FromString(translate_result.judge_response(EVALUATION, BASE))
    assert unset_fields(response) == []
    assert response.evaluation.source == evaluation_pb2.EVALUATION_SOURCE_SERVER


def test_a_trace_summary_carries_every_field() -> None:
    assert unset_fields(translate_result.trace_summary(EVALUATION.trace)) == []
    (item,) = translate_result.trace_summary(EVALUATION.trace).items
    assert (item.call_count, item.failed_count, item.no_hit_count, item.deduped_count) == (4, 1, 2, 3)


def test_the_parameters_of_a_rule_are_json_texts_by_name() -> None:
    shown = [(parameter.name, parameter.value) for parameter in rule_metadata(ENTRY).parameters]
    assert shown == [("limit", "7"), ("words", '["数","b"]')]


@given(
    st.lists(st.binary(max_size=300), max_size=4), st.integers(1, 2**29 - 1).filter(lambda n: not 19_000 <= n < 20_000)
)
def test_an_embedded_message_is_read_as_a_field(parts: list[bytes], number: int) -> None:
    """Unknown fields of an empty message show what was embedded under which number."""
    message = empty_pb2.Empty.FromString(b"".join(embed(number, part) for part in parts))
    fields = unknown_fields.UnknownFieldSet(message)
    assert [(field.field_number, field.data) for field in fields] == [(number, part) for part in parts]


def test_a_large_embedded_message_keeps_its_length() -> None:
    summary = trace_pb2.ToolTraceSummary(omitted_invocation_ids=["x" * 70_000])
    field = verifier_pb2.JudgeResponse.EVALUATION_FIELD_NUMBER
    inner = embed(evaluation_pb2.Evaluation.TOOL_TRACE_SUMMARY_FIELD_NUMBER, summary.SerializeToString())
    response = verifier_pb2.JudgeResponse.FromString(embed(field, inner))
    assert response.evaluation.tool_trace_summary == summary


WORDS = st.text(alphabet="aé数\U0001f600", max_size=3) | st.just("x" * 300)
CHECKS = st.builds(
    BindingCheck,
    place=WORDS,
    claim_index=st.integers(0, 300),
    binding_index=st.integers(0, 300),
    claim_id=WORDS,
    verified=st.booleans(),
    resolution=st.sampled_from(Resolution),
    invocation_id=WORDS,
    tool_name=WORDS,
    raw_path=WORDS,
    kind=st.none() | st.sampled_from(EvidenceKind),
    steps=st.just(()),
    tier=st.sampled_from(["", *ExcerptTier]),
    spans=st.lists(st.builds(Span, st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1)), max_size=3).map(tuple),
    flags=st.lists(WORDS, max_size=2).map(tuple),
    mismatch_reason=WORDS,
    evidence_excerpt=WORDS,
)


@given(CHECKS)
def test_the_bytes_of_a_binding_are_those_that_protobuf_writes(check: BindingCheck) -> None:
    message = gatekeeper_pb2.BindingCheck(
        place=check.place,
        claim_index=check.claim_index,
        binding_index=check.binding_index,
        claim_id=check.claim_id,
        verified=check.verified,
        resolution=enum_words.RESOLUTION.number[check.resolution],
        invocation_id=check.invocation_id,
        tool_name=check.tool_name,
        raw_path=check.raw_path,
        kind=None if check.kind is None else enum_words.EVIDENCE_KIND.number[check.kind],
        tier=check.tier,
        spans=[text_pb2.TextSpan(start=span.start, end=span.end) for span in check.spans],
        flags=check.flags,
        mismatch_reason=check.mismatch_reason,
        evidence_excerpt=check.evidence_excerpt,
    )
    assert message.SerializeToString(deterministic=True) == b"".join(binding_bytes(check))
