"""Adds up the counts of all workers, those of dead ones included, so that no counter ever falls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from evidencegate_server.service.metrics import Metrics
from evidencegate_server.service.metrics_snapshot import add_snapshot, take_snapshot
from evidencegate_server.workers.process import Worker

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

# Who reads the metrics waits so long for a worker that is busy; then its last counts stand.
_WAIT_SECONDS: Final = 1.0

# How old a worker's last counts may be when it is killed.
ASK_EVERY_SECONDS: Final = 1.0


class TeamCounts:
    """The counts of the workers together. Lives on the event loop; `registry` is called in other threads."""

    def __init__(self, workers: Callable[[], Iterable[Worker]]) -> None:
        self._workers = workers
        self._gone: list[dict[str, Any]] = []
        self._deaths = 0
        self._loop = asyncio.get_running_loop()

    def bury(self, worker: Worker, *, unasked: bool) -> None:
        """Keeps the counts of a worker that has ended."""
        self._deaths += unasked
        if worker.counts is not None:
            # Added up at once: workers may die as often as they like.
            self._gone = [take_snapshot(_sum([*self._gone, worker.counts]))]

    async def ask(self) -> None:
        """Gets fresh counts of every worker that answers in time."""
        asking = [asyncio.ensure_future(worker.ask_for_counts()) for worker in self._workers() if worker.serves]
        if not asking:
            return
        _, late = await asyncio.wait(asking, timeout=_WAIT_SECONDS)
        for one in late:
            one.cancel()

    async def keep_asking(self) -> None:
        """Asks again and again, so that little is lost with a worker that is killed."""
        while True:
            await asyncio.sleep(ASK_EVERY_SECONDS)
            await self.ask()

    def registry(self) -> CollectorRegistry:
        """Returns a registry that gives the present sums."""
        return asyncio.run_coroutine_threadsafe(self._added(), self._loop).result(2 * _WAIT_SECONDS).registry()

    async def _added(self) -> Metrics:
        await self.ask()
        alive = [worker for worker in self._workers() if worker.serves]
        counts = [worker.counts for worker in alive if worker.counts is not None]
        sums = _sum([*self._gone, *counts])
        for _ in range(self._deaths):
            sums.count_death()
        in_flight = sum(count["in_flight"] for count in counts)
        sums.show_in_flight(lambda: in_flight)
        sums.workers = lambda: len(alive)
        return sums


def _sum(snapshots: Iterable[dict[str, Any]]) -> Metrics:
    sums = Metrics()
    for snapshot in snapshots:
        add_snapshot(sums, snapshot)
    return sums
