"""Runs the rules over one output."""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.model import Binding, Claim, ExecutorOutput, Notice, ParsedOutput
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.rules.base import NOT_APPLICABLE, BindingCase, quote
from evidencegate_server.rules.chain import CLAIM_CONTRACT_KEPT, Chain
from evidencegate_server.rules.comparing import Comparer
from evidencegate_server.rules.ledger import Heard, Ledger, RulesReport, outcome_of, told
from evidencegate_server.rules.model import BindingCheck, BindingStep, RuleEntry, RuleSet
from evidencegate_server.rules.plan import Plan, Stage, binding_step, plan_of
from evidencegate_server.rules.texts import SearchableEvidence
from evidencegate_server.rules.usual import usual_binding
from evidencegate_server.words import ExcerptStatus, Outcome, Resolution

REPLACEMENT_FLAG: Final = "replacement_character"


def run_rules(
    parsed: ParsedOutput,
    evidence: SearchableEvidence,
    rule_set: RuleSet,
    policy: ExcerptPolicy,
    chain: Chain,
    *,
    narrow_question: bool = False,
) -> RulesReport:
    """Runs every rule of the chain over a parsed output and reports what they found.

    Deterministic, and total for a rule set that has all of the chain's rules: a check that raises becomes a rule error.
    """
    run = _Run(evidence, plan_of(rule_set, chain), policy)
    run.check_output(parsed)
    if narrow_question:
        run.check_scope(parsed)
    return run.ledger.report()


class _Trail:
    """How far one binding came with one invocation, and what the checks had to say.

    Only what is not a pass is kept: `marks` by the index of the stage, `end` the index of the stage that ended the
    chain. `rank` is the index of the first stage that does not hold.
    """

    __slots__ = ("case", "end", "marks", "rank", "reports")

    def __init__(self, case: BindingCase) -> None:
        self.case = case
        self.marks: dict[int, BindingStep] = {}
        self.reports: list[tuple[RuleEntry, Heard]] = []
        self.end: int | None = None
        self.rank = 0


class _Run:
    """One pass over one output."""

    __slots__ = ("_comparer", "_evidence", "_plan", "ledger")

    def __init__(self, evidence: SearchableEvidence, plan: Plan, policy: ExcerptPolicy) -> None:
        self.ledger = Ledger()
        self._evidence = evidence
        self._plan = plan
        self._comparer = Comparer(policy, plan.max_compared_characters)

    def check_output(self, parsed: ParsedOutput) -> None:
        """Checks the output as a whole, then claim after claim."""
        entry = self._plan.contract_entry
        try:
            heard: Heard = self._plan.chain.output(parsed, entry.parameters)
        except Exception as error:  # noqa: BLE001 - a rule that raises is an outcome of its own
            heard = told(error)
        self.ledger.record(entry, heard, "", None, None)
        if parsed.output is not None:
            self._check_claims(parsed.output)

    def check_scope(self, parsed: ParsedOutput) -> None:
        """Checks that the answer to a narrow question is narrow."""
        entry = self._plan.narrow_scope_entry
        try:
            heard: Heard = self._plan.chain.narrow_scope(parsed, entry.parameters)
        except Exception as error:  # noqa: BLE001 - as above
            heard = told(error)
        self.ledger.warn(entry, heard)

    def _check_claims(self, output: ExecutorOutput) -> None:
        plan, evidence, comparer, kept = self._plan, self._evidence, self._comparer, self.ledger.bindings
        limits = plan.limits
        left = limits.max_bindings
        for claim in output.claims[: limits.max_claims]:
            contract = self._check_claim(claim)
            at_once = plan.can_settle_at_once and contract is plan.contract_kept
            bindings = claim.bindings[: min(limits.max_bindings_per_claim, left)]
            left -= len(bindings)
            for binding in bindings:
                check = usual_binding(claim, binding, evidence, comparer, plan.all_passed) if at_once else None
                if check is None:
                    self._check_binding(claim, binding, contract)
                else:
                    kept.append(check)

    def _check_claim(self, claim: Claim) -> BindingStep:
        """Checks the claim around the bindings and returns the step that each of them carries."""
        entry = self._plan.contract_entry
        try:
            heard: Heard = self._plan.chain.claim_contract(claim, entry.parameters)
        except Exception as error:  # noqa: BLE001 - as above
            heard = told(error)
        if not heard:
            return self._plan.contract_kept
        self.ledger.record(entry, heard, claim.place, claim.index, None)
        return binding_step(CLAIM_CONTRACT_KEPT, entry.id, outcome_of(heard))

    def _check_binding(self, claim: Claim, binding: Binding, contract: BindingStep) -> None:
        case = BindingCase(claim, binding, self._evidence, self._comparer)
        if binding.invocation_id is None and not binding.legacy_ids and binding.tool_name is not None:
            case.same_tool = self._evidence.invocations_of(binding.tool_name)
        trail = _Trail(case)
        resolved = self._walk(self._plan.resolve, trail)
        if binding.legacy_ids and trail.rank > 0:
            self.ledger.warnings.append(_legacy_ids_notice(binding))
        resolution = Resolution.UNRESOLVED
        if resolved:
            resolution, invocations = self._resolve(case)
            trail = self._best_trail(trail, invocations)
            if resolution is Resolution.BACKFILLED:
                self.ledger.warnings.append(_backfilled_notice(binding, invocations[0]))
        else:
            trail.end = trail.rank
            self._walk(self._plan.status, trail)
        for entry, heard in trail.reports:
            self.ledger.record(entry, heard, binding.place, claim.index, binding.index)
        self.ledger.bindings.append(self._binding_check(trail, contract, resolution))

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
        errors: list[tuple[RuleEntry, Heard]] = []
        for invocation in invocations:
            trail = self._locate(resolved.case, invocation)
            if best is None or trail.rank > best.rank:
                best = trail
            if not trail.reports:
                break
            errors += [report for report in trail.reports if isinstance(report[1], str)]
        if best is None:
            raise LookupError("an invocation that was found is gone")
        if errors:
            best.reports += [report for report in errors if report not in best.reports]
        return best

    def _locate(self, resolved: BindingCase, invocation: Invocation) -> _Trail:
        """Goes from one invocation to the excerpt, and looks at the invocation's status beside it."""
        binding = resolved.binding
        case = BindingCase(resolved.claim, binding, self._evidence, self._comparer, resolved.same_tool, invocation)
        if binding.raw_path is not None:
            case.ref = self._evidence.ref(invocation.id, binding.raw_path)
        trail = _Trail(case)
        if self._walk(self._plan.locate, trail):
            # An invocation that bears the excerpt and has the right status goes before one that only bears it.
            self._walk(self._plan.status, trail)
        else:
            trail.end = end = trail.rank
            self._walk(self._plan.status, trail)
            trail.rank = end
        return trail

    def _walk(self, stages: tuple[Stage, ...], trail: _Trail) -> bool:
        """Goes through stages until one does not hold, and returns whether all of them do."""
        case = trail.case
        for stage in stages:
            passed = False
            for run, parameters, entry in stage.checks:
                try:
                    heard: Heard = run(case, parameters)
                except Exception as error:  # noqa: BLE001 - as above
                    heard = told(error)
                if not heard:
                    passed = True
                elif heard is not NOT_APPLICABLE:
                    trail.marks[stage.index] = binding_step(stage.name, entry.id, outcome_of(heard))
                    trail.reports.append((entry, heard))
                    trail.rank = stage.index
                    return False
            if not passed:
                trail.marks[stage.index] = stage.skipped
        trail.rank = stages[-1].index + 1
        return True

    def _steps(self, trail: _Trail, contract: BindingStep) -> tuple[BindingStep, ...]:
        """Returns the outcome of every step: what is marked, a pass before the end of the chain, nothing behind it."""
        stages = self._plan.stages
        end = len(stages) if trail.end is None else trail.end
        usual = [stage.passed if stage.index < end or stage is stages[-1] else stage.skipped for stage in stages]
        return (*(trail.marks.get(index, step) for index, step in enumerate(usual)), contract)

    def _binding_check(self, trail: _Trail, contract: BindingStep, resolution: Resolution) -> BindingCheck:
        case = trail.case
        claim, binding, match = case.claim, case.binding, case.match
        all_passed = not trail.marks and contract.outcome is Outcome.PASS
        return BindingCheck(
            place=binding.place,
            claim_index=claim.index,
            binding_index=binding.index,
            claim_id=quote(claim.claim_id),  # every binding repeats it
            verified=all_passed and match is not None and match.status is ExcerptStatus.SUPPORTED,
            resolution=resolution,
            invocation_id="" if case.invocation is None else case.invocation.id,
            tool_name=binding.tool_name or "",
            raw_path=binding.raw_path or "",
            kind=None if case.ref is None else case.ref.kind,
            steps=self._plan.all_passed if all_passed else self._steps(trail, contract),
            tier="" if match is None else match.tier,
            spans=() if match is None else match.spans,
            flags=_flags(case),
            mismatch_reason="" if match is None else match.reason,
            evidence_excerpt=quote(binding.evidence_excerpt or ""),
        )


def _flags(case: BindingCase) -> tuple[str, ...]:
    """Returns the remarks on the comparison and on the text, in alphabetical order."""
    flags = () if case.match is None else case.match.flags
    invocation, ref = case.invocation, case.ref
    if invocation is None or ref is None or not case.evidence.is_damaged(invocation.id, ref):
        return flags
    return tuple(sorted({*flags, REPLACEMENT_FLAG}))


def _backfilled_notice(binding: Binding, invocation: Invocation) -> Notice:
    tool = quote(invocation.tool_name)
    message = f"The binding names no invocation; {quote(invocation.id)}, the only one of tool {tool!r}, was filled in."
    return Notice("binding.backfilled", message, binding.place)


def _legacy_ids_notice(binding: Binding) -> Notice:
    message = "The legacy source_invocation_ids were read; name one call by source_invocation_id."
    return Notice("binding.legacy_ids", message, f"{binding.place}.source_invocation_ids")
