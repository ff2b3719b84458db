"""Writes one channel of a session and keeps the other, whoever else writes at the same time."""

from __future__ import annotations

import base64
import json
import random
import secrets
import time
import zlib
from collections.abc import Callable
from typing import Final, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from evidencegate_server.store import deletions, schema
from evidencegate_server.store.connect import READS, make_engine
from evidencegate_server.store.errors import (
    RequestIdReusedError,
    RevisionConflictError,
    SessionDeletedError,
    SessionNotFoundError,
    StoredValueError,
    StoreFailedError,
)
from evidencegate_server.store.failures import describe, is_worth_another_attempt
from evidencegate_server.store.model import COMPOSER_OUTPUT, Page, Stored, StoreOptions, Write, Written
from evidencegate_server.store.setup import check_own_table, prepare
from evidencegate_server.store.splice import JsonTextError, member, of_members, with_member
from evidencegate_server.store.tables import ForeignTable, OwnTable, Row, SessionTable
from evidencegate_server.use_cases.errors import FieldViolation, InvalidRequestError

_Result = TypeVar("_Result")

# Two writers that meet need a second attempt each; more come from many writers of one session.
_MOST_ATTEMPTS: Final = 30
_FIRST_PAUSE_SECONDS: Final = 0.002
_LONGEST_PAUSE_SECONDS: Final = 0.1

# The ID of a row that is written to see whether one can be, and gone before anybody sees it.
_PROBE: Final = "evidencegate-probe-"

# Sessions that one transaction of a purge takes.
_PURGED_AT_ONCE: Final = 200


class _LostRaceError(Exception):
    """Occurs where the revision that was read is no longer the stored one."""


class Store:
    """The evaluations of one database. Blocking; safe to share between as many threads as its pool has connections."""

    def __init__(self, options: StoreOptions) -> None:
        """Reaches the database and makes the tables where there are none; raises StoreSetupError where it cannot."""
        self._timeout_seconds = options.timeout_seconds
        self._engine = make_engine(options)
        try:
            prepare(self._engine)
            self._table = _table(self._engine, options)
        except BaseException:
            self._engine.dispose()
            raise

    @property
    def kind(self) -> str:
        """The kind of database: sqlite, postgresql, mysql or mariadb."""
        return self._engine.dialect.name

    @property
    def keeps_input(self) -> bool:
        """Whether what was judged can be kept as well."""
        return self._table.keeps_input

    @property
    def rewrites_json(self) -> bool:
        """Whether the foreign column's type keeps another text than the one that is written."""
        return isinstance(self._table, ForeignTable) and self._table.rewrites_json

    def write(self, write: Write) -> Written:
        """Writes one channel, or its composer output, as a whole or not at all; the same request ID only once.

        Raises SessionDeletedError where it was done before and what it wrote was deleted since.
        """
        return self._in_transaction(lambda connection: self._write(connection, write))

    def get(self, session_id: str, *, with_input: bool = False) -> Stored:
        """Returns what is stored; raises SessionNotFoundError where nothing is."""

        def work(connection: sa.Connection) -> Stored | None:
            stored = self._table.read(connection, session_id)
            if stored is None or not with_input or not self.keeps_input:
                return stored
            kept = connection.execute(
                sa.select(schema.inputs.c.judge_request).where(schema.inputs.c.session_id == session_id)
            ).scalar()
            judge_input = None if kept is None else zlib.decompress(kept)
            return Stored(session_id, stored.revision, stored.text, stored.create_time, stored.update_time, judge_input)

        found = self._in_transaction(work, reads=True)
        if found is None:
            raise SessionNotFoundError("nothing is stored of this session")
        return found

    def page(self, size: int, token: str) -> Page:
        """Returns a page of the list; raises InvalidRequestError for a token that is none."""
        after = _read_token(token) if token else None
        found = self._in_transaction(lambda connection: self._table.page(connection, size + 1, after), reads=True)
        more = len(found) > size
        shown = found[:size]
        return Page(tuple(listed for listed, _ in shown), _token(shown[-1][1], shown[-1][0].session_id) if more else "")

    def delete(self, session_id: str) -> bool:
        """Deletes what is stored of a session, its input too; False where there was nothing.

        Writes of before are not done again under their request IDs: they raise SessionDeletedError.
        """

        def work(connection: sa.Connection) -> bool:
            connection.execute(schema.inputs.delete().where(schema.inputs.c.session_id == session_id))
            cleared = self._table.clear(connection, session_id)
            if cleared is None:
                return False
            deletions.remember(connection, session_id, max(time.time_ns() // 1_000, cleared))
            return True

        return self._in_transaction(work)

    def purge(self, before: int) -> int:
        """Deletes the sessions of the product's own table that were last written before a time; returns how many.

        `before` is in microseconds since 1970. Request IDs of that age go as well, those of foreign tables too.
        """
        table = schema.sessions

        def some(connection: sa.Connection) -> int:
            old = sa.select(table.c.session_id).where(table.c.update_time < before).limit(_PURGED_AT_ONCE)
            ids = list(connection.execute(old).scalars())
            still_old = table.c.session_id.in_(ids) & (table.c.update_time < before)
            locked = list(
                connection.execute(sa.select(table.c.session_id).where(still_old).with_for_update()).scalars()
            )
            connection.execute(schema.inputs.delete().where(schema.inputs.c.session_id.in_(locked)))
            connection.execute(table.delete().where(table.c.session_id.in_(locked)))
            return len(ids)

        count = 0
        if isinstance(self._table, OwnTable):
            while done := self._in_transaction(some):
                count += done
        requests = schema.requests
        self._in_transaction(
            lambda connection: connection.execute(requests.delete().where(requests.c.write_time < before))
        )
        return count

    def ping(self) -> None:
        """Raises StoreFailedError where the database does not answer, or takes no write: a full one still reads."""
        table, probe = schema.requests, f"{_PROBE}{secrets.token_hex(16)}"

        def work(connection: sa.Connection) -> None:
            row = {"request_id": probe, "digest": "", "revision": 0, "masked_secrets": 0, "input_kept": False}
            connection.execute(table.insert().values(**row, write_time=time.time_ns() // 1_000))
            connection.execute(table.delete().where(table.c.request_id == probe))

        self._in_transaction(work)

    def close(self) -> None:
        """Closes the connections that are not at work."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, connection: sa.Connection, write: Write) -> Written:
        done = _done_before(connection, write)
        before = self._table.locked(connection, write.session_id)
        deleted = deletions.last(connection, write.session_id)
        if done is not None:
            written, moment = done
            if before.text is None or moment <= deleted:
                raise SessionDeletedError(
                    "this write was done before and its session was deleted since; nothing is written. "
                    "To write the session anew, use a new request ID"
                )
            return written
        if write.expected_revision is not None and write.expected_revision != before.revision:
            raise RevisionConflictError(
                f"the stored revision is {before.revision}, not {write.expected_revision}; read again",
                {"revision": str(before.revision), "expected_revision": str(write.expected_revision)},
            )
        # Never before the session's last write or deletion, whatever the clocks of several servers say.
        now = max(time.time_ns() // 1_000, before.update_time, deleted + 1)
        after = Row(_merged(before.text, write), before.revision + 1, write.summary)
        if not self._table.put(connection, write.session_id, before, after, now):
            raise _LostRaceError
        input_kept = self._keep_input(connection, write)
        connection.execute(
            schema.requests.insert().values(
                request_id=write.request_id,
                digest=write.digest,
                revision=after.revision,
                masked_secrets=write.masked_secrets,
                input_kept=input_kept,
                write_time=now,
            )
        )
        return Written(after.revision, False, write.masked_secrets, input_kept)

    def _keep_input(self, connection: sa.Connection, write: Write) -> bool:
        """Keeps what was judged; an evaluation that comes without it must not stand beside an earlier one's."""
        if not self.keeps_input or write.is_part or write.summary is None:
            return False
        table = schema.inputs
        connection.execute(table.delete().where(table.c.session_id == write.session_id))
        if write.judge_input is None:
            return False
        compressed = zlib.compress(write.judge_input, 1)
        connection.execute(table.insert().values(session_id=write.session_id, judge_request=compressed))
        return True

    def _in_transaction(self, work: Callable[[sa.Connection], _Result], *, reads: bool = False) -> _Result:
        """Returns what `work` gives inside a transaction; does it again where two writers met."""
        end = time.monotonic() + self._timeout_seconds
        pause = _FIRST_PAUSE_SECONDS
        for attempt in range(1, _MOST_ATTEMPTS + 1):
            try:
                with self._engine.connect().execution_options(**{READS: reads}) as connection, connection.begin():
                    return work(connection)
            except _LostRaceError:
                failure = "another writer was faster again and again"
                again = True
            except exc.SQLAlchemyError as error:
                failure = describe(error)
                again = is_worth_another_attempt(error)
                if not again or attempt == _MOST_ATTEMPTS or time.monotonic() >= end:
                    raise StoreFailedError(_told(failure), {"failure": failure}) from error
            if attempt == _MOST_ATTEMPTS or time.monotonic() >= end:
                break
            time.sleep(pause * (0.5 + random.random()))  # noqa: S311  # no secret: two writers must not stay in step
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        raise StoreFailedError(_told(failure), {"failure": failure})


def _table(engine: sa.Engine, options: StoreOptions) -> SessionTable:
    if options.foreign is not None:
        return ForeignTable(engine, options.foreign)
    check_own_table(engine)
    return OwnTable()


def _told(failure: str) -> str:
    return f"the store failed and nothing was written: {failure}"


def _done_before(connection: sa.Connection, write: Write) -> tuple[Written, int] | None:
    """Returns what the same write did and when, None where it is new; raises RequestIdReusedError for another one's ID.

    The time is in microseconds since 1970.
    """
    table = schema.requests
    found = connection.execute(
        sa.select(
            table.c.digest, table.c.revision, table.c.masked_secrets, table.c.input_kept, table.c.write_time
        ).where(table.c.request_id == write.request_id)
    ).one_or_none()
    if found is None:
        return None
    if found[0] != write.digest:
        problem = "was used before for other content; each write needs an ID of its own"
        raise RequestIdReusedError((FieldViolation("request_id", problem),))
    return Written(found[1], True, found[2], bool(found[3])), found[4]


def _merged(text: str | None, write: Write) -> str:
    """Returns the whole object with the channel in it; every other character of what was stored stays."""
    try:
        channel = None if text is None else member(text, write.channel)
        kept = None if channel is None or channel == "null" else channel
        value = write.text
        if write.is_part:
            value = of_members({COMPOSER_OUTPUT: value}) if kept is None else with_member(kept, COMPOSER_OUTPUT, value)
        elif write.summary is not None and kept is not None:
            composed = member(kept, COMPOSER_OUTPUT)
            value = value if composed is None else with_member(value, COMPOSER_OUTPUT, composed)
        return of_members({write.channel: value}) if text is None else with_member(text, write.channel, value)
    except JsonTextError as error:
        message = f"the stored value is no JSON object, so no channel of it can be kept: {error}"
        raise StoredValueError(message) from error


def _token(number: int, session_id: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([number, session_id]).encode()).decode()


def _read_token(token: str) -> tuple[int, str]:
    try:
        number, session_id = json.loads(base64.b64decode(token, altchars=b"-_", validate=True))
    except (ValueError, TypeError, RecursionError):
        number = session_id = None
    # A bool is an int, and a number over 63 bits no database takes.
    if type(number) is not int or not isinstance(session_id, str) or not 0 <= number < 2**63 or "\0" in session_id:
        raise InvalidRequestError.of("page_token", "is no token of this list")
    return number, session_id
