"""Proves how the program starts, says where it is, refuses to start, and ends."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import grpc
import orjson
import pytest
from evidencegate.v1 import gatekeeper_pb2, gatekeeper_pb2_grpc, verifier_pb2_grpc
from evidencegate_server.service.tokens import line_of

from tests.certificates import files_of, server_certificate
from tests.service.builders import LOG_LINE, invocation, judge_request, output_text, ref, validate_request

COMMAND = [sys.executable, "-m", "evidencegate_server", "serve"]
LINE = re.compile(
    r"evidencegate serves on 127\.0\.0\.1:(?P<port>\d+) "
    r"\(rule set \S+, \d+ rules, (no metrics|metrics http://127\.0\.0\.1:(?P<metrics>\d+)/metrics)\)\n"
)


@contextmanager
def started(*arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], re.Match[str]]]:
    """Starts the program and waits for its line; kills it if the test did not end it."""
    command = [*COMMAND, "--port", "0", "--metrics-port", "0", "--drain-pause-seconds", "0", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = LINE.fullmatch(line)
        assert match, (line, process.stderr.read() if process.stderr and process.poll() is not None else "")
        yield process, match
    finally:
        process.kill()
        process.communicate()


def refused(*arguments: str) -> tuple[int, str]:
    """Runs the program to its end and returns its exit status and what it complained of."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


def validate(port: str) -> gatekeeper_pb2.ValidateResponse:
    """Calls Validate on a port."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = gatekeeper_pb2_grpc.GatekeeperStub(channel)
        response: gatekeeper_pb2.ValidateResponse = stub.Validate(validate_request(), timeout=30)
        return response


@pytest.mark.req("IO-01", "IO-03")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_serves_answers_and_ends_with_status_zero(number: signal.Signals, tmp_path: Path) -> None:
    port_file = tmp_path / "port"
    with started("--port-file", str(port_file)) as (process, line):
        response = validate(line["port"])
        written = port_file.read_text(encoding="ascii")
        with urlopen(f"http://127.0.0.1:{line['metrics']}/metrics", timeout=30) as page:
            metrics = page.read().decode()
        process.send_signal(number)
        rest, log = process.communicate(timeout=60)
    assert response.gatekeeper_result.status == gatekeeper_pb2.GATEKEEPER_STATUS_PASS
    assert written == f"{line['port']}\n"
    assert 'evidencegate_calls_total{code="OK",method="Gatekeeper/Validate"} 1.0' in metrics
    assert process.returncode == 0
    assert rest == ""
    events = [orjson.loads(entry)["event"] for entry in log.splitlines()]
    assert events == ["call", "draining", "stopped"]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a process's children are looked up in /proc")
def test_the_engine_process_ends_with_the_server() -> None:
    with started("--engine-process") as (process, line):
        while not (children := _children(process.pid)):  # the test's own time limit ends what never comes
            os.sched_yield()
        validate(line["port"])
        process.terminate()
        _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert [event for entry in log.splitlines() if (event := orjson.loads(entry)["event"]) != "call"] == [
        "draining",
        "stopped",
    ]
    assert len(children) == 1
    assert not Path(f"/proc/{children[0]}").exists()


def _children(pid: int) -> list[str]:
    """Returns the processes that any thread of a process has started."""
    tasks = Path(f"/proc/{pid}/task")
    return [child for task in tasks.iterdir() for child in (task / "children").read_text(encoding="ascii").split()]


def test_sighup_makes_it_look_at_its_files_and_go_on(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(line_of("chat", "eg_old"), encoding="ascii")
    with started("--tokens", str(tokens)) as (process, line):
        tokens.write_text(line_of("chat", "eg_new-one"), encoding="ascii")
        process.send_signal(signal.SIGHUP)
        assert process.stderr is not None
        assert orjson.loads(process.stderr.readline())["event"] == "files_read_again"
        metadata = (("authorization", "Bearer eg_new-one"),)
        with grpc.insecure_channel(f"127.0.0.1:{line['port']}") as channel:
            stub = gatekeeper_pb2_grpc.GatekeeperStub(channel)
            stub.Validate(validate_request(), timeout=30, metadata=metadata)
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_changed_file_is_read_again_without_being_told(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(line_of("chat", "eg_old"), encoding="ascii")
    with started("--tokens", str(tokens)) as (process, _):
        tokens.write_text("chat eg_plain", encoding="ascii")
        assert process.stderr is not None
        line = process.stderr.readline()
    assert orjson.loads(line)["event"] == "files_refused"
    assert "eg_plain" not in line


def test_it_ends_when_its_terminal_is_closed() -> None:
    """Nobody could stop it any more; a server without a terminal goes on (see above)."""
    master, terminal = pty.openpty()
    command = [*COMMAND, "--port", "0", "--no-metrics", "--drain-pause-seconds", "0"]
    process = subprocess.Popen(
        command,
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    try:
        os.close(terminal)
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"evidencegate serves on ")
        os.close(master)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


def test_a_caller_without_tls_leaves_no_line_that_is_no_json(tmp_path: Path) -> None:
    files = files_of(server_certificate(), tmp_path)
    with started("--tls-cert", str(files.cert), "--tls-key", str(files.key)) as (process, line):
        with pytest.raises(grpc.RpcError) as refused_call:
            validate(line["port"])
        process.terminate()
        _, log = process.communicate(timeout=60)
    assert refused_call.value.code() is grpc.StatusCode.UNAVAILABLE
    assert [orjson.loads(entry)["event"] for entry in log.splitlines()] == ["draining", "stopped"]


def test_without_metrics_there_is_no_second_port() -> None:
    with started("--no-metrics") as (_, line):
        assert line["metrics"] is None


def test_at_log_level_warning_calls_are_not_logged() -> None:
    with started(EVIDENCEGATE_LOG_LEVEL="warning") as (process, line):
        validate(line["port"])
        process.terminate()
        _, log = process.communicate(timeout=60)
    assert log == ""


@pytest.mark.parametrize("which", ["port", "metrics-port"])
def test_a_taken_port_is_an_error(which: str) -> None:
    with socket.socket() as owner:
        owner.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # its owner would share it
        owner.bind(("127.0.0.1", 0))
        owner.listen()
        port = owner.getsockname()[1]
        others = {"port": "0", "metrics-port": "0", which: str(port)}
        status, message = refused(*[part for name, value in others.items() for part in (f"--{name}", value)])
    assert status == 1
    assert f"port {port} on 127.0.0.1 is taken by another program" in message
    assert f"--{which}" in message
    assert "Traceback" not in message


def test_a_second_server_on_the_port_of_the_first_is_an_error() -> None:
    with started() as (_, line):
        status, message = refused("--port", line["port"], "--metrics-port", "0")
    assert status == 1
    assert f"port {line['port']} on 127.0.0.1 is taken" in message


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (["--host", "0.0.0.0"], 2, "EVIDENCEGATE_HOST"),
        (["--port", "70000"], 2, "EVIDENCEGATE_PORT"),
        (["--max-in-flight", "0"], 2, "EVIDENCEGATE_MAX_IN_FLIGHT"),
        (["--log-level", "loud"], 2, "--log-level"),
        (["--rules", "/nowhere"], 1, "/nowhere"),
        (["--tokens", "/nowhere"], 1, "/nowhere: the tokens file cannot be read"),
        (["--tls-cert", "/nowhere"], 2, "--tls-cert and --tls-key belong together"),
        (["--tls-cert", "/nowhere", "--tls-key", "/nowhere"], 1, "/nowhere: the certificate file cannot be read"),
        (["--health-address", "8080"], 2, "is no HOST:PORT"),
        (["--workers", "0"], 2, "EVIDENCEGATE_WORKERS"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_is_wrong_is_said_in_words(arguments: list[str], status: int, text: str) -> None:
    returned, message = refused(*arguments)
    assert returned == status
    assert text in message
    assert "Traceback" not in message


@pytest.mark.req("IO-03")
def test_the_end_does_not_wait_for_work_whose_caller_has_gone() -> None:
    """Python would wait for a thread at work, however long that takes, and a second signal would change nothing."""
    text = output_text().replace("payment-api: connection", "db-1 failed, so that payment-api: connection")
    request = judge_request(text, invocation("394", ref(text=LOG_LINE + "\n" + "k: v\n" * 180_000)))
    with started("--grace-seconds", "0.1") as (process, line):
        with grpc.insecure_channel(f"127.0.0.1:{line['port']}") as channel:
            with pytest.raises(grpc.RpcError) as caught:
                verifier_pb2_grpc.VerifierStub(channel).Judge(request, timeout=1.5)
            assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
    last = orjson.loads(log.splitlines()[-1])
    assert (process.returncode, last["event"], last.get("work_left")) == (0, "stopped", True)


@pytest.mark.req("RC-03")
def test_the_catalog_of_the_rules_option_is_the_one_that_counts(tmp_path: Path) -> None:
    import shutil

    from evidencegate_server.catalog.locate import find_rules

    rules = tmp_path / "rules"
    shutil.copytree(find_rules(), rules)
    catalog = rules / "catalog.yaml"
    text, changed = re.subn(
        r"(?m)^rule_set_version:.*$", 'rule_set_version: "9.9.9"', catalog.read_text(encoding="utf-8")
    )
    assert changed == 1
    catalog.write_text(text, encoding="utf-8")
    with started("--rules", str(rules)) as (_, line):
        assert validate(line["port"]).gatekeeper_result.rule_set_version == "9.9.9"
        assert "rule set 9.9.9" in line[0]


def test_serve_imports_nothing_of_the_client_the_terminal_prometheus_tls_tokens_workers_or_what_judges() -> None:
    code = (
        "import sys, evidencegate_server.cli.serve, evidencegate_server.service.run as _\n"
        "late = ['rich', 'evidencegate_client', 'prometheus_client', 'evidencegate_server.judge.deterministic']\n"
        "late += ['evidencegate_server.service.tls', 'evidencegate_server.service.tokens']\n"
        "late += ['evidencegate_server.workers']\n"
        "print([name for name in late if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
