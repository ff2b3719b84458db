"""Knows the envelope that an API wraps its answer in: that a query succeeded says nothing of what it returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.judge.records.model import Record, RecordKind

_PAYLOADS: Final = frozenset(
    {"data", "result", "results", "items", "rows", "records", "hits", "list", "response", "payload", "content", "body"}
)
# What an envelope has beside its payload; an object with any other key is a thing of its own.
_OWN: Final = frozenset(
    {"status", "success", "ok", "code", "error", "errors", "errortype", "errormessage", "error_message", "message"}
    | {"msg", "reason", "took", "timed_out", "total", "count", "page", "pagesize", "page_size", "size", "warnings"}
    | {"infos", "time", "timestamp", "requestid", "request_id", "traceid", "trace_id", "isokay", "iserror", "state"}
    | {"resulttype", "statuscode", "status_code", "version", "kind", "apiversion", "resultcode", "returncode"}
)
_SAYS: Final = frozenset({"status", "success", "ok", "message", "msg", "state", "isokay", "code", "reason"})


def envelopes(
    records: Sequence[Record], children: Sequence[Sequence[int]]
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yields by record where an envelope says how the call went."""
    for one in records:
        if one.parent >= 0 or one.kind is not RecordKind.OBJECT or not one.cells:
            continue
        if not any(records[child].label.lower() in _PAYLOADS for child in children[one.index]):
            continue
        if all(cell.key.lower() in _OWN for cell in one.cells):
            yield one.index, [(cell.start, cell.end) for cell in one.cells if cell.key.lower() in _SAYS]
