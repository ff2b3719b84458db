"""What parent and worker say to each other: one JSON object a line, over the worker's standard input and output.

The parent's first line is the order; then it asks for the counts, or to look at the files again. The end of the input
is the end of the parent. A worker says that it serves or why it cannot, its counts where it is asked for them (with the
number of the question), and its last counts when it ends (number 0).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import BaseModel, ConfigDict

from evidencegate_server.service.settings import ServerSettings

# A worker's counts have some ten kB. What is longer is none of ours.
MAX_LINE_BYTES: Final = 4 * 1024 * 1024

COUNTS: Final = "counts"
LOOK: Final = "look"
READY: Final = "ready"
REFUSED: Final = "refused"


class Order(BaseModel):
    """What a worker is to do: serve with these settings, on ports that the parent keeps.

    `folder` is where the parent keeps its files; a worker removes it where the parent could not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    settings: ServerSettings
    folder: Path


def line_of(event: str, **values: Any) -> bytes:
    """Returns a message as it is sent."""
    return orjson.dumps({"event": event, **values}) + b"\n"


def read_line(line: bytes) -> tuple[str, dict[str, Any]]:
    """Returns the event and its values; raises ValueError for what is no message."""
    values = orjson.loads(line)
    if not isinstance(values, dict) or not isinstance(values.get("event"), str):
        raise ValueError("a message is an object with an event")
    return values.pop("event"), values
