"""Compares a Gatekeeper result that a caller hands in with the checks that were run afresh.

A caller could otherwise pass the clean result of one session with the claims of another.
"""

from __future__ import annotations

from evidencegate_server.contract.model import Notice
from evidencegate_server.contract.records import record
from evidencegate_server.rules.model import GatekeeperResult
from evidencegate_server.use_cases.errors import FieldViolation, GatekeeperResultMismatchError

FIELD = "gatekeeper_result"
REVALIDATED = "gatekeeper.revalidated"

Outcome = tuple[object, ...]


@record
class HandedInResult:
    """A handed-in result, as far as it is compared. Of a fallback nothing is.

    `outcome` is what `outcome_of` makes of the result that the caller sent.
    """

    input_digest: str
    catalog_digest: str
    engine_version: str
    outcome: Outcome
    fallback: bool = False

    @classmethod
    def of(cls, result: GatekeeperResult) -> HandedInResult:
        """Makes it of a whole result."""
        return cls(
            result.input_digest,
            result.rule_set.catalog_digest,
            result.engine_version,
            outcome_of(result),
            result.fallback,
        )


def outcome_of(result: GatekeeperResult) -> Outcome:
    """Returns what two results of one input must agree in: what was decided, and of which binding."""
    return outcome(
        result.status.value,
        result.severity.value,
        result.failed_rules,
        tuple((finding.rule_id, finding.place, finding.reason) for finding in result.findings),
        tuple((error.rule_id, error.place) for error in result.rule_errors),
        tuple(
            binding_outcome(
                check.place,
                check.verified,
                check.resolution.value,
                check.invocation_id,
                check.tool_name,
                check.raw_path,
                "" if check.kind is None else check.kind.value,
                tuple((step.step, step.rule_id, step.outcome.value) for step in check.steps),
                check.tier,
                tuple((span.start, span.end) for span in check.spans),
                check.flags,
                check.mismatch_reason,
            )
            for check in result.bindings
        ),
    )


def binding_outcome(
    place: str,
    verified: bool,
    resolution: str,
    invocation_id: str,
    tool_name: str,
    raw_path: str,
    kind: str,
    steps: tuple[tuple[str, str, str], ...],
    tier: str,
    spans: tuple[tuple[int, int], ...],
    flags: tuple[str, ...],
    mismatch_reason: str,
) -> Outcome:
    """Returns how one binding fared, from its parts: all that was decided of it, and where its excerpt stands.

    `steps` are step, rule ID and outcome in the order of the chain; words that are not there are empty.
    """
    return (
        place,
        verified,
        resolution,
        invocation_id,
        tool_name,
        raw_path,
        kind,
        steps,
        tier,
        spans,
        flags,
        mismatch_reason,
    )


def outcome(
    status: str,
    severity: str,
    failed_rules: tuple[str, ...],
    findings: tuple[tuple[str, str, str], ...],
    rule_errors: tuple[tuple[str, str], ...],
    bindings: tuple[Outcome, ...],
) -> Outcome:
    """Returns the outcome from its parts, for a caller that has the result in another form.

    `findings` are rule ID, place and reason; `rule_errors` rule ID and place; `bindings` are made by `binding_outcome`;
    all in the order of the result.
    """
    return (status, severity, failed_rules, findings, rule_errors, bindings)


def compare(handed_in: HandedInResult, own: GatekeeperResult) -> tuple[Notice, ...]:
    """Returns the warnings that a handed-in result calls for; raises where it cannot belong to this request."""
    if handed_in.fallback:
        return ()
    if handed_in.input_digest != own.input_digest:
        raise GatekeeperResultMismatchError(
            [FieldViolation(f"{FIELD}.input_digest", "the result belongs to another output, question or session")],
            {"expected": own.input_digest, "actual": handed_in.input_digest},
        )
    same_rules = handed_in.catalog_digest == own.rule_set.catalog_digest
    if same_rules and handed_in.engine_version == own.engine_version:
        if handed_in.outcome != outcome_of(own):
            raise GatekeeperResultMismatchError(
                [FieldViolation(FIELD, "the result says something else than the same checks of the same input")]
            )
        return ()
    what = "engine version" if same_rules else "catalog"
    return (
        Notice(
            REVALIDATED,
            f"The handed-in Gatekeeper result was made under another {what}; the checks that were run here count.",
        ),
    )
