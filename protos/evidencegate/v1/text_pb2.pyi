from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ParseStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PARSE_STATUS_UNSPECIFIED: _ClassVar[ParseStatus]
    PARSE_STATUS_VALID: _ClassVar[ParseStatus]
    PARSE_STATUS_MISSING: _ClassVar[ParseStatus]
    PARSE_STATUS_MALFORMED: _ClassVar[ParseStatus]
PARSE_STATUS_UNSPECIFIED: ParseStatus
PARSE_STATUS_VALID: ParseStatus
PARSE_STATUS_MISSING: ParseStatus
PARSE_STATUS_MALFORMED: ParseStatus

class ModelText(_message.Message):
    __slots__ = ("text", "raw")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RAW_FIELD_NUMBER: _ClassVar[int]
    text: str
    raw: bytes
    def __init__(self, text: _Optional[str] = ..., raw: _Optional[bytes] = ...) -> None: ...

class TextSpan(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("id", "message", "place")
    ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    id: str
    message: str
    place: str
    def __init__(self, id: _Optional[str] = ..., message: _Optional[str] = ..., place: _Optional[str] = ...) -> None: ...

class ParseReport(_message.Message):
    __slots__ = ("status", "reason", "message", "line", "column", "offset", "notes", "warnings", "raw_sha256", "raw_length")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    RAW_SHA256_FIELD_NUMBER: _ClassVar[int]
    RAW_LENGTH_FIELD_NUMBER: _ClassVar[int]
    status: ParseStatus
    reason: str
    message: str
    line: int
    column: int
    offset: int
    notes: _containers.RepeatedCompositeFieldContainer[Notice]
    warnings: _containers.RepeatedCompositeFieldContainer[Notice]
    raw_sha256: str
    raw_length: int
    def __init__(self, status: _Optional[_Union[ParseStatus, str]] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., line: _Optional[int] = ..., column: _Optional[int] = ..., offset: _Optional[int] = ..., notes: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., warnings: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., raw_sha256: _Optional[str] = ..., raw_length: _Optional[int] = ...) -> None: ...
