"""Keeps a heavy request from stalling the small ones beside it.

The event loop works on small requests itself: handing a fraction of a millisecond of work to a thread costs more than
the work. A request over a size goes to the engine process (see there), first come, first served; where there is none,
or it leaves a call to the server, to one worker thread. Loop and thread share the interpreter lock, so the loop gets
its turn within the switch interval that `process` sets; the long steps are sequences of short C calls, which makes that
interval hold.

One thread is enough: a second one could not run at the same time and would double the memory that is held at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from evidencegate_server.service.engine_process import EngineProcess
    from evidencegate_server.service.servicers import Answer, Pending

_Result = TypeVar("_Result")


class Lanes:
    """Runs work in the lane that fits its size."""

    def __init__(self, heavy_bytes: int) -> None:
        self.engine: EngineProcess | None = None
        self._heavy_bytes = heavy_bytes
        self._at_work = 0  # of the worker alone, which does one thing at a time
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evidencegate-heavy")

    def is_heavy(self, request_bytes: int) -> bool:
        """Says whether a request of this size is worked on beside the loop."""
        return request_bytes > self._heavy_bytes

    async def answer(self, method: str, work: Callable[[bytes], Answer | Pending], request: bytes) -> Answer | Pending:
        """Returns `work(request)`, which is the method of this name; a heavy one comes from the engine process."""
        if self.engine is not None and self.is_heavy(len(request)) and self.engine.takes(method):
            made = await self.engine.answer(method, request)
            if made is not None:
                return made
        return await self.run(len(request), work, request)

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
