"""Names everything that can go wrong for a caller, and reads the details that the service sends with a failure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]  # ships no types

_DETAILS_KEY = "grpc-status-details-bin"

# A fallback for any other code would hide a fault of the set-up: a wrong token, a wrong address, a request too large.
FALLBACK_CODES = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    }
)


class EvidenceGateError(Exception):
    """Anything that this package raises by itself."""


class TargetError(EvidenceGateError, ValueError):
    """Raised when a client is given an address that no server can have: one with `http://`, or without a port."""


class ConfigError(EvidenceGateError, ValueError):
    """Raised when a client cannot be made as it is configured: a file of TLS or a token that cannot be used."""


class RequestTypeError(EvidenceGateError, TypeError):
    """Raised when a method is given something other than its request message."""


class ClosedClientError(EvidenceGateError):
    """Raised when a client is used after it was closed."""

    def __init__(self) -> None:
        super().__init__("this client was closed; make a new one")


class ChatUsageError(EvidenceGateError, ValueError):
    """Raised when an orchestrator is made or asked in a way that cannot work; the text says what to do instead."""


class ChatResultError(EvidenceGateError, TypeError):
    """Raised when a function of the caller's returns something of the wrong form: that is a mistake of the program.

    What a model wrote badly is none: it is text, whatever it says.
    """


class ChatCancelledError(EvidenceGateError):
    """Raised when a run was ended by its `Cancellation`."""

    def __init__(self) -> None:
        super().__init__("the run was cancelled")


class ChatDeadlineError(EvidenceGateError, TimeoutError):
    """Stands in the trace where the time of the whole run was up before a function began or ended."""

    def __init__(self) -> None:
        super().__init__("the time of the whole run is up")


class SessionError(EvidenceGateError):
    """Raised when an object is no session: a key is missing, is not known or has the wrong form.

    `place` is the path to it (`tool_invocations[2].status`), empty for the whole.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


class VocabularyError(EvidenceGateError, ValueError):
    """Raised when stored JSON does not fit the message that it is read into, or a message has no stored form."""


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field of a request that the service refused: its path (`tool_invocations[3].id`) and what is wrong."""

    field: str
    description: str


class ServiceError(EvidenceGateError):
    """Raised when a call ended with a status other than OK; the subclasses say which.

    `reason` (UPPER_SNAKE), `domain` and `metadata` are those of ErrorInfo, empty where the failure carried none, as
    those of the network and of proxies do. `retry_delay_seconds` is what the service asked for, None where it did not.
    """

    def __init__(self, code: grpc.StatusCode, message: str, details: _Details) -> None:
        super().__init__(_sentence(code, message, details))
        self.code = code
        self.message = message
        self.reason = details.reason
        self.domain = details.domain
        self.metadata: Mapping[str, str] = MappingProxyType(details.metadata)
        self.field_violations = details.field_violations
        self.retry_delay_seconds = details.retry_delay_seconds

    @property
    def fallback_allowed(self) -> bool:
        """Whether a client may go on without the service."""
        return self.code in FALLBACK_CODES


class InvalidRequestError(ServiceError):
    """Raised for INVALID_ARGUMENT: the caller's request is wrong, and `field_violations` names where."""


class LimitExceededError(ServiceError):
    """Raised for RESOURCE_EXHAUSTED: the request is over a limit and never fits later.

    `limit` and `actual` are the two numbers, None where the failure named none.
    """

    @property
    def limit(self) -> int | None:
        """The most that is accepted."""
        return _number(self.metadata.get("limit"))

    @property
    def actual(self) -> int | None:
        """What was sent."""
        return _number(self.metadata.get("actual"))


class PreconditionError(ServiceError):
    """Raised for FAILED_PRECONDITION: what the request wants is not there.

    Another rule set than expected, an engine or a store that is not configured, or a repeated write whose session was
    deleted since.
    """


class NotFoundError(ServiceError):
    """Raised for NOT_FOUND: nothing is stored of that session."""


class ConflictError(ServiceError):
    """Raised for ABORTED: somebody else wrote in between, so the stored revision is another; read again."""


class AccessError(ServiceError):
    """Raised for UNAUTHENTICATED and PERMISSION_DENIED: a missing or wrong token or certificate."""


class UnavailableError(ServiceError):
    """Raised for UNAVAILABLE after the retries: no server there, a shutdown, or too many calls in flight."""


class DeadlineError(ServiceError):
    """Raised for DEADLINE_EXCEEDED: no answer in the time that the configuration gives."""


class ServerFaultError(ServiceError):
    """Raised for INTERNAL and UNKNOWN: a fault of the service; the message has an incident ID where it knows one."""


_BY_CODE: dict[grpc.StatusCode, type[ServiceError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequestError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: LimitExceededError,
    grpc.StatusCode.FAILED_PRECONDITION: PreconditionError,
    grpc.StatusCode.NOT_FOUND: NotFoundError,
    grpc.StatusCode.ABORTED: ConflictError,
    grpc.StatusCode.UNAUTHENTICATED: AccessError,
    grpc.StatusCode.PERMISSION_DENIED: AccessError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineError,
    grpc.StatusCode.INTERNAL: ServerFaultError,
    grpc.StatusCode.UNKNOWN: ServerFaultError,
}


@dataclass(frozen=True, slots=True)
class _Details:
    """What google.rpc.Status carried; all empty where it was absent or unreadable."""

    reason: str
    domain: str
    metadata: dict[str, str]
    field_violations: tuple[FieldViolation, ...]
    retry_delay_seconds: float | None


def service_error(error: grpc.RpcError) -> ServiceError:
    """Turns a failure of grpc or grpc.aio into this package's own; never raises, whatever the details hold."""
    call: Any = error
    code = call.code() or grpc.StatusCode.UNKNOWN
    failure = _BY_CODE.get(code, ServiceError)(code, call.details() or "", _details(call.trailing_metadata()))
    failure.__cause__ = error
    return failure


def run_deadline_error() -> DeadlineError:
    """Returns the failure of a call that was not made, because the time of the whole run is up."""
    return DeadlineError(
        grpc.StatusCode.DEADLINE_EXCEEDED, "the time of the whole run is up", _Details("", "", {}, (), None)
    )


def _details(metadata: Iterable[tuple[str, str | bytes]] | None) -> _Details:
    reason, domain = "", ""
    info: dict[str, str] = {}
    violations: list[FieldViolation] = []
    delay: float | None = None
    for item in _items(metadata):
        if item.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            error_info = error_details_pb2.ErrorInfo.FromString(item.value)
            reason, domain, info = error_info.reason, error_info.domain, dict(error_info.metadata)
        elif item.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad_request = error_details_pb2.BadRequest.FromString(item.value)
            violations += [FieldViolation(one.field, one.description) for one in bad_request.field_violations]
        elif item.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            delay = error_details_pb2.RetryInfo.FromString(item.value).retry_delay.ToTimedelta().total_seconds()
    return _Details(reason, domain, info, tuple(violations), delay)


def _items(metadata: Iterable[tuple[str, str | bytes]] | None) -> list[Any]:
    """Returns the readable details; a proxy's own bytes under the same key are no reason to fail."""
    for key, value in metadata or ():
        if key == _DETAILS_KEY and isinstance(value, bytes):
            try:
                status = status_pb2.Status.FromString(value)
            except DecodeError:
                return []
            return [item for item in status.details if _readable(item)]
    return []


def _readable(item: Any) -> bool:
    known = (error_details_pb2.ErrorInfo, error_details_pb2.BadRequest, error_details_pb2.RetryInfo)
    for kind in known:
        if item.Is(kind.DESCRIPTOR):
            try:
                kind.FromString(item.value)
            except DecodeError:
                return False
            return True
    return False


def _sentence(code: grpc.StatusCode, message: str, details: _Details) -> str:
    head = f"{code.name} ({details.reason})" if details.reason else code.name
    places = [f"{one.field}: {one.description}" for one in details.field_violations]
    if not places:
        return f"{head}: {message}"
    # The service's message repeats the first place; a proxy's or another version's may not.
    told = "; ".join(places)
    return f"{head}: {told}" if message.startswith(places[0]) else f"{head}: {message} [{told}]"


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else None
