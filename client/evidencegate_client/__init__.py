"""Calls evidencegate: a thin client that needs grpcio and protobuf only."""

from evidencegate_client.aio import AsyncEvidenceGateClient
from evidencegate_client.build import judge_request, request_from_session, tool_invocation, validate_request
from evidencegate_client.client import EvidenceGateClient
from evidencegate_client.config import ClientConfig, Deadlines, RetryPolicy
from evidencegate_client.errors import (
    AccessError,
    ClosedClientError,
    ConflictError,
    DeadlineError,
    EvidenceGateError,
    FieldViolation,
    InvalidRequestError,
    LimitExceededError,
    NotFoundError,
    PreconditionError,
    RequestTypeError,
    ServerFaultError,
    ServiceError,
    SessionError,
    TargetError,
    UnavailableError,
    VocabularyError,
)
from evidencegate_client.fallback import fallback_evaluation, fallback_gatekeeper_result, safe_text
from evidencegate_client.result import EvaluationResult, JudgementOutcome, ValidationOutcome

__all__ = [
    "AccessError",
    "AsyncEvidenceGateClient",
    "ClientConfig",
    "ClosedClientError",
    "ConflictError",
    "DeadlineError",
    "Deadlines",
    "EvaluationResult",
    "EvidenceGateClient",
    "EvidenceGateError",
    "FieldViolation",
    "InvalidRequestError",
    "JudgementOutcome",
    "LimitExceededError",
    "NotFoundError",
    "PreconditionError",
    "RequestTypeError",
    "RetryPolicy",
    "ServerFaultError",
    "ServiceError",
    "SessionError",
    "TargetError",
    "UnavailableError",
    "ValidationOutcome",
    "VocabularyError",
    "fallback_evaluation",
    "fallback_gatekeeper_result",
    "judge_request",
    "request_from_session",
    "safe_text",
    "tool_invocation",
    "validate_request",
]
