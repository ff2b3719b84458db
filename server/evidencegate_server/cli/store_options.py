"""Holds the options with which a command is told of a table that is somebody else's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from evidencegate_server.store.model import ForeignColumn

_Command = TypeVar("_Command", bound=Callable[..., object])
_OPTIONS: Final = (
    ("table", "A table of your own, as for `serve`, instead of the product's."),
    ("column", "Its column.  [default: self_evaluation]"),
    ("key", "Its column with the session ID.  [default: session_id]"),
)


def store_table_options(command: _Command, *, from_environment: bool = False) -> _Command:
    """Adds the options, which arrive as the fields of StoreTable; from the environment too where --store does."""
    for name, told in reversed(_OPTIONS):
        variable = f"EVIDENCEGATE_STORE_{name.upper()}" if from_environment else None
        command = click.option(f"--store-{name}", metavar="NAME", envvar=variable, help=told)(command)
    return command


@dataclass(frozen=True, slots=True)
class StoreTable:
    """Which table and columns are meant; the product's own where nothing is given."""

    store_table: str | None = None
    store_column: str | None = None
    store_key: str | None = None

    @classmethod
    def among(cls, options: dict[str, Any]) -> StoreTable:
        """Takes its own options out of those of a command."""
        return cls(**{field.name: options.pop(field.name) for field in fields(cls)})

    def foreign(self, url: str | None) -> ForeignColumn | None:
        """Returns the foreign column, None for the product's own table; raises UsageError where options are missing."""
        if self.store_table is None:
            if self.store_column or self.store_key:
                raise click.UsageError("--store-column and --store-key are columns of --store-table, which is missing.")
            return None
        if url is None:
            raise click.UsageError("--store-table names a table of the database at --store, which is missing.")
        from evidencegate_server.cli.store import with_library

        with with_library():
            from evidencegate_server.store.model import DEFAULT_COLUMN, DEFAULT_KEY, ForeignColumn
        return ForeignColumn(self.store_table, self.store_column or DEFAULT_COLUMN, self.store_key or DEFAULT_KEY)
