from evidencegate.v1 import evaluation_pb2 as _evaluation_pb2
from evidencegate.v1 import executor_output_pb2 as _executor_output_pb2
from evidencegate.v1 import gatekeeper_pb2 as _gatekeeper_pb2
from evidencegate.v1 import invocation_pb2 as _invocation_pb2
from evidencegate.v1 import prompt_pb2 as _prompt_pb2
from evidencegate.v1 import text_pb2 as _text_pb2
from evidencegate.v1 import trace_pb2 as _trace_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JudgeRequest(_message.Message):
    __slots__ = ("session_id", "round", "original_query", "executor_output", "tool_invocations", "gatekeeper_result", "retry_context", "engine", "verifier_output", "narrow_question", "expected_rule_set_version", "prompts_used", "model_profile")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ORIGINAL_QUERY_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    TOOL_INVOCATIONS_FIELD_NUMBER: _ClassVar[int]
    GATEKEEPER_RESULT_FIELD_NUMBER: _ClassVar[int]
    RETRY_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    NARROW_QUESTION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_RULE_SET_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROMPTS_USED_FIELD_NUMBER: _ClassVar[int]
    MODEL_PROFILE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    round: int
    original_query: str
    executor_output: _executor_output_pb2.ExecutorOutput
    tool_invocations: _containers.RepeatedCompositeFieldContainer[_invocation_pb2.ToolInvocation]
    gatekeeper_result: _gatekeeper_pb2.GatekeeperResult
    retry_context: _evaluation_pb2.RetryContext
    engine: _evaluation_pb2.JudgeEngine
    verifier_output: _text_pb2.ModelText
    narrow_question: bool
    expected_rule_set_version: str
    prompts_used: _containers.RepeatedCompositeFieldContainer[_prompt_pb2.PromptVersion]
    model_profile: str
    def __init__(self, session_id: _Optional[str] = ..., round: _Optional[int] = ..., original_query: _Optional[str] = ..., executor_output: _Optional[_Union[_executor_output_pb2.ExecutorOutput, _Mapping]] = ..., tool_invocations: _Optional[_Iterable[_Union[_invocation_pb2.ToolInvocation, _Mapping]]] = ..., gatekeeper_result: _Optional[_Union[_gatekeeper_pb2.GatekeeperResult, _Mapping]] = ..., retry_context: _Optional[_Union[_evaluation_pb2.RetryContext, _Mapping]] = ..., engine: _Optional[_Union[_evaluation_pb2.JudgeEngine, str]] = ..., verifier_output: _Optional[_Union[_text_pb2.ModelText, _Mapping]] = ..., narrow_question: _Optional[bool] = ..., expected_rule_set_version: _Optional[str] = ..., prompts_used: _Optional[_Iterable[_Union[_prompt_pb2.PromptVersion, _Mapping]]] = ..., model_profile: _Optional[str] = ...) -> None: ...

class JudgeResponse(_message.Message):
    __slots__ = ("evaluation", "retry_context")
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    RETRY_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    evaluation: _evaluation_pb2.Evaluation
    retry_context: _evaluation_pb2.RetryContext
    def __init__(self, evaluation: _Optional[_Union[_evaluation_pb2.Evaluation, _Mapping]] = ..., retry_context: _Optional[_Union[_evaluation_pb2.RetryContext, _Mapping]] = ...) -> None: ...
