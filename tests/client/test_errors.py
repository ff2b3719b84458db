"""How a failure's details reach the caller."""

from __future__ import annotations

import grpc
import pytest
from evidencegate.v1.gatekeeper_pb2 import ValidateRequest
from evidencegate_client import (
    AccessError,
    ClientConfig,
    FieldViolation,
    InvalidRequestError,
    LimitExceededError,
    PreconditionError,
    RetryPolicy,
    ServiceError,
    UnavailableError,
)
from evidencegate_client.errors import service_error
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from tests.client.fake_service import Caller, Failure, FakeService

ONCE = ClientConfig(retry=RetryPolicy(max_attempts=1))


def raised(call: Caller, fake: FakeService, failure: Failure) -> ServiceError:
    fake.scripts["Validate"] = [failure]
    with pytest.raises(ServiceError) as caught:
        call(fake.target, "validate", ValidateRequest(), config=ONCE)
    return caught.value


@pytest.mark.req("IO-05")
def test_field_violations_reason_and_metadata_are_decoded(call: Caller, fake: FakeService) -> None:
    violation = error_details_pb2.BadRequest.FieldViolation(field="tool_invocations[3].id", description="is blank")
    error = raised(
        call,
        fake,
        Failure(
            grpc.StatusCode.INVALID_ARGUMENT,
            "the request is wrong",
            (
                error_details_pb2.ErrorInfo(
                    reason="INVALID_REQUEST", domain="evidencegate", metadata={"violations": "1"}
                ),
                error_details_pb2.BadRequest(field_violations=[violation]),
            ),
        ),
    )
    assert isinstance(error, InvalidRequestError)
    assert error.field_violations == (FieldViolation("tool_invocations[3].id", "is blank"),)
    assert (error.reason, error.domain, dict(error.metadata)) == (
        "INVALID_REQUEST",
        "evidencegate",
        {"violations": "1"},
    )
    assert str(error) == ("INVALID_ARGUMENT (INVALID_REQUEST): the request is wrong [tool_invocations[3].id: is blank]")
    assert isinstance(error.__cause__, grpc.RpcError)


@pytest.mark.req("IO-05")
def test_no_place_is_said_twice(call: Caller, fake: FakeService) -> None:
    places = [
        error_details_pb2.BadRequest.FieldViolation(field=f"tool_invocations[{number}].id", description="is blank")
        for number in (3, 4)
    ]
    message = "tool_invocations[3].id: is blank (and 1 more)"
    details = (error_details_pb2.BadRequest(field_violations=places),)
    error = raised(call, fake, Failure(grpc.StatusCode.INVALID_ARGUMENT, message, details))
    assert error.message == message
    assert str(error) == ("INVALID_ARGUMENT: tool_invocations[3].id: is blank; tool_invocations[4].id: is blank")


@pytest.mark.req("IO-05")
def test_a_limit_quotes_both_numbers(call: Caller, fake: FakeService) -> None:
    info = error_details_pb2.ErrorInfo(reason="TOO_MANY", metadata={"limit": "2000", "actual": "2001"})
    error = raised(call, fake, Failure(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many", (info,)))
    assert isinstance(error, LimitExceededError)
    assert (error.limit, error.actual) == (2000, 2001)


def test_an_overloaded_service_says_when_to_come_back(call: Caller, fake: FakeService) -> None:
    details = (
        error_details_pb2.ErrorInfo(reason="OVERLOADED"),
        error_details_pb2.RetryInfo(retry_delay=Duration(nanos=250_000_000)),
    )
    error = raised(call, fake, Failure(grpc.StatusCode.UNAVAILABLE, "busy", details))
    assert isinstance(error, UnavailableError)
    assert (error.reason, error.retry_delay_seconds) == ("OVERLOADED", 0.25)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("FAILED_PRECONDITION", PreconditionError),
        ("UNAUTHENTICATED", AccessError),
        ("PERMISSION_DENIED", AccessError),
        ("UNIMPLEMENTED", ServiceError),
    ],
)
def test_a_code_has_its_own_error_or_the_common_one(
    call: Caller, fake: FakeService, code: str, kind: type[ServiceError]
) -> None:
    error = raised(call, fake, Failure(grpc.StatusCode[code]))
    assert type(error) is kind
    assert not error.fallback_allowed


class _Proxied(grpc.RpcError):
    """A failure as a proxy may make one: with bytes of its own under the key of the details."""

    def __init__(self, details: bytes | str | None) -> None:
        self._details = details

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.UNAVAILABLE

    def details(self) -> str | None:
        return None

    def trailing_metadata(self) -> tuple[tuple[str, bytes | str], ...] | None:
        return None if self._details is None else (("grpc-status-details-bin", self._details),)


def _broken_detail() -> bytes:
    kind = "type.googleapis.com/google.rpc.ErrorInfo"
    return status_pb2.Status(details=[AnyMessage(type_url=kind, value=b"\xff\xff\xff")]).SerializeToString()


@pytest.mark.parametrize("details", [None, "text", b"\xff\xff not a status", _broken_detail()])
def test_details_that_cannot_be_read_are_left_out(details: bytes | str | None) -> None:
    error = service_error(_Proxied(details))
    assert isinstance(error, UnavailableError)
    assert (error.message, error.reason, dict(error.metadata), error.field_violations) == ("", "", {}, ())


def test_a_limit_without_numbers_has_none(call: Caller, fake: FakeService) -> None:
    error = raised(call, fake, Failure(grpc.StatusCode.RESOURCE_EXHAUSTED))
    assert isinstance(error, LimitExceededError)
    assert (error.limit, error.actual) == (None, None)
