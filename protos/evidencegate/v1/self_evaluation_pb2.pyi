import datetime

from evidencegate.v1 import composer_pb2 as _composer_pb2
from evidencegate.v1 import evaluation_pb2 as _evaluation_pb2
from evidencegate.v1 import verifier_pb2 as _verifier_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Channel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHANNEL_UNSPECIFIED: _ClassVar[Channel]
    CHANNEL_RULE_EVALUATION: _ClassVar[Channel]
    CHANNEL_VERIFIER_EVALUATION: _ClassVar[Channel]
CHANNEL_UNSPECIFIED: Channel
CHANNEL_RULE_EVALUATION: Channel
CHANNEL_VERIFIER_EVALUATION: Channel

class WriteChannelRequest(_message.Message):
    __slots__ = ("session_id", "request_id", "expected_revision", "channel", "rule_evaluation_json", "evaluation", "composer_output", "judge_request")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    RULE_EVALUATION_JSON_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    COMPOSER_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    JUDGE_REQUEST_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    request_id: str
    expected_revision: int
    channel: Channel
    rule_evaluation_json: str
    evaluation: _evaluation_pb2.Evaluation
    composer_output: _composer_pb2.ComposerOutput
    judge_request: _verifier_pb2.JudgeRequest
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ..., expected_revision: _Optional[int] = ..., channel: _Optional[_Union[Channel, str]] = ..., rule_evaluation_json: _Optional[str] = ..., evaluation: _Optional[_Union[_evaluation_pb2.Evaluation, _Mapping]] = ..., composer_output: _Optional[_Union[_composer_pb2.ComposerOutput, _Mapping]] = ..., judge_request: _Optional[_Union[_verifier_pb2.JudgeRequest, _Mapping]] = ...) -> None: ...

class WriteChannelResponse(_message.Message):
    __slots__ = ("revision", "replayed", "masked_secrets", "input_kept")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    MASKED_SECRETS_FIELD_NUMBER: _ClassVar[int]
    INPUT_KEPT_FIELD_NUMBER: _ClassVar[int]
    revision: int
    replayed: bool
    masked_secrets: int
    input_kept: bool
    def __init__(self, revision: _Optional[int] = ..., replayed: _Optional[bool] = ..., masked_secrets: _Optional[int] = ..., input_kept: _Optional[bool] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("session_id", "include_input")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_INPUT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    include_input: bool
    def __init__(self, session_id: _Optional[str] = ..., include_input: _Optional[bool] = ...) -> None: ...

class StoredSession(_message.Message):
    __slots__ = ("session_id", "revision", "self_evaluation_json", "judge_request", "create_time", "update_time")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SELF_EVALUATION_JSON_FIELD_NUMBER: _ClassVar[int]
    JUDGE_REQUEST_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    revision: int
    self_evaluation_json: str
    judge_request: _verifier_pb2.JudgeRequest
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, session_id: _Optional[str] = ..., revision: _Optional[int] = ..., self_evaluation_json: _Optional[str] = ..., judge_request: _Optional[_Union[_verifier_pb2.JudgeRequest, _Mapping]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: StoredSession
    def __init__(self, session: _Optional[_Union[StoredSession, _Mapping]] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SessionSummary(_message.Message):
    __slots__ = ("session_id", "revision", "verdict", "route", "groundedness_score", "update_time")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    ROUTE_FIELD_NUMBER: _ClassVar[int]
    GROUNDEDNESS_SCORE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    revision: int
    verdict: _evaluation_pb2.Verdict
    route: _evaluation_pb2.Route
    groundedness_score: float
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, session_id: _Optional[str] = ..., revision: _Optional[int] = ..., verdict: _Optional[_Union[_evaluation_pb2.Verdict, str]] = ..., route: _Optional[_Union[_evaluation_pb2.Route, str]] = ..., groundedness_score: _Optional[float] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("sessions", "next_page_token")
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    sessions: _containers.RepeatedCompositeFieldContainer[SessionSummary]
    next_page_token: str
    def __init__(self, sessions: _Optional[_Iterable[_Union[SessionSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteSessionRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class DeleteSessionResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: _Optional[bool] = ...) -> None: ...
