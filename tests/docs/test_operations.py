"""Runs docs/operations.md from top to bottom, as an operator would, on free ports and in a folder of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from evidencegate_server.service.metrics import Metrics
from evidencegate_server.service.settings import ServerSettings

from tests.docs.running import BLOCK
from tests.support import ROOT

TEXT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
FOLDER = "/tmp/evidencegate"
BIN = Path(sys.executable).parent
TOOLS = ROOT / ".tools" / "bin"
LINE = re.compile(r"serves on 127\.0\.0\.1:(\d+) .*?(?:health 127\.0\.0\.1:(\d+)|\))")

pytestmark = pytest.mark.timeout(300)


class Operator:
    """Follows the document: has at most one server, and calls that one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server: subprocess.Popen[str] | None = None
        self.ports: tuple[str, str | None] = ("", None)
        self.environment = os.environ | {"PATH": os.pathsep.join([str(BIN), str(TOOLS), os.environ["PATH"]])}

    def follow(self, language: str, block: str) -> None:
        """Does what one block says."""
        if "evidencegate serve" in block:
            self.serve(block)
        elif language == "sh":
            done = self.run(["bash", "-euo", "pipefail", "-c", self.here(block)])
            assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        else:
            done = self.run([sys.executable, "-c", self.here(block)])
            assert done.returncode == 0, f"{block}\n{done.stderr}"

    def serve(self, block: str) -> None:
        """Starts the server of the block in the place of the last one."""
        self.stop()
        command = self.here(block.strip()).replace("127.0.0.1:50052", "127.0.0.1:0")
        self.server = subprocess.Popen(
            f"exec {command} --port 0 --metrics-port 0 --drain-pause-seconds 0",
            shell=True,
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.server.stdout is not None
        line = self.server.stdout.readline()
        found = LINE.search(line)
        assert found is not None, f"{block}: the server said {line!r}"
        self.ports = (found[1], found[2])

    def stop(self) -> None:
        """Ends the server, which ends well."""
        if self.server is not None:
            self.server.terminate()
            assert self.server.wait(60) == 0
            self.server.communicate()
            self.server = None

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """Runs a command in the project's folder."""
        return subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)

    def here(self, text: str) -> str:
        """Returns a text of the document with this run's folder, programs and ports."""
        text = text.replace(FOLDER, str(self.folder)).replace(".venv/bin/", f"{BIN}/")
        text = text.replace(":50051", f":{self.ports[0]}")
        return text if self.ports[1] is None else text.replace(":50052", f":{self.ports[1]}")


def follow_all(folder: Path, *, grpcurl: bool) -> int:
    """Follows the document, with or without its grpcurl lines, and returns how many blocks there were."""
    operator = Operator(folder)
    count = 0
    try:
        for match in BLOCK.finditer(TEXT):
            language, block = match[1], match[2]
            if language == "console":  # needs Docker or a cluster; see below
                continue
            if not grpcurl:
                block = "".join(line for line in block.splitlines(keepends=True) if not line.startswith("grpcurl "))
            operator.follow(language, block)
            count += 1
        operator.stop()
    finally:
        if operator.server is not None:
            operator.server.kill()
            operator.server.communicate()
    return count


@pytest.mark.req("IO-03")
def test_each_command_of_the_document_works_as_written_one_after_the_other(tmp_path: Path) -> None:
    assert follow_all(tmp_path, grpcurl=False) >= 10
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in ("server.key", "tokens", "chat-service.token")}
    assert modes == {"server.key": 0o600, "tokens": 0o600, "chat-service.token": 0o600}
    assert (tmp_path / "port").exists()  # the page says that it stays


@pytest.mark.go
@pytest.mark.req("IO-02")
def test_the_grpcurl_lines_work_over_tls_with_token_and_certificate(tmp_path: Path) -> None:
    if shutil.which("grpcurl", path=os.pathsep.join([str(TOOLS), os.environ["PATH"]])) is None:
        pytest.skip("no grpcurl: run `make probe`")
    assert TEXT.count("\ngrpcurl ") >= 3
    follow_all(tmp_path, grpcurl=True)


def test_what_needs_a_runtime_or_a_cluster_names_what_there_is() -> None:
    lines = [line for match in BLOCK.finditer(TEXT) if match[1] == "console" for line in match[2].splitlines()]
    manifest = (ROOT / "deploy" / "kubernetes" / "deployment.yaml").read_text(encoding="utf-8")
    assert len(lines) == 5
    for line in lines:
        for path in re.findall(r"-[fk] (\S+)", line):
            assert (ROOT / path).exists()
        for secret in re.findall(r"create secret \w+ (\S+)", line):
            assert f"secretName: {secret}" in manifest
        for option in re.findall(r"evidencegate:\S+ serve .*", line):
            for name in re.findall(r"--([a-z-]+)", option):
                assert name.replace("-", "_") in ServerSettings.model_fields


def test_the_table_of_metrics_is_the_one_that_the_server_has() -> None:
    metrics = Metrics()
    metrics.workers = int
    names = {
        f"{family.name}_total" if family.type == "counter" else family.name for family in metrics.registry().collect()
    }
    table = TEXT.partition("## Metrics")[2].partition("## Logs")[0]
    assert set(re.findall(r"`(evidencegate_\w+)`", table)) == names


def test_every_event_of_the_log_is_in_the_table() -> None:
    source = ROOT / "server" / "evidencegate_server"
    written = {
        event
        for path in (*source.glob("service/*.py"), *source.glob("workers/*.py"))
        for event in re.findall(r"ogger\.(?:info|error)\(\s*\"(\w+)\"", path.read_text(encoding="utf-8"))
    }
    table = TEXT.partition("## Logs")[2].partition("`span_id` is")[0]
    first_column = "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("|"))
    assert written == set(re.findall(r"`(\w+)`", first_column))
