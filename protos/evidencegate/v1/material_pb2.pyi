from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Language(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LANGUAGE_UNSPECIFIED: _ClassVar[Language]
    LANGUAGE_ZH: _ClassVar[Language]
    LANGUAGE_EN: _ClassVar[Language]
LANGUAGE_UNSPECIFIED: Language
LANGUAGE_ZH: Language
LANGUAGE_EN: Language

class LocalizedText(_message.Message):
    __slots__ = ("language", "text")
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    language: Language
    text: str
    def __init__(self, language: _Optional[_Union[Language, str]] = ..., text: _Optional[str] = ...) -> None: ...

class MaterialItem(_message.Message):
    __slots__ = ("index", "claim_id", "claim_type", "text")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    CLAIM_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIM_TYPE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    index: int
    claim_id: str
    claim_type: str
    text: str
    def __init__(self, index: _Optional[int] = ..., claim_id: _Optional[str] = ..., claim_type: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class MaterialGap(_message.Message):
    __slots__ = ("index", "claim_id", "is_critical", "verification", "claim_text", "sentences")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    CLAIM_ID_FIELD_NUMBER: _ClassVar[int]
    IS_CRITICAL_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_FIELD_NUMBER: _ClassVar[int]
    CLAIM_TEXT_FIELD_NUMBER: _ClassVar[int]
    SENTENCES_FIELD_NUMBER: _ClassVar[int]
    index: int
    claim_id: str
    is_critical: bool
    verification: str
    claim_text: str
    sentences: _containers.RepeatedCompositeFieldContainer[LocalizedText]
    def __init__(self, index: _Optional[int] = ..., claim_id: _Optional[str] = ..., is_critical: _Optional[bool] = ..., verification: _Optional[str] = ..., claim_text: _Optional[str] = ..., sentences: _Optional[_Iterable[_Union[LocalizedText, _Mapping]]] = ...) -> None: ...

class WithheldItem(_message.Message):
    __slots__ = ("kind", "index", "reason", "quote")
    KIND_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    kind: str
    index: int
    reason: str
    quote: str
    def __init__(self, kind: _Optional[str] = ..., index: _Optional[int] = ..., reason: _Optional[str] = ..., quote: _Optional[str] = ...) -> None: ...

class AllowedMaterial(_message.Message):
    __slots__ = ("confirmed", "inferred", "gaps", "directions", "next_steps", "withheld")
    CONFIRMED_FIELD_NUMBER: _ClassVar[int]
    INFERRED_FIELD_NUMBER: _ClassVar[int]
    GAPS_FIELD_NUMBER: _ClassVar[int]
    DIRECTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_STEPS_FIELD_NUMBER: _ClassVar[int]
    WITHHELD_FIELD_NUMBER: _ClassVar[int]
    confirmed: _containers.RepeatedCompositeFieldContainer[MaterialItem]
    inferred: _containers.RepeatedCompositeFieldContainer[MaterialItem]
    gaps: _containers.RepeatedCompositeFieldContainer[MaterialGap]
    directions: _containers.RepeatedCompositeFieldContainer[MaterialItem]
    next_steps: _containers.RepeatedCompositeFieldContainer[MaterialItem]
    withheld: _containers.RepeatedCompositeFieldContainer[WithheldItem]
    def __init__(self, confirmed: _Optional[_Iterable[_Union[MaterialItem, _Mapping]]] = ..., inferred: _Optional[_Iterable[_Union[MaterialItem, _Mapping]]] = ..., gaps: _Optional[_Iterable[_Union[MaterialGap, _Mapping]]] = ..., directions: _Optional[_Iterable[_Union[MaterialItem, _Mapping]]] = ..., next_steps: _Optional[_Iterable[_Union[MaterialItem, _Mapping]]] = ..., withheld: _Optional[_Iterable[_Union[WithheldItem, _Mapping]]] = ...) -> None: ...

class ModelUse(_message.Message):
    __slots__ = ("profile", "model", "requests", "prompt_tokens", "completion_tokens", "failure", "masked_secrets", "left_out_chars")
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    MASKED_SECRETS_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_CHARS_FIELD_NUMBER: _ClassVar[int]
    profile: str
    model: str
    requests: int
    prompt_tokens: int
    completion_tokens: int
    failure: str
    masked_secrets: int
    left_out_chars: int
    def __init__(self, profile: _Optional[str] = ..., model: _Optional[str] = ..., requests: _Optional[int] = ..., prompt_tokens: _Optional[int] = ..., completion_tokens: _Optional[int] = ..., failure: _Optional[str] = ..., masked_secrets: _Optional[int] = ..., left_out_chars: _Optional[int] = ...) -> None: ...
