"""The server's end of the socket to its engine process: which calls that one has, and what came of them."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, cast

from evidencegate_server.contract.records import record
from evidencegate_server.service.engine_wire import ANSWER, HEAD, LOADED, message, read_answer
from evidencegate_server.service.servicers import Answer
from evidencegate_server.use_cases.errors import DependencyFailedError

# What the process may hold at once: so many calls of Validate that the next lies ready when one is done.
PLACES: Final = 6

_ENDED: Final = "the process that worked on this call ended; try again"


@record
class _Asked:
    """A call that the process has."""

    answer: asyncio.Future[Answer | None]
    places: int
    light: bool


class Connection(asyncio.Protocol):
    """The server's end. Answers come in the order in which they were asked for."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loaded: asyncio.Future[str | None] = loop.create_future()  # the digest of its catalog
        self.lost: asyncio.Future[None] = loop.create_future()
        self.taken = 0  # places
        self.light_calls = 0
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._asked: deque[_Asked] = deque()
        self._received = bytearray()

    def ask(
        self, method: int, request: bytes, places: int = PLACES, *, light: bool = False
    ) -> asyncio.Future[Answer | None]:
        """Returns what will be the answer, or None where the server has to work on the call itself.

        A heavy call takes all places. What is asked while they are taken is worked on after what is there.
        """
        answer: asyncio.Future[Answer | None] = self._loop.create_future()
        if self.lost.done():
            answer.set_result(None)  # it never had the call
            return answer
        self._asked.append(_Asked(answer, places, light))
        self.taken += places
        self.light_calls += light
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
        """Takes what came, which may be several messages and a part of one."""
        received = self._received
        received += data
        begin = 0
        while len(received) - begin >= HEAD.size:
            kind, length = HEAD.unpack_from(received, begin)
            end = begin + HEAD.size + length
            if len(received) < end:
                break
            self._take(kind, bytes(received[begin + HEAD.size : end]))
            begin = end
        del received[:begin]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # the protocol's
        """Tells everybody who waits."""
        if not self.loaded.done():
            self.loaded.set_result(None)
        for asked in self._asked:
            if not asked.answer.done():
                asked.answer.set_exception(DependencyFailedError(_ENDED))
                asked.answer.exception()  # looked at, though its caller may be gone
        self._asked.clear()
        self.taken = self.light_calls = 0
        if not self.lost.done():
            self.lost.set_result(None)

    def _take(self, kind: int, body: bytes) -> None:
        if kind == LOADED:
            self.loaded.set_result(body.decode())
            return
        asked = self._asked.popleft()
        self.taken -= asked.places
        self.light_calls -= asked.light
        if not asked.answer.done():  # its caller is still there
            asked.answer.set_result(read_answer(body) if kind == ANSWER else None)
