"""Names the mistakes that a caller can make, so that a transport can answer each with its own status.

What a model wrote badly is never one of these: that is a result. The tree has one branch for each kind of answer, and
`reason` is the stable word that a program compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from evidencegate_server.contract.records import record


@record
class FieldViolation:
    """One field of a request that cannot be used. `field` is its path (`tool_invocations[3].id`)."""

    field: str
    description: str


class CallerError(Exception):
    """Occurs where a request cannot be carried out as it was sent. The base of all the others."""

    reason: ClassVar[str] = "CALLER_ERROR"

    def __init__(self, message: str, metadata: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.metadata: Mapping[str, str] = dict(metadata or {})


class InvalidRequestError(CallerError):
    """Occurs where fields of the request break its contract, whatever the state of the server."""

    reason: ClassVar[str] = "INVALID_REQUEST"

    def __init__(self, violations: Sequence[FieldViolation], metadata: Mapping[str, str] | None = None) -> None:
        self.violations = tuple(violations)
        super().__init__("; ".join(f"{v.field}: {v.description}" for v in self.violations), metadata)

    @classmethod
    def of(cls, field: str, description: str) -> InvalidRequestError:
        """Makes the error for a single field."""
        return cls((FieldViolation(field, description),))


class GatekeeperResultMismatchError(InvalidRequestError):
    """Occurs where a handed-in Gatekeeper result belongs to another input, or says something else than the re-run."""

    reason: ClassVar[str] = "GATEKEEPER_RESULT_MISMATCH"


class EvaluationInconsistentError(InvalidRequestError):
    """Occurs where an evaluation does not follow from its own checks: it was edited, or made under another catalog."""

    reason: ClassVar[str] = "EVALUATION_INCONSISTENT"


class PreconditionError(CallerError):
    """Occurs where the request is sound and this server, as it is configured, cannot serve it."""

    reason: ClassVar[str] = "FAILED_PRECONDITION"


class EngineUnavailableError(PreconditionError):
    """Occurs where the request asks for an engine that the server is not configured for."""

    reason: ClassVar[str] = "ENGINE_UNAVAILABLE"


class RuleSetVersionMismatchError(PreconditionError):
    """Occurs where the caller was tested with another rule set version than the one in use."""

    reason: ClassVar[str] = "RULE_SET_VERSION_MISMATCH"


class NotFoundError(CallerError):
    """Occurs where the request names something that is not there."""

    reason: ClassVar[str] = "NOT_FOUND"


class ConflictError(CallerError):
    """Occurs where somebody else has changed what the request builds on; the caller reads again and decides anew."""

    reason: ClassVar[str] = "CONFLICT"


class DependencyFailedError(CallerError):
    """Occurs where something that the server stands on failed; the same request may succeed later."""

    reason: ClassVar[str] = "DEPENDENCY_FAILED"


class LimitExceededError(CallerError):
    """Occurs where a request is larger than a limit; it quotes both numbers and is never worth a retry."""

    reason: ClassVar[str] = "LIMIT_EXCEEDED"

    def __init__(self, what: str, limit: int, actual: int) -> None:
        self.what = what
        self.limit = limit
        self.actual = actual
        super().__init__(
            f"{what}: {actual} is over the limit of {limit}",
            {"what": what, "limit": str(limit), "actual": str(actual)},
        )
