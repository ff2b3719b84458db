"""Says where a call comes from: the caller's name, and its place in a distributed trace (W3C trace context)."""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Final

from evidencegate_server.contract.records import record

TRACEPARENT: Final = "traceparent"

# Version 00 has exactly this; a later version may go on after a further dash. ff is no version.
_TRACEPARENT = re.compile(r"(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?", re.ASCII)
_MAX_TRACEPARENT_CHARS: Final = 256
_NO_TRACE: Final = "0" * 32
_NO_SPAN: Final = "0" * 16


@record
class Origin:
    """Where a call comes from. All empty where nobody said so; `span_id` is the span of the caller that called."""

    caller: str = ""
    trace_id: str = ""
    span_id: str = ""

    def log_values(self) -> dict[str, str]:
        """Returns what a line of the log says of it: what is known, and nothing else."""
        if self is NOWHERE:  # most calls
            return {}
        values = (("caller", self.caller), ("trace_id", self.trace_id), ("span_id", self.span_id))
        return {name: value for name, value in values if value}


NOWHERE: Final = Origin()

_current: ContextVar[Origin] = ContextVar("evidencegate_call_origin", default=NOWHERE)


def set_origin(origin: Origin) -> None:
    """Remembers for the rest of this call where it comes from."""
    _current.set(origin)


def current_origin() -> Origin:
    """Returns where the call at work comes from."""
    return _current.get()


def read_traceparent(value: str) -> tuple[str, str]:
    """Returns trace ID and span ID of a `traceparent`, two empty texts for one that is none."""
    if len(value) > _MAX_TRACEPARENT_CHARS:
        return "", ""
    found = _TRACEPARENT.fullmatch(value)
    if found is None or (found[1] == "00" and found[4]) or found[2] == _NO_TRACE or found[3] == _NO_SPAN:
        return "", ""
    return found[2], found[3]
