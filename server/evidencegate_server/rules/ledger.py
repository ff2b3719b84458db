"""Gathers what the checks said, and counts it as the catalog says."""

from __future__ import annotations

from typing import Final, TypeAlias

from evidencegate_server.contract.model import Notice
from evidencegate_server.contract.records import record
from evidencegate_server.rules.base import NOT_APPLICABLE, Checked, CheckNotRunError
from evidencegate_server.rules.model import BindingCheck, Fault, Finding, RuleEntry, RuleError
from evidencegate_server.words import Outcome, Severity

_RANK: Final = {Severity.NONE: 0, Severity.LOW_CONFID: 1, Severity.REJECT: 2}

DISABLED: Final = "disabled"

Heard: TypeAlias = Checked | str  # what a check found, or why it could not run


def told(error: Exception) -> str:
    """Returns what may be said of a check that raised: its type alone, since its text could quote evidence."""
    name = type(error).__name__
    return f"{name}: {error}" if isinstance(error, CheckNotRunError) else name


def outcome_of(heard: Heard) -> Outcome:
    """Returns the outcome that a check's answer stands for."""
    if heard is NOT_APPLICABLE:
        return Outcome.NOT_APPLICABLE
    if isinstance(heard, str):
        return Outcome.ERROR
    return Outcome.FAIL if heard else Outcome.PASS


@record
class RulesReport:
    """What all rules found in one output, in the order of the output. `severity` is the worst that counts."""

    severity: Severity
    failed_rules: tuple[str, ...]
    findings: tuple[Finding, ...]
    uncounted_findings: tuple[Finding, ...]
    rule_errors: tuple[RuleError, ...]
    warnings: tuple[Notice, ...]
    bindings: tuple[BindingCheck, ...]


class Ledger:
    """What was found so far in one output."""

    def __init__(self) -> None:
        self.warnings: list[Notice] = []
        self.bindings: list[BindingCheck] = []
        self._severity = Severity.NONE
        self._failed: set[str] = set()
        self._findings: list[Finding] = []
        self._uncounted: list[Finding] = []
        self._errors: list[RuleError] = []

    def record(
        self, entry: RuleEntry, heard: Heard, place: str, claim_index: int | None, binding_index: int | None
    ) -> None:
        """Keeps what a check said. Only a failure of an enabled rule counts; a check that could not run always does."""
        if heard is NOT_APPLICABLE or not heard:
            return
        if isinstance(heard, str):
            counts = entry.enabled and entry.severity is not Severity.NONE
            severity = entry.severity if counts else Severity.LOW_CONFID
            self._errors.append(RuleError(entry.id, place, heard, severity, entry.version, claim_index, binding_index))
            self._count(entry.id, severity)
            return
        kept = self._findings if entry.enabled else self._uncounted
        kept.extend(_finding(entry, fault, claim_index, binding_index) for fault in heard)
        if entry.enabled:
            self._count(entry.id, entry.severity)

    def warn(self, entry: RuleEntry, heard: Heard) -> None:
        """Keeps what a check said that only warns. That it could not run counts as for any other."""
        if isinstance(heard, str):
            self.record(entry, heard, "", None, None)
        elif heard is not NOT_APPLICABLE and entry.enabled:
            self.warnings += (Notice(entry.id, fault.message, fault.place) for fault in heard)

    def report(self) -> RulesReport:
        """Returns everything in its final form."""
        return RulesReport(
            severity=self._severity,
            failed_rules=tuple(sorted(self._failed)),
            findings=tuple(self._findings),
            uncounted_findings=tuple(self._uncounted),
            rule_errors=tuple(self._errors),
            warnings=tuple(self.warnings),
            bindings=tuple(self.bindings),
        )

    def _count(self, rule_id: str, severity: Severity) -> None:
        self._failed.add(rule_id)
        if _RANK[severity] > _RANK[self._severity]:
            self._severity = severity


def _finding(entry: RuleEntry, fault: Fault, claim_index: int | None, binding_index: int | None) -> Finding:
    return Finding(
        rule_id=entry.id,
        rule_version=entry.version,
        severity=entry.severity,
        place=fault.place,
        reason=fault.reason,
        message=fault.message,
        quoted=fault.quoted,
        why=entry.why,
        fix=entry.fix,
        claim_index=fault.claim_index if claim_index is None else claim_index,
        binding_index=binding_index,
        uncounted_reason="" if entry.enabled else DISABLED,
    )
