"""Brings each claim together with the evidence that counts for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evidencegate_server.contract.claim_types import KNOWLEDGE, is_claim_type
from evidencegate_server.contract.model import Claim, ExecutorOutput
from evidencegate_server.evidence.index import EvidenceIndex
from evidencegate_server.judge.model import ClaimCase, VerifiedBinding
from evidencegate_server.rules.model import BindingCheck, Finding, GatekeeperResult, RuleError
from evidencegate_server.words import EvidenceKind

_CONTRACT_RULE: Final = "schema.executor_v2"

# These name a claim without saying that the claim itself is unsound: its fields are all there, and what lies beyond a
# limit is unverified as a binding.
_NOT_THE_CLAIMS_FAULT: Final = frozenset({"repeated_claim_id", "too_many_bindings"})


def claim_cases(output: ExecutorOutput, gatekeeper: GatekeeperResult, index: EvidenceIndex) -> tuple[ClaimCase, ...]:
    """Returns the case of each claim, in the output's order.

    A binding counts only where every check of it holds, whether or not the catalog counts a failure of that check.
    """
    checks: dict[int, list[BindingCheck]] = {}
    for check in gatekeeper.bindings:
        checks.setdefault(check.claim_index, []).append(check)
    unsound = _unsound_claims((*gatekeeper.findings, *gatekeeper.uncounted_findings), gatekeeper.rule_errors)
    return tuple(_case(claim, checks.get(claim.index, []), index, claim.index in unsound) for claim in output.claims)


def _unsound_claims(findings: Iterable[Finding], errors: Iterable[RuleError]) -> frozenset[int]:
    by_finding = {
        finding.claim_index
        for finding in findings
        if finding.rule_id == _CONTRACT_RULE
        and finding.binding_index is None
        and finding.reason not in _NOT_THE_CLAIMS_FAULT
    }
    # A check that could not run never looks like one that passed.
    by_error = {error.claim_index for error in errors if error.binding_index is None}
    return frozenset(index for index in by_finding | by_error if index is not None)


def _case(claim: Claim, checks: Iterable[BindingCheck], index: EvidenceIndex, contract_fault: bool) -> ClaimCase:
    usable: list[VerifiedBinding] = []
    guidance: list[VerifiedBinding] = []
    for check in checks:
        binding = _verified(check, index)
        if binding is None or claim.declared_unsupported:
            continue
        may_testify = binding.ref.kind is EvidenceKind.OBSERVATION or is_claim_type(claim.claim_type, KNOWLEDGE)
        (usable if may_testify else guidance).append(binding)
    failed = max(len(claim.bindings), _written_bindings(claim)) - len(usable) - len(guidance)
    return ClaimCase(claim, tuple(usable), tuple(guidance), failed, contract_fault)


def _verified(check: BindingCheck, index: EvidenceIndex) -> VerifiedBinding | None:
    if not check.verified:
        return None
    invocation = index.invocation(check.invocation_id)
    ref = index.ref(check.invocation_id, check.raw_path)
    if invocation is None or ref is None:
        return None
    return VerifiedBinding(check.binding_index, invocation, ref, check.spans)


def _written_bindings(claim: Claim) -> int:
    written = claim.raw.get("evidence_bindings")
    return len(written) if isinstance(written, list) else 0
