"""Sets what concerns the whole process: when its garbage is collected and how its threads take turns."""

from __future__ import annotations

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
    """Makes threads take turns often enough for the loop, and the collector rare."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER_OBJECTS, 10, 10)
