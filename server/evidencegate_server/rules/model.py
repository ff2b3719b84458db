"""Holds the rules as the catalog describes them, and what came of running them."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from evidencegate_server.contract.model import Notice
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Span
from evidencegate_server.words import EvidenceKind, GatekeeperStatus, Outcome, Resolution, Severity


class RuleParameters(BaseModel):
    """The base of every rule's parameters: frozen, strict, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@record
class RuleEntry:
    """One rule as the catalog has it. `enabled` decides whether a failure counts, never whether the check runs."""

    id: str
    version: int
    description: str
    why: str
    fix: str
    severity: Severity
    enabled: bool
    status: str
    parameters: RuleParameters


@record
class RuleSet:
    """All rules of a catalog by ID in alphabetical order, with what results say about their origin."""

    rule_set_version: str
    catalog_digest: str
    entries: tuple[RuleEntry, ...]

    def entry(self, rule_id: str) -> RuleEntry:
        """Returns the rule's entry; raises KeyError for an ID that the catalog does not have."""
        for entry in self.entries:
            if entry.id == rule_id:
                return entry
        raise KeyError(rule_id)


@record
class Fault:
    """What a rule's code says of one failure. Severity, version, why and fix come from the catalog, not from here.

    `reason` is a stable word inside the rule; `quoted` is what was looked at, shortened to 200 code points.
    `claim_index` is for checks of the whole output; a check of one claim or binding leaves it out.
    """

    reason: str
    message: str
    place: str = ""
    quoted: str = ""
    claim_index: int | None = None


@record
class Finding:
    """A fault with the rule that found it."""

    rule_id: str
    rule_version: int
    severity: Severity
    place: str
    reason: str
    message: str
    quoted: str
    why: str
    fix: str
    claim_index: int | None = None
    binding_index: int | None = None
    uncounted_reason: str = ""


@record
class RuleError:
    """A rule that raised or could not run.

    `message` names the exception's type alone: its text could quote evidence. `severity` is low_confid at least.
    """

    rule_id: str
    place: str
    message: str
    severity: Severity = Severity.LOW_CONFID
    rule_version: int = 0
    claim_index: int | None = None
    binding_index: int | None = None


class BindingStep(NamedTuple):
    """One check of a binding. A named tuple, since chains of them are looked up by value: their hash is C code."""

    step: str
    rule_id: str
    outcome: Outcome


@record
class BindingCheck:
    """How one binding fared. `verified` is true exactly where every step passed.

    `claim_id` and `evidence_excerpt` are shortened to 200 code points; the indexes and `place` identify the binding.
    """

    place: str
    claim_index: int
    binding_index: int
    claim_id: str
    verified: bool
    resolution: Resolution
    invocation_id: str
    tool_name: str
    raw_path: str
    kind: EvidenceKind | None
    steps: tuple[BindingStep, ...]
    tier: str = ""
    spans: tuple[Span, ...] = ()
    flags: tuple[str, ...] = ()
    mismatch_reason: str = ""
    evidence_excerpt: str = ""


@record
class GatekeeperResult:
    """The Gatekeeper's answer. `rules` are the enabled entries; `fallback` marks one that a client made up."""

    status: GatekeeperStatus
    severity: Severity
    failed_rules: tuple[str, ...]
    warnings: tuple[Notice, ...]
    notes: tuple[Notice, ...]
    findings: tuple[Finding, ...]
    uncounted_findings: tuple[Finding, ...]
    rule_errors: tuple[RuleError, ...]
    bindings: tuple[BindingCheck, ...]
    rule_set: RuleSet
    input_digest: str
    engine_version: str
    fallback: bool = False
