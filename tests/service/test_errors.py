"""Proves that a refusal tells a caller everything it needs and still fits into the headers of every library."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from evidencegate_server.service.errors import (
    MAX_STATUS_BYTES,
    MAX_VIOLATIONS,
    Refusal,
    internal,
    overloaded,
    refusal_of,
)
from evidencegate_server.use_cases.errors import (
    CallerError,
    EngineUnavailableError,
    FieldViolation,
    GatekeeperResultMismatchError,
    InvalidRequestError,
    LimitExceededError,
    RuleSetVersionMismatchError,
)
from google.rpc import error_details_pb2, status_pb2


def detail(refusal: Refusal, kind: type[Any]) -> Any:
    status = status_pb2.Status.FromString(refusal.details)
    for packed in status.details:
        if packed.Is(kind.DESCRIPTOR):
            message = kind()
            packed.Unpack(message)
            return message
    return None


def wire_size(refusal: Refusal) -> int:
    """The headers: the message percent-encoded, the details as base64."""
    message = sum(1 if 0x20 <= byte < 0x7F else 3 for byte in refusal.message.encode())
    return message + -(-len(refusal.details) // 3) * 4


@pytest.mark.req("IO-05")
def test_field_violations_are_all_named_up_to_twenty() -> None:
    violations = [FieldViolation(f"tool_invocations[{n}].id", "is blank") for n in range(MAX_VIOLATIONS)]
    bad = detail(refusal_of(InvalidRequestError(violations)), error_details_pb2.BadRequest)
    assert [v.field for v in bad.field_violations] == [v.field for v in violations]


@pytest.mark.req("IO-05")
def test_more_than_twenty_violations_end_in_their_number() -> None:
    violations = [FieldViolation(f"tool_invocations[{n}].id", "is blank") for n in range(MAX_VIOLATIONS + 3)]
    bad = detail(refusal_of(InvalidRequestError(violations)), error_details_pb2.BadRequest)
    assert len(bad.field_violations) == MAX_VIOLATIONS + 1
    assert bad.field_violations[-1].description == "and 3 more"


@pytest.mark.req("IO-05")
@pytest.mark.parametrize("text", ["x", "因", "\n", "\U0001f600"])
def test_the_whole_status_stays_under_four_kibibytes(text: str) -> None:
    violations = [FieldViolation("f" * 5_000, text * 5_000) for _ in range(500)]
    errors: list[CallerError] = [
        InvalidRequestError(violations),
        GatekeeperResultMismatchError(violations[:1], {"expected": text * 5_000, "actual": text * 5_000}),
        RuleSetVersionMismatchError(text * 5_000, {"expected": text * 5_000, "actual": text * 5_000}),
        LimitExceededError("evidence_bytes", 1, 2),
    ]
    for refusal in [*map(refusal_of, errors), overloaded(10**6), internal("0" * 16)]:
        assert wire_size(refusal) <= MAX_STATUS_BYTES
        assert status_pb2.Status.FromString(refusal.details).code == refusal.code.value[0]


@pytest.mark.req("IO-05")
def test_violations_that_do_not_fit_are_counted() -> None:
    violations = [FieldViolation(f"f{n}" * 30, "因" * 200) for n in range(20)]
    bad = detail(refusal_of(InvalidRequestError(violations)), error_details_pb2.BadRequest)
    shown = len(bad.field_violations) - 1
    assert 0 < shown < 20
    assert bad.field_violations[-1].description == f"and {20 - shown} more"


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (InvalidRequestError.of("round", "is 0"), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
        (
            GatekeeperResultMismatchError.of("gatekeeper_result", "is another's"),
            grpc.StatusCode.INVALID_ARGUMENT,
            "GATEKEEPER_RESULT_MISMATCH",
        ),
        (EngineUnavailableError("no llm"), grpc.StatusCode.FAILED_PRECONDITION, "ENGINE_UNAVAILABLE"),
        (RuleSetVersionMismatchError("other"), grpc.StatusCode.FAILED_PRECONDITION, "RULE_SET_VERSION_MISMATCH"),
        (LimitExceededError("tool_invocations", 5, 6), grpc.StatusCode.RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED"),
    ],
    ids=lambda value: getattr(value, "name", None) or str(value),
)
def test_each_mistake_has_its_code_and_reason(error: CallerError, code: grpc.StatusCode, reason: str) -> None:
    refusal = refusal_of(error)
    info = detail(refusal, error_details_pb2.ErrorInfo)
    assert (refusal.code, info.reason, info.domain) == (code, reason, "evidencegate")


@pytest.mark.req("IO-05")
def test_a_limit_is_told_with_both_numbers() -> None:
    refusal = refusal_of(LimitExceededError("evidence_bytes", 1000, 1001))
    info = detail(refusal, error_details_pb2.ErrorInfo)
    assert (info.metadata["limit"], info.metadata["actual"]) == ("1000", "1001")
    assert detail(refusal, error_details_pb2.QuotaFailure).violations[0].subject == "evidence_bytes"
    assert detail(refusal, error_details_pb2.RetryInfo) is None
    assert "1000" in refusal.message
    assert "1001" in refusal.message
