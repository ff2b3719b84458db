"""Makes the connections to a database, with a bound on everything that can wait."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from evidencegate_server.store.errors import StoreSetupError
from evidencegate_server.store.model import StoreOptions

READS: Final = "evidencegate_reads"
"""The execution option of a connection that writes nothing, so that SQLite takes no lock for it."""

# The driver for each kind of database, and the extra that installs it.
_DRIVERS: Final = {
    "sqlite": ("sqlite+pysqlite", "sqlite3", "store"),
    "postgresql": ("postgresql+psycopg", "psycopg", "postgres"),
    "postgres": ("postgresql+psycopg", "psycopg", "postgres"),
    "mysql": ("mysql+pymysql", "pymysql", "mysql"),
    "mariadb": ("mariadb+pymysql", "pymysql", "mysql"),
}


def read_url(text: str) -> URL:
    """Returns the database's URL with the driver that is used; raises StoreSetupError, which quotes no password."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        message = "the store's URL cannot be read; for example sqlite:///evaluations.db or postgresql://user@host/db"
        raise StoreSetupError(message) from error
    kind = url.get_backend_name()
    if kind not in _DRIVERS:
        raise StoreSetupError(f"the store's URL names {kind}; one of sqlite, postgresql, mysql, mariadb is wanted")
    driver, module, extra = _DRIVERS[kind]
    if importlib.util.find_spec(module) is None:
        raise StoreSetupError(f"{module} is missing for a store in {kind}: pip install 'evidencegate[{extra}]'")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreSetupError("a store in SQLite needs a file: sqlite:///evaluations.db or sqlite:////var/lib/e.db")
    return url.set(drivername=driver)


def missing_file(text: str) -> Path | None:
    """Returns the file of a store in SQLite that is not there, None for any other store; raises as `read_url` does."""
    url = read_url(text)
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith("file:"):
        return None
    path = Path(url.database)
    return None if path.exists() else path


def make_engine(options: StoreOptions) -> sa.Engine:
    """Returns the engine of a store. Connects at the first use."""
    url = read_url(options.url)
    _check_folder(url)
    seconds = options.timeout_seconds
    kind = url.get_backend_name()
    settings: dict[str, Any] = {"pool_size": options.pool_size, "max_overflow": 0, "pool_timeout": seconds}
    if kind != "sqlite":
        settings["isolation_level"] = "READ COMMITTED"
    engine = sa.create_engine(
        url,
        poolclass=sa.pool.QueuePool,
        pool_pre_ping=kind != "sqlite",  # a connection that the server has closed is no failure of a call
        pool_recycle=1_800,
        hide_parameters=True,  # they are what an LLM wrote, and session IDs
        connect_args=_connect_args(kind, seconds),
        **settings,
    )
    if kind == "sqlite":
        _prepare_sqlite(engine)
    return engine


def shown(url: URL) -> str:
    """Returns a URL as people write it: without the driver, and without what may be secret."""
    return url.set(drivername=url.get_backend_name(), password=None, query={}).render_as_string()


def _check_folder(url: URL) -> None:
    """Raises StoreSetupError where the folder of a file of SQLite is not there: SQLite says only "cannot open"."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith("file:"):
        return
    folder = Path(url.database).parent
    if not folder.is_dir():
        message = f"the store at {shown(url)} cannot be reached: the folder {folder} does not exist; make it first"
        raise StoreSetupError(message)


def _connect_args(kind: str, seconds: float) -> dict[str, Any]:
    if kind == "sqlite":
        return {"timeout": seconds, "check_same_thread": False}
    whole = max(1, round(seconds))
    if kind == "postgresql":
        millis = round(seconds * 1000)
        bounds = f"-c statement_timeout={millis} -c lock_timeout={millis}"
        bounds += f" -c idle_in_transaction_session_timeout={10 * millis}"
        return {"connect_timeout": max(2, whole), "options": bounds, "tcp_user_timeout": 4 * millis}
    # A trimmed or replaced value must be an error and never a silently stored one.
    start = f"SET SESSION innodb_lock_wait_timeout={whole}, sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
    return {
        "connect_timeout": max(2, whole),
        "read_timeout": 2 * whole,
        "write_timeout": 2 * whole,
        "charset": "utf8mb4",
        "init_command": start,
    }


def _prepare_sqlite(engine: sa.Engine) -> None:
    """Lets writers take their lock first: one that has read and then wants to write cannot wait for another."""

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL")  # readers and one writer do not wait for each other
        connection.execute("PRAGMA synchronous=FULL")  # what was answered is on the disk

    @event.listens_for(engine, "begin")
    def _on_begin(connection: sa.Connection) -> None:
        reads = connection.get_execution_options().get(READS, False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
