"""Says for each service by name, and for the server as a whole (the empty name), whether it serves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from evidencegate_server.service.streams import EndableStreams, Handler

SERVICE_NAME = health.SERVICE_NAME

# Everybody reaches the health port: what one may cost there is little. A probe's request is a service's name.
_MAX_PROBE_BYTES: Final = 4_096
MAX_PROBES: Final = 200


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


class HealthPort:
    """A server with health alone, in plain text and without tokens: what a probe of Kubernetes can ask."""

    def __init__(self, state: ServingState, *, shared: bool) -> None:
        self._streams = EndableStreams(MAX_PROBES // 2)  # watching leaves room for asking
        self.server = grpc.aio.server(
            interceptors=(_Ending(self._streams),),
            maximum_concurrent_rpcs=MAX_PROBES,
            options=(
                ("grpc.max_receive_message_length", _MAX_PROBE_BYTES),
                ("grpc.so_reuseport", int(shared)),
            ),
        )
        state.add_to(self.server)

    async def stop(self, grace_seconds: float | None) -> None:
        """Ends the open streams and refuses new calls."""
        self._streams.end()
        await self.server.stop(grace_seconds)


class _Ending(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs alone
    """Makes the streams of a server endable."""

    def __init__(self, streams: EndableStreams) -> None:
        self._streams = streams
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Returns the method's handler, None for a method that nobody serves."""
        method = handler_call_details.method
        if method not in self._wrapped:
            handler = await continuation(handler_call_details)
            if handler is None:
                return handler
            self._wrapped[method] = self._streams.wrap(handler) or handler
        return self._wrapped[method]
