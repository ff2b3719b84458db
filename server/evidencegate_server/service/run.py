"""Runs one serving process: starts it, answers signals, and ends it without losing a call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.models.pool import Models, open_models
from evidencegate_server.models.profiles import Profiles
from evidencegate_server.service.announce import announce, rule_set_of
from evidencegate_server.service.engine_process import EngineProcess, is_wanted, order_of
from evidencegate_server.service.hang_ups import HangUps
from evidencegate_server.service.logs import Logger
from evidencegate_server.service.own_ports import check_ports, open_metrics
from evidencegate_server.service.process import tune_process
from evidencegate_server.service.rehearsal import rehearse
from evidencegate_server.service.server import Assembly, Ports, assemble
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.service.store_setup import open_store
from evidencegate_server.service.watched import Looker, keep_looking
from evidencegate_server.text.masking import Masker

# The thread would take half of the interpreter's time from the calls that come as soon as the server serves.
_REHEARSE_AFTER_SECONDS = 0.5


class Post(Protocol):
    """Where a server serves: alone, or as one of several workers."""

    shares_ports: bool

    def prepare(self, assembly: Assembly) -> None:
        """Opens what the post needs beside the server's own ports; raises StartError."""
        ...

    async def serving(self, assembly: Assembly, ports: Ports, stop: Callable[[], None]) -> None:
        """Says that the server serves. `stop` is what the post calls where the server has to end."""
        ...

    async def stopped(self, assembly: Assembly) -> None:
        """Closes what was opened."""
        ...


class Alone:
    """The post of the only process: it has the metrics port, and tells in a line and in the port file where it is."""

    shares_ports = False

    def __init__(self, catalog: Catalog, settings: ServerSettings) -> None:
        self._catalog = catalog
        self._settings = settings
        self._close: Callable[[], None] | None = None
        self._metrics_port: int | None = None

    def prepare(self, assembly: Assembly) -> None:
        """Opens the metrics port."""
        if self._settings.metrics:
            self._close, self._metrics_port = open_metrics(self._settings, assembly.metrics)

    async def serving(self, assembly: Assembly, ports: Ports, stop: Callable[[], None]) -> None:  # noqa: ARG002
        """Says where the server is to be reached."""
        announce(self._settings, ports.port, ports.health_port, self._metrics_port, rule_set_of(self._catalog))

    async def stopped(self, assembly: Assembly) -> None:  # noqa: ARG002  # the protocol's
        """Closes the metrics port."""
        if self._close is not None:
            self._close()


def run(catalog: Catalog, settings: ServerSettings, profiles: Profiles) -> None:
    """Serves until SIGTERM or SIGINT, then drains; raises StartError where a port is not to be had."""
    check_ports(settings)
    serve(catalog, settings, profiles, Alone(catalog, settings))


def serve(
    catalog: Catalog, settings: ServerSettings, profiles: Profiles, post: Post, logger: Logger | None = None
) -> None:
    """Serves at a post until SIGTERM, SIGINT or the post's own end, then drains; raises StartError."""
    put_together = _assembler(catalog, settings, profiles, post, logger)
    tune_process()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(put_together, catalog, settings, post))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Returns uvloop's loops; the standard ones on systems that uvloop does not support."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return None
    return uvloop.new_event_loop


class _Signals:
    """What the process was told: to stop, and a second time to hurry."""

    def __init__(self, lookers: Sequence[Looker]) -> None:
        self.stop_asked = asyncio.Event()
        self.hurry = asyncio.Event()
        self._lookers = lookers

    def listen(self, logger: Logger) -> None:
        """Takes SIGTERM and SIGINT as the wish to stop, SIGHUP as the wish to read files again."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        HangUps(self.stop_asked.set, partial(self._look, logger)).listen()

    def stop(self) -> None:
        """Asks to stop, or to hurry where that was asked before."""
        (self.hurry if self.stop_asked.is_set() else self.stop_asked).set()

    def _look(self, logger: Logger) -> None:
        for looker in self._lookers:
            looker.look(logger, at_once=True)


def _assembler(
    catalog: Catalog, settings: ServerSettings, profiles: Profiles, post: Post, logger: Logger | None
) -> Callable[[], Assembly]:
    """Returns what puts the server together once the event loop runs; the store is opened before."""
    store = open_store(settings)

    def put_together() -> Assembly:
        models = open_models(profiles, Masker(catalog.masking)) if profiles.keyed else Models()
        return assemble(catalog, settings, logger=logger, store=store, models=models, shares_ports=post.shares_ports)

    return put_together


async def _serve(put_together: Callable[[], Assembly], catalog: Catalog, settings: ServerSettings, post: Post) -> None:
    assembly = put_together()
    lookers = assembly.guards.lookers
    signals = _Signals(lookers)
    signals.listen(assembly.logger)
    ports = assembly.open_ports(settings)
    post.prepare(assembly)
    await assembly.start()
    if settings.missing_guards:
        assembly.logger.info("insecure", missing=settings.missing_guards)
    await post.serving(assembly, ports, signals.stop_asked.set)
    beside = [asyncio.ensure_future(_make_ready(assembly, catalog, settings))]
    if lookers:
        beside.append(asyncio.ensure_future(keep_looking(lookers, assembly.logger)))

    await signals.stop_asked.wait()

    async def pause() -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(signals.hurry.wait(), settings.drain_pause_seconds)

    assembly.logger.info("draining", in_flight=assembly.guard.in_flight)
    draining = asyncio.ensure_future(assembly.drain(pause, settings.grace_seconds))
    hurrying = asyncio.ensure_future(signals.hurry.wait())
    await asyncio.wait((draining, hurrying), return_when=asyncio.FIRST_COMPLETED)
    if signals.hurry.is_set():
        await assembly.stop(None)
    hurrying.cancel()
    await draining
    await post.stopped(assembly)
    for task in beside:
        task.cancel()
    left = assembly.lanes.is_at_work
    assembly.logger.info("stopped", **({"work_left": True} if left else {}))
    sys.stderr.flush()
    if left:
        # Python would wait for the thread, however long it takes for a caller who has gone.
        sys.stdout.flush()
        os._exit(0)


async def _make_ready(assembly: Assembly, catalog: Catalog, settings: ServerSettings) -> None:
    """Starts the engine process and makes the judge ready, a little later than whoever waits for the server may call.

    The judge is made ready in a thread.
    """
    await asyncio.sleep(_REHEARSE_AFTER_SECONDS)
    if is_wanted(settings):
        assembly.lanes.engine = EngineProcess(order_of(settings, catalog), assembly.logger)
    await asyncio.get_running_loop().run_in_executor(None, rehearse, assembly.methods, assembly.logger)
