"""Summarizes a session's tool calls."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.trace.kinds import resolve_kinds
from evidencegate_server.trace.model import TraceSummary
from evidencegate_server.trace.summary import summarize_trace


def summarize(invocations: Iterable[Invocation], catalog: Catalog, keep: Collection[str] = frozenset()) -> TraceSummary:
    """Returns the trace summary under the catalog's tool registry and bounds.

    `keep` names the invocations whose items must be there even where the bounds leave others out.
    """
    return summarize_trace(resolve_kinds(tuple(invocations), catalog.tools), catalog.tools, catalog.trace, keep)
