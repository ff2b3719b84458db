from evidencegate.v1 import evaluation_pb2 as _evaluation_pb2
from evidencegate.v1 import material_pb2 as _material_pb2
from evidencegate.v1 import prompt_pb2 as _prompt_pb2
from evidencegate.v1 import text_pb2 as _text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ComposerWriter(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPOSER_WRITER_UNSPECIFIED: _ClassVar[ComposerWriter]
    COMPOSER_WRITER_TEMPLATE: _ClassVar[ComposerWriter]
    COMPOSER_WRITER_MODEL: _ClassVar[ComposerWriter]
    COMPOSER_WRITER_SUPPLIED: _ClassVar[ComposerWriter]

class FallbackReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FALLBACK_REASON_UNSPECIFIED: _ClassVar[FallbackReason]
    FALLBACK_REASON_LEAK: _ClassVar[FallbackReason]
    FALLBACK_REASON_UNREADABLE: _ClassVar[FallbackReason]
    FALLBACK_REASON_UNAVAILABLE: _ClassVar[FallbackReason]
    FALLBACK_REASON_FORM: _ClassVar[FallbackReason]
    FALLBACK_REASON_VERDICT: _ClassVar[FallbackReason]
COMPOSER_WRITER_UNSPECIFIED: ComposerWriter
COMPOSER_WRITER_TEMPLATE: ComposerWriter
COMPOSER_WRITER_MODEL: ComposerWriter
COMPOSER_WRITER_SUPPLIED: ComposerWriter
FALLBACK_REASON_UNSPECIFIED: FallbackReason
FALLBACK_REASON_LEAK: FallbackReason
FALLBACK_REASON_UNREADABLE: FallbackReason
FALLBACK_REASON_UNAVAILABLE: FallbackReason
FALLBACK_REASON_FORM: FallbackReason
FALLBACK_REASON_VERDICT: FallbackReason

class Leak(_message.Message):
    __slots__ = ("kind", "quote", "span")
    KIND_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    kind: str
    quote: str
    span: _text_pb2.TextSpan
    def __init__(self, kind: _Optional[str] = ..., quote: _Optional[str] = ..., span: _Optional[_Union[_text_pb2.TextSpan, _Mapping]] = ...) -> None: ...

class ComposerOutput(_message.Message):
    __slots__ = ("text", "language", "requested_writer", "writer", "fallback_reason", "fallback_detail", "leaks", "parse_status", "prompt_audit", "model_use", "template_version")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_WRITER_FIELD_NUMBER: _ClassVar[int]
    WRITER_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_REASON_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_DETAIL_FIELD_NUMBER: _ClassVar[int]
    LEAKS_FIELD_NUMBER: _ClassVar[int]
    PARSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_AUDIT_FIELD_NUMBER: _ClassVar[int]
    MODEL_USE_FIELD_NUMBER: _ClassVar[int]
    TEMPLATE_VERSION_FIELD_NUMBER: _ClassVar[int]
    text: str
    language: _material_pb2.Language
    requested_writer: ComposerWriter
    writer: ComposerWriter
    fallback_reason: FallbackReason
    fallback_detail: str
    leaks: _containers.RepeatedCompositeFieldContainer[Leak]
    parse_status: _text_pb2.ParseReport
    prompt_audit: _prompt_pb2.PromptAudit
    model_use: _material_pb2.ModelUse
    template_version: str
    def __init__(self, text: _Optional[str] = ..., language: _Optional[_Union[_material_pb2.Language, str]] = ..., requested_writer: _Optional[_Union[ComposerWriter, str]] = ..., writer: _Optional[_Union[ComposerWriter, str]] = ..., fallback_reason: _Optional[_Union[FallbackReason, str]] = ..., fallback_detail: _Optional[str] = ..., leaks: _Optional[_Iterable[_Union[Leak, _Mapping]]] = ..., parse_status: _Optional[_Union[_text_pb2.ParseReport, _Mapping]] = ..., prompt_audit: _Optional[_Union[_prompt_pb2.PromptAudit, _Mapping]] = ..., model_use: _Optional[_Union[_material_pb2.ModelUse, _Mapping]] = ..., template_version: _Optional[str] = ...) -> None: ...

class ComposeRequest(_message.Message):
    __slots__ = ("session_id", "evaluation", "original_query", "language", "writer", "composer_text", "model_profile", "prompts_used")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    ORIGINAL_QUERY_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    WRITER_FIELD_NUMBER: _ClassVar[int]
    COMPOSER_TEXT_FIELD_NUMBER: _ClassVar[int]
    MODEL_PROFILE_FIELD_NUMBER: _ClassVar[int]
    PROMPTS_USED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    evaluation: _evaluation_pb2.Evaluation
    original_query: str
    language: _material_pb2.Language
    writer: ComposerWriter
    composer_text: _text_pb2.ModelText
    model_profile: str
    prompts_used: _containers.RepeatedCompositeFieldContainer[_prompt_pb2.PromptVersion]
    def __init__(self, session_id: _Optional[str] = ..., evaluation: _Optional[_Union[_evaluation_pb2.Evaluation, _Mapping]] = ..., original_query: _Optional[str] = ..., language: _Optional[_Union[_material_pb2.Language, str]] = ..., writer: _Optional[_Union[ComposerWriter, str]] = ..., composer_text: _Optional[_Union[_text_pb2.ModelText, _Mapping]] = ..., model_profile: _Optional[str] = ..., prompts_used: _Optional[_Iterable[_Union[_prompt_pb2.PromptVersion, _Mapping]]] = ...) -> None: ...

class ComposeResponse(_message.Message):
    __slots__ = ("composer_output",)
    COMPOSER_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    composer_output: ComposerOutput
    def __init__(self, composer_output: _Optional[_Union[ComposerOutput, _Mapping]] = ...) -> None: ...
