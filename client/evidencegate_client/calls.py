"""Decides what is called, in which order and what a failure means, without calling.

Each function is a generator: it yields a call, gets the answer sent or the failure thrown in, and returns the result.
The blocking and the asynchronous client drive the same generators, so they cannot come apart.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from evidencegate.v1.catalog_pb2 import GetRuleCatalogRequest, GetRuleCatalogResponse
from evidencegate.v1.composer_pb2 import COMPOSER_WRITER_MODEL, ComposeRequest, ComposeResponse
from evidencegate.v1.evaluation_pb2 import JUDGE_ENGINE_HYBRID, JUDGE_ENGINE_LLM
from evidencegate.v1.gatekeeper_pb2 import ValidateRequest, ValidateResponse
from evidencegate.v1.prompt_pb2 import (
    ListPromptsRequest,
    ListPromptsResponse,
    RenderPromptRequest,
    RenderPromptResponse,
)
from evidencegate.v1.self_evaluation_pb2 import (
    DeleteSessionRequest,
    DeleteSessionResponse,
    GetSessionRequest,
    GetSessionResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    WriteChannelRequest,
    WriteChannelResponse,
)
from evidencegate.v1.trace_pb2 import SummarizeTraceRequest, SummarizeTraceResponse
from evidencegate.v1.verifier_pb2 import JudgeRequest, JudgeResponse
from google.protobuf.message import Message

from evidencegate_client.build import validate_request
from evidencegate_client.config import ClientConfig, Deadlines
from evidencegate_client.errors import RequestTypeError, ServiceError
from evidencegate_client.fallback import fallback_evaluation, fallback_gatekeeper_result
from evidencegate_client.result import EvaluationResult, JudgementOutcome, ValidationOutcome
from evidencegate_client.vocabulary import kind_of

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the service."""

    path: str
    response: type[Message]


@dataclass(frozen=True, slots=True)
class Call:
    """One call to make: the request may take so many seconds, retries included."""

    method: Method
    request: Message
    timeout_seconds: float


Steps = Generator[Call, Any, ResultT]

VALIDATE = Method("/evidencegate.v1.Gatekeeper/Validate", ValidateResponse)
GET_RULE_CATALOG = Method("/evidencegate.v1.Gatekeeper/GetRuleCatalog", GetRuleCatalogResponse)
JUDGE = Method("/evidencegate.v1.Verifier/Judge", JudgeResponse)
SUMMARIZE_TRACE = Method("/evidencegate.v1.Verifier/SummarizeTrace", SummarizeTraceResponse)
COMPOSE = Method("/evidencegate.v1.Composer/Compose", ComposeResponse)
LIST_PROMPTS = Method("/evidencegate.v1.Prompts/ListPrompts", ListPromptsResponse)
RENDER_PROMPT = Method("/evidencegate.v1.Prompts/RenderPrompt", RenderPromptResponse)
WRITE_CHANNEL = Method("/evidencegate.v1.SelfEvaluations/WriteChannel", WriteChannelResponse)
GET_SESSION = Method("/evidencegate.v1.SelfEvaluations/GetSession", GetSessionResponse)
LIST_SESSIONS = Method("/evidencegate.v1.SelfEvaluations/ListSessions", ListSessionsResponse)
DELETE_SESSION = Method("/evidencegate.v1.SelfEvaluations/DeleteSession", DeleteSessionResponse)
METHODS = (
    VALIDATE,
    GET_RULE_CATALOG,
    JUDGE,
    SUMMARIZE_TRACE,
    COMPOSE,
    LIST_PROMPTS,
    RENDER_PROMPT,
    WRITE_CHANNEL,
    GET_SESSION,
    LIST_SESSIONS,
    DELETE_SESSION,
)


def serialize(request: Message) -> bytes:
    """Returns the request's bytes."""
    return request.SerializeToString()


def deserializer(method: Method) -> Callable[[bytes], Message]:
    """Returns what reads the method's answer."""
    return method.response.FromString


def validate(request: ValidateRequest, config: ClientConfig) -> Steps[ValidateResponse]:
    """Asks the Gatekeeper; a failure is raised."""
    _must_be(ValidateRequest, request)
    response: ValidateResponse = yield Call(VALIDATE, request, config.deadlines.validate_seconds)
    return response


def get_rule_catalog(config: ClientConfig) -> Steps[GetRuleCatalogResponse]:
    """Asks for the rules in use; a failure is raised."""
    response: GetRuleCatalogResponse = yield Call(
        GET_RULE_CATALOG, GetRuleCatalogRequest(), config.deadlines.rule_catalog_seconds
    )
    return response


def judge(request: JudgeRequest, config: ClientConfig) -> Steps[JudgeResponse]:
    """Asks the Verifier; a failure is raised."""
    _must_be(JudgeRequest, request)
    response: JudgeResponse = yield Call(JUDGE, request, _judge_seconds(request, config.deadlines))
    return response


def summarize_trace(request: SummarizeTraceRequest, config: ClientConfig) -> Steps[SummarizeTraceResponse]:
    """Asks for the trace summary; a failure is raised."""
    _must_be(SummarizeTraceRequest, request)
    response: SummarizeTraceResponse = yield Call(SUMMARIZE_TRACE, request, config.deadlines.summarize_trace_seconds)
    return response


def compose(request: ComposeRequest, config: ClientConfig) -> Steps[ComposeResponse]:
    """Asks the Composer; a failure is raised."""
    _must_be(ComposeRequest, request)
    by_model = request.writer == COMPOSER_WRITER_MODEL
    seconds = config.deadlines.compose_by_model_seconds if by_model else config.deadlines.compose_seconds
    response: ComposeResponse = yield Call(COMPOSE, request, seconds)
    return response


def list_prompts(config: ClientConfig) -> Steps[ListPromptsResponse]:
    """Asks for the prompts; a failure is raised."""
    response: ListPromptsResponse = yield Call(LIST_PROMPTS, ListPromptsRequest(), config.deadlines.prompts_seconds)
    return response


def render_prompt(request: RenderPromptRequest, config: ClientConfig) -> Steps[RenderPromptResponse]:
    """Asks for one prompt with its values; a failure is raised."""
    _must_be(RenderPromptRequest, request)
    response: RenderPromptResponse = yield Call(RENDER_PROMPT, request, config.deadlines.prompts_seconds)
    return response


def write_channel(request: WriteChannelRequest, config: ClientConfig) -> Steps[WriteChannelResponse]:
    """Writes one channel of a stored session; a failure is raised."""
    _must_be(WriteChannelRequest, request)
    response: WriteChannelResponse = yield Call(WRITE_CHANNEL, request, config.deadlines.store_seconds)
    return response


def get_session(session_id: str, include_input: bool, config: ClientConfig) -> Steps[GetSessionResponse]:
    """Asks for what is stored of a session; a failure is raised."""
    request = GetSessionRequest(session_id=session_id, include_input=include_input)
    response: GetSessionResponse = yield Call(GET_SESSION, request, config.deadlines.store_seconds)
    return response


def list_sessions(page_size: int, page_token: str, config: ClientConfig) -> Steps[ListSessionsResponse]:
    """Asks for a page of the stored sessions; a failure is raised."""
    request = ListSessionsRequest(page_size=page_size, page_token=page_token)
    response: ListSessionsResponse = yield Call(LIST_SESSIONS, request, config.deadlines.store_seconds)
    return response


def delete_session(session_id: str, config: ClientConfig) -> Steps[DeleteSessionResponse]:
    """Deletes what is stored of a session; a failure is raised."""
    request = DeleteSessionRequest(session_id=session_id)
    response: DeleteSessionResponse = yield Call(DELETE_SESSION, request, config.deadlines.store_seconds)
    return response


def validate_or_fall_back(request: ValidateRequest, config: ClientConfig) -> Steps[ValidationOutcome]:
    """Asks the Gatekeeper, and goes on with a marked fallback where it cannot be reached."""
    try:
        response = yield from validate(request, config)
    except ServiceError as failure:
        if not failure.fallback_allowed:
            raise
        version = request.expected_rule_set_version or config.default_rule_set_version
        return ValidationOutcome(fallback_gatekeeper_result(version), None, failure)
    return ValidationOutcome(response.gatekeeper_result, response.executor_output_parse_status)


def judge_or_fall_back(request: JudgeRequest, config: ClientConfig) -> Steps[JudgementOutcome]:
    """Asks the Verifier, and goes on with a marked fallback where it cannot be reached."""
    try:
        response = yield from judge(request, config)
    except ServiceError as failure:
        if not failure.fallback_allowed:
            raise
        return JudgementOutcome(fallback_evaluation(request.round, request.prompts_used), None, failure)
    retry_context = response.retry_context if response.HasField("retry_context") else None
    return JudgementOutcome(response.evaluation, retry_context)


def evaluate(request: JudgeRequest, config: ClientConfig) -> Steps[EvaluationResult]:
    """Asks the Gatekeeper, then the Verifier with its result, each with its fallback."""
    _must_be(JudgeRequest, request)
    validation = yield from validate_or_fall_back(validate_request(request), config)
    with_result = JudgeRequest()
    with_result.CopyFrom(request)
    with_result.gatekeeper_result.CopyFrom(validation.gatekeeper_result)
    judgement = yield from judge_or_fall_back(with_result, config)
    return EvaluationResult(validation, judgement)


def _must_be(kind: type[Message], request: object) -> None:
    if not isinstance(request, kind):
        raise RequestTypeError(f"a {kind.DESCRIPTOR.name} message is wanted, not {kind_of(request)}")


def _judge_seconds(request: JudgeRequest, deadlines: Deadlines) -> float:
    by_model = request.engine in (JUDGE_ENGINE_LLM, JUDGE_ENGINE_HYBRID)
    return deadlines.judge_by_model_seconds if by_model else deadlines.judge_seconds
