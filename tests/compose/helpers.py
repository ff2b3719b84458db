"""Builds evaluations by hand, so that each label, verdict and source can be composed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.compose.consistency import Evaluated
from evidencegate_server.compose.material import Seen, allowed_material
from evidencegate_server.compose.model import Answer
from evidencegate_server.contract.model import ExecutorOutput, SideItem
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.judge.facts import FactReader
from evidencegate_server.use_cases.compose import ComposeInput, Written, prepare
from evidencegate_server.verdict.effective import caps_of, effective_verdict, unreadable_output
from evidencegate_server.verdict.material import AllowedMaterial
from evidencegate_server.verdict.matrix import Judged, matrix
from evidencegate_server.verdict.model import ClaimCheck
from evidencegate_server.verdict.route import route
from evidencegate_server.words import (
    EvaluationSource,
    GatekeeperStatus,
    InvocationStatus,
    Language,
    ParseStatus,
    Route,
    Severity,
    Verdict,
    Verification,
    Writer,
)

from tests.trace.helpers import shipped

EVIDENCE = "order-svc restarted 3 times; p99 latency of order-svc is 500 ms; disk of db-3 is full"
CALL = Invocation("7", "query_logs", InvocationStatus.SUCCESS, output=EVIDENCE, refs=(EvidenceRef("lines", EVIDENCE),))


@record
class Checked:
    """A Gatekeeper result as far as the verdict needs it."""

    status: GatekeeperStatus = GatekeeperStatus.PASS
    severity: Severity = Severity.NONE
    failed_rules: tuple[str, ...] = ()
    rule_errors: tuple[int, ...] = ()
    fallback: bool = False


def check(
    index: int, text: str, label: Verification, claim_type: str = "symptom", *, fabricated: bool = False
) -> ClaimCheck:
    """Returns the check of one claim."""
    return ClaimCheck(
        index=index,
        claim_id=f"c{index + 1}",
        claim_text=text,
        claim_type=claim_type,
        verification=label,
        detail="what a model wrote",
        evidence_refs=(),
        is_critical=True,
        engine=None,
        engine_verification=None,
        fabricated_identifiers=("x-1",) if fabricated else (),
    )


def items(texts: Sequence[str]) -> tuple[SideItem, ...]:
    """Returns hypotheses or actions."""
    return tuple(SideItem(f"items[{index}]", index, text, text) for index, text in enumerate(texts))


def evaluated(
    *checks: ClaimCheck,
    hypotheses: Sequence[str] = (),
    actions: Sequence[str] = (),
    gatekeeper: Checked | None = None,
    status: ParseStatus = ParseStatus.VALID,
    round_number: int = 1,
    query: str = "",
    engine_verdict: Verdict = Verdict.PASS,
) -> Evaluated:
    """Returns an evaluation that follows from its checks."""
    catalog = shipped()
    checked = gatekeeper or Checked()
    judged = matrix(
        [Judged(one.claim_type, one.verification, bool(one.fabricated_identifiers)) for one in checks], catalog.verdict
    )
    caps = caps_of(judged, checked, catalog.verdict, verifier_unreadable=False)
    verdict = effective_verdict(engine_verdict, unreadable_output(status, catalog.verdict), caps).verdict
    weighed = tuple(replace(one, is_critical=critical) for one, critical in zip(checks, judged.critical, strict=True))
    output = None
    if status is ParseStatus.VALID:
        output = ExecutorOutput("executor_evidence_v2", (), items(hypotheses), items(actions), (), {})
    return Evaluated(
        source=EvaluationSource.SERVER,
        verdict=verdict,
        engine_verdict=engine_verdict,
        groundedness_score=judged.score,
        critical_fact_count=sum(judged.critical),
        route=route(verdict, judged.score, round_number, catalog.verdict),
        round=round_number,
        checks=weighed,
        hypotheses=tuple(hypotheses),
        executor_status=status,
        verifier_status=None,
        gatekeeper=checked,
        contradicted_fact=False,
        unclaimed_facts=0,
        material=allowed_material(
            verdict, weighed, output, Seen.of(query, (CALL,)), catalog.composer, FactReader(catalog.lexicon)
        ),
    )


def fallback() -> Evaluated:
    """Returns what a client makes up that reached nobody."""
    return replace(
        evaluated(),
        source=EvaluationSource.CLIENT_FALLBACK,
        verdict=Verdict.LOW_CONFID,
        engine_verdict=Verdict.LOW_CONFID,
        route=Route.COMPOSE_WITH_UNCERTAINTY,
        executor_status=None,
        gatekeeper=None,
        material=AllowedMaterial(),
    )


def composed(
    given: Evaluated, text: str | None = None, *, language: Language = Language.EN, query: str = "", **written: str
) -> Answer:
    """Returns the answer, by the template or from what a caller's model wrote."""
    catalog: Catalog = shipped()
    writer = Writer.TEMPLATE if text is None and not written else Writer.SUPPLIED
    composition = prepare(ComposeInput(given, query, language, writer), catalog)
    return composition.finish(None if writer is Writer.TEMPLATE else Written(text, **written))
