"""Holds one worker process: starts it, hears what it says, and knows how it ended."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any, Final

from evidencegate_server.service.children import child_environment, how_it_ended
from evidencegate_server.workers.messages import COUNTS, MAX_LINE_BYTES, READY, REFUSED, Order, line_of, read_line

# The parent's modules are found where the parent found them, and nothing is looked for in the folder it stands in.
_COMMAND: Final = (sys.executable, "-P", "-m", "evidencegate_server.workers.worker")


class Worker:
    """One process. `ready` is done when it serves, with what it says of its rules, or when it ended before."""

    def __init__(self, number: int, process: Process) -> None:
        self.number = number
        self.pid = process.pid
        self.ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.problem = ""  # why it could not serve, in its own words
        self.counts: dict[str, Any] | None = None
        self._asked = 0  # questions are numbered, so that an answer to an older one is known as such
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._process = process
        self._ended = asyncio.ensure_future(self._hear())

    @classmethod
    async def start(cls, order: Order) -> Worker:
        """Starts a process and gives it its order."""
        process = await asyncio.create_subprocess_exec(
            *_COMMAND,
            stdin=PIPE,
            stdout=PIPE,
            limit=MAX_LINE_BYTES,
            env=child_environment(),
            # Of its own, so that Ctrl-C reaches the parent alone, which passes it on once.
            process_group=0,
        )
        worker = cls(order.number, process)
        worker._send(order.model_dump_json().encode() + b"\n")
        return worker

    @property
    def serves(self) -> bool:
        """Whether it says so and has not ended."""
        return self.ready.done() and not self.ready.cancelled() and not self._ended.done()

    async def ended(self) -> str:
        """Returns how it ended, once it has."""
        code = await asyncio.shield(self._ended)
        return how_it_ended(code)

    def send(self, event: str, **values: Any) -> None:
        """Says something to it; a worker that has ended hears nothing."""
        self._send(line_of(event, **values))

    def signal(self, number: signal.Signals) -> None:
        """Sends it a signal."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def ask_for_counts(self) -> None:
        """Returns when its counts are at least as new as this question; waits for as long as the worker lives."""
        self._asked += 1
        number = self._asked
        answered = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self.send(COUNTS, number=number)
            await asyncio.wait((answered, self._ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._waiting[number]

    def _send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(line)

    async def _hear(self) -> int:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):  # a line that is none: what comes after it cannot be trusted either
            while line := await self._process.stdout.readline():
                self._take(*read_line(line))
        code = await self._process.wait()
        if not self.ready.done():
            self.ready.cancel()
        return code

    def _take(self, event: str, values: dict[str, Any]) -> None:
        if event == READY and not self.ready.done():
            self.ready.set_result(str(values["rule_set"]))
        elif event == REFUSED:
            self.problem = str(values["problem"])
        elif event == COUNTS:
            answer = values.pop("number")
            self.counts = values
            for number, waiting in self._waiting.items():
                if number <= answer and not waiting.done():
                    waiting.set_result(None)
