"""The server that a command starts for itself."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from evidencegate_server.cli.own_server import ServerStartError, own_server

from tests.support import ROOT


def listens(target: str) -> bool:
    """Returns whether somebody accepts connections there."""
    host, _, port = target.partition(":")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


def test_it_serves_on_loopback_and_is_gone_afterwards() -> None:
    with own_server() as target:
        assert target.startswith("127.0.0.1:")
        assert listens(target)
    assert not listens(target)


def test_it_is_gone_after_an_exception() -> None:
    with pytest.raises(KeyError), own_server() as target:
        raise KeyError
    assert not listens(target)


def test_what_keeps_it_from_starting_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServerStartError, match=r"the folder has no catalog\.yaml"), own_server(tmp_path):
        pass


def test_it_does_not_outlive_a_program_that_is_told_to_stop() -> None:
    program = (
        "import sys\n"
        "from evidencegate_server.cli.own_server import own_server\n"
        "with own_server() as target:\n"
        "    print(target, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        target = process.stdout.readline().strip()
        assert listens(target)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
    assert not listens(target)


def test_the_demo_ends_well_and_shows_each_quotation_in_its_place() -> None:
    command = [sys.executable, str(ROOT / "examples" / "demo.py")]
    environment = {**os.environ, "NO_COLOR": "1"}
    run = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, env=environment)
    assert (run.returncode, run.stderr) == (0, "")
    assert "8 sessions in" in run.stdout
    assert ", 0 not as expected" in run.stdout
    assert "ERROR checkout-api req=9f52 «POST /v1/orders 503 2071ms»" in run.stdout
    assert "evidence.excerpt_mismatch [reject] at claims[0].evidence_bindings[0].evidence_excerpt" in run.stdout
    assert "written | Threads_connected    | 978   |" in run.stdout
    assert "really  | Threads_connected    | 798   |" in run.stdout
    # Once for the dropped "not" and once for the swapped digits; where the call is at fault the quotation is right.
    assert run.stdout.count(" really ") == 2
    assert "lowered by gatekeeper: The Gatekeeper's check failed: evidence.invocation_ref." in run.stdout
    assert run.stdout.count("the text ends before the object does") == 1
    assert run.stdout.index("«…» marks a quotation") < run.stdout.index("01-good-answer")
    assert " ".join(run.stdout.split()).endswith("docs/judge.md has the measured shares.")
