"""Makes the product's tables, or says what is missing."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from evidencegate_server.store import schema
from evidencegate_server.store.connect import READS, shown
from evidencegate_server.store.errors import StoreSetupError
from evidencegate_server.store.failures import describe

# Alembic's own state is one for the whole process.
_ONE_IN_THIS_PROCESS: Final = threading.Lock()
_LOCK_NUMBER: Final = 0x65766964  # "evid"
_LOCK_NAME: Final = "evidencegate_migrate"
_LOCK_SECONDS: Final = 30
_MIGRATIONS: Final = Path(__file__).resolve().parent / "migrations"


def migrate(engine: sa.Engine) -> str | None:
    """Brings the product's tables to this version; returns the version that they had, None where there were none.

    Raises StoreSetupError where the database refuses.
    """
    try:
        importlib.import_module("alembic")
    except ModuleNotFoundError as error:
        raise StoreSetupError(f"{error.name} is missing: pip install 'evidencegate[store]'") from error

    before = _version(engine)
    if before == schema.HEAD:
        return before
    with _ONE_IN_THIS_PROCESS:
        _upgrade(engine, before)
    return before


def _upgrade(engine: sa.Engine, before: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    try:
        with engine.begin() as connection, _one_in_this_database(connection):
            config.attributes["connection"] = connection
            command.upgrade(config, "head")  # does nothing where another process was faster
    except CommandError as error:
        message = f"the store's tables have version {before}, which this version of the product does not know"
        raise StoreSetupError(message) from error
    except SQLAlchemyError as error:
        raise StoreSetupError(f"the store's tables cannot be made: {describe(error)}") from error


@contextmanager
def _one_in_this_database(connection: sa.Connection) -> Iterator[None]:
    """Lets one process after the other change the tables: those of MySQL cannot be changed in a transaction."""
    kind = connection.dialect.name
    if kind == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK_NUMBER)))
    elif kind in ("mysql", "mariadb"):
        got = connection.execute(sa.select(sa.func.get_lock(_LOCK_NAME, _LOCK_SECONDS))).scalar()
        if got != 1:  # it answers 0 where it waited in vain, and raises nothing
            message = f"another process has been making the store's tables for {_LOCK_SECONDS} s; try again"
            raise StoreSetupError(message)
    try:
        yield
    finally:
        if kind in ("mysql", "mariadb"):
            connection.execute(sa.select(sa.func.release_lock(_LOCK_NAME)))


def prepare(engine: sa.Engine) -> None:
    """Makes the tables where there are none; raises StoreSetupError where they are of another version."""
    found = _version(engine)
    if found is None:
        migrate(engine)
    elif found != schema.HEAD:
        message = f"the store's tables have version {found}, {schema.HEAD} is wanted: run `evidencegate store migrate`"
        raise StoreSetupError(message)


def check_own_table(engine: sa.Engine) -> None:
    """Raises StoreSetupError where the table with the product's name is somebody else's."""
    columns = {column["name"] for column in _inspect(engine).get_columns(schema.TABLE)}
    missing = [column.name for column in schema.sessions.columns if column.name not in columns]
    if missing:
        raise StoreSetupError(
            f"the table {schema.TABLE} is not the product's own: it has no {', '.join(missing)}. "
            "Name it with --store-table, and its key's column with --store-key, to write one column of it"
        )


def _version(engine: sa.Engine) -> str | None:
    table = sa.table(schema.VERSION_TABLE, sa.column("version_num", sa.String))
    try:
        if not _inspect(engine).has_table(schema.VERSION_TABLE):
            return None
        with engine.connect().execution_options(**{READS: True}) as connection:
            found: str | None = connection.execute(sa.select(table.c.version_num)).scalar()
    except SQLAlchemyError as error:
        raise StoreSetupError(f"the store cannot be used: {describe(error)}") from error
    return found


def _inspect(engine: sa.Engine) -> sa.Inspector:
    try:
        return sa.inspect(engine)
    except SQLAlchemyError as error:
        raise StoreSetupError(f"the store at {shown(engine.url)} cannot be reached: {describe(error)}") from error
