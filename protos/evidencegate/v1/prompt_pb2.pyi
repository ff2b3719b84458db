from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PromptRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROMPT_ROLE_UNSPECIFIED: _ClassVar[PromptRole]
    PROMPT_ROLE_PLANNER: _ClassVar[PromptRole]
    PROMPT_ROLE_EXECUTOR: _ClassVar[PromptRole]
    PROMPT_ROLE_VERIFIER: _ClassVar[PromptRole]
    PROMPT_ROLE_COMPOSER: _ClassVar[PromptRole]
    PROMPT_ROLE_SEMANTIC_GUARD: _ClassVar[PromptRole]
    PROMPT_ROLE_EVIDENCE_REPAIR: _ClassVar[PromptRole]
PROMPT_ROLE_UNSPECIFIED: PromptRole
PROMPT_ROLE_PLANNER: PromptRole
PROMPT_ROLE_EXECUTOR: PromptRole
PROMPT_ROLE_VERIFIER: PromptRole
PROMPT_ROLE_COMPOSER: PromptRole
PROMPT_ROLE_SEMANTIC_GUARD: PromptRole
PROMPT_ROLE_EVIDENCE_REPAIR: PromptRole

class PromptVersion(_message.Message):
    __slots__ = ("role", "name", "version")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    role: PromptRole
    name: str
    version: str
    def __init__(self, role: _Optional[_Union[PromptRole, str]] = ..., name: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class PromptAudit(_message.Message):
    __slots__ = ("version", "prompts", "declared", "prompts_used")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PROMPTS_FIELD_NUMBER: _ClassVar[int]
    DECLARED_FIELD_NUMBER: _ClassVar[int]
    PROMPTS_USED_FIELD_NUMBER: _ClassVar[int]
    version: str
    prompts: _containers.RepeatedCompositeFieldContainer[PromptVersion]
    declared: bool
    prompts_used: _containers.RepeatedCompositeFieldContainer[PromptVersion]
    def __init__(self, version: _Optional[str] = ..., prompts: _Optional[_Iterable[_Union[PromptVersion, _Mapping]]] = ..., declared: _Optional[bool] = ..., prompts_used: _Optional[_Iterable[_Union[PromptVersion, _Mapping]]] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("role", "name", "version", "inputs", "text")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    role: PromptRole
    name: str
    version: str
    inputs: _containers.RepeatedScalarFieldContainer[str]
    text: str
    def __init__(self, role: _Optional[_Union[PromptRole, str]] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., inputs: _Optional[_Iterable[str]] = ..., text: _Optional[str] = ...) -> None: ...

class ListPromptsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListPromptsResponse(_message.Message):
    __slots__ = ("version", "prompts")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PROMPTS_FIELD_NUMBER: _ClassVar[int]
    version: str
    prompts: _containers.RepeatedCompositeFieldContainer[Prompt]
    def __init__(self, version: _Optional[str] = ..., prompts: _Optional[_Iterable[_Union[Prompt, _Mapping]]] = ...) -> None: ...

class PromptInput(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class RenderPromptRequest(_message.Message):
    __slots__ = ("role", "inputs")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    role: PromptRole
    inputs: _containers.RepeatedCompositeFieldContainer[PromptInput]
    def __init__(self, role: _Optional[_Union[PromptRole, str]] = ..., inputs: _Optional[_Iterable[_Union[PromptInput, _Mapping]]] = ...) -> None: ...

class RenderPromptResponse(_message.Message):
    __slots__ = ("text", "prompt")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    text: str
    prompt: PromptVersion
    def __init__(self, text: _Optional[str] = ..., prompt: _Optional[_Union[PromptVersion, _Mapping]] = ...) -> None: ...
