"""Reads and writes the row of a session, in the product's own table or in a foreign one, inside a transaction."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import NoSuchTableError, SQLAlchemyError

from evidencegate_server.store import schema
from evidencegate_server.store.errors import SessionNotFoundError, StoreSetupError
from evidencegate_server.store.failures import describe
from evidencegate_server.store.model import ForeignColumn, Listed, Stored, Summary
from evidencegate_server.store.summary import summary_of


@dataclass(frozen=True, slots=True)
class Row:
    """What a session's row holds; `text` is None where nothing is stored.

    `update_time` is that of the last write, in microseconds since 1970; 0 where there was none.
    """

    text: str | None
    revision: int
    summary: Summary | None = None
    exists: bool = True
    update_time: int = 0


class SessionTable(Protocol):
    """Where the evaluations are."""

    keeps_input: bool

    def locked(self, connection: sa.Connection, session_id: str) -> Row:
        """Returns the session's row, which no other writer gets before the transaction ends."""

    def put(self, connection: sa.Connection, session_id: str, before: Row, after: Row, now: int) -> bool:
        """Writes the row; False where another writer was faster."""

    def read(self, connection: sa.Connection, session_id: str) -> Stored | None:
        """Returns what is stored of a session."""

    def page(self, connection: sa.Connection, size: int, after: tuple[int, str] | None) -> list[tuple[Listed, int]]:
        """Returns sessions, the latest first, each with the number by which they are ordered before their ID."""

    def clear(self, connection: sa.Connection, session_id: str) -> int | None:
        """Takes away what is stored; returns when it was last written (as in Row), None where there was nothing."""


class OwnTable:
    """The table that the product's migrations make."""

    keeps_input = True

    def locked(self, connection: sa.Connection, session_id: str) -> Row:
        """Returns the session's row; one that is not there yet has revision 0."""
        table = schema.sessions
        found = connection.execute(
            sa.select(
                table.c.self_evaluation,
                table.c.revision,
                table.c.verdict,
                table.c.route,
                table.c.groundedness_score,
                table.c.update_time,
            )
            .where(table.c.session_id == session_id)
            .with_for_update()
        ).one_or_none()
        if found is None:
            return Row(None, 0, exists=False)
        return Row(found[0], found[1], _summary(found[2], found[3], found[4]), update_time=found[5])

    def put(self, connection: sa.Connection, session_id: str, before: Row, after: Row, now: int) -> bool:
        """Inserts the row, or updates the revision that was read."""
        table = schema.sessions
        values: dict[str, Any] = {"self_evaluation": after.text, "revision": after.revision, "update_time": now}
        if after.summary is not None:
            values |= {
                "verdict": after.summary.verdict,
                "route": after.summary.route,
                "groundedness_score": after.summary.score,
            }
        if not before.exists:
            connection.execute(table.insert().values(session_id=session_id, create_time=now, **values))
            return True
        same = (table.c.session_id == session_id) & (table.c.revision == before.revision)
        return connection.execute(table.update().where(same).values(**values)).rowcount == 1

    def read(self, connection: sa.Connection, session_id: str) -> Stored | None:
        """Returns what is stored of a session."""
        table = schema.sessions
        found = connection.execute(
            sa.select(table.c.self_evaluation, table.c.revision, table.c.create_time, table.c.update_time).where(
                table.c.session_id == session_id
            )
        ).one_or_none()
        if found is None or found[0] is None:
            return None
        return Stored(session_id, found[1], found[0], found[2], found[3])

    def page(self, connection: sa.Connection, size: int, after: tuple[int, str] | None) -> list[tuple[Listed, int]]:
        """Orders by the time of the last write."""
        table = schema.sessions
        query = sa.select(
            table.c.session_id,
            table.c.revision,
            table.c.verdict,
            table.c.route,
            table.c.groundedness_score,
            table.c.update_time,
        )
        if after is not None:
            moment, session_id = after
            query = query.where(
                (table.c.update_time < moment) | ((table.c.update_time == moment) & (table.c.session_id < session_id))
            )
        query = query.order_by(table.c.update_time.desc(), table.c.session_id.desc()).limit(size)
        return [
            (Listed(row[0], row[1], _summary(row[2], row[3], row[4]), row[5]), row[5])
            for row in connection.execute(query)
        ]

    def clear(self, connection: sa.Connection, session_id: str) -> int | None:
        """Deletes the row."""
        row = self.locked(connection, session_id)
        table = schema.sessions
        connection.execute(table.delete().where(table.c.session_id == session_id))
        return row.update_time if row.exists else None


class ForeignTable:
    """A table of somebody else's: rows are never inserted or deleted, and no column but the named one is written."""

    keeps_input = False

    def __init__(self, engine: sa.Engine, named: ForeignColumn) -> None:
        self._table = _reflected(engine, named)
        self._column = self._table.c[named.column]
        self._key = self._table.c[named.key]
        self._as_json = isinstance(self._column.type, sa.JSON)
        self._postgres = engine.dialect.name == "postgresql"

    @property
    def rewrites_json(self) -> bool:
        """Whether the database keeps the value in a form of its own instead of the text that is written."""
        return self._as_json and not (self._postgres and not isinstance(self._column.type, postgresql.JSONB))

    def locked(self, connection: sa.Connection, session_id: str) -> Row:
        """Returns the session's row, locked; raises SessionNotFoundError where there is none."""
        found = connection.execute(
            sa.select(self._key, self._text()).where(self._is(session_id)).with_for_update()
        ).all()
        if len(found) != 1 or str(found[0][0]) != session_id:
            raise SessionNotFoundError(f"the table {self._table.name} has no row for this session")
        text = found[0][1]
        stored = None if text is None or text.strip() == "null" else text
        revision, moment = self._counted(connection, session_id)
        return Row(stored, revision, update_time=moment)

    def put(self, connection: sa.Connection, session_id: str, before: Row, after: Row, now: int) -> bool:
        """Updates the column, and counts the write in the product's side table."""
        self._set(connection, session_id, after.text)
        self._count(connection, session_id, before.revision, after.revision, now)
        return True

    def read(self, connection: sa.Connection, session_id: str) -> Stored | None:
        """Returns what the column holds."""
        found = connection.execute(sa.select(self._key, self._text()).where(self._is(session_id))).all()
        if len(found) != 1 or str(found[0][0]) != session_id or found[0][1] is None:
            return None
        return Stored(session_id, self._revision(connection, session_id), found[0][1])

    def page(self, connection: sa.Connection, size: int, after: tuple[int, str] | None) -> list[tuple[Listed, int]]:
        """Orders by key, since a foreign table has no time that the product knows."""
        query = sa.select(self._key, self._text()).where(self._column.is_not(None))
        if after is not None:
            query = query.where(self._key < self._value(after[1]))
        rows = connection.execute(query.order_by(self._key.desc()).limit(size)).all()
        return [(Listed(str(row[0]), self._revision(connection, str(row[0])), summary_of(row[1])), 0) for row in rows]

    def clear(self, connection: sa.Connection, session_id: str) -> int | None:
        """Sets the column to null."""
        try:
            row = self.locked(connection, session_id)
        except SessionNotFoundError:
            return None
        if row.text is None:
            return None
        self._set(connection, session_id, None)
        return row.update_time

    def _text(self) -> Any:
        return (
            sa.cast(self._column, sa.Text)
            if self._as_json and self._postgres
            else sa.type_coerce(self._column, sa.Text)
        )

    def _set(self, connection: sa.Connection, session_id: str, text: str | None) -> None:
        value: Any = sa.null() if text is None else sa.literal(text, sa.Text)
        if text is not None and self._as_json and self._postgres:
            value = sa.cast(value, self._column.type.__class__)
        connection.execute(self._table.update().where(self._is(session_id)).values({self._column: value}))

    def _is(self, session_id: str) -> Any:
        value = self._value(session_id)
        return sa.false() if value is None else self._key == value

    def _value(self, session_id: str) -> Any:
        """Returns the session's ID as the key's column has it, None where it cannot."""
        if isinstance(self._key.type, sa.Integer):
            return int(session_id) if session_id.isascii() and session_id.isdigit() and len(session_id) < 19 else None
        if isinstance(self._key.type, sa.Uuid):
            try:
                return uuid.UUID(session_id)
            except ValueError:
                return None
        return session_id

    def _revision(self, connection: sa.Connection, session_id: str) -> int:
        return self._counted(connection, session_id)[0]

    def _counted(self, connection: sa.Connection, session_id: str) -> tuple[int, int]:
        """Returns how often the row was written and when last, 0 and 0 where it never was."""
        table = schema.foreign_sessions
        found = connection.execute(
            sa.select(table.c.revision, table.c.write_time).where(table.c.session_id == session_id)
        ).one_or_none()
        return (0, 0) if found is None else (found[0], found[1])

    def _count(self, connection: sa.Connection, session_id: str, before: int, after: int, now: int) -> None:
        table = schema.foreign_sessions
        values = {"revision": after, "write_time": now}
        if before == 0:
            connection.execute(table.insert().values(session_id=session_id, **values))
        else:
            connection.execute(table.update().where(table.c.session_id == session_id).values(**values))


def _summary(verdict: str | None, route: str | None, score: float | None) -> Summary | None:
    return None if verdict is None else Summary(verdict, route or "", score or 0.0)


def _reflected(engine: sa.Engine, named: ForeignColumn) -> sa.Table:
    """Returns the table as the database describes it; raises StoreSetupError for one without the columns."""
    schema_name, _, name = named.table.rpartition(".")
    try:
        table = sa.Table(name, sa.MetaData(), autoload_with=engine, schema=schema_name or None, resolve_fks=False)
    except NoSuchTableError as error:
        raise StoreSetupError(f"--store-table: there is no table {named.table}") from error
    except SQLAlchemyError as error:
        raise StoreSetupError(f"--store-table: {named.table} cannot be read: {describe(error)}") from error
    for option, column in (("--store-column", named.column), ("--store-key", named.key)):
        if column not in table.c:
            raise StoreSetupError(f"{option}: the table {named.table} has no column {column}")
    key = table.c[named.key]
    unique = [list(table.primary_key.columns.keys())]
    unique += [list(index.columns.keys()) for index in table.indexes if index.unique]
    unique += [list(each.columns.keys()) for each in table.constraints if isinstance(each, sa.UniqueConstraint)]
    if [key.name] not in unique:
        raise StoreSetupError(f"--store-key: {named.key} is neither the primary key of {named.table} nor unique")
    return table
