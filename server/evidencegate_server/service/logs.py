"""Writes one JSON line a call to stderr. No text of evidence, claims or queries is in any line at info or above."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import Any, BinaryIO, TypeAlias

import orjson

# structlog's console output imports rich wherever it is installed. A server writes JSON, and that import is a tenth of
# a second of its start; where there is no rich, structlog does without. So structlog is imported here and nowhere else.
_rich_is_new = "rich" not in sys.modules
if _rich_is_new:
    sys.modules["rich"] = None  # type: ignore[assignment]  # makes its import fail
try:
    import structlog
    from structlog.typing import FilteringBoundLogger
finally:
    if _rich_is_new:
        del sys.modules["rich"]

Logger: TypeAlias = FilteringBoundLogger

# A session ID is the caller's free text; a line stays a line.
MAX_SESSION_ID_CHARACTERS = 128


def make_logger(level: str, stream: BinaryIO | None = None) -> Logger:
    """Returns a logger of its own: nothing global is configured, so that a test or a second server has another."""
    logger: Logger = structlog.wrap_logger(
        structlog.BytesLogger(stream or sys.stderr.buffer),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=_dump),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=True,
    ).bind()
    return logger


def _dump(event: Any, **_: Any) -> bytes:
    return orjson.dumps(event, default=str)


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
