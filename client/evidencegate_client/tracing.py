"""Passes a caller's W3C trace context on, so that the server's log lines can be found by the trace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

TRACEPARENT = "traceparent"

_FORM = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[\x21-\x7e]*)?", re.ASCII)
_MAX_CHARS = 256

_current: ContextVar[str] = ContextVar("evidencegate_traceparent", default="")


@contextmanager
def trace_context(traceparent: str | None) -> Iterator[None]:
    """Sends this `traceparent` with every call inside the block, in this thread or task and in those it makes.

    What is none is not sent and not complained of: it mostly is the header of a request from outside.
    """
    usable = isinstance(traceparent, str) and len(traceparent) <= _MAX_CHARS and _FORM.fullmatch(traceparent)
    token = _current.set(str(traceparent) if usable else "")
    try:
        yield
    finally:
        _current.reset(token)


def trace_metadata() -> tuple[tuple[str, str], ...]:
    """Returns what a call carries of the trace context around it."""
    current = _current.get()
    return ((TRACEPARENT, current),) if current else ()
