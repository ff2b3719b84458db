"""Takes the labels from what the caller's own verifier model wrote.

The model labels and points; it decides nothing else. A score that it writes is ignored, its labels go through the
guards, and no fact of it becomes a claim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evidencegate_server.contract.model import Claim, Notice
from evidencegate_server.contract.records import record
from evidencegate_server.contract.verifier_model import (
    ModelClaimCheck,
    ModelEvidenceRef,
    ModelFactCheck,
    ParsedVerifierOutput,
    VerifierOutput,
)
from evidencegate_server.judge.model import AuditFact, ClaimLabel, EngineResult, JudgeView, RefPointer
from evidencegate_server.words import Engine, FactVerification, Verdict, Verification

DROPPED_CHECK: Final = "judge.unknown_claim"
MISPLACED_CHECK: Final = "judge.claim_index_mismatch"
REPEATED_CHECK: Final = "judge.repeated_claim_check"

_LABEL_OF: Final = {
    FactVerification.DIRECT_EVIDENCE: Verification.DIRECT_OBSERVATION,
    FactVerification.INDIRECT_SUPPORT: Verification.REASONABLE_INFERENCE,
    FactVerification.NO_EVIDENCE: Verification.UNSUPPORTED,
    FactVerification.CONTRADICTED: Verification.CONTRADICTED,
}
# Where a model says several things of one claim, or splits it into several facts, the weakest holds.
_WEAKEST_LABEL_FIRST: Final = (
    Verification.CONTRADICTED,
    Verification.EXTERNAL_UNKNOWN,
    Verification.UNSUPPORTED,
    Verification.OVERSTATED,
    Verification.REASONABLE_INFERENCE,
    Verification.DIRECT_OBSERVATION,
)
_WEAKEST_FIRST: Final = (
    FactVerification.CONTRADICTED,
    FactVerification.NO_EVIDENCE,
    FactVerification.INDIRECT_SUPPORT,
    FactVerification.DIRECT_EVIDENCE,
)


class SuppliedEngine:
    """Judges by a verifier model's output that is already parsed."""

    def __init__(self, parsed: ParsedVerifierOutput) -> None:
        self._parsed = parsed

    def judge(self, view: JudgeView) -> EngineResult:
        """Returns the model's labels by claim; none, and LOW_CONFID, where its output could not be read."""
        output = self._parsed.output
        if output is None:
            return EngineResult(Engine.SUPPLIED, (), Verdict.LOW_CONFID, report=self._parsed.report)
        claims = [case.claim for case in view.cases]
        # Where there are claims, an empty list of checks leaves each of them out. Where there are none, for a text that
        # could not be read, the model can only write facts, which are kept for audit.
        if output.facts_checked is None or output.claim_checks or (output.claim_checks is not None and claims):
            return self._by_checks(output, claims)
        return self._by_facts(output, output.facts_checked, claims)

    def _by_checks(self, output: VerifierOutput, claims: Sequence[Claim]) -> EngineResult:
        shared = _assign(output.claim_checks or (), claims)
        warnings = [
            Notice(
                DROPPED_CHECK,
                f"The check for '{_short(check.claim_id)}' was dropped: the executor made no such claim.",
                check.place,
            )
            for check in shared.unknown
        ]
        warnings.extend(
            Notice(
                MISPLACED_CHECK,
                f"The check for '{_short(check.claim_id)}' names the position of no claim with that ID; its ID counts.",
                check.place,
            )
            for check in shared.misplaced
        )
        labels: list[ClaimLabel] = []
        for claim in claims:
            checks = shared.own.get(claim.index, [])
            spare = shared.spare.get(claim.claim_id)
            said = checks if spare is None else [*checks, spare]
            if not said:
                continue
            if len(said) > 1:
                warnings.append(
                    Notice(
                        REPEATED_CHECK,
                        f"Several checks are about the claim '{_short(claim.claim_id)}'; the weakest label of them "
                        "holds.",
                        max(said, key=_position).place,
                    )
                )
            weakest = min(said, key=_weakness)
            labels.append(
                ClaimLabel(
                    claim.index,
                    weakest.verification,
                    weakest.detail,
                    Engine.SUPPLIED,
                    pointers=_pointers(ref for check in checks for ref in check.evidence_refs),
                )
            )
        return EngineResult(
            Engine.SUPPLIED,
            tuple(labels),
            output.verdict,
            report=self._parsed.report,
            rationale=output.rationale,
            warnings=tuple(warnings),
        )

    def _by_facts(
        self, output: VerifierOutput, facts: Sequence[ModelFactCheck], claims: Sequence[Claim]
    ) -> EngineResult:
        owners = _FactOwners(claims)
        by_claim: defaultdict[int, list[ModelFactCheck]] = defaultdict(list)
        audit: list[AuditFact] = []
        for fact in facts:
            claim = owners.owner(fact.fact)
            if claim is None:
                audit.append(AuditFact(fact.fact, fact.is_critical, fact.verification, fact.detail))
            else:
                by_claim[claim.index].append(fact)
        return EngineResult(
            Engine.SUPPLIED,
            tuple(_label(claim, by_claim[claim.index]) for claim in claims if claim.index in by_claim),
            output.verdict,
            audit_facts=tuple(audit),
            report=self._parsed.report,
            rationale=output.rationale,
            contradicted_fact=any(
                fact.is_critical and fact.verification is FactVerification.CONTRADICTED for fact in facts
            ),
        )


@record
class _Shared:
    """Which checks are about which claim.

    `own` holds the checks by claim index; `spare`, by claim ID, the weakest of those that are left over once every
    claim of the ID has a check: it may be about any of them, so its label counts for all. `unknown` are about no claim,
    `misplaced` name a position that has no claim with their ID.
    """

    own: Mapping[int, list[ModelClaimCheck]]
    spare: Mapping[str, ModelClaimCheck]
    unknown: Sequence[ModelClaimCheck]
    misplaced: Sequence[ModelClaimCheck]


def _assign(checks: Sequence[ModelClaimCheck], claims: Sequence[Claim]) -> _Shared:
    """Gives each check its claim: by position where the model names a fitting one, else by ID, in order."""
    by_index = {claim.index: claim for claim in claims}
    known = {claim.claim_id for claim in claims}
    own: dict[int, list[ModelClaimCheck]] = {}
    placeless: list[ModelClaimCheck] = []
    unknown: list[ModelClaimCheck] = []
    for check in checks:
        claim = None if check.claim_index is None else by_index.get(check.claim_index)
        if claim is not None and claim.claim_id == check.claim_id:
            own.setdefault(claim.index, []).append(check)
        else:
            (placeless if check.claim_id in known else unknown).append(check)
    waiting: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in reversed(claims):
        if claim.index not in own:
            waiting[claim.claim_id].append(claim)
    spare: dict[str, ModelClaimCheck] = {}
    for check in placeless:
        if waiting[check.claim_id]:
            own[waiting[check.claim_id].pop().index] = [check]
        else:
            spare[check.claim_id] = min(spare.get(check.claim_id, check), check, key=_weakness)
    misplaced = [check for check in placeless if check.claim_index is not None]
    return _Shared(own, spare, unknown, misplaced)


def _position(check: ModelClaimCheck) -> int:
    return check.index


def _weakness(check: ModelClaimCheck) -> int:
    return _WEAKEST_LABEL_FIRST.index(check.verification)


class _FactOwners:
    """Finds the claim that a fact belongs to: by the derived form, by equal text, or by the prefix `claim_id:`."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        self._exact: dict[str, list[Claim]] = {}
        self._by_id: dict[str, list[Claim]] = {}
        for claim in claims:
            texts = {_plain(f"{claim.claim_id}: {claim.claim_text}"), _plain(claim.claim_text)}
            for text in sorted(texts - {""}):
                self._exact.setdefault(text, []).append(claim)
            if claim.claim_id:
                self._by_id.setdefault(claim.claim_id, []).append(claim)
        self._ids = sorted(self._by_id, key=lambda name: (-len(name), name))

    def owner(self, fact: str) -> Claim | None:
        """Returns the claim, in order of occurrence where several fit; the last of them takes what is left over."""
        candidates = self._exact.get(_plain(fact))
        if candidates is None:
            text = fact.lstrip()
            for claim_id in self._ids:
                if text.startswith(claim_id) and text[len(claim_id) :].lstrip().startswith((":", "：")):
                    candidates = self._by_id[claim_id]
                    break
        if not candidates:
            return None
        return candidates.pop(0) if len(candidates) > 1 else candidates[0]


def _label(claim: Claim, facts: Sequence[ModelFactCheck]) -> ClaimLabel:
    weakest = min(facts, key=lambda fact: _WEAKEST_FIRST.index(fact.verification))
    return ClaimLabel(
        claim.index,
        _LABEL_OF[weakest.verification],
        weakest.detail,
        Engine.SUPPLIED,
        pointers=_pointers(ref for fact in facts for ref in fact.evidence_refs),
    )


def _pointers(refs: Iterable[ModelEvidenceRef]) -> tuple[RefPointer, ...]:
    return tuple(RefPointer(ref.trace_ref, ref.source_invocation_ids, ref.note, ref.tool_name) for ref in refs)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
