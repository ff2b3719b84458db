"""Puts the server together, and ends it without losing a call."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import grpc

from evidencegate_server import ENGINE_VERSION
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.records import record
from evidencegate_server.models.pool import Models
from evidencegate_server.service import health, reflection
from evidencegate_server.service.guards import Guards, open_guards
from evidencegate_server.service.health import HealthPort, ServingState
from evidencegate_server.service.interceptors import CallGuard
from evidencegate_server.service.lanes import Lanes
from evidencegate_server.service.logs import Logger, make_logger
from evidencegate_server.service.memo import Memo
from evidencegate_server.service.metrics import Metrics
from evidencegate_server.service.ports import StartError
from evidencegate_server.service.self_evaluations import SELF_EVALUATIONS, StoreService
from evidencegate_server.service.servicers import SERVICE_NAMES, Answer, Methods, make_handlers
from evidencegate_server.service.settings import ServerSettings

if TYPE_CHECKING:
    from evidencegate_server.store.store import Store


@record
class Ports:
    """The ports that were opened; no health port where health has none of its own."""

    port: int
    health_port: int | None = None


@record
class Assembly:
    """A server with the parts that its owner steers."""

    server: grpc.aio.Server
    health: ServingState
    guard: CallGuard
    metrics: Metrics
    lanes: Lanes
    logger: Logger
    methods: Methods
    store: StoreService
    models: Models
    guards: Guards
    health_port: HealthPort | None

    def open_ports(self, settings: ServerSettings) -> Ports:
        """Opens the ports that the settings name; raises StartError where one cannot be bound."""
        address = f"{settings.address}:{settings.port}"
        try:
            if self.guards.tls is not None:
                port = self.server.add_secure_port(address, self.guards.tls.credentials())
            else:
                port = self.server.add_insecure_port(address)
        except RuntimeError as error:  # taken since it was looked at
            raise StartError(f"port {settings.port} on {settings.host} cannot be bound") from error
        if self.health_port is None or settings.health_address is None:
            return Ports(port)
        try:
            return Ports(port, self.health_port.server.add_insecure_port(settings.health_address))
        except RuntimeError as error:
            raise StartError(f"health address {settings.health_address} cannot be bound") from error

    async def start(self) -> None:
        """Starts to serve and says so."""
        await self.server.start()
        await self.health.serving()
        if not self.store.available:
            await self.health.set_serving(SELF_EVALUATIONS, False)
        if self.health_port is not None:
            await self.health_port.server.start()

    async def drain(self, pause: Callable[[], Any], grace_seconds: float) -> None:
        """Ends the server: says NOT_SERVING, awaits `pause()`, refuses new calls, lets those at work finish."""
        await self.health.not_serving()
        await pause()
        loop = asyncio.get_running_loop()
        end = loop.time() + grace_seconds
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.guard.finish_calls(), grace_seconds)
        self.guard.end_streams()
        await self.stop(max(0.0, end - loop.time()))  # answers may still be on their way out
        if self.lanes.engine is not None:
            await self.lanes.engine.close()
        self.lanes.close()
        self.store.close()
        await self.models.close()

    async def stop(self, grace_seconds: float | None) -> None:
        """Refuses new calls and ends those at work after so many seconds, at once where there are none."""
        health = () if self.health_port is None else (self.health_port.stop(grace_seconds),)
        await asyncio.gather(self.server.stop(grace_seconds), *health)


def assemble(
    catalog: Catalog,
    settings: ServerSettings,
    extra_handlers: Sequence[grpc.GenericRpcHandler[Any, Any]] = (),
    logger: Logger | None = None,
    store: Store | None = None,
    models: Models | None = None,
    *,
    shares_ports: bool = False,
) -> Assembly:
    """Returns the server and its parts, over store and models where there are any; called where the event loop runs.

    `shares_ports` is for one of several processes that serve on the same ports. Raises StartError where a file of the
    settings cannot be used.
    """
    models = models or Models()
    logger = logger or make_logger(settings.log_level)
    metrics = Metrics()
    metrics.show_catalog(catalog.rule_set.rule_set_version, catalog.rule_set.catalog_digest, ENGINE_VERSION)
    guards = open_guards(settings)
    guard = CallGuard(settings.max_in_flight, metrics, logger, guards.access)
    metrics.show_in_flight(lambda: guard.in_flight)
    lanes = Lanes(settings.heavy_request_bytes)
    answers: Memo[tuple[str, bytes], Answer] = Memo(settings.memo_bytes)
    methods = Methods(catalog, settings.validations_bytes, models)
    server = grpc.aio.server(
        interceptors=(guard,),
        options=(
            ("grpc.max_receive_message_length", catalog.limits.max_message_bytes),
            ("grpc.max_send_message_length", -1),
            # Clients with a keepalive of half a minute are common and welcome.
            ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
            ("grpc.keepalive_permit_without_calls", 1),
            # Two servers that share a port by chance would each get half of the calls.
            ("grpc.so_reuseport", int(shares_ports)),
            *_connection_age(settings),
        ),
    )
    kept = StoreService(store, catalog, settings.store_connections, keep_input=settings.store_keep_input)
    handlers = (*make_handlers(methods, lanes, answers, metrics), kept.handler())
    server.add_generic_rpc_handlers((*handlers, *extra_handlers))
    names = (*SERVICE_NAMES, SELF_EVALUATIONS)
    serving_state = ServingState((*names, health.SERVICE_NAME, reflection.SERVICE_NAME))
    serving_state.add_to(server)
    kept.report_to(serving_state, logger)
    reflection.add_reflection(server, (*names, health.SERVICE_NAME))
    health_port = None if settings.health_address is None else HealthPort(serving_state, shared=shares_ports)
    return Assembly(server, serving_state, guard, metrics, lanes, logger, methods, kept, models, guards, health_port)


def _connection_age(settings: ServerSettings) -> tuple[tuple[str, int], ...]:
    """Returns the options that end old connections, none where they may be as old as they like."""
    if not settings.max_connection_age_seconds:
        return ()
    return (
        ("grpc.max_connection_age_ms", round(settings.max_connection_age_seconds * 1000)),
        ("grpc.max_connection_age_grace_ms", round(settings.grace_seconds * 1000)),
    )
