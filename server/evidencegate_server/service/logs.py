"""Writes one JSON line a call to stderr. No text of evidence, claims or queries is in any line at info or above."""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, BinaryIO

import orjson

# A session ID is the caller's free text; a line stays a line.
MAX_SESSION_ID_CHARACTERS = 128


class Logger:
    """Writes the events of one level and above, each as a JSON object on a line of its own.

    A line has the event's values, `event`, `level` and `timestamp` (UTC, ISO 8601). Nothing about it is global, so that
    a test or a second server has another.
    """

    def __init__(self, least: int, stream: BinaryIO, **always: Any) -> None:
        self._least = least
        self._stream = stream
        self._always = always  # in every line

    def info(self, event: str, **values: Any) -> None:
        """Writes what an operator may want to know."""
        self._write(logging.INFO, "info", event, values)

    def error(self, event: str, **values: Any) -> None:
        """Writes a fault of ours."""
        self._write(logging.ERROR, "error", event, values)

    def _write(self, number: int, level: str, event: str, values: dict[str, Any]) -> None:
        if number < self._least:
            return
        timestamp = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        line = orjson.dumps(
            {**values, **self._always, "event": event, "level": level, "timestamp": timestamp}, default=str
        )
        # One write a line: lines of several threads do not mix.
        self._stream.write(line + b"\n")
        self._stream.flush()


def make_logger(level: str, stream: BinaryIO | None = None, **always: Any) -> Logger:
    """Returns a logger that writes events of a level (debug, info, warning, error) and above.

    `always` stands in every line, such as the number of a worker.
    """
    return Logger(logging.getLevelNamesMapping()[level.upper()], stream or sys.stderr.buffer, **always)


def describe_fault(error: BaseException) -> dict[str, Any]:
    """Returns the types and places of a fault and of its causes, without their messages: those can quote evidence."""
    chain: list[dict[str, Any]] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        chain.append({"type": type(current).__qualname__, "frames": _frames(current.__traceback__)})
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return {"fault": chain[0]["type"], "trace": chain}


def _frames(trace: TracebackType | None) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
