"""Makes calls and policies for tests of the trace summary."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.trace.policy import TraceBounds, TracePolicy
from evidencegate_server.words import InvocationStatus

from tests.support import ROOT


@cache
def shipped() -> Catalog:
    """Returns the catalog of the project."""
    return load_catalog(ROOT / "rules")


POLICY = shipped().trace
BOUNDS = POLICY.bounds


def policy(**bounds: int) -> TracePolicy:
    """Returns the project's policy with other bounds."""
    return POLICY.model_copy(update={"bounds": TraceBounds.model_validate(BOUNDS.model_dump() | bounds)})


def call(call_id: str = "1", tool: str = "query_logs", output: str = "one line", **fields: object) -> Invocation:
    """Makes a successful call."""
    return replace(Invocation(call_id, tool, InvocationStatus.SUCCESS, output=output), **fields)  # type: ignore[arg-type]
