from evidencegate.v1 import catalog_pb2 as _catalog_pb2
from evidencegate.v1 import executor_output_pb2 as _executor_output_pb2
from evidencegate.v1 import invocation_pb2 as _invocation_pb2
from evidencegate.v1 import text_pb2 as _text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GatekeeperStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GATEKEEPER_STATUS_UNSPECIFIED: _ClassVar[GatekeeperStatus]
    GATEKEEPER_STATUS_PASS: _ClassVar[GatekeeperStatus]
    GATEKEEPER_STATUS_WARN: _ClassVar[GatekeeperStatus]
    GATEKEEPER_STATUS_FAIL: _ClassVar[GatekeeperStatus]

class CheckOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHECK_OUTCOME_UNSPECIFIED: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_PASS: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_FAIL: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_NOT_APPLICABLE: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_ERROR: _ClassVar[CheckOutcome]

class BindingResolution(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BINDING_RESOLUTION_UNSPECIFIED: _ClassVar[BindingResolution]
    BINDING_RESOLUTION_UNRESOLVED: _ClassVar[BindingResolution]
    BINDING_RESOLUTION_NAMED: _ClassVar[BindingResolution]
    BINDING_RESOLUTION_LEGACY_IDS: _ClassVar[BindingResolution]
    BINDING_RESOLUTION_BACKFILLED: _ClassVar[BindingResolution]
GATEKEEPER_STATUS_UNSPECIFIED: GatekeeperStatus
GATEKEEPER_STATUS_PASS: GatekeeperStatus
GATEKEEPER_STATUS_WARN: GatekeeperStatus
GATEKEEPER_STATUS_FAIL: GatekeeperStatus
CHECK_OUTCOME_UNSPECIFIED: CheckOutcome
CHECK_OUTCOME_PASS: CheckOutcome
CHECK_OUTCOME_FAIL: CheckOutcome
CHECK_OUTCOME_NOT_APPLICABLE: CheckOutcome
CHECK_OUTCOME_ERROR: CheckOutcome
BINDING_RESOLUTION_UNSPECIFIED: BindingResolution
BINDING_RESOLUTION_UNRESOLVED: BindingResolution
BINDING_RESOLUTION_NAMED: BindingResolution
BINDING_RESOLUTION_LEGACY_IDS: BindingResolution
BINDING_RESOLUTION_BACKFILLED: BindingResolution

class ValidateRequest(_message.Message):
    __slots__ = ("session_id", "executor_output", "tool_invocations", "narrow_question", "expected_rule_set_version")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    TOOL_INVOCATIONS_FIELD_NUMBER: _ClassVar[int]
    NARROW_QUESTION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_RULE_SET_VERSION_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    executor_output: _executor_output_pb2.ExecutorOutput
    tool_invocations: _containers.RepeatedCompositeFieldContainer[_invocation_pb2.ToolInvocation]
    narrow_question: bool
    expected_rule_set_version: str
    def __init__(self, session_id: _Optional[str] = ..., executor_output: _Optional[_Union[_executor_output_pb2.ExecutorOutput, _Mapping]] = ..., tool_invocations: _Optional[_Iterable[_Union[_invocation_pb2.ToolInvocation, _Mapping]]] = ..., narrow_question: _Optional[bool] = ..., expected_rule_set_version: _Optional[str] = ...) -> None: ...

class ValidateResponse(_message.Message):
    __slots__ = ("gatekeeper_result", "executor_output_parse_status")
    GATEKEEPER_RESULT_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_OUTPUT_PARSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    gatekeeper_result: GatekeeperResult
    executor_output_parse_status: _text_pb2.ParseReport
    def __init__(self, gatekeeper_result: _Optional[_Union[GatekeeperResult, _Mapping]] = ..., executor_output_parse_status: _Optional[_Union[_text_pb2.ParseReport, _Mapping]] = ...) -> None: ...

class Finding(_message.Message):
    __slots__ = ("rule_id", "rule_version", "severity", "place", "reason", "message", "quoted", "why", "fix", "claim_index", "binding_index", "uncounted_reason")
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    QUOTED_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    FIX_FIELD_NUMBER: _ClassVar[int]
    CLAIM_INDEX_FIELD_NUMBER: _ClassVar[int]
    BINDING_INDEX_FIELD_NUMBER: _ClassVar[int]
    UNCOUNTED_REASON_FIELD_NUMBER: _ClassVar[int]
    rule_id: str
    rule_version: int
    severity: _catalog_pb2.Severity
    place: str
    reason: str
    message: str
    quoted: str
    why: str
    fix: str
    claim_index: int
    binding_index: int
    uncounted_reason: str
    def __init__(self, rule_id: _Optional[str] = ..., rule_version: _Optional[int] = ..., severity: _Optional[_Union[_catalog_pb2.Severity, str]] = ..., place: _Optional[str] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., quoted: _Optional[str] = ..., why: _Optional[str] = ..., fix: _Optional[str] = ..., claim_index: _Optional[int] = ..., binding_index: _Optional[int] = ..., uncounted_reason: _Optional[str] = ...) -> None: ...

class RuleError(_message.Message):
    __slots__ = ("rule_id", "place", "message", "severity", "rule_version", "claim_index", "binding_index")
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    CLAIM_INDEX_FIELD_NUMBER: _ClassVar[int]
    BINDING_INDEX_FIELD_NUMBER: _ClassVar[int]
    rule_id: str
    place: str
    message: str
    severity: _catalog_pb2.Severity
    rule_version: int
    claim_index: int
    binding_index: int
    def __init__(self, rule_id: _Optional[str] = ..., place: _Optional[str] = ..., message: _Optional[str] = ..., severity: _Optional[_Union[_catalog_pb2.Severity, str]] = ..., rule_version: _Optional[int] = ..., claim_index: _Optional[int] = ..., binding_index: _Optional[int] = ...) -> None: ...

class BindingStep(_message.Message):
    __slots__ = ("step", "rule_id", "outcome")
    STEP_FIELD_NUMBER: _ClassVar[int]
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    step: str
    rule_id: str
    outcome: CheckOutcome
    def __init__(self, step: _Optional[str] = ..., rule_id: _Optional[str] = ..., outcome: _Optional[_Union[CheckOutcome, str]] = ...) -> None: ...

class BindingCheck(_message.Message):
    __slots__ = ("place", "claim_index", "binding_index", "claim_id", "verified", "resolution", "invocation_id", "tool_name", "raw_path", "kind", "steps", "tier", "spans", "flags", "mismatch_reason", "evidence_excerpt")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    CLAIM_INDEX_FIELD_NUMBER: _ClassVar[int]
    BINDING_INDEX_FIELD_NUMBER: _ClassVar[int]
    CLAIM_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_FIELD_NUMBER: _ClassVar[int]
    INVOCATION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    RAW_PATH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    SPANS_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    MISMATCH_REASON_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_EXCERPT_FIELD_NUMBER: _ClassVar[int]
    place: str
    claim_index: int
    binding_index: int
    claim_id: str
    verified: bool
    resolution: BindingResolution
    invocation_id: str
    tool_name: str
    raw_path: str
    kind: _invocation_pb2.EvidenceKind
    steps: _containers.RepeatedCompositeFieldContainer[BindingStep]
    tier: str
    spans: _containers.RepeatedCompositeFieldContainer[_text_pb2.TextSpan]
    flags: _containers.RepeatedScalarFieldContainer[str]
    mismatch_reason: str
    evidence_excerpt: str
    def __init__(self, place: _Optional[str] = ..., claim_index: _Optional[int] = ..., binding_index: _Optional[int] = ..., claim_id: _Optional[str] = ..., verified: _Optional[bool] = ..., resolution: _Optional[_Union[BindingResolution, str]] = ..., invocation_id: _Optional[str] = ..., tool_name: _Optional[str] = ..., raw_path: _Optional[str] = ..., kind: _Optional[_Union[_invocation_pb2.EvidenceKind, str]] = ..., steps: _Optional[_Iterable[_Union[BindingStep, _Mapping]]] = ..., tier: _Optional[str] = ..., spans: _Optional[_Iterable[_Union[_text_pb2.TextSpan, _Mapping]]] = ..., flags: _Optional[_Iterable[str]] = ..., mismatch_reason: _Optional[str] = ..., evidence_excerpt: _Optional[str] = ...) -> None: ...

class GatekeeperResult(_message.Message):
    __slots__ = ("status", "severity", "checked_bindings", "failed_rules", "warnings", "errors", "findings", "rule_errors", "bindings", "notes", "rule_set_version", "rules", "input_digest", "catalog_digest", "engine_version", "fallback", "uncounted_findings")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    CHECKED_BINDINGS_FIELD_NUMBER: _ClassVar[int]
    FAILED_RULES_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    RULE_ERRORS_FIELD_NUMBER: _ClassVar[int]
    BINDINGS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_VERSION_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    INPUT_DIGEST_FIELD_NUMBER: _ClassVar[int]
    CATALOG_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ENGINE_VERSION_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_FIELD_NUMBER: _ClassVar[int]
    UNCOUNTED_FINDINGS_FIELD_NUMBER: _ClassVar[int]
    status: GatekeeperStatus
    severity: _catalog_pb2.Severity
    checked_bindings: int
    failed_rules: _containers.RepeatedScalarFieldContainer[str]
    warnings: _containers.RepeatedCompositeFieldContainer[_text_pb2.Notice]
    errors: _containers.RepeatedScalarFieldContainer[str]
    findings: _containers.RepeatedCompositeFieldContainer[Finding]
    rule_errors: _containers.RepeatedCompositeFieldContainer[RuleError]
    bindings: _containers.RepeatedCompositeFieldContainer[BindingCheck]
    notes: _containers.RepeatedCompositeFieldContainer[_text_pb2.Notice]
    rule_set_version: str
    rules: _containers.RepeatedCompositeFieldContainer[_catalog_pb2.RuleMetadata]
    input_digest: str
    catalog_digest: str
    engine_version: str
    fallback: bool
    uncounted_findings: _containers.RepeatedCompositeFieldContainer[Finding]
    def __init__(self, status: _Optional[_Union[GatekeeperStatus, str]] = ..., severity: _Optional[_Union[_catalog_pb2.Severity, str]] = ..., checked_bindings: _Optional[int] = ..., failed_rules: _Optional[_Iterable[str]] = ..., warnings: _Optional[_Iterable[_Union[_text_pb2.Notice, _Mapping]]] = ..., errors: _Optional[_Iterable[str]] = ..., findings: _Optional[_Iterable[_Union[Finding, _Mapping]]] = ..., rule_errors: _Optional[_Iterable[_Union[RuleError, _Mapping]]] = ..., bindings: _Optional[_Iterable[_Union[BindingCheck, _Mapping]]] = ..., notes: _Optional[_Iterable[_Union[_text_pb2.Notice, _Mapping]]] = ..., rule_set_version: _Optional[str] = ..., rules: _Optional[_Iterable[_Union[_catalog_pb2.RuleMetadata, _Mapping]]] = ..., input_digest: _Optional[str] = ..., catalog_digest: _Optional[str] = ..., engine_version: _Optional[str] = ..., fallback: _Optional[bool] = ..., uncounted_findings: _Optional[_Iterable[_Union[Finding, _Mapping]]] = ...) -> None: ...
