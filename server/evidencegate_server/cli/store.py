"""Holds `evidencegate store`: makes the store's tables and deletes what is old."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from evidencegate_server.store.model import ForeignColumn
    from evidencegate_server.store.store import Store

STORE_OPTION = click.option(
    "--store", "url", metavar="URL", envvar="EVIDENCEGATE_STORE", required=True, help="Database, as for `serve`."
)

_MICROSECONDS_A_DAY = 86_400 * 1_000_000


@contextmanager
def with_library() -> Iterator[None]:
    """Ends the command with what to install where the store's library is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"{error.name} is missing: pip install 'evidencegate[store]' (or [postgres], [mysql])"
        raise click.ClickException(message) from error


@contextmanager
def opened(url: str, foreign: ForeignColumn | None = None, *, must_exist: bool = False) -> Iterator[Store]:
    """Gives the store at a URL, or its foreign column; ends the command with a sentence where it cannot be used.

    With `must_exist`, for commands that only read, a file that is not there is an error and is not made.
    """
    with with_library():
        from evidencegate_server.store.connect import missing_file
        from evidencegate_server.store.errors import StoreFailedError, StoreSetupError
        from evidencegate_server.store.model import StoreOptions
        from evidencegate_server.store.store import Store
    try:
        missing = missing_file(url) if must_exist else None
        if missing is not None:
            raise click.ClickException(f"the store at {missing} cannot be reached: there is no such file")
        with Store(StoreOptions(url, foreign, pool_size=1)) as store:
            yield store
    except StoreSetupError as error:
        raise click.ClickException(str(error)) from error
    except StoreFailedError as error:
        raise click.ClickException(error.message) from error


@click.group()
def store() -> None:
    """Looks after the database of the evaluation store."""


@store.command()
@STORE_OPTION
def migrate(url: str) -> None:
    """Makes the product's tables, or brings those of an earlier version up to this one.

    Tables of others are left alone. Exit status: 0 where the tables are of this version, 1 where they cannot be.
    """
    with with_library():
        from evidencegate_server.store.connect import make_engine
        from evidencegate_server.store.errors import StoreSetupError
        from evidencegate_server.store.model import StoreOptions
        from evidencegate_server.store.schema import HEAD
        from evidencegate_server.store.setup import migrate as bring_up
    try:
        engine = make_engine(StoreOptions(url, pool_size=1))
        before = bring_up(engine)
        engine.dispose()
    except StoreSetupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"the store's tables are of version {HEAD}" + ("" if before == HEAD else f" (before: {before})"))


@store.command()
@STORE_OPTION
@click.option(
    "--older-than", metavar="DAYS", type=click.FloatRange(min=0), required=True, help="Days since the last write."
)
def purge(url: str, older_than: float) -> None:
    """Deletes the sessions that were last written more than so many days ago, with their kept input.

    Rows of a foreign table stay: they are their owner's. Exit status: 0 where it is done, 1 where it failed.
    """
    before = time.time_ns() // 1_000 - round(older_than * _MICROSECONDS_A_DAY)
    with opened(url, must_exist=True) as kept:
        count = kept.purge(before)
    click.echo(f"deleted {count} session{'' if count == 1 else 's'}")
