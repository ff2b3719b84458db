"""Has claims judged in their plain layout, and tells of them as they were written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evidencegate_server.contract.records import record, replace
from evidencegate_server.evidence.model import Span
from evidencegate_server.judge.deterministic.tell import quote
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, JudgeView, Witness
from evidencegate_server.judge.plain import Plain, plain


@record
class Layout:
    """A claim as it was written, with its plain form."""

    text: str
    form: Plain


def in_plain_layout(view: JudgeView, most_code_points: int) -> tuple[JudgeView, Mapping[int, Layout]]:
    """Returns the view with its claims in plain layout, and by claim index those that were written otherwise.

    A claim of more code points stays as it is: no engine reads it.
    """
    cases: list[ClaimCase] = []
    layouts: dict[int, Layout] = {}
    for case in view.cases:
        text = case.claim.claim_text
        form = plain(text) if len(text) <= most_code_points else Plain(text)
        if form.places is not None:
            layouts[case.claim.index] = Layout(text, form)
            case = replace(case, claim=replace(case.claim, claim_text=form.text))
        cases.append(case)
    return (replace(view, cases=tuple(cases)) if layouts else view), layouts


def as_written(labels: Iterable[ClaimLabel], layouts: Mapping[int, Layout]) -> tuple[ClaimLabel, ...]:
    """Returns the labels with the places and quotations of their claims as these were written."""
    return tuple(
        replace(label, witnesses=tuple(_as_written(witness, layouts[label.index]) for witness in label.witnesses))
        if label.index in layouts
        else label
        for label in labels
    )


def _as_written(witness: Witness, layout: Layout) -> Witness:
    start, end = layout.form.written(witness.claim_span.start, witness.claim_span.end)
    return replace(witness, claim_span=Span(start, end), claim_quote=quote(layout.text[start:end]))
