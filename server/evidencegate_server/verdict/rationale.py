"""Says in a few plain sentences why a verdict is what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evidencegate_server.verdict.model import ClaimCheck, VerdictStep
from evidencegate_server.words import ParseStatus, Route, Verdict, Verification

_ROUTES = {
    Route.COMPOSE: "Compose the answer from the allowed material.",
    Route.COMPOSE_WITH_UNCERTAINTY: "Compose with uncertainty: confirmed facts, possible directions and gaps apart.",
    Route.RETRY: "Run one more round with the retry context.",
    Route.DEGRADE: "Say that no reliable answer can be given.",
}


def rationale(
    verdict: Verdict,
    score: float,
    checks: Sequence[ClaimCheck],
    parse_status: ParseStatus,
    reason_of_matrix: str,
    steps: Sequence[VerdictStep],
    next_route: Route,
) -> str:
    """Returns the sentences, in English, built from counts and stable words: no text of claims or evidence."""
    critical = [check for check in checks if check.is_critical]
    parts = [f"{verdict.value} with score {score:.2f}."]
    if parse_status is not ParseStatus.VALID:
        parts.append(f"The executor's output is {parse_status.value}, so no claim was judged.")
    elif not checks:
        parts.append("The executor claims nothing.")
    else:
        counts = Counter(check.verification for check in critical)
        listed = ", ".join(f"{counts[label]} {label.value}" for label in Verification if counts[label])
        parts.append(f"{len(critical)} of {_plural(len(checks), 'claim')} {_are(len(critical))} critical: {listed}.")
    if steps:
        parts.extend(f"Lowered from {step.from_verdict.value}: {step.message}" for step in steps)
    elif reason_of_matrix:
        parts.append(reason_of_matrix)
    parts.append(_ROUTES[next_route])
    return " ".join(parts)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
