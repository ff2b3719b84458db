"""Holds `evidencegate evaluate`: session files in, one verdict for each out."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from evidencegate.v1.catalog_pb2 import Severity
from evidencegate.v1.evaluation_pb2 import Evaluation, Route, Verdict, Verification
from evidencegate.v1.gatekeeper_pb2 import GatekeeperResult, GatekeeperStatus
from evidencegate.v1.text_pb2 import ParseReport, ParseStatus
from evidencegate_client import (
    AccessError,
    ClientConfig,
    EvidenceGateClient,
    PreconditionError,
    ServiceError,
    TargetError,
    UnavailableError,
    validate_request,
)
from evidencegate_client.target import check_target
from evidencegate_client.vocabulary import word

from evidencegate_server.cli.checks import differences
from evidencegate_server.cli.keeping import Keep, NotKeptError, keeping
from evidencegate_server.cli.model_options import ModelOptions, model_options
from evidencegate_server.cli.own_server import ServerStartError, own_server
from evidencegate_server.cli.progress import progress
from evidencegate_server.cli.server_options import access_hint, calls_a_server, client_config, why_nobody_answers
from evidencegate_server.cli.sessions import FileProblemError, Session, read_session, session_files
from evidencegate_server.cli.store_options import StoreTable, store_table_options
from evidencegate_server.cli.tables import print_sessions

_EXIT_DIFFERENT = 1
_EXIT_UNUSABLE = 2


def _target(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    try:
        return value if value is None else check_target(value)
    except TargetError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@click.argument("paths", metavar="FILE_OR_DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--server", metavar="HOST:PORT", callback=_target, help="Address of a running server.")
@click.option(
    "--engine",
    type=click.Choice(["deterministic", "supplied", "llm", "hybrid"]),
    help="Engine that labels the claims.  [default: deterministic]",
)
@click.option("--json", "as_json", is_flag=True, help="Prints one JSON object a line.")
@click.option("--check", is_flag=True, help="Compares what came out with `expect` in each file.")
@model_options
@click.option(
    "--rules",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the catalog of the server that is started.  [default: the packaged one]",
)
@click.option("--store", metavar="URL", help="Database that each evaluation is written to, with what was judged.")
@store_table_options
@calls_a_server
@click.pass_context
def evaluate(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    server: str | None,
    engine: str | None,
    as_json: bool,
    check: bool,
    rules: Path | None,
    store: str | None,
    **given: Any,
) -> None:
    """Sends session files through the rules and the judge, and prints each verdict.

    A folder stands for the *.json files in it. Without --server, a server is started for the run. The calls are
    Gatekeeper.Validate and Verifier.Judge over gRPC.

    Exit status: 0 where all ran, 1 where --check found a difference or nothing to compare, 2 where a file was no
    session, a call failed or an evaluation could not be stored.
    """
    if server is not None and rules is not None:
        raise click.UsageError("--rules is for the server that this command starts; the one at --server has its own.")
    options, table = ModelOptions.among(given), StoreTable.among(given)
    config = client_config(server, given)
    models = options.models_file(engine, server)
    foreign = table.foreign(store)
    with nullcontext() if store is None else keeping(store, foreign, rules) as keep:
        run = _Run(engine, as_json, check, keep, options.profile)
        sessions = run.read(paths)
        if sessions:
            try:
                with nullcontext(server) if server is not None else own_server(rules, models=models) as target:
                    run.send(sessions, target, config, is_own=server is None)
            except ServerStartError as error:
                run.complain(str(error))
            run.report()
    ctx.exit(run.exit_code())


class _Run:
    """One run over several files: it goes on after a fault and remembers it for the exit code."""

    def __init__(
        self, engine: str | None, as_json: bool, check: bool, keep: Keep | None = None, profile: str | None = None
    ) -> None:
        self._engine = engine
        self._profile = profile
        self._keep = keep
        self._as_json = as_json
        self._check = check
        self._unusable = False
        self._compared = 0
        self._differences: list[str] = []
        self._rows: list[dict[str, Any]] = []

    def read(self, paths: tuple[Path, ...]) -> list[Session]:
        sessions = []
        for path in session_files(paths):
            try:
                if isinstance(path, FileProblemError):
                    raise path
                sessions.append(read_session(path, self._engine, self._profile))
            except FileProblemError as error:
                self.complain(str(error))
        return sessions

    def send(self, sessions: list[Session], target: str, config: ClientConfig, *, is_own: bool) -> None:
        with EvidenceGateClient(target, config) as client, progress("sessions", len(sessions)) as advance:
            for session in sessions:
                try:
                    outcome, evaluation = _outcome(client, session)
                except ServiceError as error:
                    # A server that is busy or stopping gives a reason; the network gives none.
                    if isinstance(error, UnavailableError) and not error.reason:
                        self.complain(_nobody_answers(target, error, config, is_own=is_own))
                        break
                    if isinstance(error, PreconditionError | AccessError):  # it holds for every session
                        self.complain(access_hint(error) if isinstance(error, AccessError) else str(error))
                        break
                    self.complain(f"{session.path}: {error}")
                else:
                    self._show(outcome)
                    self._compare(session, outcome)
                    self._store(session, evaluation)
                advance()

    def report(self) -> None:
        if self._rows and not self._as_json:
            print_sessions(self._rows)
        for difference in self._differences:
            # What a program reads on stdout stays JSON alone.
            click.echo(difference, err=self._as_json)
        if self._check and self._rows and (not self._as_json or self._compared < len(self._rows)):
            click.echo(self._count(), err=self._as_json)

    def complain(self, message: str) -> None:
        self._unusable = True
        click.echo(f"evidencegate: {message}", err=True)

    def exit_code(self) -> int:
        if self._unusable:
            return _EXIT_UNUSABLE
        return _EXIT_DIFFERENT if self._differences or (self._check and not self._compared) else 0

    def _count(self) -> str:
        of_all = len(self._rows)
        compared = "" if self._compared == of_all else f", {self._compared} of {of_all} compared"
        return f"{_number(of_all, 'session')}{compared}, {_number(len(self._differences), 'difference')}"

    def _show(self, outcome: dict[str, Any]) -> None:
        self._rows.append(outcome)
        if self._as_json:
            line = json.dumps(outcome, ensure_ascii=False, allow_nan=False) + "\n"
            click.echo(line.encode(), nl=False)  # UTF-8 whatever the terminal's encoding

    def _store(self, session: Session, evaluation: Evaluation) -> None:
        """Keeps the evaluation. What was judged is shown in any case, and a store that failed is not asked again."""
        if self._keep is None:
            return
        try:
            self._keep(session, evaluation)
        except NotKeptError as error:
            rest = "; this session and those after it are judged and not kept" if error.is_over else ""
            self.complain(f"{session.path}: {error}{rest}")
            if error.is_over:
                self._keep = None

    def _compare(self, session: Session, outcome: dict[str, Any]) -> None:
        if not self._check:
            return
        if not session.expect:
            click.echo(f"evidencegate: {session.path}: nothing to compare with, it has no `expect`", err=True)
            return
        self._compared += 1
        self._differences += [f"{session.path}: {each}" for each in differences(session.expect, outcome)]


def _nobody_answers(target: str, error: UnavailableError, config: ClientConfig, *, is_own: bool) -> str:
    if is_own:
        return f"the server that was started for this run answers no more ({error.message})"
    hint = f"start one with `evidencegate serve`, or leave out --server; {why_nobody_answers(config)}"
    return f"no server answers at {target}; {hint} ({error.message})"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _outcome(client: EvidenceGateClient, session: Session) -> tuple[dict[str, Any], Evaluation]:
    """Sends one session and returns what is printed of it, in the order of its keys, and the evaluation."""
    started = time.perf_counter()
    checked = client.validate(validate_request(session.request))
    session.request.gatekeeper_result.CopyFrom(checked.gatekeeper_result)
    evaluation = client.judge(session.request).evaluation
    millis = (time.perf_counter() - started) * 1000
    report = checked.executor_output_parse_status
    return outcome_of(session.session_id, report, checked.gatekeeper_result, evaluation, millis), evaluation


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
            "findings": [
                {"rule_id": each.rule_id, "place": each.place, "message": each.message, "fix": each.fix}
                for each in gatekeeper.findings
            ],
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
