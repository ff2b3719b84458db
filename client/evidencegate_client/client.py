"""Calls the service and waits for each answer."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import grpc
from evidencegate.v1.catalog_pb2 import GetRuleCatalogResponse
from evidencegate.v1.composer_pb2 import ComposeRequest, ComposeResponse
from evidencegate.v1.gatekeeper_pb2 import ValidateRequest, ValidateResponse
from evidencegate.v1.prompt_pb2 import ListPromptsResponse, RenderPromptRequest, RenderPromptResponse
from evidencegate.v1.self_evaluation_pb2 import (
    ListSessionsResponse,
    StoredSession,
    WriteChannelRequest,
    WriteChannelResponse,
)
from evidencegate.v1.trace_pb2 import SummarizeTraceRequest, SummarizeTraceResponse
from evidencegate.v1.verifier_pb2 import JudgeRequest, JudgeResponse

from evidencegate_client import calls
from evidencegate_client.calls import Call, ResultT, Steps
from evidencegate_client.config import ClientConfig
from evidencegate_client.errors import ClosedClientError, service_error
from evidencegate_client.result import EvaluationResult, JudgementOutcome, ValidationOutcome
from evidencegate_client.target import check_target


class EvidenceGateClient:
    """A blocking client, safe to share between threads. Close it, or use it in a `with` block.

    The methods named like those of the service raise a ServiceError for each failure. `evaluate` and
    the two `..._or_fall_back` methods go on with a marked fallback where the service cannot be reached, and raise for
    every other failure. `target` is HOST:PORT, or a target in gRPC's own form (`dns:///...`, `unix:...`).
    """

    def __init__(self, target: str = "127.0.0.1:50051", config: ClientConfig | None = None) -> None:
        check_target(target)
        self._config = config or ClientConfig()
        self._closed = False
        options = self._config.channel_options()
        credentials = self._config.channel_credentials(target)
        if credentials is None:
            self._channel = grpc.insecure_channel(target, options=options)
        else:
            self._channel = grpc.secure_channel(target, credentials, options=options)
        self._methods = {
            method: self._channel.unary_unary(
                method.path, request_serializer=calls.serialize, response_deserializer=calls.deserializer(method)
            )
            for method in calls.METHODS
        }

    def validate(self, request: ValidateRequest) -> ValidateResponse:
        """Checks one output by the rules."""
        return self._run(calls.validate(request, self._config))

    def validate_or_fall_back(self, request: ValidateRequest) -> ValidationOutcome:
        """Checks one output by the rules; a marked pass stands in where the service cannot be reached."""
        return self._run(calls.validate_or_fall_back(request, self._config))

    def get_rule_catalog(self) -> GetRuleCatalogResponse:
        """Returns the version, the enabled rules and the limits in use."""
        return self._run(calls.get_rule_catalog(self._config))

    def judge(self, request: JudgeRequest) -> JudgeResponse:
        """Labels every claim of one output and derives verdict and route."""
        return self._run(calls.judge(request, self._config))

    def judge_or_fall_back(self, request: JudgeRequest) -> JudgementOutcome:
        """Labels every claim of one output; a marked LOW_CONFID stands in where the service cannot be reached."""
        return self._run(calls.judge_or_fall_back(request, self._config))

    def summarize_trace(self, request: SummarizeTraceRequest) -> SummarizeTraceResponse:
        """Returns what the tools of a session came back with, in short."""
        return self._run(calls.summarize_trace(request, self._config))

    def compose(self, request: ComposeRequest) -> ComposeResponse:
        """Returns the answer to one evaluation, which is what the user reads."""
        return self._run(calls.compose(request, self._config))

    def list_prompts(self) -> ListPromptsResponse:
        """Returns the prompts of the service's catalog, for a caller that runs its own models."""
        return self._run(calls.list_prompts(self._config))

    def render_prompt(self, request: RenderPromptRequest) -> RenderPromptResponse:
        """Returns one prompt with its values put in."""
        return self._run(calls.render_prompt(request, self._config))

    def write_channel(self, request: WriteChannelRequest) -> WriteChannelResponse:
        """Writes one channel of a stored session and leaves the other as it is; safe to repeat with its request ID."""
        return self._run(calls.write_channel(request, self._config))

    def get_session(self, session_id: str, *, include_input: bool = False) -> StoredSession:
        """Returns what is stored of a session; raises NotFoundError where nothing is."""
        response = self._run(calls.get_session(session_id, include_input, self._config))
        return response.session

    def list_sessions(self, *, page_size: int = 0, page_token: str = "") -> ListSessionsResponse:
        """Returns a page of the stored sessions, the latest written first."""
        return self._run(calls.list_sessions(page_size, page_token, self._config))

    def delete_session(self, session_id: str) -> bool:
        """Deletes what is stored of a session; False where there was nothing."""
        response = self._run(calls.delete_session(session_id, self._config))
        return response.deleted

    def evaluate(self, request: JudgeRequest) -> EvaluationResult:
        """Checks one output by the rules, then labels its claims, each with its fallback."""
        return self._run(calls.evaluate(request, self._config))

    @property
    def config(self) -> ClientConfig:
        """How this client calls."""
        return self._config

    def close(self) -> None:
        """Ends the connection; calls in flight fail."""
        self._closed = True
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, steps: Steps[ResultT]) -> ResultT:
        try:
            call = next(steps)
            while True:
                try:
                    response = self.invoke(call)
                except grpc.RpcError as error:
                    call = steps.throw(service_error(error))
                else:
                    call = steps.send(response)
        except StopIteration as stop:
            result: ResultT = stop.value
            return result

    def invoke(self, call: Call, on_start: Callable[[Callable[[], Any]], None] | None = None) -> Any:
        """Makes one call as it is described and returns the response; grpc.RpcError is raised as it comes.

        This is what the orchestrator drives; programs use the named methods. `on_start` is given what ends the call
        from another thread; grpc.FutureCancelledError is raised then.
        """
        if self._closed:
            raise ClosedClientError
        method, metadata = self._methods[call.method], self._config.call_metadata()
        try:
            if on_start is None:
                return method(call.request, timeout=call.timeout_seconds, metadata=metadata)
            future = method.future(call.request, timeout=call.timeout_seconds, metadata=metadata)
        except ValueError as error:
            if self._closed:  # by another thread, between the question above and the call
                raise ClosedClientError from error
            raise
        try:
            on_start(future.cancel)
            return future.result()
        finally:
            future.cancel()  # type: ignore[no-untyped-call]  # of no effect on a call that has ended
