"""Takes the labels from what the caller's own verifier model wrote.

The model labels and points; it decides nothing else. A score that it writes is ignored, its labels go through the
guards, and no fact of it becomes a claim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from evidencegate_server.contract.model import Claim, Notice
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

_LABEL_OF: Final = {
    FactVerification.DIRECT_EVIDENCE: Verification.DIRECT_OBSERVATION,
    FactVerification.INDIRECT_SUPPORT: Verification.REASONABLE_INFERENCE,
    FactVerification.NO_EVIDENCE: Verification.UNSUPPORTED,
    FactVerification.CONTRADICTED: Verification.CONTRADICTED,
}
# From the weakest down to the strongest: where a model splits a claim into several facts, its weakest one holds.
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
        if output.claim_checks or not output.facts_checked:
            return self._by_checks(output, claims)
        return self._by_facts(output, output.facts_checked, claims)

    def _by_checks(self, output: VerifierOutput, claims: Sequence[Claim]) -> EngineResult:
        roster = _Roster(claims)
        labels: list[ClaimLabel] = []
        warnings: list[Notice] = []
        for check, claim in roster.assign(output.claim_checks or ()):
            if claim is None:
                known = check.claim_id in roster.known_ids
                why = "the claim has its check already" if known else "the executor made no such claim"
                warnings.append(
                    Notice(DROPPED_CHECK, f"The check for '{_short(check.claim_id)}' was dropped: {why}.", check.place)
                )
                continue
            labels.append(
                ClaimLabel(
                    claim.index,
                    check.verification,
                    check.detail,
                    Engine.SUPPLIED,
                    pointers=_pointers(check.evidence_refs),
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


@dataclass(slots=True)
class _Roster:
    """Gives each check its claim: by position where the model names a fitting one, else by ID, in order."""

    claims: Sequence[Claim]
    known_ids: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.known_ids = frozenset(claim.claim_id for claim in self.claims)

    def assign(self, checks: Sequence[ModelClaimCheck]) -> list[tuple[ModelClaimCheck, Claim | None]]:
        by_index = {claim.index: claim for claim in self.claims}
        given: dict[int, Claim] = {}
        taken: set[int] = set()
        for check in checks:
            claim = None if check.claim_index is None else by_index.get(check.claim_index)
            if claim is not None and claim.claim_id == check.claim_id and claim.index not in taken:
                given[check.index] = claim
                taken.add(claim.index)
        waiting: defaultdict[str, list[Claim]] = defaultdict(list)
        for claim in reversed(self.claims):
            if claim.index not in taken:
                waiting[claim.claim_id].append(claim)
        result: list[tuple[ModelClaimCheck, Claim | None]] = []
        for check in checks:
            claim = given.get(check.index)
            if claim is None and waiting[check.claim_id]:
                claim = waiting[check.claim_id].pop()
            result.append((check, claim))
        return result


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
    return tuple(RefPointer(ref.trace_ref, ref.source_invocation_ids, ref.note) for ref in refs)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
