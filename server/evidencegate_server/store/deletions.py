"""Remembers when a session was deleted, so that a write of before is told from one of after.

A deletion stands among the write requests, under an ID of its own, and is purged as they are: by then the writes of
before are gone as well. It holds a digest of the session's ID and nothing else of the session.
"""

from __future__ import annotations

import hashlib
from typing import Final

import sqlalchemy as sa

from evidencegate_server.store import schema

NEVER: Final = -1
"""The time of the last deletion of a session that was never deleted."""

_PREFIX: Final = "evidencegate-deleted-"


def remember(connection: sa.Connection, session_id: str, moment: int) -> None:
    """Notes a deletion in place of an earlier one; `moment` is in microseconds since 1970."""
    table, name = schema.requests, _name(session_id)
    row = {"request_id": name, "digest": "", "revision": 0, "masked_secrets": 0, "input_kept": False}
    connection.execute(table.delete().where(table.c.request_id == name))
    connection.execute(table.insert().values(**row, write_time=moment))


def last(connection: sa.Connection, session_id: str) -> int:
    """Returns when the session was last deleted, in microseconds since 1970, or NEVER."""
    table = schema.requests
    moment: int | None = connection.execute(
        sa.select(table.c.write_time).where(table.c.request_id == _name(session_id))
    ).scalar()
    return NEVER if moment is None else moment


def _name(session_id: str) -> str:
    return f"{_PREFIX}{hashlib.sha256(session_id.encode()).hexdigest()}"
