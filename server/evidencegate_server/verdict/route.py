"""Says what the caller does next."""

from __future__ import annotations

from evidencegate_server.verdict.tables import VerdictTables
from evidencegate_server.words import Route, Verdict


def route(verdict: Verdict, score: float, round_number: int, tables: VerdictTables) -> Route:
    """Returns the route of a verdict.

    PASS composes and REJECT degrades in every round. LOW_CONFID asks for one more round where the score is below the
    threshold and a round is left, and composes with uncertainty otherwise.
    """
    match verdict:
        case Verdict.PASS:
            return Route.COMPOSE
        case Verdict.REJECT:
            return Route.DEGRADE
        case Verdict.LOW_CONFID:
            if score < tables.pass_threshold and round_number < tables.max_rounds:
                return Route.RETRY
            return Route.COMPOSE_WITH_UNCERTAINTY
