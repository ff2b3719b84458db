"""Keeps a second process that works on heavy calls, so that neither the event loop nor its interpreter is at them.

It works on light calls as well where there are many (see `lanes`). It has a few of them at a time, so that the next one
lies ready when one is done, and never any behind a heavy one.

What a call gives does not depend on where it is worked on: both processes have the same code and the same catalog, and
what the engine process cannot do it leaves to the server. Should it die, it is replaced; the calls that it had are told
to try again and not worked on in the server, which might die of them as well.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from typing import Final

import orjson

from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.records import record
from evidencegate_server.service.children import child_environment, how_it_ended
from evidencegate_server.service.engine_connection import PLACES, Connection
from evidencegate_server.service.engine_wire import METHODS, ORDER, EngineOrder
from evidencegate_server.service.logs import Logger
from evidencegate_server.service.servicers import Answer
from evidencegate_server.service.settings import ServerSettings

# The server's modules are found where it found them, and nothing is looked for in the folder it stands in.
_COMMAND: Final = (sys.executable, "-P", "-m", "evidencegate_server.service.engine_child")

_FIRST_WAIT_SECONDS: Final = 0.2
_LONGEST_WAIT_SECONDS: Final = 30.0
# One that was at work for so long was not broken from the start.
_SOUND_AFTER_SECONDS: Final = 30.0


# Places that a light call takes. One of another method may take long and takes all, so that nothing waits behind it.
_PLACES_OF: Final = {method: 1 if method == "Gatekeeper/Validate" else PLACES for method in METHODS}


class EngineProcess:
    """The engine process of one server, from one replacement to the next. Lives on the event loop."""

    def __init__(self, order: EngineOrder, logger: Logger) -> None:
        self.pid: int | None = None
        self._order = order
        self._logger = logger
        self._connection: Connection | None = None
        self._decided = asyncio.Event()
        self._turn = asyncio.Lock()
        self._keeping = asyncio.ensure_future(self._keep())

    async def decided(self) -> None:
        """Returns when the first process takes calls, or has ended before it did."""
        await self._decided.wait()

    def takes(self, method: str) -> bool:
        """Returns whether calls of this method are worked on there at present, in their turn."""
        return self._connection is not None and method in METHODS

    @property
    def light_calls(self) -> int:
        """How many light calls it has at present."""
        return 0 if self._connection is None else self._connection.light_calls

    def hand_over(self, method: str, request: bytes) -> asyncio.Future[Answer | None] | None:
        """Hands a light call over and returns what `answer` would; None where its turn there would not come soon.

        The future may be cancelled.
        """
        connection, places = self._connection, _PLACES_OF[method]
        if connection is None or connection.taken + places > PLACES:
            return None
        return connection.ask(METHODS.index(method), request, places, light=True)

    async def answer(self, method: str, request: bytes) -> Answer | None:
        """Returns the answer to a heavy call, None where the server has to work on it itself.

        One heavy call at a time, first come, first served: what waits is still here, and never begun when its caller
        goes. Raises DependencyFailedError where the process died of it, or beside it.
        """
        await self._turn.acquire()
        connection = self._connection
        if connection is None:
            self._turn.release()
            return None
        answer = connection.ask(METHODS.index(method), request)
        # Not when the caller is gone, but when the process is free.
        answer.add_done_callback(lambda _: self._turn.release())
        return await asyncio.shield(answer)

    async def close(self) -> None:
        """Ends it at once, with whatever it still works on for callers who have gone."""
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        wait_seconds = _FIRST_WAIT_SECONDS
        while True:
            began = loop.time()
            end = await self._run_one()
            self._decided.set()
            if end.for_good:
                self._logger.error("engine_process_refused", problem=end.how)
                return
            if loop.time() - began >= _SOUND_AFTER_SECONDS:
                wait_seconds = _FIRST_WAIT_SECONDS
            self._logger.error("engine_process_died", ended=end.how)
            await asyncio.sleep(wait_seconds)
            wait_seconds = min(2 * wait_seconds, _LONGEST_WAIT_SECONDS)

    async def _run_one(self) -> _End:
        """Has one process at work and returns how it ended."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            try:
                process = _start(theirs.fileno())
            except OSError as error:  # no memory or no process left; there may be one a little later
                return _End(f"before it began ({error.strerror})")
            theirs.close()
            try:
                problem = await self._let_it_work(process.pid, ours)
            finally:
                self.pid, self._connection = None, None
                process.kill()
                code = process.wait()  # for some milliseconds at most; nothing that is cancelled here leaves it behind
        return _End(problem, for_good=True) if problem else _End(how_it_ended(code))

    async def _let_it_work(self, pid: int, ours: socket.socket) -> str:
        """Returns when the process has gone, or why it is of no use: the rules may have been edited meanwhile."""
        loop = asyncio.get_running_loop()
        transport, connection = await loop.create_unix_connection(lambda: Connection(loop), sock=ours)
        try:
            connection.send(ORDER, orjson.dumps(self._order))
            digest = await connection.loaded
            if digest is None:
                return ""
            if digest != self._order.digest:
                return (
                    "the catalog in its folder is not the one any more that the server has loaded; restart the server"
                )
            self.pid, self._connection = pid, connection
            self._decided.set()
            await connection.lost
        finally:
            transport.abort()
        return ""


@record
class _End:
    """How a process ended, and whether another one would end like it."""

    how: str
    for_good: bool = False


def order_of(settings: ServerSettings, catalog: Catalog) -> EngineOrder:
    """Returns the order of a server that has loaded this catalog from the folder of its settings."""
    return EngineOrder(str(find_rules(settings.rules)), catalog.digest, settings.validations_bytes)


def is_wanted(settings: ServerSettings) -> bool:
    """Returns whether a server with these settings has an engine process: not set, where it has a core for one."""
    return has_second_core() if settings.engine_process is None else settings.engine_process


def has_second_core() -> bool:
    """Returns whether this process may run on more than one core."""
    affinity = getattr(os, "sched_getaffinity", None)
    return (len(affinity(0)) if affinity is not None else os.cpu_count() or 1) > 1


def _start(descriptor: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  # our own interpreter and arguments
        [*_COMMAND, str(descriptor)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=child_environment(),
        pass_fds=(descriptor,),
        process_group=0,  # of its own, so that Ctrl-C reaches the server alone
    )
