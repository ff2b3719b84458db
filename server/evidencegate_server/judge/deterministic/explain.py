"""Writes down for people how a claim was read: records, atoms, alignment, decision."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ClauseAlignment, Fact
from evidencegate_server.judge.claims.model import ClaimReading
from evidencegate_server.judge.deterministic.decide import Decision
from evidencegate_server.judge.deterministic.tell import evidence_quote
from evidencegate_server.judge.records.show import show
from evidencegate_server.judge.values.model import Instant, Quantity


def explanation(
    index: EvidenceIndex, claim: ClaimReading, clauses: Sequence[ClauseAlignment], decision: Decision
) -> str:
    """Returns the listing; its form may change."""
    lines = ["records", show(index.evidence), "", "claim"]
    for clause in clauses:
        part = clause.clause
        where = "no record" if clause.anchor < 0 else f"record #{clause.anchor}"
        lines.append(f"  “{claim.text[part.start : part.end].strip()}” tells of {where}")
        lines.extend(
            f"    reads {claim.text[term.start : term.end]!r} as {', '.join(term.names)}" for term in part.terms
        )
        lines.extend(
            f"    reads {claim.text[value.outer_start : value.outer_end].strip()!r} as {_value(value.value)}"
            for value in part.values
        )
        lines.extend(_fact(fact, claim.text, index) for fact in clause.facts)
    lines.append("")
    lines.append(f"label {decision.verification.value}: {decision.why}")
    return "\n".join(lines)


def _fact(fact: Fact, text: str, index: EvidenceIndex) -> str:
    beside = "" if fact.place is None else f" | {evidence_quote(fact.place, index)}"
    said = text[fact.start : fact.end].strip()
    return f"    {fact.standing.value:<11} {fact.kind.value:<6} {said!r} ({fact.why}){beside}"


def _value(value: Quantity | Instant) -> str:
    if isinstance(value, Instant):
        return f"instant {value.year}-{value.month}-{value.day} {value.seconds} s, offset {value.offset} min"
    measure = value.measure or "count"
    if value.low == value.high:
        return f"{value.low} {measure}"
    return f"{value.low} to {value.high} {measure}"
