"""Derives the score and the verdict from the labels of the claims."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from evidencegate_server.contract.records import record
from evidencegate_server.verdict.labels import FACT_OF, SUPPORTED, lowest
from evidencegate_server.verdict.tables import VerdictTables
from evidencegate_server.words import Verdict, Verification


@record
class Judged:
    """What the matrix looks at in one claim; `fabricated` says that it names an identifier from nowhere."""

    claim_type: str
    verification: Verification
    fabricated: bool = False


@record
class MatrixResult:
    """What the labels alone are worth.

    `critical` says for each claim whether it counts; `reason` is the line of the matrix that decided, as a stable word.
    """

    verdict: Verdict
    reason: str
    message: str
    score: float
    critical: tuple[bool, ...]


def matrix(judged: Sequence[Judged], tables: VerdictTables, *, contradicted_fact: bool = False) -> MatrixResult:
    """Returns verdict and score of the labels.

    A catalog can make further claim types critical. Both readings are taken, by the core types and by all of the
    catalog's, and the lower score and the lower verdict hold. `contradicted_fact` marks a critical fact of a model's
    that belongs to no claim and conflicts with the evidence.
    """
    core, wide = tables.critical_sets([claim.claim_type for claim in judged])
    readings = [core] if core == wide else [core, wide]
    score = min(_mean(judged, critical, tables, contradicted_fact) for critical in readings)
    results = [_reading(judged, critical, score, tables, contradicted_fact) for critical in readings]
    verdict = lowest(result[0] for result in results)
    _, reason, message = next(result for result in results if result[0] is verdict)
    return MatrixResult(verdict, reason, message, score, wide)


def _mean(judged: Sequence[Judged], critical: Sequence[bool], tables: VerdictTables, contradicted: bool) -> float:
    labels = [claim.verification for claim, counts in zip(judged, critical, strict=True) if counts]
    if not labels or contradicted or Verification.CONTRADICTED in labels:
        return 0.0
    # In decimals, so that a mean meets the threshold exactly where it should.
    total = sum((Decimal(str(tables.fact_scores.of(FACT_OF[label]))) for label in labels), Decimal(0))
    return float(min(Decimal(1), max(Decimal(0), total / len(labels))))


def _reading(
    judged: Sequence[Judged], critical: Sequence[bool], score: float, tables: VerdictTables, contradicted_fact: bool
) -> tuple[Verdict, str, str]:
    caps = tables.caps
    counted = [claim for claim, counts in zip(judged, critical, strict=True) if counts]
    labels = [claim.verification for claim in counted]
    weak = sum(label not in SUPPORTED for label in labels)
    lines = (
        (
            contradicted_fact,
            caps.contradicted_critical_claim,
            "contradicted_fact",
            "A fact that the verifier model calls critical is contradicted.",
        ),
        (
            Verification.CONTRADICTED in labels,
            caps.contradicted_critical_claim,
            "contradicted_critical_claim",
            "A critical claim is contradicted by the evidence.",
        ),
        (
            any(claim.fabricated for claim in counted),
            caps.fabricated_identifier,
            "fabricated_identifier",
            "A critical claim names an identifier that occurs nowhere in the session.",
        ),
        (not judged, caps.no_claims, "no_claims", "Nothing is claimed."),
        (
            weak > 0,
            caps.weak_critical_claim,
            "weak_critical_claim",
            f"{weak} of {len(labels)} critical claims {'is' if weak == 1 else 'are'} not supported by the evidence.",
        ),
        (
            Verification.DIRECT_OBSERVATION not in labels,
            caps.only_inference,
            "only_inference",
            "No critical claim is observed directly.",
        ),
        (
            any(claim.verification is Verification.CONTRADICTED for claim in judged),
            caps.contradicted_claim,
            "contradicted_claim",
            "A claim that is not critical is contradicted by the evidence.",
        ),
        (score < tables.pass_threshold, Verdict.LOW_CONFID, "low_score", "The score is below the threshold."),
    )
    applying = [(verdict, reason, message) for applies, verdict, reason, message in lines if applies]
    if not applying:
        return Verdict.PASS, "grounded", "Every critical claim is supported, at least one of them directly."
    # A stricter catalog can let a later line reach lower than an earlier one.
    worst = lowest(verdict for verdict, _, _ in applying)
    return next(line for line in applying if line[0] is worst)
