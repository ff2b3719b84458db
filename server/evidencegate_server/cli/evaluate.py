"""Holds `evidencegate evaluate`: session files in, one verdict for each out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from evidencegate.v1.catalog_pb2 import Severity
from evidencegate.v1.evaluation_pb2 import Evaluation, Route, Verdict, Verification
from evidencegate.v1.gatekeeper_pb2 import GatekeeperResult, GatekeeperStatus
from evidencegate.v1.text_pb2 import ParseReport, ParseStatus
from evidencegate_client import ClientConfig, EvidenceGateClient, ServiceError, UnavailableError, validate_request
from evidencegate_client.vocabulary import word

from evidencegate_server.cli.checks import differences
from evidencegate_server.cli.own_server import ServerStartError, own_server
from evidencegate_server.cli.sessions import FileProblemError, Session, read_session, session_files

if TYPE_CHECKING:
    from rich.console import Console

_EXIT_DIFFERENT = 1
_EXIT_UNUSABLE = 2


@click.command()
@click.argument("paths", metavar="FILE_OR_DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--server", metavar="HOST:PORT", help="A running server; without it one is started for the run.")
@click.option(
    "--engine",
    type=click.Choice(["deterministic", "supplied", "llm"]),
    help="Who labels the claims. [default: deterministic]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--check", is_flag=True, help="Compare with what each file expects; exit 1 on a difference.")
@click.option("--rules", type=click.Path(path_type=Path), help="The catalog of the server that is started.")
@click.pass_context
def evaluate(
    ctx: click.Context,
    paths: tuple[Path, ...],
    server: str | None,
    engine: str | None,
    as_json: bool,
    check: bool,
    rules: Path | None,
) -> None:
    """Send session files through Gatekeeper.Validate and Verifier.Judge over gRPC.

    A folder stands for the *.json files in it. Exit codes: 0 all ran, 1 --check found a difference, 2 a file was no
    session or a call failed.
    """
    if server is not None and rules is not None:
        raise click.UsageError("--rules is for the server that this command starts; the one at --server has its own.")
    run = _Run(engine, as_json, check)
    sessions = run.read(paths)
    if sessions:
        try:
            with nullcontext(server) if server is not None else own_server(rules) as target:
                run.send(sessions, target)
        except ServerStartError as error:
            run.complain(str(error))
    ctx.exit(run.exit_code())


class _Run:
    """One run over several files: it goes on after a fault and remembers it for the exit code."""

    def __init__(self, engine: str | None, as_json: bool, check: bool) -> None:
        self._engine = engine
        self._as_json = as_json
        self._check = check
        self._unusable = False
        self._differences = 0
        self._rows: list[dict[str, Any]] = []

    def read(self, paths: tuple[Path, ...]) -> list[Session]:
        sessions = []
        for path in session_files(paths):
            try:
                if isinstance(path, FileProblemError):
                    raise path
                sessions.append(read_session(path, self._engine))
            except FileProblemError as error:
                self.complain(str(error))
        return sessions

    def send(self, sessions: list[Session], target: str) -> None:
        config = ClientConfig(use_http_proxy=not target.startswith("127.0.0.1:"))
        failed: list[str] = []
        with EvidenceGateClient(target, config) as client, _progress(len(sessions)) as advance:
            for session in sessions:
                try:
                    outcome = _outcome(client, session)
                except UnavailableError as error:
                    self.complain(f"no server answers at {target}: {error}")
                    break
                except ServiceError as error:
                    self.complain(f"{session.path}: {error}")
                else:
                    self._show(outcome)
                    failed += self._compare(session, outcome)
                advance()
        if not self._as_json:
            _print_table(self._rows)
        for line in failed:
            # What a program reads on stdout stays JSON alone.
            click.echo(line, err=self._as_json)
        if self._check and not self._as_json:
            click.echo(f"{len(self._rows)} sessions, {self._differences} differences")

    def complain(self, message: str) -> None:
        self._unusable = True
        click.echo(f"evidencegate: {message}", err=True)

    def exit_code(self) -> int:
        if self._unusable:
            return _EXIT_UNUSABLE
        return _EXIT_DIFFERENT if self._differences else 0

    def _show(self, outcome: dict[str, Any]) -> None:
        self._rows.append(outcome)
        if self._as_json:
            line = json.dumps(outcome, ensure_ascii=False, allow_nan=False) + "\n"
            click.echo(line.encode(), nl=False)  # UTF-8 whatever the terminal's encoding

    def _compare(self, session: Session, outcome: dict[str, Any]) -> list[str]:
        if not self._check:
            return []
        if session.expect is None:
            click.echo(f"evidencegate: {session.path}: nothing to compare with, it has no `expect`", err=True)
            return []
        found = differences(session.expect, outcome)
        self._differences += len(found)
        return [f"{session.path}: {difference}" for difference in found]


def _outcome(client: EvidenceGateClient, session: Session) -> dict[str, Any]:
    """Sends one session and returns what is printed of it, in the order of its keys."""
    started = time.perf_counter()
    checked = client.validate(validate_request(session.request))
    session.request.gatekeeper_result.CopyFrom(checked.gatekeeper_result)
    evaluation = client.judge(session.request).evaluation
    millis = (time.perf_counter() - started) * 1000
    return outcome_of(
        session.session_id, checked.executor_output_parse_status, checked.gatekeeper_result, evaluation, millis
    )


def outcome_of(
    session_id: str, report: ParseReport, gatekeeper: GatekeeperResult, evaluation: Evaluation, millis: float
) -> dict[str, Any]:
    """Returns the object that `--json` prints."""
    return {
        "session_id": session_id,
        "parse_status": word(ParseStatus, report.status),
        "parse_reason": report.reason,
        "gatekeeper": {
            "status": word(GatekeeperStatus, gatekeeper.status),
            "severity": word(Severity, gatekeeper.severity),
            "failed_rules": sorted(gatekeeper.failed_rules),
            "warning_rules": sorted({warning.id for warning in gatekeeper.warnings}),
        },
        "claims": [
            {
                "index": check.index,
                "claim_id": check.claim_id,
                "verification": word(Verification, check.verification),
                "detail": check.detail,
            }
            for check in evaluation.claim_checks
        ],
        "verdict": word(Verdict, evaluation.verdict),
        "engine_verdict": word(Verdict, evaluation.engine_verdict),
        "score": round(evaluation.groundedness_score, 4),
        "route": word(Route, evaluation.route),
        "millis": round(millis, 2),
    }


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """Shows how far the run is, on a terminal alone, and gives what moves it on by one session."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("sessions", total=total)
        yield lambda: progress.advance(task)


def _print_table(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=True)
    for name in ("session", "parsed", "gatekeeper", "claims", "verdict", "score", "route", "ms"):
        table.add_column(name, justify="right" if name in ("score", "ms") else "left", overflow="fold")
    for row in rows:
        gatekeeper = row["gatekeeper"]
        rules = [*gatekeeper["failed_rules"], *gatekeeper["warning_rules"]]
        parsed = row["parse_status"] + (f"\n{row['parse_reason']}" if row["parse_reason"] else "")
        table.add_row(
            Text(row["session_id"]),
            parsed,
            "\n".join([gatekeeper["status"], *rules]),
            Text("\n".join(f"{claim['claim_id']} {claim['verification']}" for claim in row["claims"])),
            Text(row["verdict"], style={"PASS": "green", "LOW_CONFID": "yellow"}.get(row["verdict"], "red")),
            f"{row['score']:.4g}",
            row["route"],
            f"{row['millis']:.0f}",
        )
    console = _wide_console()
    console.print(table)


def _wide_console() -> Console:
    """Returns a console that does not squeeze the table where the output goes to a file."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, 140)
    return console
