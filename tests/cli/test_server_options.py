"""How the commands call a server that asks who calls."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from evidencegate_server.cli.main import cli
from evidencegate_server.service.tokens import line_of

from tests.certificates import authority_file, caller_certificate, files_of, server_certificate
from tests.support import ROOT

SESSION = str(ROOT / "examples" / "sessions" / "01-good-answer.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files of server and caller."""
    folder = tmp_path_factory.mktemp("access")
    files_of(server_certificate(), folder)
    files_of(caller_certificate(), folder, "caller")
    authority_file(folder)
    (folder / "tokens").write_text(line_of("chat", "eg_token"), encoding="ascii")
    (folder / "token").write_text("eg_token\n", encoding="ascii")
    return folder


@pytest.fixture(scope="module")
def target(folder: Path) -> Iterator[str]:
    """A server with mutual TLS, tokens and a store."""
    command = [sys.executable, "-m", "evidencegate_server", "serve", "--port", "0", "--no-metrics"]
    command += ["--tls-cert", "server.pem", "--tls-key", "server.key", "--tls-client-ca", "own-ca.pem"]
    command += ["--tokens", "tokens", "--store", "sqlite:///store.db", "--port-file", "port", "--log-level", "error"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield f"localhost:{(folder / 'port').read_text(encoding='ascii').strip()}"
        process.terminate()
        assert process.wait(60) == 0


def access(folder: Path, *left_out: str) -> list[str]:
    """Returns the options of a caller that has everything but what is left out."""
    given = {"ca": "own-ca.pem", "cert": "caller.pem", "key": "caller.key"}
    options = [part for name, file in given.items() for part in (f"--tls-{name}", str(folder / file))]
    return options if "token" in left_out else [*options, "--token-file", str(folder / "token")]


def test_evaluate_calls_with_certificate_and_token(folder: Path, target: str) -> None:
    result = CliRunner().invoke(cli, ["evaluate", SESSION, "--check", "--server", target, *access(folder)])
    assert result.exit_code == 0, result.output


def test_the_token_may_stand_in_the_environment(folder: Path, target: str) -> None:
    arguments = ["evaluate", SESSION, "--check", "--server", target, *access(folder, "token")]
    result = CliRunner().invoke(cli, arguments, env={"EVIDENCEGATE_TOKEN": "eg_token"})
    assert result.exit_code == 0, result.output


def test_without_a_token_it_is_said_what_is_missing(folder: Path, target: str) -> None:
    result = CliRunner().invoke(cli, ["evaluate", SESSION, "--server", target, *access(folder, "token")])
    assert result.exit_code == 2
    assert "UNAUTHENTICATED (TOKEN_MISSING)" in result.stderr
    assert "--token-file FILE or in EVIDENCEGATE_TOKEN" in result.stderr
    shown = CliRunner().invoke(cli, ["show", "nothing", "--server", target, *access(folder, "token")])
    assert "--token-file FILE or in EVIDENCEGATE_TOKEN" in shown.stderr


@pytest.mark.parametrize("command", [["evaluate", SESSION, "--server"], ["show", "nothing", "--server"], ["health"]])
def test_a_caller_who_does_not_fit_the_servers_tls_is_told_which_options_to_look_at(
    folder: Path, target: str, command: list[str]
) -> None:
    """In plain text, with an authority that is not the server's, and without a certificate of its own."""
    other = ("--tls-ca", str(folder / "caller.pem"))
    for options in ((), other, ("--tls-ca", str(folder / "own-ca.pem"))):
        result = CliRunner().invoke(cli, [*command, target, *options])
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--tls-ca" in result.stderr
        assert "--tls-cert" in result.stderr


def test_a_service_that_is_not_there_is_told_with_those_that_are(folder: Path, target: str) -> None:
    result = CliRunner().invoke(cli, ["health", target, "nope", *access(folder, "token")])
    assert result.exit_code == 2
    assert "there is no service 'nope'; known are evidencegate.v1.Gatekeeper, " in result.stderr
    assert "evidencegate.v1.SelfEvaluations" in result.stderr


def test_show_calls_with_certificate_and_token(folder: Path, target: str) -> None:
    result = CliRunner().invoke(cli, ["show", "nothing", "--server", target, *access(folder)])
    assert result.exit_code == 1  # it was asked, and nothing is stored
    assert "nothing: " in result.stderr


@pytest.mark.req("IO-03")
def test_health_is_asked_with_the_certificate_alone(folder: Path, target: str) -> None:
    for service, status, said in (
        ("", 0, "SERVING\n"),
        ("evidencegate.v1.Gatekeeper", 0, "SERVING\n"),
        ("made.up", 2, ""),
    ):
        result = CliRunner().invoke(cli, ["health", target, service, *access(folder, "token")])
        assert (result.exit_code, result.stdout) == (status, said), result.stderr


def test_who_does_not_answer_is_not_healthy() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{holder.getsockname()[1]}"
        result = CliRunner().invoke(cli, ["health", address])
    assert (result.exit_code, result.stdout) == (2, "")
    assert address in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--token-file", "{folder}/token"], "--token-file is for a server that runs already"),
        (["--tls"], "--tls is for a server that runs already"),
        (["--server", "127.0.0.1:1", "--tls-cert", "{folder}/caller.pem"], "belong together"),
        (["--server", "127.0.0.1:1", "--tls-ca", "{folder}/none"], "cannot be read"),
        (["--server", "127.0.0.1:1", "--token-file", "{folder}/none"], "cannot be read"),
        (["--server", "gate.example.com:1", "--token-file", "{folder}/token"], "in plain text"),
    ],
)
def test_options_that_do_not_fit_are_a_usage_error(folder: Path, arguments: list[str], said: str) -> None:
    filled = [argument.format(folder=folder) for argument in arguments]
    result = CliRunner().invoke(cli, ["evaluate", SESSION, *filled])
    assert result.exit_code == 2
    assert said in result.stderr
    assert "eg_token" not in result.output
