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
_MAX_CLAIM_CODE_POINTS: Final = 2_000  # a longer claim is no single statement
_FREE_CODE_POINTS: Final = 120  # room for the time, level and logger before a message


class DeterministicEngine:
    """The engine in the box: no model, no network, no clock.

    A claim is a direct observation where a verified clause states it word by word, and contradicted where the session
    puts one other value on the same quantity and nowhere states the claim. Everything else is unsupported, and its
    detail says so: an engine that guesses would confirm what nobody saw.
    """

    def __init__(self, words: StatementWords) -> None:
        self._reader = AtomReader(words)
        self._counted_units = frozenset(words.counted_units)
        self._ordinal_nouns = frozenset(words.ordinal_nouns)

    def judge(self, view: JudgeView) -> EngineResult:
        """Returns a label for each claim."""
        session: tuple[Clause, ...] | None = None
        read: dict[Clause, tuple[Atom, ...]] = {}
        labels: list[ClaimLabel] = []
        for case in view.cases:
            if len(case.claim.claim_text) > _MAX_CLAIM_CODE_POINTS:
                labels.append(_not_understood(case))
                continue
            stated, _ = self._compare(case, verified_clauses(case.usable), read)
            if stated:
                labels.append(_stated(case, stated[0]))
                continue
            # A plain conflict needs no quotation of the claim's own, but it has to hold in the whole session: another
            # line can be the one that the claim means.
            if session is None:
                session = session_clauses(view.invocations)
            elsewhere, others = self._compare(case, session, read)
            if others and not elsewhere and self._is_one_value(others) and not self._is_qualified(case):
                labels.append(_in_conflict(case, others[0]))
            else:
                labels.append(_not_understood(case))
        return EngineResult(Engine.DETERMINISTIC, tuple(labels))

    def _compare(
        self, case: ClaimCase, clauses: Sequence[Clause], read: dict[Clause, tuple[Atom, ...]]
    ) -> tuple[list[Clause], list[Clause]]:
        """Returns the clauses that state the claim, and those that put another value on the same quantity."""
        text = case.claim.claim_text
        written = self._reader.claim(text)
        bare = self._reader.without_copula(written)
        longest = 3 * len(text) + _FREE_CODE_POINTS
        # A clause that lacks a word of the claim says something else: cheap to see, before it is read.
        keys = sorted({atom.key for atom in bare if atom.number is None}, key=lambda key: (-len(key), key))
        found: dict[Relation, list[Clause]] = {relation: [] for relation in Relation}
        if not keys:
            return [], []
        for clause in clauses:
            if keys[0] not in clause.folded or len(clause.text) > longest:
                continue
            if not all(key in clause.folded for key in keys):
                continue
            atoms = read.get(clause)
            if atoms is None:
                atoms = read[clause] = self._reader.clause(clause.text)
            # `Restart Count: 6` has no copula where the claim has one; two clauses that have one must have the same.
            ours = written if self._reader.has_copula(atoms) else bare
            found[relate(ours, atoms, self._counted_units, self._ordinal_nouns)].append(clause)
        return found[Relation.STATED], found[Relation.OTHER_VALUE]

    def _is_one_value(self, clauses: Sequence[Clause]) -> bool:
        """Returns whether the clauses are all the same statement: several values are a series or several things."""
        return len({self._reader.clause(clause.text) for clause in clauses}) == 1

    def _is_qualified(self, case: ClaimCase) -> bool:
        return self._reader.is_qualified(case.claim.claim_text)


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
