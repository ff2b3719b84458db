"""Says for each service by name, and for the server as a whole (the empty name), whether it serves."""

from __future__ import annotations

from collections.abc import Iterable

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

SERVICE_NAME = health.SERVICE_NAME


class ServingState:
    """The standard health service with the two states that this server has."""

    def __init__(self, service_names: Iterable[str]) -> None:
        self._servicer = health.aio.HealthServicer()  # type: ignore[attr-defined]  # set at run time
        self._names = ("", *service_names)

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers the health service."""
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)

    async def serving(self) -> None:
        """Reports SERVING for every service from now on."""
        for name in self._names:
            await self._servicer.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def set_serving(self, name: str, serves: bool) -> None:
        """Reports one service alone; without effect once the server shuts down."""
        states = health_pb2.HealthCheckResponse
        await self._servicer.set(name, states.SERVING if serves else states.NOT_SERVING)

    async def not_serving(self) -> None:
        """Reports NOT_SERVING for every service, for good."""
        await self._servicer.enter_graceful_shutdown()
