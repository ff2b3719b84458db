"""Checks that an evaluation follows from its own checks, so that nobody composes from a verdict that was edited."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evidencegate_server.compose.material import claim_material
from evidencegate_server.compose.templates import ComposerFile
from evidencegate_server.compose.text import one_line
from evidencegate_server.contract.records import record
from evidencegate_server.verdict.effective import GatekeeperSays, caps_of, effective_verdict, unreadable_output
from evidencegate_server.verdict.material import AllowedMaterial
from evidencegate_server.verdict.matrix import Judged, matrix
from evidencegate_server.verdict.model import ClaimCheck
from evidencegate_server.verdict.route import route
from evidencegate_server.verdict.tables import VerdictTables
from evidencegate_server.words import EvaluationSource, ParseStatus, Route, Verdict

_TOLERANCE: Final = 1e-9


@record
class Evaluated:
    """What an answer needs of an evaluation, as a caller hands it in.

    `executor_status` and `gatekeeper` are None where nothing was checked; `contradicted_fact` says that a critical fact
    of no claim is contradicted; `unclaimed_facts` counts the facts that are marked as standing in no claim.
    """

    source: EvaluationSource
    verdict: Verdict
    engine_verdict: Verdict
    groundedness_score: float
    critical_fact_count: int
    route: Route
    round: int
    checks: tuple[ClaimCheck, ...]
    hypotheses: tuple[str, ...]
    executor_status: ParseStatus | None
    verifier_status: ParseStatus | None
    gatekeeper: GatekeeperSays | None
    contradicted_fact: bool
    unclaimed_facts: int
    material: AllowedMaterial


@record
class Inconsistency:
    """A field of an evaluation that does not follow from the others."""

    field: str
    message: str


def inconsistencies(given: Evaluated, tables: VerdictTables, composer: ComposerFile) -> tuple[Inconsistency, ...]:
    """Returns everything that does not fit together."""
    if given.source is EvaluationSource.CLIENT_FALLBACK:
        return tuple(_of_fallback(given))
    return (*_of_verdict(given, tables), *_of_material(given, composer))


def _of_fallback(given: Evaluated) -> Iterator[Inconsistency]:
    """A client that reached nobody has judged nothing."""
    if given.verdict is not Verdict.LOW_CONFID:
        yield Inconsistency(
            "verdict", f"must be LOW_CONFID where the service was not reached, not {given.verdict.value}"
        )
    if given.checks:
        yield Inconsistency("claim_checks", "must be empty where the service was not reached")
    if given.material != AllowedMaterial():
        yield Inconsistency("allowed_material", "must be empty where the service was not reached")


def _of_verdict(given: Evaluated, tables: VerdictTables) -> Iterator[Inconsistency]:
    if given.executor_status is None:
        yield Inconsistency("executor_output_parse_status", "is missing")
        return
    if given.gatekeeper is None:
        yield Inconsistency("gatekeeper_result", "is missing")
        return
    judged = matrix(
        [Judged(check.claim_type, check.verification, bool(check.fabricated_identifiers)) for check in given.checks],
        tables,
        contradicted_fact=given.contradicted_fact and given.executor_status is ParseStatus.VALID,
    )
    unreadable = given.verifier_status not in (None, ParseStatus.VALID)
    caps = caps_of(
        judged,
        given.gatekeeper,
        tables,
        verifier_unreadable=unreadable,
        unclaimed_facts=given.unclaimed_facts,
    )
    verdict = effective_verdict(given.engine_verdict, unreadable_output(given.executor_status, tables), caps).verdict
    expected = (
        ("verdict", given.verdict.value, verdict.value),
        ("critical_fact_count", given.critical_fact_count, sum(judged.critical)),
        ("route", given.route.value, route(verdict, judged.score, given.round, tables).value),
    )
    for field, written, follows in expected:
        if written != follows:
            yield Inconsistency(field, f"is {written}, and {follows} follows from the checks")
    if not abs(given.groundedness_score - judged.score) <= _TOLERANCE:  # NaN is near to nothing
        yield Inconsistency(
            "groundedness_score", f"is {given.groundedness_score}, and {judged.score} follows from the checks"
        )
    if tuple(check.is_critical for check in given.checks) != judged.critical:
        yield Inconsistency("claim_checks", "say of other claims that they are critical than their types do")


def _of_material(given: Evaluated, composer: ComposerFile) -> Iterator[Inconsistency]:
    expected = claim_material(given.verdict, given.checks, composer)
    material = given.material
    if material.confirmed != expected.confirmed:
        yield Inconsistency("allowed_material.confirmed", "is not what the claim checks confirm")
    if material.inferred != expected.inferred:
        yield Inconsistency("allowed_material.inferred", "is not what the claim checks infer")
    if material.gaps != expected.gaps:
        yield Inconsistency("allowed_material.gaps", "is not what the claim checks leave open")
    bound = composer.bounds.max_item_chars
    known = {one_line(text, bound) for text in given.hypotheses}
    if material.directions and given.verdict is not Verdict.LOW_CONFID:
        yield Inconsistency("allowed_material.directions", f"must be empty beside {given.verdict.value}")
    elif any(item.text not in known for item in material.directions):
        yield Inconsistency("allowed_material.directions", "has an item that is none of hypothesis_checks")
    if material.next_steps and given.verdict is Verdict.REJECT:
        yield Inconsistency("allowed_material.next_steps", "must be empty beside REJECT")
