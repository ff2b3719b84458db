"""Runs the rules over one output and gathers what they found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias, cast

from evidencegate_server.contract.model import Binding, Claim, ExecutorOutput, InvocationId, Notice, ParsedOutput
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.rules.base import NOT_APPLICABLE, BindingCase, Checked, CheckNotRunError, quote
from evidencegate_server.rules.chain import CLAIM_CONTRACT_KEPT, Chain, Check, Step
from evidencegate_server.rules.comparing import Comparer
from evidencegate_server.rules.evidence_excerpt_mismatch import ExcerptMismatch, ExcerptMismatchParameters
from evidencegate_server.rules.model import (
    BindingCheck,
    BindingStep,
    Fault,
    Finding,
    RuleEntry,
    RuleError,
    RuleSet,
)
from evidencegate_server.rules.schema_executor_v2 import SchemaExecutorV2, SchemaExecutorV2Parameters
from evidencegate_server.rules.texts import SearchableEvidence
from evidencegate_server.words import ExcerptStatus, Outcome, Resolution, Severity

_RANK: Final = {Severity.NONE: 0, Severity.LOW_CONFID: 1, Severity.REJECT: 2}

_Report: TypeAlias = tuple[RuleEntry, Checked | str]  # what a check found, or why it could not run


@dataclass(frozen=True, slots=True)
class RulesReport:
    """What all rules found in one output, in the order of the output. `severity` is the worst that counts."""

    severity: Severity
    failed_rules: tuple[str, ...]
    findings: tuple[Finding, ...]
    uncounted_findings: tuple[Finding, ...]
    rule_errors: tuple[RuleError, ...]
    warnings: tuple[Notice, ...]
    bindings: tuple[BindingCheck, ...]


def run_rules(
    parsed: ParsedOutput, evidence: SearchableEvidence, rule_set: RuleSet, policy: ExcerptPolicy, chain: Chain
) -> RulesReport:
    """Runs every rule of the chain over a parsed output and reports what they found.

    Deterministic, and total but for a rule set that lacks one of the chain's rules (KeyError): a check that raises
    becomes a rule error.
    """
    run = _Run(evidence, rule_set, policy, chain)
    run.check_output(parsed)
    return run.report()


@cache
def _binding_step(step: str, rule_id: str, outcome: Outcome) -> BindingStep:
    """Returns the one record of a step's outcome: there are few of them, and each binding needs eleven."""
    return BindingStep(step, rule_id, outcome)


class _Trail:
    """The steps of one binding so far, and what their checks had to say."""

    __slots__ = ("ended", "passed", "reports", "steps")

    def __init__(self) -> None:
        self.steps: list[BindingStep] = []
        self.reports: list[_Report] = []
        self.passed = 0
        self.ended = False


class _Run:
    """One pass over one output."""

    def __init__(self, evidence: SearchableEvidence, rule_set: RuleSet, policy: ExcerptPolicy, chain: Chain) -> None:
        self._evidence = evidence
        self._chain = chain
        first, *rest = chain.excerpt
        comparison = Check(ExcerptMismatch, self._compare)
        self._to_excerpt = (*chain.address, Step(first.name, (comparison, *first.checks)), *rest)
        self._entries = {entry.id: entry for entry in rule_set.entries}
        self._limits = cast(SchemaExecutorV2Parameters, self._entries[SchemaExecutorV2.id].parameters)
        mismatch = cast(ExcerptMismatchParameters, self._entries[ExcerptMismatch.id].parameters)
        self._comparer = Comparer(policy, mismatch.max_searched_characters)
        self._severity = Severity.NONE
        self._failed: set[str] = set()
        self._findings: list[Finding] = []
        self._uncounted: list[Finding] = []
        self._errors: list[RuleError] = []
        self._warnings: list[Notice] = []
        self._bindings: list[BindingCheck] = []

    def report(self) -> RulesReport:
        return RulesReport(
            severity=self._severity,
            failed_rules=tuple(sorted(self._failed)),
            findings=tuple(self._findings),
            uncounted_findings=tuple(self._uncounted),
            rule_errors=tuple(self._errors),
            warnings=tuple(self._warnings),
            bindings=tuple(self._bindings),
        )

    def check_output(self, parsed: ParsedOutput) -> None:
        entry = self._entries[SchemaExecutorV2.id]
        try:
            found: Checked | str = self._chain.output(parsed, entry.parameters)
        except Exception as error:  # noqa: BLE001 - a rule that raises is an outcome of its own
            found = _told(error)
        self._record(entry, found, "", None, None)
        if parsed.output is not None:
            self._check_claims(parsed.output)

    def _check_claims(self, output: ExecutorOutput) -> None:
        limits = self._limits
        left = limits.max_bindings
        for claim in output.claims[: limits.max_claims]:
            contract = self._check_claim(claim)
            for binding in claim.bindings[: min(limits.max_bindings_per_claim, left)]:
                self._check_binding(claim, binding, contract)
                left -= 1

    def _check_claim(self, claim: Claim) -> BindingStep:
        """Checks the claim around the bindings and returns the step that each of them carries."""
        entry = self._entries[SchemaExecutorV2.id]
        try:
            found: Checked | str = self._chain.claim_contract(claim, entry.parameters)
        except Exception as error:  # noqa: BLE001 - as above
            found = _told(error)
        self._record(entry, found, claim.place, claim.index, None)
        return _binding_step(CLAIM_CONTRACT_KEPT, entry.id, _outcome(found))

    def _check_binding(self, claim: Claim, binding: Binding, contract: BindingStep) -> None:
        chain = self._chain
        case = BindingCase(claim, binding, self._evidence)
        names_none = binding.invocation_id is None and not binding.legacy_ids
        if names_none and binding.tool_name is not None:
            case.same_tool = self._evidence.invocations_of(binding.tool_name)
        trail = _Trail()
        self._walk(chain.resolve, case, trail)
        if trail.steps[0].outcome is Outcome.PASS and binding.legacy_ids:
            self._warnings.append(_legacy_ids_notice(binding))
        resolution = Resolution.UNRESOLVED
        if trail.ended:
            self._locate(case, trail)
        else:
            resolution, invocations = self._resolve(case)
            case, best = self._best_candidate(case, invocations)
            trail.steps += best.steps
            trail.reports += best.reports
            if resolution is Resolution.BACKFILLED:
                self._warnings.append(_backfilled_notice(binding, invocations[0]))
        trail.steps.append(contract)
        for entry, found in trail.reports:
            self._record(entry, found, binding.place, claim.index, binding.index)
        self._bindings.append(_binding_check(case, trail.steps, resolution))

    def _resolve(self, case: BindingCase) -> tuple[Resolution, tuple[Invocation, ...]]:
        """Returns the invocations that may bear the binding, in the order in which they are tried, each once."""
        binding = case.binding
        named: tuple[InvocationId, ...]
        if binding.invocation_id is not None:
            resolution, named = Resolution.NAMED, (binding.invocation_id,)
        elif binding.legacy_ids:
            resolution, named = Resolution.LEGACY_IDS, binding.legacy_ids
        else:
            return Resolution.BACKFILLED, case.same_tool
        values = dict.fromkeys(written.value for written in named if written.value is not None)
        found = (self._evidence.invocation(value) for value in values)
        return resolution, tuple(invocation for invocation in found if invocation is not None)

    def _best_candidate(self, case: BindingCase, invocations: Iterable[Invocation]) -> tuple[BindingCase, _Trail]:
        """Returns the first invocation that bears the binding, or the one that came furthest, the first on a tie."""
        best: tuple[BindingCase, _Trail] | None = None
        errors: list[_Report] = []
        for invocation in invocations:
            candidate = BindingCase(case.claim, case.binding, case.evidence, case.same_tool, invocation)
            if case.binding.raw_path is not None:
                candidate.ref = self._evidence.ref(invocation.id, case.binding.raw_path)
            trail = _Trail()
            self._locate(candidate, trail)
            errors += [report for report in trail.reports if isinstance(report[1], str)]
            if best is None or trail.passed > best[1].passed:
                best = candidate, trail
            if not trail.reports:
                break
        if best is None:
            raise LookupError("an invocation that was found is gone")
        # A check that could not run on another candidate is told of all the same.
        best[1].reports += [report for report in errors if report not in best[1].reports]
        return best

    def _locate(self, case: BindingCase, trail: _Trail) -> None:
        """Goes from the invocation to the excerpt, and looks at the invocation's status beside it."""
        self._walk(self._to_excerpt, case, trail)
        if self._take(self._chain.invocation_status, case, trail) and not trail.ended:
            trail.passed += 1

    def _walk(self, steps: tuple[Step, ...], case: BindingCase, trail: _Trail) -> None:
        """Goes through steps until one fails; what comes after it does not apply."""
        for step in steps:
            if trail.ended:
                trail.steps.append(_binding_step(step.name, step.checks[-1].rule.id, Outcome.NOT_APPLICABLE))
            elif self._take(step, case, trail):
                trail.passed += 1
            else:
                trail.ended = True

    def _take(self, step: Step, case: BindingCase, trail: _Trail) -> bool:
        """Makes the checks of one step, and returns whether it holds."""
        outcome = Outcome.NOT_APPLICABLE
        rule_id = ""
        for check in step.checks:
            rule_id = check.rule.id
            entry = self._entries[rule_id]
            try:
                found: Checked | str = check.run(case, entry.parameters)
            except Exception as error:  # noqa: BLE001 - as above
                found = _told(error)
            if found is NOT_APPLICABLE:
                continue
            outcome = _outcome(found)
            if outcome is not Outcome.PASS:
                trail.reports.append((entry, found))
                break
        trail.steps.append(_binding_step(step.name, rule_id, outcome))
        return outcome is Outcome.PASS or outcome is Outcome.NOT_APPLICABLE

    def _compare(self, case: BindingCase, _parameters: ExcerptMismatchParameters) -> Checked:
        case.match = self._comparer.compare(case)
        return NOT_APPLICABLE

    def _record(
        self, entry: RuleEntry, found: Checked | str, place: str, claim_index: int | None, binding_index: int | None
    ) -> None:
        """Keeps what a check said. Only a failure of an enabled rule counts; a check that could not run always does."""
        if found is NOT_APPLICABLE or not found:
            return
        if isinstance(found, str):
            self._errors.append(RuleError(entry.id, place, found))
            self._count(entry.id, Severity.LOW_CONFID)
        else:
            kept = self._findings if entry.enabled else self._uncounted
            kept.extend(_finding(entry, fault, claim_index, binding_index) for fault in found)
        if entry.enabled:
            self._count(entry.id, entry.severity)

    def _count(self, rule_id: str, severity: Severity) -> None:
        self._failed.add(rule_id)
        if _RANK[severity] > _RANK[self._severity]:
            self._severity = severity


def _outcome(found: Checked | str) -> Outcome:
    if found is NOT_APPLICABLE:
        return Outcome.NOT_APPLICABLE
    if isinstance(found, str):
        return Outcome.ERROR
    return Outcome.FAIL if found else Outcome.PASS


def _told(error: Exception) -> str:
    """Returns what may be said of a check that raised: its type alone, since its text could quote evidence."""
    name = type(error).__name__
    return f"{name}: {error}" if isinstance(error, CheckNotRunError) else name


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
    )


def _binding_check(case: BindingCase, steps: list[BindingStep], resolution: Resolution) -> BindingCheck:
    claim, binding, match = case.claim, case.binding, case.match
    supported = match is not None and match.status is ExcerptStatus.SUPPORTED
    return BindingCheck(
        place=binding.place,
        claim_index=claim.index,
        binding_index=binding.index,
        claim_id=claim.claim_id,
        verified=supported and all(step.outcome is Outcome.PASS for step in steps),
        resolution=resolution,
        invocation_id="" if case.invocation is None else case.invocation.id,
        tool_name=binding.tool_name or "",
        raw_path=binding.raw_path or "",
        kind=None if case.ref is None else case.ref.kind,
        steps=tuple(steps),
        tier="" if match is None else match.tier,
        spans=() if match is None else match.spans,
        flags=() if match is None else match.flags,
        mismatch_reason="" if match is None else match.reason,
    )


def _backfilled_notice(binding: Binding, invocation: Invocation) -> Notice:
    tool = quote(invocation.tool_name)
    message = (
        f"The binding names no invocation; {quote(invocation.id)} is the only one of tool {tool!r} and was filled in."
    )
    return Notice("binding.backfilled", message, binding.place)


def _legacy_ids_notice(binding: Binding) -> Notice:
    message = "The legacy source_invocation_ids were read; name one call by source_invocation_id."
    return Notice("binding.legacy_ids", message, f"{binding.place}.source_invocation_ids")
