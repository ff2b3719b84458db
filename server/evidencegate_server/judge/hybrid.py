"""Takes a model's word only where code could not settle a claim, and only with a quotation of the claim's evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from evidencegate_server.contract.model import Notice
from evidencegate_server.contract.records import replace
from evidencegate_server.contract.verifier_model import ParsedVerifierOutput
from evidencegate_server.evidence.index import IMPLIED_INPUT
from evidencegate_server.evidence.model import Span
from evidencegate_server.excerpts.match import match_excerpt
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.excerpts.text import EvidenceText
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, EngineResult, JudgeView, VerifiedBinding, Witness
from evidencegate_server.judge.supplied import SuppliedEngine
from evidencegate_server.words import Engine, ExcerptStatus, Verdict, Verification

FACT_NOT_ASKED: Final = "judge.fact_not_asked"

SETTLED: Final = frozenset(
    {Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE, Verification.CONTRADICTED}
)

# These say that the evidence has nothing, of which there is nothing to quote.
_NEED_NO_QUOTATION: Final = frozenset({Verification.UNSUPPORTED, Verification.EXTERNAL_UNKNOWN})
_MOST_QUOTATIONS: Final = 8  # of one claim; a model that copies more has not decided
_MOST_CHARS: Final = 2_000  # of one quotation
_SHOWN_CHARS: Final = 200


def open_claims(cases: Sequence[ClaimCase], code: EngineResult, refused: Collection[int]) -> frozenset[int]:
    """Returns the claims that a model is asked about.

    They are those that code has not settled. One that the guards refuse whatever a model says (`refused`, no evidence
    that may testify, a fault of its own) is not asked about.
    """
    settled = {label.index for label in code.labels if label.verification in SETTLED}
    return frozenset(
        case.claim.index
        for case in cases
        if case.usable
        and not case.contract_fault
        and case.claim.index not in settled
        and case.claim.index not in refused
    )


class HybridEngine:
    """Judges by code, and by a parsed model output where code is silent."""

    def __init__(
        self, parsed: ParsedVerifierOutput, code: EngineResult, asked: frozenset[int], policy: ExcerptPolicy
    ) -> None:
        self._parsed = parsed
        self._code = code
        self._asked = asked
        self._policy = policy
        self._texts: dict[tuple[str, str], EvidenceText] = {}

    def judge(self, view: JudgeView) -> EngineResult:
        """Returns the labels of code, and the model's where it was asked and quotes; code's where it wrote nothing."""
        report = self._parsed.report
        if self._parsed.output is None:
            return EngineResult(Engine.HYBRID, self._code.labels, Verdict.LOW_CONFID, report=report)
        cases = {case.claim.index: case for case in view.cases if case.claim.index in self._asked}
        said = SuppliedEngine(self._parsed, Engine.LLM).judge(replace(view, cases=tuple(cases.values())))
        labels = {label.index: label for label in self._code.labels}
        for label in said.labels:
            labels[label.index] = self._proved(cases[label.index], label)
        warnings = list(said.warnings)
        if said.audit_facts:
            message = f"{len(said.audit_facts)} facts of the model belong to no claim that it was asked about: dropped."
            warnings.append(Notice(FACT_NOT_ASKED, message))
        return EngineResult(
            Engine.HYBRID,
            tuple(labels[index] for index in sorted(labels)),
            report=report,
            rationale=said.rationale,
            warnings=tuple(warnings),
        )

    def _proved(self, case: ClaimCase, label: ClaimLabel) -> ClaimLabel:
        """Returns the label with the quotation that bears it out; without one the claim is unsupported."""
        if label.verification in _NEED_NO_QUOTATION:
            return label
        witness = next(self._witnesses(case, label), None)
        if witness is not None:
            return replace(label, witnesses=(witness,))
        detail = (
            f"The model's label {label.verification.value} does not count: it copied no words of the claim's verified "
            f"evidence. {label.detail}"
        )
        return replace(label, verification=Verification.UNSUPPORTED, detail=detail.strip())

    def _witnesses(self, case: ClaimCase, label: ClaimLabel) -> Iterator[Witness]:
        notes = [pointer.note for pointer in label.pointers or () if pointer.note.strip()]
        for note in notes[:_MOST_QUOTATIONS]:
            for bound in case.usable:
                if len(note) > _MOST_CHARS or (bound.ref.implied and bound.ref.raw_path == IMPLIED_INPUT):
                    continue
                found = match_excerpt(note, self._text(bound), self._policy)
                if found.status is ExcerptStatus.SUPPORTED and found.spans:
                    yield _witness(case, bound, found.spans[0])

    def _text(self, bound: VerifiedBinding) -> EvidenceText:
        key = (bound.invocation.id, bound.ref.raw_path)
        if key not in self._texts:
            self._texts[key] = EvidenceText(bound.ref.text)
        return self._texts[key]


def _witness(case: ClaimCase, bound: VerifiedBinding, span: Span) -> Witness:
    claim = case.claim.claim_text
    return Witness(
        "stated",
        Span(0, len(claim)),
        _short(claim),
        bound.invocation.id,
        bound.ref.raw_path,
        span,
        _short(bound.ref.text[span.start : span.end]),
    )


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
