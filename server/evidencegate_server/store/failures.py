"""Tells a failure that another attempt may mend from one that it does not, and says of both what an operator needs."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy import exc

# PostgreSQL: serialization failure, deadlock, lock not available.
_AGAIN_STATES: Final = frozenset({"40001", "40P01", "55P03"})
# MySQL and MariaDB: deadlock, lock wait timeout, record changed since it was read.
_AGAIN_NUMBERS: Final = frozenset({1213, 1205, 1020})
_AGAIN_SQLITE: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def is_worth_another_attempt(error: exc.SQLAlchemyError) -> bool:
    """Returns whether two writers met, or a connection was lost, so that the whole transaction can be done again.

    It is safe even where the connection was lost at the commit: the request ID says whether it was done.
    """
    if isinstance(error, exc.IntegrityError):
        return True  # both wanted to insert the same row; the second one now finds it
    if not isinstance(error, exc.DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    number = _number(error)
    if isinstance(error.orig, sqlite3.Error):
        return isinstance(number, int) and number & 0xFF in _AGAIN_SQLITE
    return number in _AGAIN_STATES or number in _AGAIN_NUMBERS


def describe(error: BaseException) -> str:
    """Returns the kind of the failure and the database's own code, without its text, which can quote what is stored."""
    if isinstance(error, exc.DBAPIError):
        # SQLite's codes have names (SQLITE_FULL), which say more than their numbers.
        number = getattr(error.orig, "sqlite_errorname", None) or _number(error)
        code = "" if number is None else f" {number}"
        return f"{type(error).__name__} ({type(error.orig).__name__}{code})"
    return type(error).__name__


def _number(error: exc.DBAPIError) -> int | str | None:
    original = error.orig
    state = getattr(original, "sqlstate", None)
    if isinstance(state, str):
        return state
    code = getattr(original, "sqlite_errorcode", None)
    if isinstance(code, int):
        return code
    arguments = getattr(original, "args", ())
    return arguments[0] if arguments and isinstance(arguments[0], int) else None
