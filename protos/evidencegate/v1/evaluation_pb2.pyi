from evidencegate.v1 import gatekeeper_pb2 as _gatekeeper_pb2
from evidencegate.v1 import material_pb2 as _material_pb2
from evidencegate.v1 import prompt_pb2 as _prompt_pb2
from evidencegate.v1 import text_pb2 as _text_pb2
from evidencegate.v1 import trace_pb2 as _trace_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_PASS: _ClassVar[Verdict]
    VERDICT_LOW_CONFID: _ClassVar[Verdict]
    VERDICT_REJECT: _ClassVar[Verdict]

class Route(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROUTE_UNSPECIFIED: _ClassVar[Route]
    ROUTE_COMPOSE: _ClassVar[Route]
    ROUTE_COMPOSE_WITH_UNCERTAINTY: _ClassVar[Route]
    ROUTE_RETRY: _ClassVar[Route]
    ROUTE_DEGRADE: _ClassVar[Route]

class Verification(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERIFICATION_UNSPECIFIED: _ClassVar[Verification]
    VERIFICATION_DIRECT_OBSERVATION: _ClassVar[Verification]
    VERIFICATION_REASONABLE_INFERENCE: _ClassVar[Verification]
    VERIFICATION_OVERSTATED: _ClassVar[Verification]
    VERIFICATION_UNSUPPORTED: _ClassVar[Verification]
    VERIFICATION_EXTERNAL_UNKNOWN: _ClassVar[Verification]
    VERIFICATION_CONTRADICTED: _ClassVar[Verification]

class FactVerification(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FACT_VERIFICATION_UNSPECIFIED: _ClassVar[FactVerification]
    FACT_VERIFICATION_DIRECT_EVIDENCE: _ClassVar[FactVerification]
    FACT_VERIFICATION_INDIRECT_SUPPORT: _ClassVar[FactVerification]
    FACT_VERIFICATION_NO_EVIDENCE: _ClassVar[FactVerification]
    FACT_VERIFICATION_CONTRADICTED: _ClassVar[FactVerification]

class JudgeEngine(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    JUDGE_ENGINE_UNSPECIFIED: _ClassVar[JudgeEngine]
    JUDGE_ENGINE_DETERMINISTIC: _ClassVar[JudgeEngine]
    JUDGE_ENGINE_LLM: _ClassVar[JudgeEngine]
    JUDGE_ENGINE_HYBRID: _ClassVar[JudgeEngine]
    JUDGE_ENGINE_SUPPLIED: _ClassVar[JudgeEngine]

class EvaluationSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVALUATION_SOURCE_UNSPECIFIED: _ClassVar[EvaluationSource]
    EVALUATION_SOURCE_SERVER: _ClassVar[EvaluationSource]
    EVALUATION_SOURCE_CLIENT_FALLBACK: _ClassVar[EvaluationSource]
VERDICT_UNSPECIFIED: Verdict
VERDICT_PASS: Verdict
VERDICT_LOW_CONFID: Verdict
VERDICT_REJECT: Verdict
ROUTE_UNSPECIFIED: Route
ROUTE_COMPOSE: Route
ROUTE_COMPOSE_WITH_UNCERTAINTY: Route
ROUTE_RETRY: Route
ROUTE_DEGRADE: Route
VERIFICATION_UNSPECIFIED: Verification
VERIFICATION_DIRECT_OBSERVATION: Verification
VERIFICATION_REASONABLE_INFERENCE: Verification
VERIFICATION_OVERSTATED: Verification
VERIFICATION_UNSUPPORTED: Verification
VERIFICATION_EXTERNAL_UNKNOWN: Verification
VERIFICATION_CONTRADICTED: Verification
FACT_VERIFICATION_UNSPECIFIED: FactVerification
FACT_VERIFICATION_DIRECT_EVIDENCE: FactVerification
FACT_VERIFICATION_INDIRECT_SUPPORT: FactVerification
FACT_VERIFICATION_NO_EVIDENCE: FactVerification
FACT_VERIFICATION_CONTRADICTED: FactVerification
JUDGE_ENGINE_UNSPECIFIED: JudgeEngine
JUDGE_ENGINE_DETERMINISTIC: JudgeEngine
JUDGE_ENGINE_LLM: JudgeEngine
JUDGE_ENGINE_HYBRID: JudgeEngine
JUDGE_ENGINE_SUPPLIED: JudgeEngine
EVALUATION_SOURCE_UNSPECIFIED: EvaluationSource
EVALUATION_SOURCE_SERVER: EvaluationSource
EVALUATION_SOURCE_CLIENT_FALLBACK: EvaluationSource

class TraceReference(_message.Message):
    __slots__ = ("trace_ref", "tool_name", "source_invocation_ids", "note")
    TRACE_REF_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    SOURCE_INVOCATION_IDS_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    trace_ref: str
    tool_name: str
    source_invocation_ids: _containers.RepeatedScalarFieldContainer[str]
    note: str
    def __init__(self, trace_ref: _Optional[str] = ..., tool_name: _Optional[str] = ..., source_invocation_ids: _Optional[_Iterable[str]] = ..., note: _Optional[str] = ...) -> None: ...

class Witness(_message.Message):
    __slots__ = ("claim_span", "invocation_id", "raw_path", "evidence_span", "relation", "claim_quote", "evidence_quote")
    CLAIM_SPAN_FIELD_NUMBER: _ClassVar[int]
    INVOCATION_ID_FIELD_NUMBER: _ClassVar[int]
    RAW_PATH_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_SPAN_FIELD_NUMBER: _ClassVar[int]
    RELATION_FIELD_NUMBER: _ClassVar[int]
    CLAIM_QUOTE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_QUOTE_FIELD_NUMBER: _ClassVar[int]
    claim_span: _text_pb2.TextSpan
    invocation_id: str
    raw_path: str
    evidence_span: _text_pb2.TextSpan
    relation: str
    claim_quote: str
    evidence_quote: str
    def __init__(self, claim_span: _Optional[_Union[_text_pb2.TextSpan, _Mapping]] = ..., invocation_id: _Optional[str] = ..., raw_path: _Optional[str] = ..., evidence_span: _Optional[_Union[_text_pb2.TextSpan, _Mapping]] = ..., relation: _Optional[str] = ..., claim_quote: _Optional[str] = ..., evidence_quote: _Optional[str] = ...) -> None: ...

class LabelStep(_message.Message):
    __slots__ = ("from_label", "to_label", "reason", "message")
    FROM_LABEL_FIELD_NUMBER: _ClassVar[int]
    TO_LABEL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    from_label: Verification
    to_label: Verification
    reason: str
    message: str
    def __init__(self, from_label: _Optional[_Union[Verification, str]] = ..., to_label: _Optional[_Union[Verification, str]] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class ClaimCheck(_message.Message):
    __slots__ = ("index", "claim_id", "claim_text", "claim_type", "verification", "detail", "evidence_refs", "is_critical", "engine", "engine_verification", "label_steps", "fabricated", "fabricated_identifiers", "witnesses")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    CLAIM_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIM_TEXT_FIELD_NUMBER: _ClassVar[int]
    CLAIM_TYPE_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_REFS_FIELD_NUMBER: _ClassVar[int]
    IS_CRITICAL_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    ENGINE_VERIFICATION_FIELD_NUMBER: _ClassVar[int]
    LABEL_STEPS_FIELD_NUMBER: _ClassVar[int]
    FABRICATED_FIELD_NUMBER: _ClassVar[int]
    FABRICATED_IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    WITNESSES_FIELD_NUMBER: _ClassVar[int]
    index: int
    claim_id: str
    claim_text: str
    claim_type: str
    verification: Verification
    detail: str
    evidence_refs: _containers.RepeatedCompositeFieldContainer[TraceReference]
    is_critical: bool
    engine: JudgeEngine
    engine_verification: Verification
    label_steps: _containers.RepeatedCompositeFieldContainer[LabelStep]
    fabricated: bool
    fabricated_identifiers: _containers.RepeatedScalarFieldContainer[str]
    witnesses: _containers.RepeatedCompositeFieldContainer[Witness]
    def __init__(self, index: _Optional[int] = ..., claim_id: _Optional[str] = ..., claim_text: _Optional[str] = ..., claim_type: _Optional[str] = ..., verification: _Optional[_Union[Verification, str]] = ..., detail: _Optional[str] = ..., evidence_refs: _Optional[_Iterable[_Union[TraceReference, _Mapping]]] = ..., is_critical: _Optional[bool] = ..., engine: _Optional[_Union[JudgeEngine, str]] = ..., engine_verification: _Optional[_Union[Verification, str]] = ..., label_steps: _Optional[_Iterable[_Union[LabelStep, _Mapping]]] = ..., fabricated: _Optional[bool] = ..., fabricated_identifiers: _Optional[_Iterable[str]] = ..., witnesses: _Optional[_Iterable[_Union[Witness, _Mapping]]] = ...) -> None: ...

class HypothesisCheck(_message.Message):
    __slots__ = ("index", "text", "note")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    index: int
    text: str
    note: str
    def __init__(self, index: _Optional[int] = ..., text: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class FactCheck(_message.Message):
    __slots__ = ("fact", "is_critical", "verification", "detail", "evidence_refs", "claim_index", "unclaimed")
    FACT_FIELD_NUMBER: _ClassVar[int]
    IS_CRITICAL_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_REFS_FIELD_NUMBER: _ClassVar[int]
    CLAIM_INDEX_FIELD_NUMBER: _ClassVar[int]
    UNCLAIMED_FIELD_NUMBER: _ClassVar[int]
    fact: str
    is_critical: bool
    verification: FactVerification
    detail: str
    evidence_refs: _containers.RepeatedCompositeFieldContainer[TraceReference]
    claim_index: int
    unclaimed: bool
    def __init__(self, fact: _Optional[str] = ..., is_critical: _Optional[bool] = ..., verification: _Optional[_Union[FactVerification, str]] = ..., detail: _Optional[str] = ..., evidence_refs: _Optional[_Iterable[_Union[TraceReference, _Mapping]]] = ..., claim_index: _Optional[int] = ..., unclaimed: _Optional[bool] = ...) -> None: ...

class VerdictStep(_message.Message):
    __slots__ = ("from_verdict", "to_verdict", "reason", "message")
    FROM_VERDICT_FIELD_NUMBER: _ClassVar[int]
    TO_VERDICT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    from_verdict: Verdict
    to_verdict: Verdict
    reason: str
    message: str
    def __init__(self, from_verdict: _Optional[_Union[Verdict, str]] = ..., to_verdict: _Optional[_Union[Verdict, str]] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class Evaluation(_message.Message):
    __slots__ = ("verdict", "engine_verdict", "groundedness_score", "critical_fact_count", "route", "claim_checks", "hypothesis_checks", "facts_checked", "rationale", "verdict_steps", "engine", "executor_output_parse_status", "verifier_output_parse_status", "gatekeeper_result", "tool_trace_summary", "warnings", "prompt_audit", "traceability_version", "source", "round", "allowed_material", "model_use")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    ENGINE_VERDICT_FIELD_NUMBER: _ClassVar[int]
    GROUNDEDNESS_SCORE_FIELD_NUMBER: _ClassVar[int]
    CRITICAL_FACT_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROUTE_FIELD_NUMBER: _ClassVar[int]
    CLAIM_CHECKS_FIELD_NUMBER: _ClassVar[int]
    HYPOTHESIS_CHECKS_FIELD_NUMBER: _ClassVar[int]
    FACTS_CHECKED_FIELD_NUMBER: _ClassVar[int]
    RATIONALE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_STEPS_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_OUTPUT_PARSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_OUTPUT_PARSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    GATEKEEPER_RESULT_FIELD_NUMBER: _ClassVar[int]
    TOOL_TRACE_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_AUDIT_FIELD_NUMBER: _ClassVar[int]
    TRACEABILITY_VERSION_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_MATERIAL_FIELD_NUMBER: _ClassVar[int]
    MODEL_USE_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    engine_verdict: Verdict
    groundedness_score: float
    critical_fact_count: int
    route: Route
    claim_checks: _containers.RepeatedCompositeFieldContainer[ClaimCheck]
    hypothesis_checks: _containers.RepeatedCompositeFieldContainer[HypothesisCheck]
    facts_checked: _containers.RepeatedCompositeFieldContainer[FactCheck]
    rationale: str
    verdict_steps: _containers.RepeatedCompositeFieldContainer[VerdictStep]
    engine: JudgeEngine
    executor_output_parse_status: _text_pb2.ParseReport
    verifier_output_parse_status: _text_pb2.ParseReport
    gatekeeper_result: _gatekeeper_pb2.GatekeeperResult
    tool_trace_summary: _trace_pb2.ToolTraceSummary
    warnings: _containers.RepeatedCompositeFieldContainer[_text_pb2.Notice]
    prompt_audit: _prompt_pb2.PromptAudit
    traceability_version: str
    source: EvaluationSource
    round: int
    allowed_material: _material_pb2.AllowedMaterial
    model_use: _material_pb2.ModelUse
    def __init__(self, verdict: _Optional[_Union[Verdict, str]] = ..., engine_verdict: _Optional[_Union[Verdict, str]] = ..., groundedness_score: _Optional[float] = ..., critical_fact_count: _Optional[int] = ..., route: _Optional[_Union[Route, str]] = ..., claim_checks: _Optional[_Iterable[_Union[ClaimCheck, _Mapping]]] = ..., hypothesis_checks: _Optional[_Iterable[_Union[HypothesisCheck, _Mapping]]] = ..., facts_checked: _Optional[_Iterable[_Union[FactCheck, _Mapping]]] = ..., rationale: _Optional[str] = ..., verdict_steps: _Optional[_Iterable[_Union[VerdictStep, _Mapping]]] = ..., engine: _Optional[_Union[JudgeEngine, str]] = ..., executor_output_parse_status: _Optional[_Union[_text_pb2.ParseReport, _Mapping]] = ..., verifier_output_parse_status: _Optional[_Union[_text_pb2.ParseReport, _Mapping]] = ..., gatekeeper_result: _Optional[_Union[_gatekeeper_pb2.GatekeeperResult, _Mapping]] = ..., tool_trace_summary: _Optional[_Union[_trace_pb2.ToolTraceSummary, _Mapping]] = ..., warnings: _Optional[_Iterable[_Union[_text_pb2.Notice, _Mapping]]] = ..., prompt_audit: _Optional[_Union[_prompt_pb2.PromptAudit, _Mapping]] = ..., traceability_version: _Optional[str] = ..., source: _Optional[_Union[EvaluationSource, str]] = ..., round: _Optional[int] = ..., allowed_material: _Optional[_Union[_material_pb2.AllowedMaterial, _Mapping]] = ..., model_use: _Optional[_Union[_material_pb2.ModelUse, _Mapping]] = ...) -> None: ...

class WeakClaim(_message.Message):
    __slots__ = ("index", "claim_id", "claim_text", "verification", "missing_evidence")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    CLAIM_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIM_TEXT_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_FIELD_NUMBER: _ClassVar[int]
    MISSING_EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    index: int
    claim_id: str
    claim_text: str
    verification: Verification
    missing_evidence: str
    def __init__(self, index: _Optional[int] = ..., claim_id: _Optional[str] = ..., claim_text: _Optional[str] = ..., verification: _Optional[_Union[Verification, str]] = ..., missing_evidence: _Optional[str] = ...) -> None: ...

class RetryContext(_message.Message):
    __slots__ = ("verdict", "groundedness_score", "weak_claims", "missing_info")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    GROUNDEDNESS_SCORE_FIELD_NUMBER: _ClassVar[int]
    WEAK_CLAIMS_FIELD_NUMBER: _ClassVar[int]
    MISSING_INFO_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    groundedness_score: float
    weak_claims: _containers.RepeatedCompositeFieldContainer[WeakClaim]
    missing_info: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, verdict: _Optional[_Union[Verdict, str]] = ..., groundedness_score: _Optional[float] = ..., weak_claims: _Optional[_Iterable[_Union[WeakClaim, _Mapping]]] = ..., missing_info: _Optional[_Iterable[str]] = ...) -> None: ...
