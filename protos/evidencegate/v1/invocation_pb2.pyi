from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InvocationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INVOCATION_STATUS_UNSPECIFIED: _ClassVar[InvocationStatus]
    INVOCATION_STATUS_SUCCESS: _ClassVar[InvocationStatus]
    INVOCATION_STATUS_FAILED: _ClassVar[InvocationStatus]
    INVOCATION_STATUS_NO_HIT: _ClassVar[InvocationStatus]
    INVOCATION_STATUS_DEDUPED: _ClassVar[InvocationStatus]

class EvidenceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVIDENCE_KIND_UNSPECIFIED: _ClassVar[EvidenceKind]
    EVIDENCE_KIND_OBSERVATION: _ClassVar[EvidenceKind]
    EVIDENCE_KIND_GUIDANCE: _ClassVar[EvidenceKind]
INVOCATION_STATUS_UNSPECIFIED: InvocationStatus
INVOCATION_STATUS_SUCCESS: InvocationStatus
INVOCATION_STATUS_FAILED: InvocationStatus
INVOCATION_STATUS_NO_HIT: InvocationStatus
INVOCATION_STATUS_DEDUPED: InvocationStatus
EVIDENCE_KIND_UNSPECIFIED: EvidenceKind
EVIDENCE_KIND_OBSERVATION: EvidenceKind
EVIDENCE_KIND_GUIDANCE: EvidenceKind

class EvidenceRef(_message.Message):
    __slots__ = ("raw_path", "text", "kind", "source_document", "truncated")
    RAW_PATH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SOURCE_DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    raw_path: str
    text: str
    kind: EvidenceKind
    source_document: str
    truncated: bool
    def __init__(self, raw_path: _Optional[str] = ..., text: _Optional[str] = ..., kind: _Optional[_Union[EvidenceKind, str]] = ..., source_document: _Optional[str] = ..., truncated: _Optional[bool] = ...) -> None: ...

class RetrievalDetails(_message.Message):
    __slots__ = ("evidence_refs", "queries", "retrieval_layers", "relevance_levels", "source_documents")
    EVIDENCE_REFS_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    RETRIEVAL_LAYERS_FIELD_NUMBER: _ClassVar[int]
    RELEVANCE_LEVELS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    evidence_refs: _containers.RepeatedCompositeFieldContainer[EvidenceRef]
    queries: _containers.RepeatedScalarFieldContainer[str]
    retrieval_layers: _containers.RepeatedScalarFieldContainer[str]
    relevance_levels: _containers.RepeatedScalarFieldContainer[str]
    source_documents: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, evidence_refs: _Optional[_Iterable[_Union[EvidenceRef, _Mapping]]] = ..., queries: _Optional[_Iterable[str]] = ..., retrieval_layers: _Optional[_Iterable[str]] = ..., relevance_levels: _Optional[_Iterable[str]] = ..., source_documents: _Optional[_Iterable[str]] = ...) -> None: ...

class ToolInvocation(_message.Message):
    __slots__ = ("id", "tool_name", "status", "round", "topic_domain", "input", "output", "error", "retrieval_details")
    ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TOPIC_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    RETRIEVAL_DETAILS_FIELD_NUMBER: _ClassVar[int]
    id: str
    tool_name: str
    status: InvocationStatus
    round: int
    topic_domain: str
    input: str
    output: str
    error: str
    retrieval_details: RetrievalDetails
    def __init__(self, id: _Optional[str] = ..., tool_name: _Optional[str] = ..., status: _Optional[_Union[InvocationStatus, str]] = ..., round: _Optional[int] = ..., topic_domain: _Optional[str] = ..., input: _Optional[str] = ..., output: _Optional[str] = ..., error: _Optional[str] = ..., retrieval_details: _Optional[_Union[RetrievalDetails, _Mapping]] = ...) -> None: ...
