"""The Java of the documents compiles, and what a newcomer is told to do gives the verdict that is promised."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from evidencegate_server.cli.own_server import own_server

from tests.java.conftest import JAVA, classpath
from tests.support import ROOT

pytestmark = [pytest.mark.java, pytest.mark.timeout(1200), pytest.mark.usefixtures("built")]

PAGE = (ROOT / "docs" / "java.md").read_text(encoding="utf-8")
ANSWERS = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")
DOCUMENTED_ADDRESS = "127.0.0.1:50051"
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)

# What the snippets take for granted: the names that the text around them speaks of.
_FRAME = """
import io.evidencegate.client.*;
import io.evidencegate.testserver.EvidenceGateServer;
import io.evidencegate.v1.*;
import io.grpc.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

abstract class %s {
    EvidenceGateClient client;
    JudgeRequest request;
    EvaluationResult result;
    Evaluation evaluation;
    String sessionId, question, written, verifierText, evidenceText;
    List<ToolInvocation> calls;
    Verdict oldVerdict;
    Executor background;
    Logger log;
    Channel channel;

    abstract String runRoundTwo(RetryContext context);
    abstract String compose(EvaluationResult result);

    void snippet() throws Exception {
%s
    }
}
"""


def blocks(page: str, language: str) -> list[str]:
    """Returns the fenced blocks of the language, without the indentation of a list."""
    return [
        re.sub(rf"^{match[1]}", "", match[3], flags=re.MULTILINE)
        for match in _BLOCK.finditer(page)
        if match[2] == language
    ]


def write_ask(folder: Path) -> None:
    """Does what the page says: two files in a folder."""
    (program,) = (block for block in blocks(PAGE, "java") if "class Ask" in block)
    (folder / "src" / "main" / "java").mkdir(parents=True)
    (folder / "pom.xml").write_text(blocks(PAGE, "xml")[0], encoding="utf-8")
    (folder / "src" / "main" / "java" / "Ask.java").write_text(program, encoding="utf-8")


def test_every_snippet_compiles(tmp_path: Path) -> None:
    snippets = [block for page in (PAGE, ANSWERS) for block in blocks(page, "java") if "class Ask" not in block]
    assert len(snippets) > 8
    files = []
    for number, snippet in enumerate(snippets):
        # `Channel` is a word of gRPC and of the contract.
        frame = _FRAME if "Channel.CHANNEL" not in snippet else _FRAME.replace("import io.grpc.Channel;\n", "")
        file = tmp_path / f"Snippet{number}.java"
        file.write_text(frame % (f"Snippet{number}", snippet), encoding="utf-8")
        files.append(str(file))
    command = ["javac", "-encoding", "UTF-8", "-Werror", "-d", str(tmp_path / "out"), "-cp", classpath(), *files]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.req("IO-04")
def test_a_newcomer_gets_the_verdict_that_the_page_promises(tmp_path: Path) -> None:
    ended = subprocess.run(
        ["make", "java-install"], cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    write_ask(tmp_path)
    program = tmp_path / "src" / "main" / "java" / "Ask.java"
    with own_server() as target:
        program.write_text(program.read_text(encoding="utf-8").replace(DOCUMENTED_ADDRESS, target), encoding="utf-8")
        assert blocks(PAGE, "text")[0] in run_documented(tmp_path)
        wrong = program.read_text(encoding="utf-8").replace('"Reason: OOMKilled"', '"Reason: Evicted"', 2)
        program.write_text(wrong, encoding="utf-8")
        assert "`VERDICT_REJECT ROUTE_DEGRADE 0.0`" in PAGE
        assert "VERDICT_REJECT ROUTE_DEGRADE 0.0" in run_documented(tmp_path)
        quotation = '"evidence_excerpt": "Reason: '
        program.write_text(wrong.replace(f"{quotation}Evicted", f"{quotation}OOMKilled"), encoding="utf-8")
        assert "`VERDICT_LOW_CONFID ROUTE_RETRY 0.0`" in PAGE
        assert "VERDICT_LOW_CONFID ROUTE_RETRY 0.0\nc1 VERIFICATION_UNSUPPORTED" in run_documented(tmp_path)
    assert "could not be checked" in run_documented(tmp_path)


def run_documented(folder: Path) -> str:
    """Runs the line of the page that runs the program, and returns what it prints."""
    (line,) = (block for block in blocks(PAGE, "sh") if block.startswith("mvn "))
    ended = subprocess.run(
        ["bash", "-c", line], cwd=folder, env=_environment(), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.req("IO-04", "RT-06")
def test_the_sample_answers_the_documented_request() -> None:
    (documented,) = (block for block in blocks(PAGE, "sh") if block.startswith("curl "))
    with own_server() as target, sample(target) as address:
        for line in documented.splitlines():
            told = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", line.replace("http://127.0.0.1:8080", address)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            if "/chat" in line:
                answer = json.loads(told)
                assert (answer["verdict"], answer["route"], answer["rounds"]) == ("PASS", "COMPOSE", 2)
                assert "OOMKilled" in answer["text"]
            else:
                assert json.loads(told)["components"]["evidenceGate"]["status"] == "UP"


@contextmanager
def sample(target: str) -> Iterator[str]:
    """Runs the sample as `make java-sample` does, on a free port, and gives its address."""
    (archive,) = (JAVA / "chat-service-sample" / "target").glob("*.jar")
    command = ["java", "-jar", str(archive), "--server.port=0", f"--evidencegate.target={target}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                started = re.search(r"Tomcat started on port (\d+)", line)
                if started is not None:
                    yield f"http://127.0.0.1:{started[1]}"
                    return
            raise AssertionError("".join(lines))
        finally:
            process.send_signal(signal.SIGTERM)


def _environment() -> dict[str, str]:
    return os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
