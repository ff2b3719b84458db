"""Lets grpcurl and its like list, describe and call every method without a proto file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import grpc
from google.protobuf import descriptor_pool
from grpc_reflection.v1alpha import reflection

SERVICE_NAME = reflection.SERVICE_NAME


class MethodFindingPool:
    """The default descriptor pool, which also finds a method by its full name.

    Python's pool knows services and messages but not methods; a tool that asks for `package.Service.Method` (ghz does)
    would be told that there is none. The file that holds the service is the file that holds its method.
    """

    def __init__(self) -> None:
        self._pool = descriptor_pool.Default()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> Any:  # noqa: N802  # the pool's own name
        """Returns the file of a symbol; raises KeyError where neither it nor its parent is known."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            service, _, method = symbol.rpartition(".")
            if method not in self._pool.FindServiceByName(service).methods_by_name:
                raise
            return self._pool.FindFileContainingSymbol(service)


def add_reflection(server: grpc.aio.Server, service_names: Iterable[str]) -> None:
    """Registers reflection for these services and for itself."""
    pool: Any = MethodFindingPool()
    reflection.enable_server_reflection((*service_names, SERVICE_NAME), server, pool=pool)
