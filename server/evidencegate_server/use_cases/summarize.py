"""Summarizes a session's tool calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.judge.cases import claim_cases
from evidencegate_server.judge.model import ClaimCase, VerifiedBinding
from evidencegate_server.trace.focus import FocusMaker, Spoken
from evidencegate_server.trace.kinds import resolve_kinds
from evidencegate_server.trace.model import TraceSummary
from evidencegate_server.trace.summary import summarize_trace
from evidencegate_server.use_cases.validate import ValidationInput, validate
from evidencegate_server.words import OutputVariant


@record
class SummaryInput:
    """What is summarized, and what the summary should show first: what is asked and what is claimed, both optional."""

    invocations: tuple[Invocation, ...]
    original_query: str = ""
    output_variant: OutputVariant = OutputVariant.TEXT
    output: str | bytes | None = None


def summarize(request: SummaryInput, catalog: Catalog) -> TraceSummary:
    """Returns the trace summary, the same one that `judge` makes of the same calls, question and output."""
    if request.output is None:
        return _summary(resolve_kinds(request.invocations, catalog.tools), catalog, (), request.original_query)
    validated = validate(ValidationInput(request.output_variant, request.output, request.invocations), catalog)
    output = validated.parsed.output
    cases = () if output is None else claim_cases(output, validated.result, validated.index)
    return summarize_for(validated.index.invocations, cases, request.original_query, catalog)


def summarize_for(
    invocations: tuple[Invocation, ...], cases: Sequence[ClaimCase], original_query: str, catalog: Catalog
) -> TraceSummary:
    """Returns the trace summary for claims that were checked, of calls whose kinds are resolved.

    The calls that claims are bound to have an item even where the bounds leave others out.
    """
    return _summary(invocations, catalog, cases, original_query)


def _summary(
    invocations: tuple[Invocation, ...], catalog: Catalog, cases: Sequence[ClaimCase], original_query: str
) -> TraceSummary:
    spoken: dict[str, Spoken] = {}
    for case in cases:
        for binding in (*case.usable, *case.guidance):
            known = spoken.get(binding.invocation.id, Spoken())
            spoken[binding.invocation.id] = Spoken(
                (*known.texts, case.claim.claim_text), (*known.quotes, *_quotes(binding))
            )
    texts = [*(case.claim.claim_text for case in cases), original_query]
    focus = FocusMaker(spoken, texts, frozenset(catalog.lexicon.function_words.english))
    return summarize_trace(invocations, catalog.tools, catalog.trace, keep=frozenset(spoken), focus=focus)


def _quotes(binding: VerifiedBinding) -> Iterable[str]:
    return (binding.ref.text[span.start : span.end] for span in binding.spans)
