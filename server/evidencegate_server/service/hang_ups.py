"""Tells the two meanings of SIGHUP apart."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

_TERMINAL_GOES_SECONDS = 0.5


class HangUps:
    """Tells what SIGHUP means: that files are to be read again, or that the terminal of this process was closed.

    Under nohup the process goes on without its terminal.
    """

    def __init__(self, stop: Callable[[], None], look: Callable[[], None]) -> None:
        self._had_terminal = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and _has_terminal()
        self._stop = stop
        self._look = look

    def listen(self) -> None:
        """Answers SIGHUP from now on, in the running event loop."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._hung_up)

    def _hung_up(self) -> None:
        self._look()
        # Who is told that the terminal is gone can be told before it is.
        asyncio.get_running_loop().call_later(_TERMINAL_GOES_SECONDS, self._stop_without_terminal)

    def _stop_without_terminal(self) -> None:
        if self._had_terminal and not _has_terminal():
            self._stop()


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True
