"""Validates one executor output: parses it, runs the rules, and names what was validated."""

from __future__ import annotations

from evidencegate_server import ENGINE_VERSION
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.executor_v1 import WITH_V1
from evidencegate_server.contract.executor_v2 import EXECUTOR_V2, parse_executor_output
from evidencegate_server.contract.model import ParsedOutput
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.rules import chain
from evidencegate_server.rules.gatekeeper import run_rules
from evidencegate_server.rules.model import GatekeeperResult
from evidencegate_server.rules.texts import SearchableEvidence
from evidencegate_server.trace.kinds import resolve_kinds
from evidencegate_server.use_cases.digest import input_digest
from evidencegate_server.words import GatekeeperStatus, OutputVariant


@record
class ValidationInput:
    """What is validated. `output` is the text, the raw bytes or the canonical JSON text of an object; None is unset."""

    output_variant: OutputVariant
    output: str | bytes | None
    invocations: tuple[Invocation, ...]
    narrow_question: bool = False


@record
class Validated:
    """The result, and what was made on the way to it, so that a judge need not make it again."""

    parsed: ParsedOutput
    result: GatekeeperResult
    index: SearchableEvidence
    input_digest: str


def validate(request: ValidationInput, catalog: Catalog) -> Validated:
    """Returns what the rules say about one output; the same request and catalog give the same result.

    Nothing that a model wrote raises: it is a finding. The invocations are taken as sound (unique, not blank IDs; no
    path twice with different texts), which the service has checked. The digest is of what was sent; the kinds that the
    caller left open are decided after it, so that it does not depend on the catalog.
    """
    contracts = WITH_V1 if catalog.contracts.executor_v1.enabled else (EXECUTOR_V2,)
    parsed = parse_executor_output(request.output, catalog.parsing, contracts)
    digest = input_digest(request.output_variant, request.output, request.invocations, request.narrow_question)
    evidence = SearchableEvidence(resolve_kinds(request.invocations, catalog.tools))
    report = run_rules(
        parsed, evidence, catalog.rule_set, catalog.excerpts, chain.CHAIN, narrow_question=request.narrow_question
    )
    warnings = parsed.report.warnings + report.warnings
    status = GatekeeperStatus.WARN if warnings else GatekeeperStatus.PASS
    result = GatekeeperResult(
        status=GatekeeperStatus.FAIL if report.failed_rules else status,
        severity=report.severity,
        failed_rules=report.failed_rules,
        warnings=warnings,
        notes=parsed.report.notes,
        findings=report.findings,
        uncounted_findings=report.uncounted_findings,
        rule_errors=report.rule_errors,
        bindings=report.bindings,
        rule_set=catalog.rule_set,
        input_digest=digest,
        engine_version=ENGINE_VERSION,
    )
    return Validated(parsed=parsed, result=result, index=evidence, input_digest=digest)
