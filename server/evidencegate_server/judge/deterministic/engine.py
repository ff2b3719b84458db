"""Labels each claim by the clauses that its verified quotations stand in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.evidence.model import Span
from evidencegate_server.judge.deterministic.align import Relation, relate
from evidencegate_server.judge.deterministic.atoms import Atom, AtomReader
from evidencegate_server.judge.deterministic.records import Clause, session_clauses, verified_clauses
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, EngineResult, JudgeView, Witness
from evidencegate_server.lexicon.judge_words import StatementWords
from evidencegate_server.words import Engine, Verification

_QUOTE_CODE_POINTS: Final = 200


class DeterministicEngine:
    """The engine in the box: no model, no network, no clock.

    A claim is a direct observation where a verified clause states it word by word, and contradicted where the evidence
    puts one other value on the same quantity and nowhere states the claim. Everything else is unsupported, and its
    detail says so: an engine that guesses would confirm what nobody saw.
    """

    def __init__(self, words: StatementWords) -> None:
        self._reader = AtomReader(words)
        self._counted_units = frozenset(words.counted_units)
        self._ordinal_nouns = frozenset(words.ordinal_nouns)

    def judge(self, view: JudgeView) -> EngineResult:
        """Returns a label for each claim."""
        session: list[tuple[Clause, tuple[Atom, ...]]] | None = None
        labels: list[ClaimLabel] = []
        for case in view.cases:
            own = self._read(verified_clauses(case.usable))
            label = self._from_clauses(case, own)
            if label is None and not case.usable:
                # Without a verified quotation nothing can confirm the claim, and a plain conflict can still refute it.
                if session is None:
                    session = self._read(session_clauses(view.invocations))
                label = self._from_clauses(case, session, only_conflict=True)
            labels.append(label if label is not None else _not_understood(case))
        return EngineResult(Engine.DETERMINISTIC, tuple(labels))

    def _read(self, clauses: Sequence[Clause]) -> list[tuple[Clause, tuple[Atom, ...]]]:
        return [(clause, self._reader.without_copulas(self._reader.clause(clause.text))) for clause in clauses]

    def _from_clauses(
        self, case: ClaimCase, clauses: Sequence[tuple[Clause, tuple[Atom, ...]]], *, only_conflict: bool = False
    ) -> ClaimLabel | None:
        claim = self._reader.without_copulas(self._reader.claim(case.claim.claim_text))
        relations = [
            (relate(claim, atoms, self._counted_units, self._ordinal_nouns), clause) for clause, atoms in clauses
        ]
        stated = [clause for relation, clause in relations if relation is Relation.STATED]
        if stated:
            return None if only_conflict else _stated(case, stated[0])
        others = [clause for relation, clause in relations if relation is Relation.OTHER_VALUE]
        # Several other values are a series or several things, of which the claim can mean another one.
        if len(others) == 1 and not self._reader.is_qualified(case.claim.claim_text):
            return _in_conflict(case, others[0])
        return None


def _stated(case: ClaimCase, clause: Clause) -> ClaimLabel:
    return ClaimLabel(
        case.claim.index,
        Verification.DIRECT_OBSERVATION,
        f"The evidence states it: “{_quote(clause.text.strip())}”.",
        Engine.DETERMINISTIC,
        (_witness(case, clause, "stated"),),
    )


def _in_conflict(case: ClaimCase, clause: Clause) -> ClaimLabel:
    return ClaimLabel(
        case.claim.index,
        Verification.CONTRADICTED,
        f"The claim says “{_quote(case.claim.claim_text)}”; the evidence has another value: "
        f"“{_quote(clause.text.strip())}”.",
        Engine.DETERMINISTIC,
        (_witness(case, clause, "in_conflict"),),
    )


def _not_understood(case: ClaimCase) -> ClaimLabel:
    if case.usable:
        detail = "No clause around its verified quotations states the claim word by word; more was not understood."
    else:
        detail = "No verified quotation can bear the claim, and nothing in the session plainly conflicts with it."
    return ClaimLabel(case.claim.index, Verification.UNSUPPORTED, detail, Engine.DETERMINISTIC)


def _witness(case: ClaimCase, clause: Clause, relation: str) -> Witness:
    text = case.claim.claim_text
    return Witness(
        relation,
        Span(0, len(text)),
        _quote(text),
        clause.invocation_id,
        clause.raw_path,
        clause.span,
        _quote(clause.text),
    )


def _quote(text: str) -> str:
    return text if len(text) <= _QUOTE_CODE_POINTS else text[: _QUOTE_CODE_POINTS - 1] + "…"
