"""Writes what the second round is told about the first."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate_server.contract.model import ExecutorOutput
from evidencegate_server.judge.model import RetryContext, WeakClaim
from evidencegate_server.verdict import guards
from evidencegate_server.verdict.labels import SUPPORTED
from evidencegate_server.verdict.model import ClaimCheck
from evidencegate_server.words import Verdict, Verification

_BY_GUARD = {
    guards.CONTRACT_FAULT: "The claim must keep its contract before its evidence can count.",
    guards.NO_VERIFIED_BINDING: "A verified quotation is missing: an existing invocation of the named tool, a raw_path "
    "that it has, and an excerpt that stands there.",
    guards.GUIDANCE_ONLY: "An observation of this incident is missing; a runbook alone proves nothing of it.",
    guards.NOT_EXAMINED: "A claim that is short enough to be looked up is missing: one statement, a few names.",
    guards.FABRICATED_IDENTIFIER: "Tool output that has the named identifier is missing.",
    guards.NO_LABEL: "Evidence that states the claim is missing.",
}

_BY_LABEL = {
    Verification.OVERSTATED: "Evidence for all that the claim says is missing; what is bound supports a part of it.",
    Verification.UNSUPPORTED: "Evidence that states the claim is missing.",
    Verification.EXTERNAL_UNKNOWN: "Evidence of what the claim brings in from outside is missing.",
    Verification.CONTRADICTED: "The evidence says otherwise; evidence for the claim would have to explain that.",
}


def retry_context(
    verdict: Verdict, score: float, checks: Sequence[ClaimCheck], output: ExecutorOutput | None
) -> RetryContext:
    """Returns the verdict, the claims that were too weak with what each lacks, and what the executor itself missed."""
    weak = tuple(
        WeakClaim(check.index, check.claim_id, check.claim_text, check.verification, _missing(check))
        for check in checks
        if check.verification not in SUPPORTED
    )
    missing_info = tuple(item.text for item in output.missing_info if item.text) if output is not None else ()
    return RetryContext(verdict, score, weak, missing_info)


def _missing(check: ClaimCheck) -> str:
    for step in reversed(check.label_steps):
        if step.reason in _BY_GUARD:
            return _BY_GUARD[step.reason]
    return _BY_LABEL[check.verification]
