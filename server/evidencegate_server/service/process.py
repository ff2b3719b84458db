"""Sets what concerns the whole process. Only `serve` does so, once the catalog is loaded."""

from __future__ import annotations

import gc
import sys

# How long the worker may keep the interpreter while the loop waits for it. A small call waits some eight times on
# its way through gRPC, so the default of 5 ms would cost it 40 ms; only a wait makes the interpreter switch so often.
SWITCH_INTERVAL_SECONDS = 0.0001

# A request makes some thousand small objects and no cycle that outlives it. With the default of 700 the collector would
# run several times within each request and find nothing.
COLLECT_AFTER_OBJECTS = 50_000


def tune_process() -> None:
    """Makes threads take turns often enough for the loop, and takes what is loaded out of the collector's sight.

    Modules and catalog live as long as the process; walking them again and again was half of the time of a request.
    """
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER_OBJECTS, 10, 10)
