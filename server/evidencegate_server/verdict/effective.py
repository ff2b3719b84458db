"""Brings together everything that bounds the verdict, and keeps the reason for each step down."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Protocol

from evidencegate_server.contract.records import record
from evidencegate_server.verdict.labels import lower
from evidencegate_server.verdict.matrix import MatrixResult
from evidencegate_server.verdict.model import VerdictStep
from evidencegate_server.verdict.tables import VerdictTables
from evidencegate_server.words import GatekeeperStatus, ParseStatus, Severity, Verdict


@record
class Cap:
    """An upper bound on the verdict, with a stable word and a sentence for why."""

    verdict: Verdict
    reason: str
    message: str


@record
class EffectiveVerdict:
    """The lowest of everything that speaks, and each lowering on the way."""

    verdict: Verdict
    steps: tuple[VerdictStep, ...]


def effective_verdict(engine_verdict: Verdict, unreadable: Cap | None, caps: Iterable[Cap]) -> EffectiveVerdict:
    """Lowers the engine's verdict by each cap in turn. Nothing raises it.

    `unreadable` speaks in the engine's place where the executor's output could not be read: whatever an engine says
    then, it says of nothing, so a REJECT of its own is not heard either.
    """
    verdict = engine_verdict
    steps: list[VerdictStep] = []
    if unreadable is not None and unreadable.verdict is not verdict:
        steps.append(VerdictStep(verdict, unreadable.verdict, unreadable.reason, unreadable.message))
        verdict = unreadable.verdict
    for cap in caps:
        lowered = lower(verdict, cap.verdict)
        if lowered is not verdict:
            steps.append(VerdictStep(verdict, lowered, cap.reason, cap.message))
            verdict = lowered
    return EffectiveVerdict(verdict, tuple(steps))


def unreadable_output(parse_status: ParseStatus, tables: VerdictTables) -> Cap | None:
    """Returns what stands in the engine's place where there was no output to judge, None where there was one."""
    match parse_status:
        case ParseStatus.MISSING:
            verdict, message = tables.caps.parse_missing, "The executor gave no answer that could be judged."
        case ParseStatus.MALFORMED:
            verdict, message = tables.caps.parse_malformed, "The executor's output breaks its contract as a whole."
        case ParseStatus.VALID:
            return None
    return Cap(verdict, "parse_status", message)


class GatekeeperSays(Protocol):
    """What the verdict needs of a Gatekeeper result."""

    @property
    def status(self) -> GatekeeperStatus:
        """Whether a check failed."""

    @property
    def severity(self) -> Severity:
        """The worst severity of those that failed."""

    @property
    def failed_rules(self) -> tuple[str, ...]:
        """Which failed."""

    @property
    def rule_errors(self) -> Sized:
        """Those that could not run."""

    @property
    def fallback(self) -> bool:
        """Whether a client made it up."""


def caps_of(
    judged: MatrixResult,
    gatekeeper: GatekeeperSays,
    tables: VerdictTables,
    *,
    verifier_unreadable: bool,
    unclaimed_facts: int = 0,
) -> tuple[Cap, ...]:
    """Returns every bound that applies, in the order in which they are reported.

    `unclaimed_facts` counts what the executor's answer for the user tells and no claim has.
    """
    caps: list[Cap] = []
    if verifier_unreadable:
        caps.append(
            Cap(
                tables.caps.verifier_unreadable,
                "verifier_output",
                "The verifier model's output is not exactly one object of its contract.",
            )
        )
    caps.append(Cap(judged.verdict, judged.reason, judged.message))
    if gatekeeper.status is GatekeeperStatus.FAIL:
        # A failed result is never worth a pass, also where its severity would say none.
        verdict = lower(Verdict.LOW_CONFID, tables.caps.severity.of(gatekeeper.severity))
        if gatekeeper.severity is not Severity.REJECT and gatekeeper.rule_errors:
            verdict = lower(verdict, tables.caps.rule_error)
        caps.append(
            Cap(
                verdict,
                "gatekeeper",
                f"The Gatekeeper's check failed ({gatekeeper.severity.value}): {', '.join(gatekeeper.failed_rules)}.",
            )
        )
    if unclaimed_facts:
        facts = "1 fact" if unclaimed_facts == 1 else f"{unclaimed_facts} facts"
        caps.append(
            Cap(
                tables.caps.unclaimed_answer_fact,
                "unclaimed_answer_fact",
                f"The executor's user_facing_answer tells {facts} that no claim has.",
            )
        )
    if gatekeeper.fallback:
        caps.append(
            Cap(
                tables.caps.fallback,
                "fallback",
                "The caller could not reach the Gatekeeper; a verdict beside a fallback is never PASS.",
            )
        )
    return tuple(caps)
