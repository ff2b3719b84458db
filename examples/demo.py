"""Starts the server, sends each example session over gRPC and prints what was decided and why.

Ends with 1 where something did not come out as the session's file expects.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from evidencegate.v1.catalog_pb2 import Severity
from evidencegate.v1.evaluation_pb2 import ClaimCheck, Verification
from evidencegate.v1.gatekeeper_pb2 import BindingCheck, GatekeeperResult
from evidencegate.v1.text_pb2 import ParseReport, ParseStatus
from evidencegate.v1.verifier_pb2 import JudgeRequest
from evidencegate_client import ClientConfig, EvaluationResult, EvidenceGateClient
from evidencegate_client.vocabulary import word
from evidencegate_server.cli.checks import differences
from evidencegate_server.cli.evaluate import outcome_of
from evidencegate_server.cli.own_server import own_server
from evidencegate_server.cli.sessions import Session, read_session
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

SESSIONS = Path(__file__).resolve().parent / "sessions"

# How much of a long evidence line is shown on each side of the quotation, in characters.
AROUND = 60

VERDICT_STYLE = {"PASS": "bold green", "LOW_CONFID": "bold yellow", "REJECT": "bold red"}
LABEL_STYLE = {
    "direct_observation": "green",
    "reasonable_inference": "green",
    "overstated": "yellow",
    "unsupported": "yellow",
    "external_unknown": "yellow",
    "contradicted": "red",
}
LEGEND = (
    "«…» marks a quotation where it stands in the evidence. The word behind its place says how it was found: verbatim "
    "as it stands, folded but for spaces and the like (docs/contract.md has all). Critical claims decide the verdict. "
    "[reject] and [low_confid] say what the verdict is at best where that rule fails."
)
ENGINE_NOTE = (
    "The engine that labels the claims needs no model and no network. It confirms a claim where it finds a place in "
    "the evidence for each name, figure and state, and refuses most other ways to say a true thing. docs/judge.md has "
    "the measured shares."
)
MEANING = {
    "COMPOSE": "The user gets the answer: every critical claim stands on evidence that was checked.",
    "COMPOSE_WITH_UNCERTAINTY": "The user gets what is confirmed and, apart from it, what is possible or missing.",
    "RETRY": "The user waits: one more round runs, and is told what this one lacked.",
    "DEGRADE": "The user is told that no reliable answer can be given; no root cause is shown.",
}


def main() -> int:
    """Runs every example and returns the exit code."""
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = 120
    sessions = [read_session(path) for path in sorted(SESSIONS.glob("*.json"))]
    started = time.perf_counter()
    failed: list[str] = []
    with own_server() as target:
        console.print(f"evidencegate serves on {target}, in a process of its own\n")
        tell_line(console, LEGEND, "dim", indent=0)
        console.print()
        with EvidenceGateClient(target, ClientConfig(use_http_proxy=False)) as client:
            for session in sessions:
                before = time.perf_counter()
                result = client.evaluate(session.request)
                millis = (time.perf_counter() - before) * 1000
                tell(console, session, result)
                problems = unexpected(session, result, millis)
                failed += [f"{session.session_id}: {problem}" for problem in problems]
                for problem in problems:
                    console.print(Text(f"  NOT AS EXPECTED  {problem}", style="bold red"))
                console.print()
    seconds = time.perf_counter() - started
    console.print(Rule(style="dim"))
    console.print(f"{len(sessions)} sessions in {seconds:.1f} s, {len(failed)} not as expected")
    for line in failed:
        console.print(Text(line, style="red"))
    tell_line(console, ENGINE_NOTE, "dim", indent=0)
    return 1 if failed or not sessions else 0


def unexpected(session: Session, result: EvaluationResult, millis: float) -> list[str]:
    """Returns what did not come out as the file expects, or that nothing came out at all."""
    failure = result.validation.failure or result.judgement.failure
    if failure is not None:
        return [f"the service could not be reached: {failure}"]
    report = result.validation.parse_report or ParseReport()
    outcome = outcome_of(session.session_id, report, result.validation.gatekeeper_result, result.evaluation, millis)
    return differences(session.expect or {}, outcome)


def tell(console: Console, session: Session, result: EvaluationResult) -> None:
    """Prints the account of one session."""
    console.print(Rule(Text.assemble((session.session_id, "bold"), f"  {session.title}"), align="left"))
    tell_line(console, session.request.original_query, before="  asked     ")
    tell_parse(console, result.validation.parse_report or ParseReport())
    gatekeeper = result.evaluation.gatekeeper_result
    for check in result.evaluation.claim_checks:
        tell_claim(console, check)
        for binding in gatekeeper.bindings:
            if binding.claim_index == check.index:
                tell_binding(console, binding, gatekeeper, session.request)
    for hypothesis in result.evaluation.hypothesis_checks:
        possible = Text.assemble(hypothesis.text, ("  (not judged)", "dim"))
        tell_line(console, possible, before="\n  possible  ")
    if not result.evaluation.claim_checks:
        tell_line(console, Text("nothing could be read, so nothing was judged", style="dim"), before="\n  claims    ")
    tell_rules(console, gatekeeper, result.validation.parse_report or ParseReport())
    style = VERDICT_STYLE.get(result.verdict, "bold red")
    verdict = Text.assemble((result.verdict, style), f"  score {result.score:.2f}, next: {result.route}")
    tell_line(console, verdict, before="\n  verdict   ")
    for step in result.evaluation.verdict_steps:
        # A check that fails did its work; "the Gatekeeper failed" would sound like a crash.
        of_rules = f"The Gatekeeper's check failed: {', '.join(gatekeeper.failed_rules)}."
        why = of_rules if step.reason == "gatekeeper" and gatekeeper.failed_rules else step.message
        tell_line(console, f"lowered by {step.reason}: {why}", "dim")
    tell_line(console, MEANING[result.route], style)


def tell_parse(console: Console, report: ParseReport) -> None:
    """Prints whether the executor's text could be read."""
    status = word(ParseStatus, report.status)
    line = Text(status, style="green" if status == "valid" else "yellow")
    if report.reason:
        place = f" at line {report.line}, column {report.column}" if report.HasField("line") else ""
        line = Text.assemble(line, f" ({report.reason}{place}): {report.message}")
    tell_line(console, line, before="  parsed    ")


def tell_claim(console: Console, check: ClaimCheck) -> None:
    """Prints one claim, its label and why."""
    label = word(Verification, check.verification)
    counts = "critical" if check.is_critical else "not critical"
    tell_line(
        console,
        Text.assemble(
            (f"{check.claim_id} ", "bold"), (f"[{check.claim_type}, {counts}] ", "dim"), (check.claim_text, "bold")
        ),
        before="\n  claim     ",
    )
    tell_line(console, Text.assemble((label, LABEL_STYLE.get(label, "red")), f"  {check.detail}"))
    for step in check.label_steps:
        tell_line(console, f"lowered by {step.reason}: {step.message}", "dim")


def tell_binding(console: Console, binding: BindingCheck, gatekeeper: GatekeeperResult, request: JudgeRequest) -> None:
    """Prints one quotation in its place, or what is wrong with it."""
    where = f"{binding.tool_name} {binding.invocation_id or '(no call)'} {binding.raw_path or '(no path)'}"
    if binding.verified:
        tell_line(console, Text.assemble(("quoted  ", "green"), (where, "cyan"), (f"  {binding.tier}", "dim")))
        tell_line(console, in_its_place(binding, request), indent=20)
        return
    tell_line(console, Text.assemble(("refused ", "red"), (where, "cyan")))
    tell_line(console, Text.assemble(("written ", "dim"), binding.evidence_excerpt), indent=20)
    findings = [
        finding
        for finding in gatekeeper.findings
        if finding.claim_index == binding.claim_index and finding.binding_index == binding.binding_index
    ]
    # Where the quotation is right and its call is at fault, there is nothing to hold against it.
    if any(finding.rule_id == "evidence.excerpt_mismatch" for finding in findings):
        tell_line(console, Text.assemble(("really  ", "dim"), shorten(evidence_text(binding, request))), indent=20)
    for finding in findings:
        tell_line(console, Text.assemble((finding.rule_id, "red"), f": {finding.message}"), indent=20)


def tell_rules(console: Console, gatekeeper: GatekeeperResult, report: ParseReport) -> None:
    """Prints which rules fired and what the author of the text should do about it.

    What the parse report said already is not said again.
    """
    if not gatekeeper.failed_rules:
        tell_line(console, Text(f"all {len(gatekeeper.rules)} hold", style="green"), before="\n  rules     ")
    for finding in gatekeeper.findings:
        place = finding.place or "the whole output"
        severity = word(Severity, finding.severity)
        what = Text.assemble((finding.rule_id, "red"), f" [{severity}] at {place}")
        tell_line(console, what, before="\n  rule      ")
        if not report.message or report.message not in finding.message:
            tell_line(console, finding.message)
        tell_line(console, f"to do: {finding.fix}", "dim")
    for warning in gatekeeper.warnings:
        tell_line(console, Text.assemble((warning.id, "yellow"), f": {warning.message}"))


def tell_line(console: Console, content: str | Text, style: str = "", indent: int = 12, before: str = "") -> None:
    """Prints one paragraph, each of its lines indented; `before` stands in front of the first."""
    text = Text(content, style=style) if isinstance(content, str) else content
    for number, line in enumerate(text.wrap(console, console.width - indent - 1)):
        line.rstrip()
        head = before if number == 0 and before else " " * indent
        console.print(Text.assemble((head, "dim"), line), soft_wrap=True)


def evidence_text(binding: BindingCheck, request: JudgeRequest) -> str:
    """Returns the text that the binding points at; empty where it points nowhere."""
    for invocation in request.tool_invocations:
        if invocation.id == binding.invocation_id:
            for ref in invocation.retrieval_details.evidence_refs:
                if ref.raw_path == binding.raw_path:
                    return ref.text
    return ""


def in_its_place(binding: BindingCheck, request: JudgeRequest) -> Text:
    """Returns the evidence with the quotation marked, cut where it is long."""
    evidence = evidence_text(binding, request)
    shown = Text()
    start = max(0, binding.spans[0].start - AROUND) if binding.spans else 0
    end = min(len(evidence), binding.spans[-1].end + AROUND) if binding.spans else min(len(evidence), 2 * AROUND)
    shown.append("… " if start > 0 else "")
    at = start
    for span in binding.spans:
        shown.append(evidence[at : span.start], style="dim")
        shown.append("«" + evidence[span.start : span.end] + "»", style="bold reverse")
        at = span.end
    shown.append(evidence[at:end], style="dim")
    shown.append(" …" if end < len(evidence) else "")
    return shown


def shorten(text: str, most: int = 240) -> str:
    """Returns the text, cut where it is long."""
    return text if len(text) <= most else text[:most] + " …"


if __name__ == "__main__":
    sys.exit(main())
