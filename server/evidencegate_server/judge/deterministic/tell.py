"""Says why a claim has its label: the deciding fact, the claim's words and the evidence's side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.evidence.model import Span
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.deterministic.context import Context
from evidencegate_server.judge.deterministic.decide import Decision
from evidencegate_server.judge.model import Witness
from evidencegate_server.words import Verification

_QUOTE_CODE_POINTS: Final = 200
_BESIDE: Final = 40  # code points of evidence shown at each side of a place
_MOST_WITNESSES: Final = 24

_OPENINGS: Final = {
    Verification.DIRECT_OBSERVATION: "The evidence states it",
    Verification.REASONABLE_INFERENCE: "The evidence supports it without stating it",
    Verification.OVERSTATED: "It says more than the evidence",
    Verification.UNSUPPORTED: "The evidence does not show it",
    Verification.EXTERNAL_UNKNOWN: "It brings in what the evidence does not have",
    Verification.CONTRADICTED: "The evidence conflicts with it",
}


def detail(text: str, decision: Decision, index: EvidenceIndex) -> str:
    """Returns one or two sentences for people."""
    opening = _OPENINGS[decision.verification]
    fact = decision.fact
    if fact is None:
        return f"{opening}: {decision.why}."
    said = f"{opening}: “{quote(text[fact.start : fact.end].strip())}” ({fact.why})"
    if fact.place is None:
        return f"{said}; {decision.why}."
    shown = evidence_quote(fact.place, index)
    return f"{said}, beside “{shown}”; {decision.why}."


def witnesses(
    text: str, clauses: Sequence[ClauseAlignment], contexts: Sequence[Context], index: EvidenceIndex
) -> tuple[Witness, ...]:
    """Returns the facts of a claim with their places, those against it first; at most some two dozen."""
    facts = [fact for clause in clauses for fact in clause.facts if fact.place is not None or fact.standing in _MISSING]
    facts.sort(key=lambda fact: (_ORDER[fact.standing], fact.start))
    return tuple(_witness(text, fact, contexts, index) for fact in facts[:_MOST_WITNESSES])


def foreign_values(text: str, decision: Decision, clauses: Sequence[ClauseAlignment]) -> tuple[str, ...]:
    """Returns the values of a claim that stand nowhere, where it is external_unknown."""
    if decision.verification is not Verification.EXTERNAL_UNKNOWN:
        return ()
    found = (
        text[fact.start : fact.end].strip()
        for clause in clauses
        for fact in clause.facts
        if fact.kind is FactKind.VALUE and fact.standing is Standing.FOREIGN
    )
    return tuple(dict.fromkeys(quote(value) for value in found))


_MISSING: Final = frozenset({Standing.FOREIGN, Standing.SILENT})
_ORDER: Final = {
    Standing.IN_CONFLICT: 0,
    Standing.STATED: 1,
    Standing.DERIVABLE: 1,
    Standing.PART: 1,
    Standing.FOREIGN: 2,
    Standing.SILENT: 3,
}


def _witness(text: str, fact: Fact, contexts: Sequence[Context], index: EvidenceIndex) -> Witness:
    words = Span(fact.start, fact.end)
    said = quote(text[fact.start : fact.end])
    if fact.place is None:
        return Witness(fact.standing.value, words, said)
    context = contexts[index.records[fact.place.record].source]
    raw_path, span = context.place(fact.place.start, fact.place.end)
    shown = quote(context.text[fact.place.start : fact.place.end])
    return Witness(fact.standing.value, words, said, context.invocation_id, raw_path, span, shown)


def evidence_quote(place: Place, index: EvidenceIndex) -> str:
    """Returns a place of the evidence with a little around it, in one line."""
    text = index.evidence.texts[index.records[place.record].source]
    shown = text[max(0, place.start - _BESIDE) : min(place.end, place.start + _QUOTE_CODE_POINTS) + _BESIDE]
    return quote(" ".join(shown.split()))


def quote(text: str) -> str:
    """Returns a text, cut where it is long."""
    return text if len(text) <= _QUOTE_CODE_POINTS else text[: _QUOTE_CODE_POINTS - 1] + "…"
