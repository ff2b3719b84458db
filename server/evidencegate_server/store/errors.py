"""Names what can go wrong with a store that is no mistake of a request."""

from __future__ import annotations

from typing import ClassVar

from evidencegate_server.use_cases.errors import (
    ConflictError,
    DependencyFailedError,
    InvalidRequestError,
    NotFoundError,
    PreconditionError,
)


class StoreSetupError(Exception):
    """Occurs where a store cannot be used as it is configured; the message is for the operator."""


class StoreFailedError(DependencyFailedError):
    """Occurs where the database is down, locked, full or refuses a statement; nothing was written."""

    reason: ClassVar[str] = "STORE_FAILED"


class StoreUnavailableError(PreconditionError):
    """Occurs where the server has no store."""

    reason: ClassVar[str] = "STORE_UNAVAILABLE"


class StoredValueError(PreconditionError):
    """Occurs where the column holds something that is no JSON object, so that no channel can be kept."""

    reason: ClassVar[str] = "STORED_VALUE_UNREADABLE"


class SessionDeletedError(PreconditionError):
    """Occurs where a write comes again under its request ID and what it wrote was deleted since."""

    reason: ClassVar[str] = "SESSION_DELETED"


class SessionNotFoundError(NotFoundError):
    """Occurs where nothing is stored of a session, or a foreign table has no row for it."""

    reason: ClassVar[str] = "SESSION_NOT_FOUND"


class RevisionConflictError(ConflictError):
    """Occurs where the caller has read another revision than the stored one."""

    reason: ClassVar[str] = "REVISION_CONFLICT"


class RequestIdReusedError(InvalidRequestError):
    """Occurs where a request ID comes again with other content."""

    reason: ClassVar[str] = "REQUEST_ID_REUSED"
