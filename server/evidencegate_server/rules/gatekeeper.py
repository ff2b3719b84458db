"""Runs the rules over one output and gathers what they found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias, cast

from evidencegate_server.contract.model import Binding, Claim, ExecutorOutput, Notice, ParsedOutput
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


class _Stage:
    """A step made ready for many bindings: its checks with their entries, and the records of its usual outcomes."""

    __slots__ = ("checks", "index", "name", "passed", "skipped")

    def __init__(self, index: int, step: Step, entries: dict[str, RuleEntry]) -> None:
        self.index = index
        self.name = step.name
        self.checks = tuple((check.run, entries[check.rule.id]) for check in step.checks)
        own = step.checks[-1].rule.id
        self.passed = _binding_step(step.name, own, Outcome.PASS)
        self.skipped = _binding_step(step.name, own, Outcome.NOT_APPLICABLE)


class _Trail:
    """How far one binding came with one invocation, and what the checks had to say.

    Only what is not a pass is kept: `marks` by the index of the stage, `end` the stage that ended the chain.
    """

    __slots__ = ("case", "end", "marks", "passed", "reports")

    def __init__(self, case: BindingCase) -> None:
        self.case = case
        self.marks: dict[int, BindingStep] = {}
        self.reports: list[_Report] = []
        self.passed = 0
        self.end: int | None = None


class _Run:
    """One pass over one output."""

    def __init__(self, evidence: SearchableEvidence, rule_set: RuleSet, policy: ExcerptPolicy, chain: Chain) -> None:
        self._evidence = evidence
        self._chain = chain
        entries = self._entries = {entry.id: entry for entry in rule_set.entries}
        first, *rest = chain.excerpt
        compared = Step(first.name, (Check(ExcerptMismatch, self._compare), *first.checks))
        steps = (*chain.resolve, *chain.address, compared, *rest, chain.invocation_status)
        self._stages = tuple([_Stage(index, step, entries) for index, step in enumerate(steps)])
        self._resolve_stages = self._stages[: len(chain.resolve)]
        self._locate_stages = self._stages[len(chain.resolve) : -1]
        self._status_stage = self._stages[-1:]
        self._all_passed = tuple([stage.passed for stage in self._stages])
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
        trail = _Trail(BindingCase(claim, binding, self._evidence))
        case = trail.case
        if binding.invocation_id is None and not binding.legacy_ids and binding.tool_name is not None:
            case.same_tool = self._evidence.invocations_of(binding.tool_name)
        self._walk(self._resolve_stages, trail)
        if binding.legacy_ids and trail.end != 0:
            self._warnings.append(_legacy_ids_notice(binding))
        resolution = Resolution.UNRESOLVED
        if trail.end is None:
            resolution, invocations = self._resolve(case)
            trail = self._best_trail(trail, invocations)
            if resolution is Resolution.BACKFILLED:
                self._warnings.append(_backfilled_notice(binding, invocations[0]))
        else:
            self._walk(self._status_stage, trail)
        for entry, found in trail.reports:
            self._record(entry, found, binding.place, claim.index, binding.index)
        self._bindings.append(_binding_check(trail.case, (*self._steps(trail), contract), resolution))

    def _resolve(self, case: BindingCase) -> tuple[Resolution, tuple[Invocation, ...]]:
        """Returns the invocations that may bear the binding, in the order in which they are tried, each once."""
        binding = case.binding
        if binding.invocation_id is not None:
            named = self._evidence.invocation(binding.invocation_id.value or "")
            return Resolution.NAMED, () if named is None else (named,)
        if not binding.legacy_ids:
            return Resolution.BACKFILLED, case.same_tool
        values = dict.fromkeys(written.value for written in binding.legacy_ids if written.value is not None)
        found = [self._evidence.invocation(value) for value in values]
        return Resolution.LEGACY_IDS, tuple(invocation for invocation in found if invocation is not None)

    def _best_trail(self, resolved: _Trail, invocations: tuple[Invocation, ...]) -> _Trail:
        """Returns the trail of the first invocation that bears the binding, or of the one that came furthest.

        On a tie the first one counts. A check that could not run on another invocation is told of all the same.
        """
        best: _Trail | None = None
        errors: list[_Report] = []
        for invocation in invocations:
            trail = self._locate(resolved, invocation)
            if best is None or trail.passed > best.passed:
                best = trail
            if not trail.reports:
                break
            errors += [report for report in trail.reports if isinstance(report[1], str)]
        if best is None:
            raise LookupError("an invocation that was found is gone")
        if errors:
            best.reports += [report for report in errors if report not in best.reports]
        return best

    def _locate(self, resolved: _Trail, invocation: Invocation) -> _Trail:
        """Goes from one invocation to the excerpt, and looks at the invocation's status beside it."""
        known = resolved.case
        binding = known.binding
        ref = None if binding.raw_path is None else self._evidence.ref(invocation.id, binding.raw_path)
        trail = _Trail(BindingCase(known.claim, binding, self._evidence, known.same_tool, invocation, ref))
        self._walk(self._locate_stages, trail)
        self._walk(self._status_stage, trail)
        return trail

    def _walk(self, stages: tuple[_Stage, ...], trail: _Trail) -> None:
        """Goes through stages until one fails. The status stands beside the chain and cannot end it."""
        case = trail.case
        for stage in stages:
            passed = False
            for run, entry in stage.checks:
                try:
                    found: Checked | str = run(case, entry.parameters)
                except Exception as error:  # noqa: BLE001 - as above
                    found = _told(error)
                if not found:
                    passed = True
                elif found is not NOT_APPLICABLE:
                    trail.marks[stage.index] = _binding_step(stage.name, entry.id, _outcome(found))
                    trail.reports.append((entry, found))
                    if stages is not self._status_stage:
                        trail.end = stage.index
                    return
            if not passed:
                trail.marks[stage.index] = stage.skipped
            if trail.end is None:
                trail.passed += 1

    def _steps(self, trail: _Trail) -> tuple[BindingStep, ...]:
        marks, end = trail.marks, trail.end
        if not marks:
            return self._all_passed
        last = len(self._stages) if end is None else end
        return tuple(
            [
                marks.get(stage.index, stage.passed if stage.index < last else self._beside(stage))
                for stage in self._stages
            ]
        )

    def _beside(self, stage: _Stage) -> BindingStep:
        """Returns the record of a stage behind the one that ended the chain."""
        return stage.passed if stage is self._stages[-1] else stage.skipped

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


def _binding_check(case: BindingCase, steps: tuple[BindingStep, ...], resolution: Resolution) -> BindingCheck:
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
        steps=steps,
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
