"""What is the same for every process that the server starts: where it finds its modules, and how its end is told."""

from __future__ import annotations

import contextlib
import os
import signal
import sys


def child_environment() -> dict[str, str]:
    """Returns the environment of a child: it finds its modules where this process found them."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def how_it_ended(code: int) -> str:
    """Returns the end of a process in words: `with status 1`, `by SIGKILL`."""
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"by {signal.Signals(-code).name}"
    return f"with status {code}"
