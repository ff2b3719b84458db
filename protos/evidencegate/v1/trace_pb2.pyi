from evidencegate.v1 import executor_output_pb2 as _executor_output_pb2
from evidencegate.v1 import invocation_pb2 as _invocation_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EvidenceLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVIDENCE_LEVEL_UNSPECIFIED: _ClassVar[EvidenceLevel]
    EVIDENCE_LEVEL_NONE: _ClassVar[EvidenceLevel]
    EVIDENCE_LEVEL_GUIDANCE: _ClassVar[EvidenceLevel]
    EVIDENCE_LEVEL_OBSERVATION: _ClassVar[EvidenceLevel]
EVIDENCE_LEVEL_UNSPECIFIED: EvidenceLevel
EVIDENCE_LEVEL_NONE: EvidenceLevel
EVIDENCE_LEVEL_GUIDANCE: EvidenceLevel
EVIDENCE_LEVEL_OBSERVATION: EvidenceLevel

class TraceItem(_message.Message):
    __slots__ = ("trace_ref", "tool_name", "success", "input_summary", "output_summary", "evidence_level", "source_invocation_ids", "status", "round", "topic_domain", "queries", "retrieval_layers", "relevance_levels", "source_documents", "shortened", "call_count", "failed_count", "no_hit_count", "merged_trace_refs", "deduped_count")
    TRACE_REF_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    SUCCESS_FIELD_NUMBER: _ClassVar[int]
    INPUT_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_LEVEL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_INVOCATION_IDS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TOPIC_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    RETRIEVAL_LAYERS_FIELD_NUMBER: _ClassVar[int]
    RELEVANCE_LEVELS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    SHORTENED_FIELD_NUMBER: _ClassVar[int]
    CALL_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_COUNT_FIELD_NUMBER: _ClassVar[int]
    NO_HIT_COUNT_FIELD_NUMBER: _ClassVar[int]
    MERGED_TRACE_REFS_FIELD_NUMBER: _ClassVar[int]
    DEDUPED_COUNT_FIELD_NUMBER: _ClassVar[int]
    trace_ref: str
    tool_name: str
    success: bool
    input_summary: str
    output_summary: str
    evidence_level: EvidenceLevel
    source_invocation_ids: _containers.RepeatedScalarFieldContainer[str]
    status: _invocation_pb2.InvocationStatus
    round: int
    topic_domain: str
    queries: _containers.RepeatedScalarFieldContainer[str]
    retrieval_layers: _containers.RepeatedScalarFieldContainer[str]
    relevance_levels: _containers.RepeatedScalarFieldContainer[str]
    source_documents: _containers.RepeatedScalarFieldContainer[str]
    shortened: bool
    call_count: int
    failed_count: int
    no_hit_count: int
    merged_trace_refs: _containers.RepeatedScalarFieldContainer[str]
    deduped_count: int
    def __init__(self, trace_ref: _Optional[str] = ..., tool_name: _Optional[str] = ..., success: _Optional[bool] = ..., input_summary: _Optional[str] = ..., output_summary: _Optional[str] = ..., evidence_level: _Optional[_Union[EvidenceLevel, str]] = ..., source_invocation_ids: _Optional[_Iterable[str]] = ..., status: _Optional[_Union[_invocation_pb2.InvocationStatus, str]] = ..., round: _Optional[int] = ..., topic_domain: _Optional[str] = ..., queries: _Optional[_Iterable[str]] = ..., retrieval_layers: _Optional[_Iterable[str]] = ..., relevance_levels: _Optional[_Iterable[str]] = ..., source_documents: _Optional[_Iterable[str]] = ..., shortened: _Optional[bool] = ..., call_count: _Optional[int] = ..., failed_count: _Optional[int] = ..., no_hit_count: _Optional[int] = ..., merged_trace_refs: _Optional[_Iterable[str]] = ..., deduped_count: _Optional[int] = ...) -> None: ...

class ToolTraceSummary(_message.Message):
    __slots__ = ("items", "omitted_invocation_ids")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_INVOCATION_IDS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[TraceItem]
    omitted_invocation_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, items: _Optional[_Iterable[_Union[TraceItem, _Mapping]]] = ..., omitted_invocation_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class SummarizeTraceRequest(_message.Message):
    __slots__ = ("session_id", "tool_invocations", "original_query", "executor_output")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_INVOCATIONS_FIELD_NUMBER: _ClassVar[int]
    ORIGINAL_QUERY_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    tool_invocations: _containers.RepeatedCompositeFieldContainer[_invocation_pb2.ToolInvocation]
    original_query: str
    executor_output: _executor_output_pb2.ExecutorOutput
    def __init__(self, session_id: _Optional[str] = ..., tool_invocations: _Optional[_Iterable[_Union[_invocation_pb2.ToolInvocation, _Mapping]]] = ..., original_query: _Optional[str] = ..., executor_output: _Optional[_Union[_executor_output_pb2.ExecutorOutput, _Mapping]] = ...) -> None: ...

class SummarizeTraceResponse(_message.Message):
    __slots__ = ("tool_trace_summary",)
    TOOL_TRACE_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    tool_trace_summary: ToolTraceSummary
    def __init__(self, tool_trace_summary: _Optional[_Union[ToolTraceSummary, _Mapping]] = ...) -> None: ...
