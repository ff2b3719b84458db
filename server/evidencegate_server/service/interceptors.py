"""Stands around every call: asks who calls, bounds how many are at work, answers faults of ours, counts and logs.

It is the outermost interceptor and the only one. A fault of ours is answered with a fixed sentence. Health and
reflection are neither counted nor logged: they must answer while the server is overloaded, and they say nothing about
our own calls.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, NoReturn

import grpc

from evidencegate_server.contract.records import record
from evidencegate_server.service.access import Access, name_in_certificate
from evidencegate_server.service.errors import Refusal, internal, overloaded, refusal_of, shutting_down
from evidencegate_server.service.logs import MAX_SESSION_ID_CHARACTERS, Logger, describe_fault
from evidencegate_server.service.metrics import NO_FACTS, CallFacts, Metrics
from evidencegate_server.service.origin import NOWHERE, Origin, current_origin, set_origin
from evidencegate_server.service.session_ids import session_id_of
from evidencegate_server.service.streams import EndableStreams, Handler
from evidencegate_server.use_cases.errors import CallerError

# The standard services (grpc.health.v1, grpc.reflection.v1alpha).
_STANDARD_SERVICES = "/grpc."

_current_facts: ContextVar[list[CallFacts] | None] = ContextVar("evidencegate_call_facts", default=None)


def report_facts(facts: CallFacts) -> None:
    """Hands what the log line and the metrics say about this call's answer to the interceptor around it."""
    holder = _current_facts.get()
    if holder is not None:
        holder.append(facts)


@record
class Ended:
    """A call that has ended: its method's name, when it began, with which code it ended, and where it came from."""

    name: str
    started: float
    code: str
    origin: Origin


class CallGuard(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs alone
    """Wraps each method's handler once and keeps the wrapped one."""

    def __init__(self, max_in_flight: int, metrics: Metrics, logger: Logger, access: Access | None = None) -> None:
        self.in_flight = 0
        self._access = access or Access()
        self.metrics = metrics
        self._max_in_flight = max_in_flight
        self._logger = logger
        self._overloaded = overloaded(max_in_flight)
        self._shutting_down = shutting_down()
        self.refusing = asyncio.Event()
        self._idle = asyncio.Event()
        self._wrapped: dict[str, Handler] = {}
        self._streams = EndableStreams()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Returns the method's handler with the guard around it, None for a method that nobody serves.

        Who may not call gets another one, which refuses without reading the request.
        """
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return handler
            wrapped = self._wrap(method, handler)
            self._wrapped[method] = wrapped
        admitted = self._access.admit(method, handler_call_details.invocation_metadata)
        if isinstance(admitted, Refusal):
            return self._refusing(method.rpartition(".")[2], admitted)
        if admitted is not NOWHERE:  # which it is unless somebody says otherwise
            set_origin(admitted)
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
        """Ends the open streams of health and reflection."""
        self._streams.end()

    def _wrap(self, method: str, handler: Handler) -> Handler:
        if handler.unary_unary is not None and not method.startswith(_STANDARD_SERVICES):
            return grpc.unary_unary_rpc_method_handler(
                self._guarded(method, handler.unary_unary), handler.request_deserializer, handler.response_serializer
            )
        return self._streams.wrap(handler) or handler

    def _refusing(self, name: str, refusal: Refusal) -> Handler:
        async def refuse(_requests: Any, context: Any) -> None:
            self._finish(Ended(name, time.perf_counter(), refusal.code.name, NOWHERE), b"", b"", NO_FACTS)
            await _abort(context, refusal)

        # Takes a stream, of which nothing is read: a request may be large.
        return grpc.stream_unary_rpc_method_handler(refuse)

    def _guarded(self, method: str, behaviour: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Any]:
        name = method.rpartition(".")[2]  # `Gatekeeper/Validate`

        async def guarded(request: Any, context: Any) -> Any:
            started = time.perf_counter()
            origin = current_origin()
            if self._access.by_certificate:
                origin = _named(origin, context)
            if self.in_flight >= self._max_in_flight or self.refusing.is_set():
                refused = self._shutting_down if self.refusing.is_set() else self._overloaded
                self._finish(Ended(name, started, refused.code.name, origin), request, b"", NO_FACTS)
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
                refusal = self._incident(name, origin, request, error)
                code = refusal.code.name
            finally:
                self.in_flight -= 1
                if self.in_flight == 0 and self.refusing.is_set():
                    self._idle.set()
                self._finish(Ended(name, started, code, origin), request, response, facts[-1] if facts else NO_FACTS)
            if refusal is not None:  # counted and logged before the caller can know of it
                await _abort(context, refusal)
            return response

        return guarded

    def _incident(self, name: str, origin: Origin, request: Any, error: Exception) -> Refusal:
        incident = secrets.token_hex(8)
        session_id = session_id_of(name, request)[:MAX_SESSION_ID_CHARACTERS]
        self._logger.error(
            "fault",
            method=name,
            incident=incident,
            session_id=session_id,
            **origin.log_values(),
            **describe_fault(error),
        )
        return internal(incident)

    def _finish(self, ended: Ended, request: Any, response: Any, facts: CallFacts) -> None:
        seconds = time.perf_counter() - ended.started
        self.metrics.count_call(ended.name, ended.code, seconds)
        if ended.origin.caller:
            self.metrics.count_caller(ended.origin.caller, ended.code)
        self.metrics.count_answer(facts)
        self._logger.info(
            "call",
            method=ended.name,
            code=ended.code,
            millis=round(seconds * 1000, 3),
            request_bytes=_size(request),
            response_bytes=_size(response),
            # Without an answer nobody has said which session it was.
            session_id=(facts.session_id or session_id_of(ended.name, request))[:MAX_SESSION_ID_CHARACTERS],
            parse_status=facts.parse_status,
            gatekeeper_status=facts.gatekeeper_status,
            failed_rules=facts.failed_rules,
            verdict=facts.verdict,
            claim_checks=dict(facts.claim_labels),
            facts_checked=dict(facts.fact_labels),
            **ended.origin.log_values(),
        )


def _named(origin: Origin, context: Any) -> Origin:
    """Returns the origin with the name in the caller's certificate, where no token has named it."""
    if origin.caller:
        return origin
    name = name_in_certificate(context.peer_identities())
    return Origin(name, origin.trace_id, origin.span_id) if name else origin


async def _abort(context: Any, refusal: Refusal) -> NoReturn:
    await context.abort(refusal.code, refusal.message, refusal.trailing_metadata)
    raise AssertionError("abort raises")


def _size(message: Any) -> int:
    return len(message) if isinstance(message, bytes) else int(message.ByteSize())


def _status_of(context: Any) -> Any:
    code = context.code()
    return next(status.value for status in grpc.StatusCode if code in (status, status.value[0]))
