"""Puts the server together, starts it, and ends it without losing a call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc

from evidencegate_server import ENGINE_VERSION
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.records import record
from evidencegate_server.models.pool import Models, open_models
from evidencegate_server.models.profiles import Profiles
from evidencegate_server.service import health, reflection
from evidencegate_server.service.health import ServingState
from evidencegate_server.service.interceptors import CallGuard
from evidencegate_server.service.lanes import Lanes
from evidencegate_server.service.logs import Logger, make_logger
from evidencegate_server.service.memo import Memo
from evidencegate_server.service.metrics import Metrics
from evidencegate_server.service.metrics_endpoint import start_endpoint
from evidencegate_server.service.ports import StartError, check_port
from evidencegate_server.service.process import tune_process
from evidencegate_server.service.rehearsal import rehearse
from evidencegate_server.service.self_evaluations import SELF_EVALUATIONS, StoreService
from evidencegate_server.service.servicers import SERVICE_NAMES, Answer, Methods, make_handlers
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.service.store_setup import open_store
from evidencegate_server.text.masking import Masker

if TYPE_CHECKING:
    from evidencegate_server.store.store import Store

# The thread would take half of the interpreter's time from the calls that come as soon as the server serves.
_REHEARSE_AFTER_SECONDS = 0.5


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

    async def start(self) -> None:
        """Starts to serve and says so."""
        await self.server.start()
        await self.health.serving()
        if not self.store.available:
            await self.health.set_serving(SELF_EVALUATIONS, False)

    async def drain(self, pause: Callable[[], Any], grace_seconds: float) -> None:
        """Ends the server: says NOT_SERVING, awaits `pause()`, refuses new calls, lets those at work finish."""
        await self.health.not_serving()
        await pause()
        loop = asyncio.get_running_loop()
        end = loop.time() + grace_seconds
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.guard.finish_calls(), grace_seconds)
        self.guard.end_streams()
        await self.server.stop(max(0.0, end - loop.time()))  # answers may still be on their way out
        self.lanes.close()
        self.store.close()
        await self.models.close()


def assemble(
    catalog: Catalog,
    settings: ServerSettings,
    extra_handlers: Sequence[grpc.GenericRpcHandler[Any, Any]] = (),
    logger: Logger | None = None,
    store: Store | None = None,
    models: Models | None = None,
) -> Assembly:
    """Returns the server and its parts, over store and models where there are any; called where the event loop runs."""
    models = models or Models()
    logger = logger or make_logger(settings.log_level)
    metrics = Metrics()
    metrics.show_catalog(catalog.rule_set.rule_set_version, catalog.rule_set.catalog_digest, ENGINE_VERSION)
    guard = CallGuard(settings.max_in_flight, metrics, logger)
    metrics.show_in_flight(lambda: guard.in_flight)
    lanes = Lanes(settings.heavy_request_bytes)
    answers: Memo[tuple[str, bytes], Answer] = Memo(settings.memo_bytes)
    methods = Methods(catalog, settings.memo_bytes // 4, models)
    server = grpc.aio.server(
        interceptors=(guard,),
        options=(
            ("grpc.max_receive_message_length", catalog.limits.max_message_bytes),
            ("grpc.max_send_message_length", -1),
            # Clients with a keepalive of half a minute are common and welcome.
            ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
            ("grpc.keepalive_permit_without_calls", 1),
            # Two servers that share a port by chance would each get half of the calls.
            ("grpc.so_reuseport", 0),
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
    return Assembly(server, serving_state, guard, metrics, lanes, logger, methods, kept, models)


def run(catalog: Catalog, settings: ServerSettings, profiles: Profiles) -> None:
    """Serves until SIGTERM or SIGINT, then drains; raises StartError where a port is not to be had."""
    check_port(settings.host, settings.port, "port", "--port")
    if settings.metrics:
        check_port(settings.host, settings.metrics_port, "metrics port", "--metrics-port or --no-metrics")
    store = open_store(settings)
    tune_process()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(catalog, settings, store, profiles))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Returns uvloop's loops; the standard ones on systems that uvloop does not support."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return None
    return uvloop.new_event_loop


async def _serve(catalog: Catalog, settings: ServerSettings, store: Store | None, profiles: Profiles) -> None:
    stop_asked = asyncio.Event()
    hurry = asyncio.Event()

    def on_signal() -> None:
        (hurry if stop_asked.is_set() else stop_asked).set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)

    models = open_models(profiles, Masker(catalog.masking)) if profiles.keyed else Models()
    assembly = assemble(catalog, settings, store=store, models=models)
    try:
        port = assembly.server.add_insecure_port(f"{settings.address}:{settings.port}")
    except RuntimeError as error:  # taken between the check and here
        raise StartError(f"port {settings.port} on {settings.host} cannot be bound") from error
    close_metrics, metrics_port = _start_metrics(assembly.metrics, settings)
    await assembly.start()
    _announce(catalog, settings, port, metrics_port)
    rehearsal = asyncio.ensure_future(_rehearse(assembly))

    await stop_asked.wait()

    async def pause() -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(hurry.wait(), settings.drain_pause_seconds)

    assembly.logger.info("draining", in_flight=assembly.guard.in_flight)
    draining = asyncio.ensure_future(assembly.drain(pause, settings.grace_seconds))
    hurrying = asyncio.ensure_future(hurry.wait())
    await asyncio.wait((draining, hurrying), return_when=asyncio.FIRST_COMPLETED)
    if hurry.is_set():
        await assembly.server.stop(None)
    hurrying.cancel()
    await draining
    close_metrics()
    rehearsal.cancel()
    assembly.logger.info("stopped")
    sys.stderr.flush()


async def _rehearse(assembly: Assembly) -> None:
    """Makes the judge ready in a thread, a little later than whoever waits for the server may call."""
    await asyncio.sleep(_REHEARSE_AFTER_SECONDS)
    await asyncio.get_running_loop().run_in_executor(None, rehearse, assembly.methods, assembly.logger)


def _start_metrics(metrics: Metrics, settings: ServerSettings) -> tuple[Callable[[], None], int | None]:
    """Starts the metrics endpoint; returns what closes it, and its port."""
    if not settings.metrics:
        return (lambda: None), None
    try:
        return start_endpoint(settings.host, settings.metrics_port, metrics)
    except OSError as error:
        raise StartError(f"metrics port {settings.metrics_port} on {settings.host}: {error.strerror}") from error


def _announce(catalog: Catalog, settings: ServerSettings, port: int, metrics_port: int | None) -> None:
    """Says in one line, and in the port file, where the server is to be reached."""
    metrics = "no metrics" if metrics_port is None else f"metrics http://{settings.address}:{metrics_port}/metrics"
    rules = f"rule set {catalog.rule_set.rule_set_version}, {sum(e.enabled for e in catalog.rule_set.entries)} rules"
    line = f"evidencegate serves on {settings.address}:{port} ({rules}, {metrics})"
    if settings.port_file is not None:  # first, so that who has read the line finds the file
        _write_port_file(settings.port_file, port)
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _write_port_file(path: Path, port: int) -> None:
    """Writes the port so that a reader sees either nothing or all of it."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(f"{port}\n", encoding="ascii")
    partial.replace(path)
