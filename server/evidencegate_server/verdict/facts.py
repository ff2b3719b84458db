"""Lists the claim checks in the older form, then the facts that belong to no claim."""

from __future__ import annotations

from collections.abc import Iterable

from evidencegate_server.judge.model import AuditFact
from evidencegate_server.verdict.labels import FACT_OF
from evidencegate_server.verdict.model import ClaimCheck, FactCheck


def facts_checked(checks: Iterable[ClaimCheck], audit_facts: Iterable[AuditFact]) -> tuple[FactCheck, ...]:
    """Returns one fact for each claim, in order, and the audit facts after them."""
    derived = [
        FactCheck(
            fact=f"{check.claim_id}: {check.claim_text}",
            is_critical=check.is_critical,
            verification=FACT_OF[check.verification],
            detail=check.detail,
            evidence_refs=check.evidence_refs,
            claim_index=check.index,
        )
        for check in checks
    ]
    audit = [
        FactCheck(fact.fact, fact.is_critical, fact.verification, fact.detail, unclaimed=fact.unclaimed)
        for fact in audit_facts
    ]
    return (*derived, *audit)
