"""Builds what the judge's tests look at: claims, invocations, the words of the source tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import yaml
from evidencegate_server.contract.model import Claim, ParseReport
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, JudgeEngine, JudgeView, VerifiedBinding
from evidencegate_server.lexicon.judge_words import IdentifierWords, StatementWords
from evidencegate_server.trace.model import TraceSummary
from evidencegate_server.words import InvocationStatus, ParseStatus

from tests.support import ROOT
from tests.verdict.helpers import gatekeeper


@cache
def identifier_words() -> IdentifierWords:
    """Returns the identifier words of the source tree."""
    return IdentifierWords.model_validate(_yaml("identifiers"), strict=False)


@cache
def statement_words() -> StatementWords:
    """Returns the statement words of the source tree."""
    return StatementWords.model_validate(_yaml("statements"), strict=False)


def _yaml(name: str) -> object:
    return yaml.safe_load((ROOT / "rules" / "lexicon" / f"{name}.yaml").read_text(encoding="utf-8"))


def claim(text: str, index: int = 0, claim_type: str = "symptom") -> Claim:
    """Makes a claim without bindings."""
    return Claim(f"claims[{index}]", index, f"claim-{index + 1}", claim_type, text, "direct", (), {})


def call(
    *texts: str,
    call_id: str = "1",
    status: InvocationStatus = InvocationStatus.SUCCESS,
    asked: str = "",
    error: str = "",
) -> Invocation:
    """Makes a call whose refs are the texts, one ref each."""
    refs = tuple(EvidenceRef(f"lines[{at}]", text) for at, text in enumerate(texts))
    return Invocation(call_id, "query_logs", status, input=asked, output="\n".join(texts), error=error, refs=refs)


def view_of(cases: Sequence[ClaimCase], invocations: Sequence[Invocation]) -> JudgeView:
    """Returns what an engine sees of these cases."""
    report = ParseReport(ParseStatus.VALID, "0" * 64, 0)
    return JudgeView("", "", None, report, TraceSummary(()), gatekeeper(), None, tuple(cases), tuple(invocations))


def labelled_by(
    engine: JudgeEngine,
    text: str,
    *evidence: str,
    bound: bool = True,
    span: Span | None = None,
    more: tuple[Invocation, ...] = (),
) -> ClaimLabel:
    """Labels a claim over the texts of one call, each of which is a verified quotation of it unless it is not bound."""
    source = call(*evidence)
    case = case_over(claim(text), source, bound=bound, span=span)
    (label,) = engine.judge(view_of((case,), (source, *more))).labels
    return label


def case_over(made: Claim, source: Invocation, bound: bool = True, span: Span | None = None) -> ClaimCase:
    """Returns a claim with all refs of a call as its verified quotations, unless it is not bound."""
    usable = tuple(
        VerifiedBinding(at, source, ref, (span or Span(0, len(ref.text)),)) for at, ref in enumerate(source.refs)
    )
    return ClaimCase(made, usable if bound else (), (), 0 if bound else len(usable))
