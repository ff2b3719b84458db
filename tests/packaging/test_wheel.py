"""The built wheel works where nothing of this checkout is: as a client, and as a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LIST_MODULES = """
import json, sys
import evidencegate_client, evidencegate_client.aio
print(json.dumps(sorted(sys.modules)))
"""

CALL = """
import sys, pathlib, grpc
from evidencegate.v1 import gatekeeper_pb2, gatekeeper_pb2_grpc, catalog_pb2
with grpc.insecure_channel(sys.argv[1]) as channel:
    stub = gatekeeper_pb2_grpc.GatekeeperStub(channel)
    reply = stub.Validate(gatekeeper_pb2.ValidateRequest(), timeout=10, wait_for_ready=True)
    catalog = stub.GetRuleCatalog(catalog_pb2.GetRuleCatalogRequest(), timeout=10)
    print(reply.gatekeeper_result.status, len(catalog.rules))
"""


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EVIDENCEGATE_"))}


def _environment(folder: Path, requirement: str) -> Path:
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement], check=True, cwd=folder
    )
    return python


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
    )
    return next(folder.glob("evidencegate-*.whl"))


@pytest.fixture
def running_server(wheel: Path, tmp_path: Path) -> Iterator[str]:
    python = _environment(tmp_path / "server", f"{wheel}[server]")
    port_file = tmp_path / "port"
    process = subprocess.Popen(
        [python.parent / "evidencegate", "serve", "--port", "0", "--no-metrics", "--port-file", str(port_file)],
        cwd=tmp_path,
        env=_clean_environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline(), "the server printed no line and ended"
        yield f"127.0.0.1:{port_file.read_text().strip()}"
    finally:
        process.terminate()
        assert process.wait(30) == 0
        process.stdout.close()


def test_the_wheel_carries_protos_and_rules(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    protos = {f"evidencegate/v1/{path.name}" for path in (ROOT / "protos" / "evidencegate" / "v1").glob("*.proto")}
    rules = {
        f"evidencegate_server/packaged_rules/{path.relative_to(ROOT / 'rules')}"
        for path in (ROOT / "rules").rglob("*")
        if path.is_file()
    }
    assert protos
    assert protos <= names
    assert rules <= names


def test_the_base_installation_is_a_client_and_says_how_to_become_a_server(wheel: Path, tmp_path: Path) -> None:
    python = _environment(tmp_path / "client", str(wheel))
    imported = subprocess.run(
        [
            python,
            "-c",
            "import evidencegate_client, evidencegate_client.aio, sys, json; print(json.dumps(sorted(sys.modules)))",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=_clean_environment(),
    )
    modules = json.loads(imported.stdout)
    assert "evidencegate.v1.verifier_pb2" in modules
    assert not [name for name in modules if name.startswith("evidencegate_server")]
    served = subprocess.run(
        [python.parent / "evidencegate", "serve"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=_clean_environment(),
    )
    assert served.returncode != 0
    assert "pip install 'evidencegate[server]'" in served.stderr


@pytest.mark.req("IO-01")
def test_the_wheel_with_its_server_extra_answers_a_call_from_an_empty_environment(
    wheel: Path, running_server: str, tmp_path: Path
) -> None:
    python = _environment(tmp_path / "caller", str(wheel))
    reply = subprocess.run(
        [python, "-c", CALL, running_server],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=_clean_environment(),
    )
    assert reply.stdout.split() == ["3", "10"]
