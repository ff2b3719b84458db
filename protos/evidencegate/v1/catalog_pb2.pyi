from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Severity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEVERITY_UNSPECIFIED: _ClassVar[Severity]
    SEVERITY_NONE: _ClassVar[Severity]
    SEVERITY_LOW_CONFID: _ClassVar[Severity]
    SEVERITY_REJECT: _ClassVar[Severity]
SEVERITY_UNSPECIFIED: Severity
SEVERITY_NONE: Severity
SEVERITY_LOW_CONFID: Severity
SEVERITY_REJECT: Severity

class RuleParameter(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class RuleMetadata(_message.Message):
    __slots__ = ("id", "version", "description", "enabled", "severity", "status", "parameters")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    description: str
    enabled: bool
    severity: Severity
    status: str
    parameters: _containers.RepeatedCompositeFieldContainer[RuleParameter]
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ..., description: _Optional[str] = ..., enabled: _Optional[bool] = ..., severity: _Optional[_Union[Severity, str]] = ..., status: _Optional[str] = ..., parameters: _Optional[_Iterable[_Union[RuleParameter, _Mapping]]] = ...) -> None: ...

class GetRuleCatalogRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RequestLimits(_message.Message):
    __slots__ = ("max_message_bytes", "max_tool_invocations", "max_evidence_refs", "max_evidence_bytes", "max_output_bytes")
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_TOOL_INVOCATIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_EVIDENCE_REFS_FIELD_NUMBER: _ClassVar[int]
    MAX_EVIDENCE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_OUTPUT_BYTES_FIELD_NUMBER: _ClassVar[int]
    max_message_bytes: int
    max_tool_invocations: int
    max_evidence_refs: int
    max_evidence_bytes: int
    max_output_bytes: int
    def __init__(self, max_message_bytes: _Optional[int] = ..., max_tool_invocations: _Optional[int] = ..., max_evidence_refs: _Optional[int] = ..., max_evidence_bytes: _Optional[int] = ..., max_output_bytes: _Optional[int] = ...) -> None: ...

class GetRuleCatalogResponse(_message.Message):
    __slots__ = ("rule_set_version", "catalog_digest", "engine_version", "rules", "limits")
    RULE_SET_VERSION_FIELD_NUMBER: _ClassVar[int]
    CATALOG_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ENGINE_VERSION_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    rule_set_version: str
    catalog_digest: str
    engine_version: str
    rules: _containers.RepeatedCompositeFieldContainer[RuleMetadata]
    limits: RequestLimits
    def __init__(self, rule_set_version: _Optional[str] = ..., catalog_digest: _Optional[str] = ..., engine_version: _Optional[str] = ..., rules: _Optional[_Iterable[_Union[RuleMetadata, _Mapping]]] = ..., limits: _Optional[_Union[RequestLimits, _Mapping]] = ...) -> None: ...
