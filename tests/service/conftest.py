"""Gives the tests of the service a catalog, and servers on free ports that they can steer."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import orjson
import pytest
from evidencegate.v1 import gatekeeper_pb2_grpc, verifier_pb2_grpc
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.models.pool import Models
from evidencegate_server.service.logs import make_logger
from evidencegate_server.service.server import Assembly, assemble
from evidencegate_server.service.settings import ServerSettings
from grpc_health.v1 import health_pb2_grpc

PROBE = "evidencegate.test.Probe"


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The project's own catalog."""
    return load_catalog(find_rules())


@dataclass
class Running:
    """A server that serves, and a channel to it."""

    assembly: Assembly
    channel: grpc.aio.Channel
    port: int
    log: io.BytesIO
    health_port: int | None = None
    gatekeeper: Any = field(init=False)
    verifier: Any = field(init=False)
    health: Any = field(init=False)

    def __post_init__(self) -> None:
        self.gatekeeper = gatekeeper_pb2_grpc.GatekeeperStub(self.channel)
        self.verifier = verifier_pb2_grpc.VerifierStub(self.channel)
        self.health = health_pb2_grpc.HealthStub(self.channel)

    def probe(self, method: str, request: bytes = b"", **options: Any) -> grpc.aio.UnaryUnaryCall:
        """Calls a method of the test's own."""
        return self.channel.unary_unary(f"/{PROBE}/{method}")(request, **options)

    def log_lines(self) -> list[dict[str, Any]]:
        """Everything that was logged."""
        return [orjson.loads(line) for line in self.log.getvalue().splitlines()]

    def metric(self, name: str, **labels: str) -> float:
        """The present value of a metric; 0 for one that was never counted."""
        return self.assembly.metrics.registry().get_sample_value(name, labels) or 0.0


@asynccontextmanager
async def serving(
    catalog: Catalog,
    settings: ServerSettings | None = None,
    handlers: Sequence[Any] = (),
    store: Any = None,
    models: Models | None = None,
    credentials: grpc.ChannelCredentials | None = None,
) -> AsyncIterator[Running]:
    """Starts a server on a free port of this machine and ends it at once afterwards; the channel has `credentials`."""
    log = io.BytesIO()
    settings = settings or ServerSettings()
    assembly = assemble(catalog, settings, handlers, logger=make_logger("info", log), store=store, models=models)
    # On loopback alone, whatever the settings say of other addresses.
    ports = assembly.open_ports(settings.model_copy(update={"host": "127.0.0.1", "port": 0}))
    await assembly.start()
    target = f"127.0.0.1:{ports.port}"
    opened = grpc.aio.insecure_channel(target) if credentials is None else grpc.aio.secure_channel(target, credentials)
    async with opened as channel:
        try:
            yield Running(assembly, channel, ports.port, log, ports.health_port)
        finally:
            await assembly.stop(None)
            assembly.lanes.close()


def probe_handler(**methods: Callable[[bytes, Any], Awaitable[bytes]]) -> Any:
    """Returns handlers of a service of the test's own, behind the server's interceptor."""
    return grpc.method_handlers_generic_handler(
        PROBE, {name: grpc.unary_unary_rpc_method_handler(method) for name, method in methods.items()}
    )


class Gate:
    """A method that says when it was entered and ends when it is told."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.open = asyncio.Event()

    async def __call__(self, request: bytes, _context: Any) -> bytes:
        """Waits for `open`, then answers with the request."""
        self.entered.set()
        await self.open.wait()
        return request


@pytest.fixture
async def running(catalog: Catalog) -> AsyncIterator[Running]:
    """A server with the default settings."""
    async with serving(catalog) as server:
        yield server
