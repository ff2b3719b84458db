"""Is one of several serving processes: does what the parent orders, and ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from evidencegate_server.service.process import loading
from evidencegate_server.workers.messages import COUNTS, LOOK, MAX_LINE_BYTES, READY, REFUSED, Order, line_of, read_line

with loading():
    from evidencegate_server.catalog.model import Catalog
    from evidencegate_server.catalog.problems import CatalogError
    from evidencegate_server.models.profiles import ModelsError
    from evidencegate_server.service.announce import rule_set_of
    from evidencegate_server.service.configuration import load_configuration
    from evidencegate_server.service.logs import make_logger
    from evidencegate_server.service.metrics_snapshot import take_snapshot
    from evidencegate_server.service.ports import StartError
    from evidencegate_server.service.run import serve
    from evidencegate_server.service.server import Assembly, Ports

# How long the last counts may take to a parent that does not read.
_LAST_WORDS_SECONDS = 1.0

# How much may wait for a parent that does not read before nothing more is said.
_MAX_WAITING_BYTES = 1024 * 1024


class InTeam:
    """The post of a worker: what it says goes to the parent, whose end is its own."""

    shares_ports = True

    def __init__(self, catalog: Catalog, folder: Path, orders: BinaryIO, answers: BinaryIO) -> None:
        self._catalog = catalog
        self._folder = folder
        self._orders = orders
        self._answers = answers
        self._writer: asyncio.WriteTransport | None = None
        self._written = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    def prepare(self, assembly: Assembly) -> None:
        """Opens nothing: the parent has the metrics port."""

    async def serving(self, assembly: Assembly, ports: Ports, stop: Callable[[], None]) -> None:  # noqa: ARG002
        """Tells the parent, and listens to it from now on."""
        loop = asyncio.get_running_loop()
        self._writer, _ = await loop.connect_write_pipe(lambda: _Ending(self._written), self._answers)
        reader = asyncio.StreamReader(limit=MAX_LINE_BYTES)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), self._orders)
        self._listening = asyncio.create_task(self._listen(reader, assembly, stop))
        self._say(line_of(READY, rule_set=rule_set_of(self._catalog)))

    async def stopped(self, assembly: Assembly) -> None:
        """Tells the last counts."""
        if self._listening is not None:
            self._listening.cancel()
        self._say(line_of(COUNTS, number=0, **take_snapshot(assembly.metrics)))
        if self._writer is not None:
            self._writer.close()  # what waits is written first
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), _LAST_WORDS_SECONDS)

    async def _listen(self, reader: asyncio.StreamReader, assembly: Assembly, stop: Callable[[], None]) -> None:
        with contextlib.suppress(ValueError):  # a line that is none: then nobody can be understood any more
            while line := await reader.readline():
                event, values = read_line(line)
                if event == COUNTS:
                    self._say(line_of(COUNTS, number=values["number"], **take_snapshot(assembly.metrics)))
                elif event == LOOK:
                    for looker in assembly.guards.lookers:
                        looker.look(assembly.logger, at_once=True)
        assembly.logger.error("parent_is_gone")
        shutil.rmtree(self._folder, ignore_errors=True)  # another worker may be at it as well
        stop()

    def _say(self, line: bytes) -> None:
        if self._writer is not None and self._writer.get_write_buffer_size() < _MAX_WAITING_BYTES:
            self._writer.write(line)


class _Ending(asyncio.BaseProtocol):
    """Tells when everything is written, or nobody reads it any more."""

    def __init__(self, ended: asyncio.Event) -> None:
        self._ended = ended

    def connection_lost(self, _error: Exception | None) -> None:
        """Tells it."""
        self._ended.set()


def main() -> None:
    """Serves as the parent orders; exits 1 where it cannot, and says why."""
    orders = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115  # unbuffered: the loop reads on
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever prints does not talk to the parent
    order = Order.model_validate_json(orders.readline())
    settings = order.settings
    try:
        catalog, profiles = load_configuration(settings)
        logger = make_logger(settings.log_level, worker=order.number)
        serve(catalog, settings, profiles, InTeam(catalog, order.folder, orders, answers), logger)
    except (CatalogError, ModelsError, StartError) as error:
        answers.write(line_of(REFUSED, problem=str(error)))
        sys.exit(1)


if __name__ == "__main__":
    main()
