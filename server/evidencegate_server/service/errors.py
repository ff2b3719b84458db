"""Turns a refusal into the status that a caller of any language can act on.

Every status carries google.rpc.ErrorInfo; a mistake in fields also BadRequest, a limit QuotaFailure, overload
RetryInfo. Header limits of other libraries are respected: see `MAX_STATUS_BYTES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2  # type: ignore[import-untyped]  # has no stubs

from evidencegate_server.contract.records import record
from evidencegate_server.use_cases.errors import (
    CallerError,
    ConflictError,
    DependencyFailedError,
    FieldViolation,
    InvalidRequestError,
    LimitExceededError,
    NotFoundError,
    PreconditionError,
)

DOMAIN = "evidencegate"

# Java refuses headers over 8 KiB in all; the details travel as base64 (a third more) beside the message.
MAX_STATUS_BYTES = 4096

# More than twenty faults tell a programmer nothing new.
MAX_VIOLATIONS = 20

# Long values (a path, an ID) are cut so that one of them cannot crowd out the others. In UTF-8 bytes, since those
# count on the wire.
MAX_FIELD_BYTES = 120
MAX_DESCRIPTION_BYTES = 200
MAX_MESSAGE_BYTES = 300
MAX_METADATA_BYTES = 200

# Where the details of a status travel.
DETAILS_KEY = "grpc-status-details-bin"

# An overloaded server has a free place again within a few calls' time.
RETRY_DELAY_MILLIS = 100

_CODES = (
    (PreconditionError, grpc.StatusCode.FAILED_PRECONDITION),
    (NotFoundError, grpc.StatusCode.NOT_FOUND),
    (ConflictError, grpc.StatusCode.ABORTED),
)


@record
class Refusal:
    """A call that ends in a status: the code, the message and the serialized google.rpc.Status with its details."""

    code: grpc.StatusCode
    message: str
    reason: str
    details: bytes = field(repr=False)

    @property
    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        """The metadata that carries the details."""
        return ((DETAILS_KEY, self.details),)


def refusal_of(error: CallerError) -> Refusal:
    """Returns the status for a mistake of the caller's making."""
    if isinstance(error, InvalidRequestError):
        return _invalid_request(error)
    info = _error_info(error.reason, dict(error.metadata))
    if isinstance(error, LimitExceededError):
        quota = error_details_pb2.QuotaFailure()
        quota.violations.add(subject=error.what, description=_cut(error.message, MAX_DESCRIPTION_BYTES))
        return _refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, error.message, error.reason, (info, quota))
    if isinstance(error, DependencyFailedError):
        retry = error_details_pb2.RetryInfo(retry_delay=duration_pb2.Duration(nanos=RETRY_DELAY_MILLIS * 1_000_000))
        return _refusal(grpc.StatusCode.UNAVAILABLE, error.message, error.reason, (info, retry))
    code = next((code for kind, code in _CODES if isinstance(error, kind)), grpc.StatusCode.INVALID_ARGUMENT)
    return _refusal(code, error.message, error.reason, (info,))


def overloaded(limit: int) -> Refusal:
    """Returns the status of a call that comes while `limit` others are in flight."""
    retry = error_details_pb2.RetryInfo(retry_delay=duration_pb2.Duration(nanos=RETRY_DELAY_MILLIS * 1_000_000))
    info = _error_info("OVERLOADED", {"max_in_flight": str(limit)})
    message = f"the server already has {limit} calls in flight; retry after {RETRY_DELAY_MILLIS} ms"
    return _refusal(grpc.StatusCode.UNAVAILABLE, message, "OVERLOADED", (info, retry))


def shutting_down() -> Refusal:
    """Returns the status of a call that comes while the server drains; another server may answer it."""
    info = _error_info("SHUTTING_DOWN", {})
    return _refusal(grpc.StatusCode.UNAVAILABLE, "the server is shutting down", "SHUTTING_DOWN", (info,))


def token_missing() -> Refusal:
    """Returns the status of a call without a token where one is needed."""
    message = "this server wants a token: send it as the metadata `authorization: Bearer TOKEN`"
    return _refusal(grpc.StatusCode.UNAUTHENTICATED, message, "TOKEN_MISSING", (_error_info("TOKEN_MISSING", {}),))


def token_invalid() -> Refusal:
    """Returns the status of a call whose token is nobody's (any more), or is not sent as a bearer token."""
    message = "the token is not valid here: send one that this server's tokens file holds as `Bearer TOKEN`"
    return _refusal(grpc.StatusCode.UNAUTHENTICATED, message, "TOKEN_INVALID", (_error_info("TOKEN_INVALID", {}),))


def internal(incident_id: str) -> Refusal:
    """Returns the status of a fault of ours: a fixed sentence and the ID under which the log has it, nothing else."""
    info = _error_info("INTERNAL", {"incident_id": incident_id})
    message = f"the server failed to handle this call; its log has the details under incident {incident_id}"
    return _refusal(grpc.StatusCode.INTERNAL, message, "INTERNAL", (info,))


def _invalid_request(error: InvalidRequestError) -> Refusal:
    """Names as many violations as fit, at most MAX_VIOLATIONS, and how many more there are."""
    shown = min(len(error.violations), MAX_VIOLATIONS)
    info = _error_info(error.reason, dict(error.metadata))
    while True:
        bad_request = _bad_request(error.violations, shown)
        message = _invalid_message(error.violations)
        refusal = _refusal(grpc.StatusCode.INVALID_ARGUMENT, message, error.reason, (info, bad_request))
        if shown <= 1 or _size_on_the_wire(refusal) <= MAX_STATUS_BYTES:
            return refusal
        shown -= 1


def _bad_request(violations: Sequence[FieldViolation], shown: int) -> error_details_pb2.BadRequest:
    bad_request = error_details_pb2.BadRequest()
    for violation in violations[:shown]:
        bad_request.field_violations.add(
            field=_cut(violation.field, MAX_FIELD_BYTES),
            description=_cut(violation.description, MAX_DESCRIPTION_BYTES),
        )
    if len(violations) > shown:
        bad_request.field_violations.add(description=f"and {len(violations) - shown} more")
    return bad_request


def _invalid_message(violations: Sequence[FieldViolation]) -> str:
    first = violations[0]
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    return _cut(f"{first.field}: {first.description}", MAX_MESSAGE_BYTES) + more


def _refusal(code: grpc.StatusCode, message: str, reason: str, details: Sequence[Message]) -> Refusal:
    text = _cut(message, MAX_MESSAGE_BYTES)
    status = status_pb2.Status(code=code_pb2.Code.Value(code.name), message=text)
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    return Refusal(code, text, reason, status.SerializeToString(deterministic=True))


def _error_info(reason: str, metadata: dict[str, str]) -> error_details_pb2.ErrorInfo:
    cut = {key: _cut(value, MAX_METADATA_BYTES) for key, value in metadata.items()}
    return error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=cut)


def _size_on_the_wire(refusal: Refusal) -> int:
    """Counts the message as grpc percent-encodes it (three bytes a non-ASCII byte) and the details as base64."""
    message = sum(1 if 0x20 <= byte < 0x7F else 3 for byte in refusal.message.encode())
    return message + (len(refusal.details) + 2) // 3 * 4


def _cut(text: str, limit_bytes: int) -> str:
    """Returns the text, or as many whole characters of it as fit, with three dots."""
    encoded = text.encode(errors="replace")
    if len(encoded) <= limit_bytes:
        return encoded.decode()
    return encoded[: limit_bytes - 3].decode(errors="ignore") + "..."
