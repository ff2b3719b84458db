"""Sets what concerns the whole process: its garbage, its memory, and how its threads take turns."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# How long the worker may keep the interpreter while the loop waits for it. A small call waits some eight times on
# its way through gRPC, so the default of 5 ms would cost it 40 ms; only a wait makes the interpreter switch so often.
SWITCH_INTERVAL_SECONDS = 0.0001

# A request makes some thousand small objects and no cycle that outlives it. With the default of 700 the collector would
# run several times within each request and find nothing.
COLLECT_AFTER_OBJECTS = 50_000

# What the C library keeps of freed memory instead of giving it back. By default it is a few hundred kB, so that each
# request over 350 kB got all of its memory from the system anew, page by page: more than half of its time.
KEEP_FREED_BYTES = 32 << 20
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h


@contextmanager
def loading() -> Iterator[None]:
    """Keeps the collector still while modules and catalog are loaded, and what is loaded out of its sight afterwards.

    All of that lives as long as the process. Walking it again and again was a tenth of the start and half of a request.
    Pydantic looks for no plugins of other packages in the meantime: that reads the metadata of everything installed,
    and what a rule accepts must not depend on it.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def tune_process() -> None:
    """Makes threads take turns often enough for the loop, the collector rare, and freed memory stay at hand."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER_OBJECTS, 10, 10)
    _keep_freed_memory()


def _keep_freed_memory() -> None:
    """Raises the bounds from which on glibc gives memory back; other C libraries are left as they are."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, KEEP_FREED_BYTES)
        mallopt(_M_MMAP_THRESHOLD, KEEP_FREED_BYTES)
