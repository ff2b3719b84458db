"""The same session files give the same answers through the Java and the Python client, character by character."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from evidencegate.v1.composer_pb2 import COMPOSER_WRITER_TEMPLATE, ComposeRequest
from evidencegate.v1.trace_pb2 import SummarizeTraceRequest
from evidencegate_client import (
    EvidenceGateClient,
    fallback_evaluation,
    fallback_gatekeeper_result,
    request_from_session,
    validate_request,
    vocabulary,
)
from evidencegate_client.fallback import fallback_composer_output
from evidencegate_server.cli.own_server import own_server

from tests.java.conftest import classpath
from tests.support import ROOT

pytestmark = [pytest.mark.java, pytest.mark.timeout(1200)]

# What the Java program prints of a file, in this order.
KINDS = ("request", "digest", "validate", "judge", "evaluation", "result", "summary", "answer")
EXAMPLES = sorted((ROOT / "examples" / "sessions").glob("*.json"))


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    """HOST:PORT of the real service."""
    with own_server() as address:
        yield address


def through_java(target: str, files: list[Path]) -> list[str]:
    """Returns the lines that the Java program prints of the files."""
    command = ["java", "-cp", classpath(), "io.evidencegate.client.SessionReplies", target, *map(str, files)]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split("\n")[:-1]


def through_python(target: str, file: Path) -> dict[str, str]:
    """Returns the same of one file, through the Python client."""
    request = request_from_session(json.loads(file.read_text(encoding="utf-8")))
    with EvidenceGateClient(target) as client:
        validated = client.validate(validate_request(request))
        judged = client.judge(request)
        result = client.evaluate(request)
        summary = client.summarize_trace(SummarizeTraceRequest(tool_invocations=request.tool_invocations))
        answer = client.compose(ComposeRequest(evaluation=result.evaluation, original_query=request.original_query))
    digest = validated.gatekeeper_result.input_digest
    said = f"{result.verdict} {result.route} {str(result.is_fallback).lower()}"
    written = map(vocabulary.to_json, (request, validated, judged, result.evaluation, summary, answer))
    asked, *answers = written
    return dict(zip(KINDS, [asked, digest, *answers[:3], said, *answers[3:]], strict=True))


def compare(target: str, files: list[Path]) -> None:
    """Checks that both clients are told the same of every file."""
    lines = through_java(target, files)
    for index, file in enumerate(files):
        part = lines[index * len(KINDS) : (index + 1) * len(KINDS)]
        assert dict(zip(KINDS, part, strict=True)) == through_python(target, file), file.name


@pytest.mark.usefixtures("built")
@pytest.mark.req("IO-04", "GK-16", "SE-01")
def test_the_example_sessions_give_the_same_through_both_clients(target: str) -> None:
    compare(target, EXAMPLES)


@pytest.mark.usefixtures("built")
@pytest.mark.req("IO-04", "GK-16", "SE-01")
def test_the_recorded_sessions_give_the_same_through_both_clients(target: str, shared: Path) -> None:
    files = sorted((shared / "sessions").glob("*.json"))
    assert len(files) == 26
    compare(target, files)


@pytest.mark.usefixtures("built")
@pytest.mark.req("IO-06")
def test_text_that_utf_8_cannot_carry_is_read_alike(target: str, tmp_path: Path) -> None:
    session = {
        "session_id": "odd \ud83d",
        "original_query": "why \udc00 🚨",
        "executor_output": '{"a": "\ud800"}',
        "verifier_output": "\udfff",
        "tool_invocations": [{"id": 90071992547409931234, "tool_name": "t", "status": "NO_HIT", "output": "x\udbff"}],
    }
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(session), encoding="ascii")
    compare(target, [file])


@pytest.mark.usefixtures("built")
@pytest.mark.req("GK-15")
def test_both_clients_make_up_the_same_fallbacks(target: str) -> None:
    expected = [fallback_gatekeeper_result(), fallback_evaluation(2)]
    expected += [
        fallback_composer_output(
            language=language, cause=cause, requested_writer=COMPOSER_WRITER_TEMPLATE, detail="why"
        )
        for language in ("zh", "en")
        for cause in ("service", "diagnosis")
    ]
    assert through_java(target, []) == [vocabulary.to_json(message) for message in expected]
