"""Lists every rule once, by hand: what is not in this list does not run."""

from __future__ import annotations

from typing import Final

from evidencegate_server.rules.base import Rule
from evidencegate_server.rules.evidence_excerpt_mismatch import ExcerptMismatch
from evidencegate_server.rules.evidence_excerpt_uninformative import ExcerptUninformative
from evidencegate_server.rules.evidence_invocation_missing import InvocationMissing
from evidencegate_server.rules.evidence_invocation_ref import InvocationRef
from evidencegate_server.rules.evidence_invocation_status import InvocationStatusFits
from evidencegate_server.rules.evidence_raw_path import RawPath
from evidencegate_server.rules.evidence_raw_path_missing import RawPathMissing
from evidencegate_server.rules.evidence_refs_unavailable import RefsUnavailable
from evidencegate_server.rules.schema_executor_v2 import SchemaExecutorV2
from evidencegate_server.rules.scope_narrow_claims import NarrowClaims

RULES: Final[tuple[type[Rule], ...]] = (
    ExcerptMismatch,
    ExcerptUninformative,
    InvocationMissing,
    InvocationRef,
    InvocationStatusFits,
    NarrowClaims,
    RawPath,
    RawPathMissing,
    RefsUnavailable,
    SchemaExecutorV2,
)


def unique_by_id(rules: tuple[type[Rule], ...]) -> dict[str, type[Rule]]:
    """Returns the rules by ID; raises ValueError where two of them have the same ID."""
    by_id: dict[str, type[Rule]] = {}
    for rule in rules:
        if rule.id in by_id:
            raise ValueError(f"two rules have the ID {rule.id!r}: {by_id[rule.id].__name__} and {rule.__name__}")
        by_id[rule.id] = rule
    return by_id


RULES_BY_ID: Final = unique_by_id(RULES)
