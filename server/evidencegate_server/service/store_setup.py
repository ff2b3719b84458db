"""Opens the store that the settings name. The database library is imported here, and only where there is a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidencegate_server.service.ports import StartError
from evidencegate_server.service.settings import ServerSettings

if TYPE_CHECKING:
    from evidencegate_server.store.store import Store

_INSTALL = "a store needs {name}: pip install 'evidencegate[store]' (or [postgres], [mysql])"


def open_store(settings: ServerSettings) -> Store | None:
    """Returns the store, None where the settings name none; raises StartError where it cannot be used."""
    if settings.store is None:
        return None
    try:
        from evidencegate_server.store.errors import StoreSetupError
        from evidencegate_server.store.model import DEFAULT_COLUMN, DEFAULT_KEY, ForeignColumn, StoreOptions
        from evidencegate_server.store.store import Store
    except ModuleNotFoundError as error:
        raise StartError(_INSTALL.format(name=error.name)) from error
    foreign = None
    if settings.store_table is not None:
        column, key = settings.store_column or DEFAULT_COLUMN, settings.store_key or DEFAULT_KEY
        foreign = ForeignColumn(settings.store_table, column, key)
    options = StoreOptions(
        settings.store, foreign, settings.store_connections, timeout_seconds=settings.store_timeout_seconds
    )
    try:
        return Store(options)
    except StoreSetupError as error:
        raise StartError(str(error)) from error
