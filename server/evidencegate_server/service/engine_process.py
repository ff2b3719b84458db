"""Keeps a second process that works on heavy calls, so that neither the event loop nor its interpreter is at them.

What a call gives does not depend on where it is worked on: both processes have the same code and the same catalog, and
what the engine process cannot do it leaves to the server. Should it die, it is replaced; the call that it had is told
to try again and not worked on in the server, which might die of it as well.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from typing import Final, cast

import orjson

from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.records import record
from evidencegate_server.service.children import child_environment, how_it_ended
from evidencegate_server.service.engine_wire import (
    ANSWER,
    HEAD,
    LOADED,
    METHODS,
    ORDER,
    EngineOrder,
    message,
    read_answer,
)
from evidencegate_server.service.logs import Logger
from evidencegate_server.service.servicers import Answer
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.use_cases.errors import DependencyFailedError

# The server's modules are found where it found them, and nothing is looked for in the folder it stands in.
_COMMAND: Final = (sys.executable, "-P", "-m", "evidencegate_server.service.engine_child")

_FIRST_WAIT_SECONDS: Final = 0.2
_LONGEST_WAIT_SECONDS: Final = 30.0
# One that was at work for so long was not broken from the start.
_SOUND_AFTER_SECONDS: Final = 30.0


class EngineProcess:
    """The engine process of one server, from one replacement to the next. Lives on the event loop."""

    def __init__(self, order: EngineOrder, logger: Logger) -> None:
        self.pid: int | None = None
        self._order = order
        self._logger = logger
        self._connection: _Connection | None = None
        self._decided = asyncio.Event()
        self._turn = asyncio.Lock()
        self._keeping = asyncio.ensure_future(self._keep())

    async def decided(self) -> None:
        """Returns when the first process takes calls, or has ended before it did."""
        await self._decided.wait()

    def takes(self, method: str) -> bool:
        """Returns whether calls of this method are worked on there at present, in their turn."""
        return self._connection is not None and method in METHODS

    async def answer(self, method: str, request: bytes) -> Answer | None:
        """Returns the answer, None where the server has to work on the call itself.

        One call at a time, first come, first served: what waits is still here, and never begun when its caller goes.
        Raises DependencyFailedError where the process died of it, or beside it.
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
        transport, connection = await loop.create_unix_connection(lambda: _Connection(loop), sock=ours)
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


class _Connection(asyncio.Protocol):
    """The server's end. There is at most one call that is asked and not yet answered."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loaded: asyncio.Future[str | None] = loop.create_future()  # the digest of its catalog
        self.lost: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._asked: asyncio.Future[Answer | None] | None = None
        self._received = bytearray()

    def ask(self, method: int, request: bytes) -> asyncio.Future[Answer | None]:
        """Returns what will be the answer, or None where the server has to work on the call itself."""
        answer: asyncio.Future[Answer | None] = self._loop.create_future()
        if self.lost.done():
            answer.set_result(None)  # it never had the call
            return answer
        self._asked = answer
        self.send(method, request)
        return answer

    def send(self, kind: int, body: bytes) -> None:
        """Sends a message."""
        assert self._transport is not None
        self._transport.write(message(kind, body))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes the way to send by."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are of no such class

    def data_received(self, data: bytes) -> None:
        """Takes what came, which may be a part of a message."""
        received = self._received
        received += data
        if len(received) < HEAD.size:
            return
        kind, length = HEAD.unpack_from(received)
        if len(received) >= HEAD.size + length:
            body = bytes(received[HEAD.size : HEAD.size + length])
            del received[: HEAD.size + length]
            self._take(kind, body)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # the protocol's
        """Tells everybody who waits."""
        if not self.loaded.done():
            self.loaded.set_result(None)
        if self._asked is not None and not self._asked.done():
            self._asked.set_exception(DependencyFailedError("the process that worked on this call ended; try again"))
            self._asked.exception()  # looked at, though its caller may be gone
        if not self.lost.done():
            self.lost.set_result(None)

    def _take(self, kind: int, body: bytes) -> None:
        if kind == LOADED:
            self.loaded.set_result(body.decode())
        elif self._asked is not None:
            asked, self._asked = self._asked, None
            asked.set_result(read_answer(body) if kind == ANSWER else None)


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
