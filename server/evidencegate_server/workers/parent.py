"""Keeps the workers: starts them, replaces those that die, passes signals on, and ends with them.

The parent serves nothing and imports no gRPC: a process that has started gRPC cannot be copied, and one that answers
nobody has little that can break.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.contract.records import record
from evidencegate_server.service.announce import announce
from evidencegate_server.service.hang_ups import HangUps
from evidencegate_server.service.logs import Logger, make_logger
from evidencegate_server.service.own_ports import check_ports, open_metrics
from evidencegate_server.service.ports import StartError, reserve_port
from evidencegate_server.service.settings import ServerSettings, bracketed
from evidencegate_server.workers.counts import TeamCounts
from evidencegate_server.workers.messages import LOOK, Order
from evidencegate_server.workers.process import Worker

# A start takes a second. On a machine that does not get this far in a minute nothing is served either.
_START_SECONDS: Final = 60.0

# A worker that served for so long was not broken from the start: its next death begins a new count.
_SOUND_AFTER_SECONDS: Final = 30.0
_FIRST_WAIT_SECONDS: Final = 0.1
_LONGEST_WAIT_SECONDS: Final = 5.0
# With the waits between them some six seconds and the time of the starts. A supervisor outside waits better.
MOST_DEATHS_IN_A_ROW: Final = 6

# What a worker gets beside its grace to write its last words.
_MORE_SECONDS: Final = 5.0


_RULES: Final = "rules"


class WorkersError(StartError):
    """Occurs where workers die as fast as they are replaced."""


def run_workers(settings: ServerSettings) -> None:
    """Serves with several workers until SIGTERM or SIGINT; raises StartError where they cannot serve or keep dying."""
    check_ports(settings)
    with _kept_ports(settings) as kept, _kept_rules(find_rules(settings.rules)) as folder:
        asyncio.run(_Parent(kept.model_copy(update={"rules": folder / _RULES}), folder).run())


@contextlib.contextmanager
def _kept_ports(settings: ServerSettings) -> Iterator[ServerSettings]:
    """Keeps the ports for the workers; gives the settings with the ports that were found."""
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(reserve_port(settings.host, settings.port, "port", "--port"))
        found: dict[str, object] = {"port": _number(port)}
        if settings.health_at is not None:
            health = stack.enter_context(reserve_port(*settings.health_at, "health port", "--health-address"))
            found["health_address"] = f"{bracketed(settings.health_at[0])}:{_number(health)}"
        yield settings.model_copy(update=found)


def _number(keeper: socket.socket) -> int:
    return int(keeper.getsockname()[1])


@contextlib.contextmanager
def _kept_rules(rules: Path) -> Iterator[Path]:
    """Gives a folder with a copy of the catalog: a worker which is replaced does not come back with other rules."""
    with contextlib.ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="evidencegate-")))
            shutil.copytree(rules, folder / _RULES, ignore=shutil.ignore_patterns(".*"))
        except OSError as error:  # shutil's own is one
            raise StartError(
                f"the catalog in {rules} cannot be copied to {tempfile.gettempdir()} for the workers ({error});"
                " set TMPDIR to a folder with room"
            ) from error
        yield folder


@record
class _Death:
    """How a worker ended, the problem that it told of if any, and how long it had served."""

    how: str
    problem: str = ""
    pid: int = 0
    served_seconds: float = 0.0


class _Parent:
    """The workers of one server, and what the parent knows of them."""

    def __init__(self, settings: ServerSettings, folder: Path) -> None:
        self._settings = settings
        self._folder = folder
        self._logger: Logger = make_logger(settings.log_level)
        self._workers: dict[int, Worker] = {}
        self._stop = asyncio.Event()
        self._announced = False
        self._counts: TeamCounts | None = None
        self._metrics_port: int | None = None

    async def run(self) -> None:
        self._counts = TeamCounts(lambda: list(self._workers.values()))
        close_metrics = None
        if self._settings.metrics:
            close_metrics, self._metrics_port = open_metrics(self._settings, self._counts)
        self._listen()
        keepers = [asyncio.ensure_future(self._keep(number)) for number in range(1, self._settings.workers + 1)]
        asking = asyncio.ensure_future(self._counts.keep_asking())
        stopping = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((*keepers, stopping), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            failures = [one.exception() for one in keepers if one.done()]
            await self._end(keepers)
            failures += [one.exception() for one in keepers]  # those too that came since: each must be looked at
            asking.cancel()
            if close_metrics is not None:
                # In a thread: who reads the metrics at this moment waits for this loop.
                await asyncio.get_running_loop().run_in_executor(None, close_metrics)
        for failure in failures:
            if failure is not None:
                raise failure

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._pass_on)
        HangUps(self._pass_on, self._look).listen()

    def _pass_on(self) -> None:
        """Asks the workers to end; asked again, they hurry."""
        self._stop.set()
        for worker in self._workers.values():
            worker.signal(signal.SIGTERM)

    def _look(self) -> None:
        for worker in self._workers.values():
            worker.send(LOOK)  # no signal: it would end a worker that is just starting

    async def _keep(self, number: int) -> None:
        """Has one worker at work until the end; raises StartError where that does not succeed."""
        deaths, wait_seconds = 0, _FIRST_WAIT_SECONDS
        while not self._stop.is_set():
            death = await self._run_one(number)
            if self._stop.is_set():
                return
            if not self._announced:
                raise StartError(death.problem or f"a worker ended {death.how} before it served; its log says more")
            if death.served_seconds >= _SOUND_AFTER_SECONDS:
                deaths, wait_seconds = 0, _FIRST_WAIT_SECONDS
            deaths += 1
            self._logger.error("worker_died", worker=number, pid=death.pid, ended=death.how, problem=death.problem)
            if deaths >= MOST_DEATHS_IN_A_ROW:
                raise WorkersError(f"worker {number} died {deaths} times in a row, last {death.how}; the log says why")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), wait_seconds)
            wait_seconds = min(2 * wait_seconds, _LONGEST_WAIT_SECONDS)

    async def _run_one(self, number: int) -> _Death:
        """Starts a worker and returns when it has ended."""
        try:
            order = Order(number=number, settings=self._worker_settings(), folder=self._folder)
            worker = await Worker.start(order)
        except OSError as error:  # no memory or no process left; there may be one a little later
            return _Death("before it began", f"a worker cannot be started ({error.strerror})")
        self._workers[number] = worker
        if self._stop.is_set():  # since it was asked while the process was being made
            worker.signal(signal.SIGTERM)
        since = await self._until_it_serves(worker)
        how = await worker.ended()
        del self._workers[number]
        assert self._counts is not None
        self._counts.bury(worker, unasked=not self._stop.is_set())
        served_seconds = 0.0 if since is None else asyncio.get_running_loop().time() - since
        return _Death(how, worker.problem, worker.pid, served_seconds)

    async def _until_it_serves(self, worker: Worker) -> float | None:
        """Returns when it began to serve, None where it did not; one that takes for ever is ended."""
        await asyncio.wait((worker.ready,), timeout=_START_SECONDS)
        if not worker.ready.done():
            worker.problem = f"it did not serve within {_START_SECONDS:.0f} s"
            worker.signal(signal.SIGKILL)
            return None
        if worker.ready.cancelled():
            return None
        if self._announced:
            self._logger.info("worker_serves", worker=worker.number, pid=worker.pid)
        elif sum(one.serves for one in self._workers.values()) == self._settings.workers:
            self._announced = True
            self._announce(worker.ready.result())
        return asyncio.get_running_loop().time()

    def _announce(self, rule_set: str) -> None:
        health_port = None if self._settings.health_at is None else self._settings.health_at[1]
        announce(self._settings, self._settings.port, health_port, self._metrics_port, rule_set)

    def _worker_settings(self) -> ServerSettings:
        # Each core has its worker, so that an engine process of its own is only for who asks for it.
        alone = {"port_file": None, "metrics": False, "workers": 1}
        return self._settings.model_copy(update=alone | {"engine_process": bool(self._settings.engine_process)})

    async def _end(self, keepers: Sequence[asyncio.Future[None]]) -> None:
        """Waits until all workers have ended; those that take longer than their grace are killed."""
        if not self._stop.is_set():  # one has failed: the others cannot do its part
            self._pass_on()
        seconds = self._settings.drain_pause_seconds + self._settings.grace_seconds + _MORE_SECONDS
        _, left = await asyncio.wait(keepers, timeout=seconds)
        if left:
            for worker in self._workers.values():
                self._logger.error("worker_killed", worker=worker.number, pid=worker.pid)
                worker.signal(signal.SIGKILL)
            await asyncio.wait(keepers)
