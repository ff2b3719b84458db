"""Proves several processes on one port: from the start over deaths and signals to the end."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from evidencegate.v1 import gatekeeper_pb2, gatekeeper_pb2_grpc
from evidencegate_client import ClientConfig, EvidenceGateClient, RetryPolicy
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.service.ports import StartError
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.service.tokens import line_of
from evidencegate_server.workers.messages import Order
from evidencegate_server.workers.parent import MOST_DEATHS_IN_A_ROW, run_workers
from evidencegate_server.workers.process import Worker
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.certificates import files_of, server_certificate
from tests.service.builders import validate_request
from tests.service.test_tls import shown_name
from tests.workers.team import COMMAND, Team, is_alive, team, wait_for

pytestmark = pytest.mark.timeout(180)

CALLS = 'evidencegate_calls_total{code="OK",method="Gatekeeper/Validate"}'
# Connections of their own, so that they come to different workers.
ALONE = (("grpc.use_local_subchannel_pool", 1),)


def validate(target: str, **options: object) -> gatekeeper_pb2.ValidateResponse:
    """Calls Validate over a connection of its own."""
    with grpc.insecure_channel(target, options=ALONE) as channel:
        stub = gatekeeper_pb2_grpc.GatekeeperStub(channel)
        response: gatekeeper_pb2.ValidateResponse = stub.Validate(validate_request(), timeout=30, **options)
        return response


def reach_both(running: Team) -> int:
    """Calls until both workers have answered, and returns how often."""
    calls = 0

    def both_have_answered() -> bool:
        nonlocal calls
        validate(running.target)
        calls += 1
        return {line["worker"] for line in running.lines("call")} == {1, 2}

    wait_for(both_have_answered)
    return calls


def counted(running: Team, calls: int) -> dict[str, float] | None:
    """Returns the metrics where they show exactly so many calls; a worker that is busy may be a little late."""
    metrics = running.metrics()
    return metrics if metrics.get(CALLS) == calls else None


def refused(*arguments: str) -> tuple[int, str]:
    """Runs a server with two workers to its end and returns its exit status and what it complained of."""
    command = [*COMMAND, "--workers", "2", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.req("IO-01", "IO-03")
def test_all_workers_serve_on_one_port_and_their_counts_are_added_up(tmp_path: Path) -> None:
    port_file = tmp_path / "port"
    with team(tmp_path, "--port-file", str(port_file), "--health-address", "127.0.0.1:0") as running:
        assert running.line["workers"] == "2"
        assert port_file.read_text(encoding="ascii") == f"{running.line['port']}\n"
        assert len(running.workers()) == 2
        calls = reach_both(running)
        metrics = wait_for(lambda: counted(running, calls))
        with grpc.insecure_channel(f"127.0.0.1:{running.line['health']}") as channel:
            health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=30)
        maps = Path(f"/proc/{running.process.pid}/maps").read_text(encoding="utf-8")
        running.process.send_signal(signal.SIGINT)
        rest, _ = running.process.communicate(timeout=60)
        events = Counter((line.get("worker"), line["event"]) for line in running.lines() if line["event"] != "call")
    assert metrics["evidencegate_workers"] == 2
    assert metrics['evidencegate_call_seconds_count{method="Gatekeeper/Validate"}'] == calls
    assert health.status == health_pb2.HealthCheckResponse.SERVING
    assert "cygrpc" not in maps  # the parent runs no gRPC
    assert (running.process.returncode, rest) == (0, "")
    assert events == Counter((number, event) for number in (1, 2) for event in ("draining", "stopped"))


@pytest.mark.parametrize("which", ["port", "metrics-port"])
def test_a_taken_port_is_an_error(which: str) -> None:
    with socket.socket() as owner:
        owner.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # its owner would share it
        owner.bind(("127.0.0.1", 0))
        owner.listen()
        port = owner.getsockname()[1]
        status, message = refused(f"--{which}", str(port))
    assert status == 1
    assert f"port {port} on 127.0.0.1 is taken by another program" in message
    assert "Traceback" not in message


def test_a_second_server_on_their_port_is_an_error(tmp_path: Path) -> None:
    with team(tmp_path) as running:
        status, message = refused("--port", running.line["port"])
    assert status == 1
    assert f"port {running.line['port']} on 127.0.0.1 is taken" in message


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("rules", None, "the folder has no catalog.yaml"),
        ("tokens", "chat plain\n", "the second word must be sha256:"),
        ("models", "default: x\n", "profiles"),
    ],
)
def test_what_keeps_them_from_starting_is_said_once(tmp_path: Path, name: str, text: str | None, said: str) -> None:
    path = tmp_path / "given"
    if text is None:
        path.mkdir()
    else:
        path.write_text(text, encoding="ascii")
    status, message = refused(f"--{name}", str(path))
    assert status == 1
    assert message.count(said) == 1
    assert message.startswith("Error: ")
    assert "Traceback" not in message


@pytest.mark.req("IO-03")
def test_a_worker_that_is_killed_under_load_costs_no_caller_more_than_a_retry(tmp_path: Path) -> None:
    """Calls end in a result or in UNAVAILABLE; the client's retry gives results; another worker takes the place."""
    rules = tmp_path / "rules"
    shutil.copytree(find_rules(), rules)
    with team(tmp_path, "--rules", str(rules), "--log-level", "error") as running:
        before = validate(running.target).gatekeeper_result.rule_set_version
        catalog = rules / "catalog.yaml"
        text = catalog.read_text(encoding="utf-8")
        catalog.write_text(re.sub(r"(?m)^rule_set_version:.*$", 'rule_set_version: "9.9.9"', text), encoding="utf-8")
        halfway = threading.Barrier(9)

        def without_retry(_number: int) -> list[grpc.StatusCode]:
            codes = []
            options = (*ALONE, ("grpc.enable_retries", 0), ("grpc.initial_reconnect_backoff_ms", 100))
            with grpc.insecure_channel(running.target, options=options) as channel:
                stub = gatekeeper_pb2_grpc.GatekeeperStub(channel)
                for call in range(200):
                    if call == 50:
                        halfway.wait(60)
                    try:
                        stub.Validate(validate_request(), timeout=30)
                        codes.append(grpc.StatusCode.OK)
                    except grpc.RpcError as error:
                        codes.append(error.code())
            return codes

        def with_retry(_number: int) -> list[int]:
            retry = RetryPolicy(max_attempts=5, initial_backoff_seconds=0.2)
            statuses = []
            with EvidenceGateClient(running.target, ClientConfig(retry=retry)) as client:
                for call in range(200):
                    if call == 50:
                        halfway.wait(60)
                    statuses.append(client.validate(validate_request()).gatekeeper_result.status)
            return statuses

        with ThreadPoolExecutor(8) as pool:
            raw = [pool.submit(without_retry, number) for number in range(4)]
            retried = [pool.submit(with_retry, number) for number in range(4)]
            halfway.wait(60)
            killed = running.kill_one()
            codes = {code for each in raw for code in each.result(120)}
            statuses = {status for each in retried for status in each.result(120)}
        wait_for(lambda: len(running.workers()) == 2 and running.metrics()["evidencegate_workers"] == 2)
        deaths = running.lines("worker_died")
        versions = {validate(running.target).gatekeeper_result.rule_set_version for _ in range(16)}
        metrics = running.metrics()
    assert grpc.StatusCode.OK in codes
    assert codes <= {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE}
    assert statuses == {gatekeeper_pb2.GATEKEEPER_STATUS_PASS}
    assert [(line["pid"], line["ended"]) for line in deaths] == [(killed, "by SIGKILL")]
    assert metrics["evidencegate_worker_deaths_total"] == 1
    assert versions == {before}  # the rules of the start, whatever stands in the folder since


def test_counts_do_not_fall_when_a_worker_dies(tmp_path: Path) -> None:
    with team(tmp_path) as running:
        calls = reach_both(running)
        wait_for(lambda: counted(running, calls))
        running.kill_one()
        wait_for(lambda: running.lines("worker_serves"))
        assert running.metrics()[CALLS] == calls


@pytest.mark.req("IO-03")
def test_told_to_stop_every_worker_says_not_serving_and_still_answers(tmp_path: Path) -> None:
    with team(tmp_path, "--drain-pause-seconds", "60") as running:
        with grpc.insecure_channel(running.target) as channel:
            stub = gatekeeper_pb2_grpc.GatekeeperStub(channel)
            watching = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=60)
            states = [next(watching).status]
            running.process.terminate()
            states.append(next(watching).status)
            answer = stub.Validate(validate_request(), timeout=30)
        running.process.terminate()  # hurry: nobody waits any more
        assert running.process.wait(60) == 0
    states_of = health_pb2.HealthCheckResponse
    assert states == [states_of.SERVING, states_of.NOT_SERVING]
    assert answer.gatekeeper_result.status == gatekeeper_pb2.GATEKEEPER_STATUS_PASS


def test_workers_end_with_their_parent_and_leave_nothing_of_it(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with team(tmp_path, TMPDIR=str(temporary)) as running:
        workers = running.workers()
        assert len(workers) == 2
        assert len(list(temporary.iterdir())) == 1
        running.process.kill()
        wait_for(lambda: not any(is_alive(pid) for pid in workers))
        assert len(running.lines("parent_is_gone")) == 2
    assert list(temporary.iterdir()) == []


def test_sighup_makes_every_worker_look_at_its_files(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(line_of("chat", "eg_old"), encoding="ascii")
    with team(tmp_path, "--tokens", str(tokens)) as running:
        validate(running.target, metadata=(("authorization", "Bearer eg_old"),))
        tokens.write_text(line_of("chat", "eg_new-one"), encoding="ascii")
        running.process.send_signal(signal.SIGHUP)
        wait_for(lambda: {line["worker"] for line in running.lines("files_read_again")} == {1, 2})
        for _ in range(8):
            validate(running.target, metadata=(("authorization", "Bearer eg_new-one"),))
            with pytest.raises(grpc.RpcError) as gone:
                validate(running.target, metadata=(("authorization", "Bearer eg_old"),))
            assert gone.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_new_certificate_comes_to_every_worker(tmp_path: Path) -> None:
    files = files_of(server_certificate("first"), tmp_path)
    with team(tmp_path, "--tls-cert", str(files.cert), "--tls-key", str(files.key)) as running:
        port = int(running.line["port"])
        before = {shown_name(port) for _ in range(8)}
        files.write(server_certificate("second"))
        wait_for(lambda: {line["worker"] for line in running.lines("files_read_again")} == {1, 2})
        after = {shown_name(port) for _ in range(8)}
    assert (before, after) == ({"first"}, {"second"})


@pytest.mark.slow
def test_workers_that_keep_dying_end_the_server_with_an_error(tmp_path: Path) -> None:
    """A replaced worker finds the copy of the rules damaged, each time."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with team(tmp_path, TMPDIR=str(temporary)) as running:
        (copied,) = temporary.glob("evidencegate-*/rules/catalog.yaml")
        copied.unlink()
        running.kill_one()
        assert running.process.wait(120) == 1
        deaths = running.lines("worker_died")
        message = running.log.read_text(encoding="utf-8")
        assert running.workers() == []
    assert len(deaths) == MOST_DEATHS_IN_A_ROW
    assert "no catalog.yaml" in deaths[-1]["problem"]
    assert re.search(rf"Error: worker \d died {MOST_DEATHS_IN_A_ROW} times in a row, last with status 1", message)
    assert list(temporary.glob("evidencegate-*")) == []


def test_a_store_url_with_its_password_is_on_no_command_line(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/secret-store.db"
    with team(tmp_path, EVIDENCEGATE_STORE=url) as running:
        lines = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in running.workers()]
    assert len(lines) == 2
    assert not any(b"secret-store" in line for line in lines)
    assert os.path.exists(f"{tmp_path}/secret-store.db")  # they did open it  # noqa: PTH110


def test_a_catalog_that_cannot_be_copied_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copytree", fails)
    with pytest.raises(StartError, match=r"cannot be copied .*No space left .*set TMPDIR"):
        run_workers(ServerSettings(port=0, metrics=False, workers=2))


def test_a_machine_that_has_no_room_for_a_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(_order: Order) -> Worker:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(Worker, "start", fails)
    with pytest.raises(StartError, match=r"a worker cannot be started \(Resource temporarily unavailable\)"):
        run_workers(ServerSettings(port=0, metrics=False, workers=2))
