"""Turns what an engine said into an evaluation, by code that stands over every engine."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from evidencegate_server.contract.model import Notice, SideItem
from evidencegate_server.contract.records import record
from evidencegate_server.judge.model import AuditFact, ClaimCase, ClaimLabel, EngineResult, JudgeView
from evidencegate_server.verdict.effective import caps_of, effective_verdict, unreadable_output
from evidencegate_server.verdict.facts import facts_checked
from evidencegate_server.verdict.guards import CONTRADICTED_BY_CODE, GuardedLabel, guard
from evidencegate_server.verdict.labels import stronger
from evidencegate_server.verdict.material import ModelUse
from evidencegate_server.verdict.matrix import Judged, MatrixResult, matrix
from evidencegate_server.verdict.model import ClaimCheck, Evaluation, HypothesisCheck, PromptAudit
from evidencegate_server.verdict.rationale import rationale
from evidencegate_server.verdict.references import References, TraceIndex, from_bindings, from_pointers
from evidencegate_server.verdict.retry import retry_context
from evidencegate_server.verdict.route import route
from evidencegate_server.verdict.tables import VerdictTables
from evidencegate_server.words import ParseStatus, Route, Verification

UNKNOWN_CLAIM = "judge.unknown_claim"
_HYPOTHESIS_NOTE = "A hypothesis asserts nothing, so it is listed and not labelled."


@record
class _Guarded:
    case: ClaimCase
    label: ClaimLabel | None
    refs: References
    guarded: GuardedLabel
    fabricated: tuple[str, ...]
    by_code: ClaimLabel | None


def evaluate(
    view: JudgeView,
    result: EngineResult,
    tables: VerdictTables,
    *,
    fabricated: Mapping[int, tuple[str, ...]],
    prompt_audit: PromptAudit,
    round_number: int,
    warnings: Sequence[Notice] = (),
    not_examined: Collection[int] = frozenset(),
    unclaimed: Sequence[AuditFact] = (),
    code: EngineResult | None = None,
    model_use: ModelUse | None = None,
) -> Evaluation:
    """Returns the evaluation.

    `code` is what the deterministic engine says, where a model labelled: its contradictions stand, and what it does not
    bear out is capped by the tables.

    Each claim of the output gets exactly one check, in the output's order. `fabricated` holds, by claim index, the
    identifiers that occur nowhere in the session; `not_examined` holds the claims whose identifiers were not all looked
    up; `unclaimed` are the facts that the executor's answer for the user tells and no claim has.
    """
    labels, unknown = _labels_by_claim(view, result)
    by_code = {} if code is None else {label.index: label for label in code.labels}
    claims = _guard_all(view, labels, fabricated, not_examined, tables, by_code)
    status = view.parse_report.status
    judged = matrix(
        [Judged(c.case.claim.claim_type, c.guarded.verification, bool(c.fabricated)) for c in claims],
        tables,
        contradicted_fact=result.contradicted_fact and status is ParseStatus.VALID,
    )
    checks = tuple(_check(claim, critical) for claim, critical in zip(claims, judged.critical, strict=True))
    engine_verdict = result.verdict if result.verdict is not None else _matrix_of_engine(claims, tables).verdict
    unreadable = result.report is not None and result.report.status is not ParseStatus.VALID
    caps = caps_of(judged, view.gatekeeper, tables, verifier_unreadable=unreadable, unclaimed_facts=len(unclaimed))
    effective = effective_verdict(engine_verdict, unreadable_output(status, tables), caps)
    next_route = route(effective.verdict, judged.score, round_number, tables)
    output = view.output
    return Evaluation(
        verdict=effective.verdict,
        engine_verdict=engine_verdict,
        groundedness_score=judged.score,
        critical_fact_count=sum(judged.critical),
        route=next_route,
        claim_checks=checks,
        hypothesis_checks=_hypotheses(() if output is None else output.hypotheses),
        facts_checked=facts_checked(checks, (*result.audit_facts, *unclaimed)),
        rationale=rationale(
            effective.verdict, judged.score, checks, status, judged.message, effective.steps, next_route
        ),
        verdict_steps=effective.steps,
        engine=result.engine,
        executor_report=view.parse_report,
        verifier_report=result.report,
        gatekeeper=view.gatekeeper,
        trace=view.trace,
        warnings=(*warnings, *result.warnings, *unknown, *(notice for c in claims for notice in c.refs.warnings)),
        prompt_audit=prompt_audit,
        round=round_number,
        model_use=model_use,
        retry_context=(
            retry_context(effective.verdict, judged.score, checks, output) if next_route is Route.RETRY else None
        ),
    )


def _labels_by_claim(view: JudgeView, result: EngineResult) -> tuple[dict[int, ClaimLabel], tuple[Notice, ...]]:
    known = {case.claim.index for case in view.cases}
    labels: dict[int, ClaimLabel] = {}
    warnings: list[Notice] = []
    for label in result.labels:
        if label.index in known and label.index not in labels:
            labels[label.index] = label
        else:
            warnings.append(
                Notice(UNKNOWN_CLAIM, f"A label for claim {label.index} was dropped: no such claim is left.")
            )
    return labels, tuple(warnings)


def _guard_all(
    view: JudgeView,
    labels: Mapping[int, ClaimLabel],
    fabricated: Mapping[int, tuple[str, ...]],
    not_examined: Collection[int],
    tables: VerdictTables,
    by_code: Mapping[int, ClaimLabel],
) -> list[_Guarded]:
    index = TraceIndex(view.trace)
    known = {invocation.id: invocation for invocation in view.invocations}
    claims: list[_Guarded] = []
    for case in view.cases:
        label = labels.get(case.claim.index)
        if label is not None and label.pointers:
            refs = from_pointers(case, label.pointers, index, known)
        else:
            # A model that points at nothing leaves the claim its own bindings: those are what it was judged on.
            refs = from_bindings(case, index, warn=True)
        names = fabricated.get(case.claim.index, ())
        said = by_code.get(case.claim.index)
        best = Verification.DIRECT_OBSERVATION
        if said is not None:
            best = stronger(said.verification, tables.max_label_without_code)
        guarded = guard(
            case,
            None if label is None else label.verification,
            tables.label_caps,
            evidence_ref_dropped=refs.dropped,
            fabricated_identifiers=names,
            evidence_refs_unusable=refs.unusable,
            not_examined=case.claim.index in not_examined,
            foreign_values=() if said is None else said.foreign_values,
            model_alone=best,
            contradicted_by_code=said is not None and said.verification is Verification.CONTRADICTED,
        )
        claims.append(_Guarded(case, label, refs, guarded, names, said))
    return claims


def _matrix_of_engine(claims: Sequence[_Guarded], tables: VerdictTables) -> MatrixResult:
    """Judges the labels as the engine gave them, before any guard."""
    return matrix(
        [
            Judged(
                claim.case.claim.claim_type,
                Verification.UNSUPPORTED if claim.label is None else claim.label.verification,
            )
            for claim in claims
        ],
        tables,
    )


def _check(claim: _Guarded, critical: bool) -> ClaimCheck:
    written = claim.case.claim
    label = claim.label
    decided = [step.reason for step in claim.guarded.steps]
    said = [step.message for step in claim.guarded.steps]
    witnesses = () if label is None else label.witnesses
    if claim.by_code is not None and CONTRADICTED_BY_CODE in decided:
        said.append(claim.by_code.detail)
        witnesses = claim.by_code.witnesses
    if label is not None and label.detail:
        said.append(label.detail)
    return ClaimCheck(
        index=written.index,
        claim_id=written.claim_id,
        claim_text=written.claim_text,
        claim_type=written.claim_type,
        verification=claim.guarded.verification,
        detail=" ".join(said),
        evidence_refs=claim.refs.refs,
        is_critical=critical,
        engine=None if label is None else label.engine,
        engine_verification=None if label is None else label.verification,
        label_steps=claim.guarded.steps,
        fabricated_identifiers=claim.fabricated,
        witnesses=witnesses,
    )


def _hypotheses(items: Sequence[SideItem]) -> tuple[HypothesisCheck, ...]:
    return tuple(HypothesisCheck(item.index, item.text or "", _HYPOTHESIS_NOTE) for item in items)
