"""Every command of the documents works as it is written, from the project's folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from evidencegate_server.service.settings import ServerSettings

from tests.support import ROOT

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
DOCUMENTED_ADDRESS = "127.0.0.1:50051"

pytestmark = pytest.mark.timeout(300)


def _blocks(language: str) -> list[tuple[str, str]]:
    """Returns each fenced block of the language with a readable name."""
    found = []
    for document in DOCUMENTS:
        for number, match in enumerate(BLOCK.finditer(document.read_text(encoding="utf-8")), start=1):
            if match[1] == language:
                found.append((f"{document.relative_to(ROOT)}-{number}", match[2]))
    return found


def _lines() -> list[str]:
    return [line for _, block in _blocks("sh") for line in block.splitlines() if line.strip()]


def _is_run_elsewhere(block: str) -> bool:
    """Says whether a block is made of commands that have a test of their own, or that run this test."""
    words = [line.split()[0] for line in block.splitlines() if line.strip() and not line.startswith("#")]
    return all(word in {"make", "grpcurl", "export"} for word in words) or "evidencegate serve" in block


PLAIN = [(name, block) for name, block in _blocks("sh") if not _is_run_elsewhere(block)]
GRPCURL = [line for line in _lines() if line.startswith("grpcurl ")]


def _environment() -> dict[str, str]:
    bin_folders = [str(ROOT / ".tools" / "bin"), str(Path(sys.executable).parent)]
    return os.environ | {"PATH": os.pathsep.join([*bin_folders, os.environ["PATH"]]), "COLUMNS": "120"}


def _shell(script: str) -> subprocess.CompletedProcess[str]:
    # The documents speak of .venv; a test run may live in another environment.
    script = script.replace(".venv/bin/evidencegate", str(Path(sys.executable).parent / "evidencegate"))
    script = script.replace(".venv/bin/python", sys.executable)
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=ROOT,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def documented_server() -> Iterator[str]:
    """Runs `evidencegate serve` and yields its address, a free one: several test workers run at once."""
    program = Path(sys.executable).parent / "evidencegate"
    with subprocess.Popen(
        [program, "serve", "--no-metrics", "--port", "0", "--log-level", "warning"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"127\.0\.0\.1:\d+", line)
        assert address is not None, f"the server said no address but {line!r}"
        yield address[0]
        process.terminate()
        assert process.wait(30) == 0


@pytest.mark.req("IO-02")
def test_the_documented_address_is_the_default_one() -> None:
    settings = ServerSettings()
    assert f"{settings.address}:{settings.port}" == DOCUMENTED_ADDRESS


def test_the_documents_have_commands_to_run() -> None:
    assert PLAIN
    assert len(GRPCURL) >= 8


@pytest.mark.parametrize("target", sorted({line.split()[1] for line in _lines() if line.startswith("make ")}))
def test_each_documented_make_target_exists(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(target)}:.*## ", makefile, re.MULTILINE)


@pytest.mark.parametrize(("name", "block"), PLAIN, ids=[name for name, _ in PLAIN])
def test_each_documented_command_ends_well(name: str, block: str) -> None:
    done = _shell(block)
    assert done.returncode == 0, f"{name}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize(("name", "block"), _blocks("python"), ids=[name for name, _ in _blocks("python")])
def test_each_documented_python_example_runs(name: str, block: str, documented_server: str, tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(block.replace(DOCUMENTED_ADDRESS, documented_server), encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name}\n{done.stdout}\n{done.stderr}"


@pytest.mark.go
@pytest.mark.req("IO-02")
@pytest.mark.parametrize("line", GRPCURL)
def test_each_documented_grpcurl_line_works_as_written(line: str, documented_server: str) -> None:
    assert DOCUMENTED_ADDRESS in line
    if shutil.which("grpcurl", path=_environment()["PATH"]) is None:
        pytest.skip("no grpcurl: run `make probe`")
    done = _shell(line.replace(DOCUMENTED_ADDRESS, documented_server))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.go
@pytest.mark.req("IO-02")
def test_grpcurl_lists_and_describes_every_method(documented_server: str) -> None:
    if shutil.which("grpcurl", path=_environment()["PATH"]) is None:
        pytest.skip("no grpcurl: run `make probe`")
    address = documented_server
    services = _shell(f"grpcurl -plaintext {address} list").stdout.split()
    assert {"evidencegate.v1.Gatekeeper", "evidencegate.v1.Verifier", "grpc.health.v1.Health"} <= set(services)
    methods = [
        method
        for service in services
        if service.startswith("evidencegate.")
        for method in _shell(f"grpcurl -plaintext {address} list {service}").stdout.split()
    ]
    assert sorted(methods) == [
        "evidencegate.v1.Composer.Compose",
        "evidencegate.v1.Gatekeeper.GetRuleCatalog",
        "evidencegate.v1.Gatekeeper.Validate",
        "evidencegate.v1.Prompts.ListPrompts",
        "evidencegate.v1.Prompts.RenderPrompt",
        "evidencegate.v1.SelfEvaluations.DeleteSession",
        "evidencegate.v1.SelfEvaluations.GetSession",
        "evidencegate.v1.SelfEvaluations.ListSessions",
        "evidencegate.v1.SelfEvaluations.WriteChannel",
        "evidencegate.v1.Verifier.Judge",
        "evidencegate.v1.Verifier.SummarizeTrace",
    ]
    for method in methods:
        assert "rpc " in _shell(f"grpcurl -plaintext {address} describe {method}").stdout
