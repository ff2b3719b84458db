"""Counts what is left of a run: its time, and whether somebody ended it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from evidencegate_client.errors import ChatCancelledError, ChatUsageError

Clock = Callable[[], float]


class Cancellation:
    """Ends a run of the blocking orchestrator from another thread: its call in flight, and every further step.

    The run raises ChatCancelledError. A function of the caller's that is at work is not interrupted: it asks
    `cancelled` of its budget where it can stop early.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._end: Callable[[], Any] | None = None

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Ends the run; may be called at any time, from any thread, and more than once."""
        with self._lock:
            self._cancelled = True
            end = self._end
        if end is not None:
            end()

    def started(self, end: Callable[[], Any]) -> None:
        """Takes what ends the call in flight, for the orchestrator."""
        with self._lock:
            self._end = end
            cancelled = self._cancelled
        if cancelled:
            end()

    def raise_if_cancelled(self) -> None:
        """Raises ChatCancelledError where `cancel` was called."""
        if self._cancelled:
            raise ChatCancelledError


class Budget:
    """What is left of a run, for each function of the caller's to pass on to the models and tools that it calls.

    Planner, executor, verifier and composer have to leave `reserve_seconds` of the run, so that what was judged by then
    is still told and stored.
    """

    def __init__(
        self,
        deadline_seconds: float | None = None,
        reserve_seconds: float = 0.0,
        cancellation: Cancellation | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        if deadline_seconds is not None and not deadline_seconds > reserve_seconds >= 0:
            raise ChatUsageError(
                f"deadline_seconds is {deadline_seconds}; it must be more than the {reserve_seconds} s that are kept "
                "for the answer"
            )
        self._clock = clock
        self._end = None if deadline_seconds is None else clock() + deadline_seconds
        self._reserve = reserve_seconds
        self._cancellation = cancellation

    @property
    def cancelled(self) -> bool:
        """Whether the run was ended meanwhile."""
        return self._cancellation is not None and self._cancellation.cancelled

    def seconds_left(self) -> float | None:
        """Returns how long a function may still take, 0 where its time is up, None where the run has no deadline."""
        return self.left(last=False)

    def left(self, *, last: bool) -> float | None:
        """Returns the same; with `last` for the steps that the reserve is kept for."""
        if self._end is None:
            return None
        return max(0.0, self._end - self._clock() - (0.0 if last else self._reserve))
