"""Keeps a heavy request from stalling the small ones beside it, and shares small ones out where there are many.

The event loop works on small requests itself: handing a fraction of a millisecond of work to a thread costs more than
the work. A request over a size goes to the engine process (see there), first come, first served; where there is none,
or it leaves a call to the server, to one worker thread. Loop and thread share the interpreter lock, so the loop gets
its turn within the switch interval that `process` sets; the long steps are sequences of short C calls, which makes that
interval hold.

One thread is enough: a second one could not run at the same time and would double the memory that is held at once.

Where small calls overlap, the engine process takes them too, as many as it is soon through with, and the loop works
on the rest: so both cores work. A call that comes alone stays on the loop, where its answer is sooner by the way to
another process and back. What Validate made for a Judge is known to its own process alone; the other makes it anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from evidencegate_server.service.engine_process import EngineProcess
    from evidencegate_server.service.servicers import Answer, Pending

_Result = TypeVar("_Result")

# How many calls are shared out after two were seen to overlap. gRPC brings one call at a time, and a loop that works on
# each at once seldom sees the next one coming, however many wait in front of the server.
_CROWDED_FOR_CALLS: Final = 4


class Lanes:
    """Runs work in the lane that fits its size."""

    def __init__(self, heavy_bytes: int) -> None:
        self.engine: EngineProcess | None = None
        self._heavy_bytes = heavy_bytes
        self._unsent = 0  # small calls whose answer was made here and is not on its way yet
        self._crowded_for = 0
        self._at_work = 0  # of the worker alone, which does one thing at a time
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evidencegate-heavy")

    def is_heavy(self, request_bytes: int) -> bool:
        """Says whether a request of this size is worked on beside the loop."""
        return request_bytes > self._heavy_bytes

    async def answer(self, method: str, work: Callable[[bytes], Answer | Pending], request: bytes) -> Answer | Pending:
        """Returns `work(request)`, which is the method of this name, from whichever process is to work on it."""
        engine = self.engine
        if engine is None or not engine.takes(method):
            return await self.run(len(request), work, request)
        made: Answer | None = None
        if self.is_heavy(len(request)):
            made = await engine.answer(method, request)
        else:
            handed_over = engine.hand_over(method, request) if self._is_crowded(engine) else None
            if handed_over is not None:
                made = await handed_over
            else:
                self._count_until_sent()
        return await self.run(len(request), work, request) if made is None else made

    def _is_crowded(self, engine: EngineProcess) -> bool:
        """Returns whether a small call that begins now overlaps with another one, or one of the last few did."""
        if self._unsent or engine.light_calls:
            self._crowded_for = _CROWDED_FOR_CALLS
        elif self._crowded_for:
            self._crowded_for -= 1
        return self._crowded_for > 0

    def _count_until_sent(self) -> None:
        """Counts the call of the present task as one in flight until gRPC, whose task it is, has sent the answer."""
        task = asyncio.current_task()
        assert task is not None
        self._unsent += 1
        task.add_done_callback(self._sent)

    def _sent(self, _task: asyncio.Task[object]) -> None:
        self._unsent -= 1

    async def run(self, request_bytes: int, work: Callable[[bytes], _Result], request: bytes) -> _Result:
        """Returns `work(request)`; heavy work that was cancelled before its turn is never started."""
        if not self.is_heavy(request_bytes):
            return work(request)
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._work, work, request)

    @property
    def is_at_work(self) -> bool:
        """Whether the worker thread is at something, be it for a caller who has gone."""
        return self._at_work > 0

    def _work(self, work: Callable[[bytes], _Result], request: bytes) -> _Result:
        self._at_work += 1
        try:
            return work(request)
        finally:
            self._at_work -= 1

    def close(self) -> None:
        """Drops what is queued and lets the worker end after what it is at."""
        self._worker.shutdown(wait=False, cancel_futures=True)
