"""Stands around every call: bounds how many are at work, answers faults of ours with a fixed sentence, counts and logs.

It is the outermost interceptor and the only one. Health and reflection pass it by: they must answer while the server
is overloaded, and they say nothing about our own calls.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Any, NoReturn, TypeAlias

import grpc

from evidencegate_server.service.errors import Refusal, internal, overloaded, refusal_of, shutting_down
from evidencegate_server.service.logs import MAX_SESSION_ID_CHARACTERS, Logger, describe_fault
from evidencegate_server.service.metrics import NO_FACTS, CallFacts, Metrics
from evidencegate_server.use_cases.errors import CallerError

# The standard services (grpc.health.v1, grpc.reflection.v1alpha).
_STANDARD_SERVICES = "/grpc."

# Generic in the stubs alone, so it cannot be written with its arguments here.
_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

_current_facts: ContextVar[list[CallFacts] | None] = ContextVar("evidencegate_call_facts", default=None)


def report_facts(facts: CallFacts) -> None:
    """Hands what the log line and the metrics say about this call's answer to the interceptor around it."""
    holder = _current_facts.get()
    if holder is not None:
        holder.append(facts)


class CallGuard(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs alone
    """Wraps each method's handler once and keeps the wrapped one."""

    def __init__(self, max_in_flight: int, metrics: Metrics, logger: Logger) -> None:
        self.in_flight = 0
        self.metrics = metrics
        self._max_in_flight = max_in_flight
        self._logger = logger
        self._overloaded = overloaded(max_in_flight)
        self._shutting_down = shutting_down()
        self.refusing = asyncio.Event()
        self._idle = asyncio.Event()
        self._wrapped: dict[str, _Handler] = {}
        self._streams_end = asyncio.Event()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[_Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> _Handler:
        """Returns the method's handler with the guard around it, None for a method that nobody serves."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return handler
            wrapped = self._wrap(method, handler)
            self._wrapped[method] = wrapped
        return wrapped

    async def finish_calls(self) -> None:
        """Refuses new calls from now on, and returns when none is at work any more.

        The guard refuses them itself: a call that reaches gRPC in the moment of its stop would get CANCELLED, which
        no client retries.
        """
        self.refusing.set()
        if self.in_flight:
            await self._idle.wait()

    def end_streams(self) -> None:
        """Ends the open streams of health and reflection, which would otherwise hold up a shutdown until its grace."""
        self._streams_end.set()

    def _wrap(self, method: str, handler: _Handler) -> _Handler:
        if handler.unary_unary is not None and not method.startswith(_STANDARD_SERVICES):
            return grpc.unary_unary_rpc_method_handler(
                self._guarded(method, handler.unary_unary), handler.request_deserializer, handler.response_serializer
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._endable(handler.unary_stream), handler.request_deserializer, handler.response_serializer
            )
        if handler.stream_stream is not None:
            return grpc.stream_stream_rpc_method_handler(
                self._endable(handler.stream_stream), handler.request_deserializer, handler.response_serializer
            )
        return handler

    def _guarded(self, method: str, behaviour: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Any]:
        name = method.rpartition(".")[2]  # `Gatekeeper/Validate`

        async def guarded(request: Any, context: Any) -> Any:
            started = time.perf_counter()
            if self.in_flight >= self._max_in_flight or self.refusing.is_set():
                refused = self._shutting_down if self.refusing.is_set() else self._overloaded
                self._finish(name, started, refused.code.name, request, b"", NO_FACTS)
                await _abort(context, refused)
            self.in_flight += 1
            facts: list[CallFacts] = []
            _current_facts.set(facts)
            code = "OK"
            response: Any = b""
            refusal: Refusal | None = None
            try:
                response = await behaviour(request, context)
            except CallerError as error:
                refusal = refusal_of(error)
                code = refusal.code.name
            except asyncio.CancelledError:
                remaining = context.time_remaining()
                code = "DEADLINE_EXCEEDED" if remaining is not None and remaining <= 0 else "CANCELLED"
                raise
            except grpc.aio.AbortError:
                code = grpc.StatusCode(_status_of(context)).name
                raise
            except Exception as error:  # noqa: BLE001  # the outermost place: whatever it is, the caller gets no text of it
                refusal = self._incident(name, error)
                code = refusal.code.name
            finally:
                self.in_flight -= 1
                if self.in_flight == 0 and self.refusing.is_set():
                    self._idle.set()
                self._finish(name, started, code, request, response, facts[-1] if facts else NO_FACTS)
            if refusal is not None:  # counted and logged before the caller can know of it
                await _abort(context, refusal)
            return response

        return guarded

    def _incident(self, name: str, error: Exception) -> Refusal:
        incident = secrets.token_hex(8)
        self._logger.error("fault", method=name, incident=incident, **describe_fault(error))
        return internal(incident)

    def _finish(self, name: str, started: float, code: str, request: Any, response: Any, facts: CallFacts) -> None:
        seconds = time.perf_counter() - started
        self.metrics.count_call(name, code, seconds)
        self.metrics.count_answer(facts)
        self._logger.info(
            "call",
            method=name,
            code=code,
            millis=round(seconds * 1000, 3),
            request_bytes=_size(request),
            response_bytes=_size(response),
            session_id=facts.session_id[:MAX_SESSION_ID_CHARACTERS],
            parse_status=facts.parse_status,
            gatekeeper_status=facts.gatekeeper_status,
            failed_rules=facts.failed_rules,
            verdict=facts.verdict,
            claim_checks=dict(facts.claim_labels),
            facts_checked=dict(facts.fact_labels),
        )

    def _endable(self, behaviour: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """Lets a stream run until it ends by itself or the server is told to end its streams."""
        if inspect.isasyncgenfunction(behaviour):

            async def generating(request: Any, context: Any) -> AsyncIterator[Any]:
                responses = behaviour(request, context)
                with contextlib.suppress(_StreamsEnd, StopAsyncIteration):
                    while True:
                        yield await self._before_the_end(anext(responses))

            return generating

        async def writing(request: Any, context: Any) -> None:
            with contextlib.suppress(_StreamsEnd):
                await self._before_the_end(behaviour(request, context))

        return writing

    async def _before_the_end(self, step: Awaitable[Any]) -> Any:
        """Returns what `step` gives; raises _StreamsEnd where the streams are to end first."""
        work: asyncio.Future[Any] = asyncio.ensure_future(step)
        end = asyncio.ensure_future(self._streams_end.wait())
        try:
            await asyncio.wait((work, end), return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            raise _StreamsEnd
        finally:
            work.cancel()
            end.cancel()


class _StreamsEnd(Exception):  # noqa: N818  # no error: the server shuts down
    """Occurs inside a stream that the server ends."""


async def _abort(context: Any, refusal: Refusal) -> NoReturn:
    await context.abort(refusal.code, refusal.message, refusal.trailing_metadata)
    raise AssertionError("abort raises")


def _size(message: Any) -> int:
    return len(message) if isinstance(message, bytes) else int(message.ByteSize())


def _status_of(context: Any) -> Any:
    code = context.code()
    return next(status.value for status in grpc.StatusCode if code in (status, status.value[0]))
