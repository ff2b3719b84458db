"""Gives each test an empty database: a SQLite file always, PostgreSQL and MariaDB where they are asked for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.store.connect import read_url
from evidencegate_server.store.model import ForeignColumn, StoreOptions
from evidencegate_server.store.store import Store

from tests.store import databases

KINDS = [
    "sqlite",
    pytest.param("postgresql", marks=pytest.mark.db),
    pytest.param("mariadb", marks=pytest.mark.db),
]
_NUMBER = itertools.count(1)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The project's own catalog."""
    return load_catalog(find_rules())


@pytest.fixture(scope="session")
def _postgres() -> Iterator[str]:
    with databases.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def _mariadb() -> Iterator[str]:
    with databases.mariadb() as url:
        yield url


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/evaluations.db"
    template = request.getfixturevalue(f"_{'postgres' if request.param == 'postgresql' else 'mariadb'}")
    name = f"store_{next(_NUMBER)}"
    admin = "postgres" if request.param == "postgresql" else "mysql"
    engine = sa.create_engine(read_url(template.format(database=admin)), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return str(template.format(database=name))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store in an empty database."""
    with Store(StoreOptions(url, pool_size=4)) as opened:
        yield opened


MakeForeign = Callable[..., Store]


@pytest.fixture
def foreign(url: str) -> Iterator[Callable[..., Store]]:
    """Makes a table of somebody else's with these rows, and a store over it."""
    opened: list[Store] = []

    def make(ddl: str, *rows: str, key: str = "id", column: str = "self_eval", table: str = "agent_run") -> Store:
        run(url, ddl, *rows)
        opened.append(Store(StoreOptions(url, ForeignColumn(table, column, key), pool_size=4)))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def run(url: str, *statements: str) -> list[tuple[object, ...]]:
    """Runs statements as another program would; returns the rows of the last one."""
    engine = sa.create_engine(read_url(url))
    rows: list[tuple[object, ...]] = []
    with engine.begin() as connection:
        for statement in statements:
            result = connection.exec_driver_sql(statement)
            rows = [tuple(row) for row in result] if result.returns_rows else []
    engine.dispose()
    return rows
