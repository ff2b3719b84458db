"""Proves that the protos keep what the last release promised, and that a change which breaks it is caught."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support import ROOT
from tools.release_image import last_image

BUF = Path(sys.executable).parent / "buf"
VERIFIER, EVALUATION, TEXT = "verifier.proto", "evaluation.proto", "text.proto"


def breaking(workspace: Path) -> subprocess.CompletedProcess[str]:
    """Compares the protos of a folder with the last release's, by the project's own rules."""
    image = last_image()
    assert image is not None
    return subprocess.run(
        [BUF, "breaking", "--against", image], cwd=workspace, capture_output=True, text=True, check=False
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A copy of the protos with their buf.yaml, to change."""
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    shutil.copytree(ROOT / "protos", tmp_path / "protos", ignore=shutil.ignore_patterns("*.py*", "released"))
    return tmp_path


def test_the_protos_keep_what_the_last_release_promised() -> None:
    done = breaking(ROOT)
    assert done.returncode == 0, done.stdout


BREAKS = {
    "a renumbered field": (VERIFIER, "string original_query = 3;", "string original_query = 43;", "original_query"),
    "a number for another field": (TEXT, "int32 end = 2;", "int32 stop = 2;", 'from "end" to "stop"'),
    "a changed type": (TEXT, "int32 start = 1;", "string start = 1;", "start"),
    "a field that becomes a list": (
        VERIFIER,
        "string session_id = 1;",
        "repeated string session_id = 1;",
        "session_id",
    ),
    "a field that is gone": (VERIFIER, "string model_profile = 13;", "", "model_profile"),
    "a renamed value": (EVALUATION, "VERDICT_PASS = 1;", "VERDICT_GOOD = 1;", "VERDICT_PASS"),
    "a renumbered value": (EVALUATION, "ROUTE_DEGRADE = 4;", "ROUTE_DEGRADE = 5;", "4"),
    "a method with another answer": (VERIFIER, "returns (JudgeResponse)", "returns (SummarizeTraceResponse)", "Judge"),
    "a method that is gone": (
        VERIFIER,
        "rpc SummarizeTrace(SummarizeTraceRequest) returns (SummarizeTraceResponse) {\n"
        "    option idempotency_level = NO_SIDE_EFFECTS;\n  }",
        "",
        "SummarizeTrace",
    ),
    "another Java package": (TEXT, '"io.evidencegate.v1"', '"io.evidencegate.v2"', "java_package"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_change_that_breaks_a_client_is_caught(workspace: Path, name: str) -> None:
    file, before, after, named = BREAKS[name]
    path = workspace / "protos" / "evidencegate" / "v1" / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    done = breaking(workspace)
    assert done.returncode == 100, done.stdout + done.stderr
    assert named in done.stdout
    assert file in done.stdout


ADDITIONS = {
    "a field": (VERIFIER, "string model_profile = 13;", "string model_profile = 13;\n  string more = 14;"),
    "a value": (EVALUATION, "ROUTE_DEGRADE = 4;", "ROUTE_DEGRADE = 4;\n  ROUTE_MORE = 5;"),
    "a deprecation": (VERIFIER, "string model_profile = 13;", "string model_profile = 13 [deprecated = true];"),
    "a method": (
        VERIFIER,
        "service Verifier {",
        "service Verifier {\n  rpc More(JudgeRequest) returns (JudgeResponse);",
    ),
    "a comment": (VERIFIER, "// What came of it.", "// What came of judging."),
}


@pytest.mark.parametrize("name", ADDITIONS)
def test_what_only_adds_is_allowed(workspace: Path, name: str) -> None:
    file, before, after = ADDITIONS[name]
    path = workspace / "protos" / "evidencegate" / "v1" / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    done = breaking(workspace)
    assert done.returncode == 0, done.stdout


def test_every_element_must_have_a_comment(workspace: Path) -> None:
    path = workspace / "protos" / "evidencegate" / "v1" / TEXT
    path.write_text(path.read_text(encoding="utf-8").replace("  // The first code point, from 0.\n", ""), "utf-8")
    done = subprocess.run([BUF, "lint"], cwd=workspace, capture_output=True, text=True, check=False)
    assert done.returncode == 100
    assert "start" in done.stdout


def test_lint_leaves_out_one_rule_and_says_why() -> None:
    text = (ROOT / "buf.yaml").read_text(encoding="utf-8")
    lint = yaml.safe_load(text)["lint"]
    assert lint == {"use": ["STANDARD", "COMMENTS"], "except": ["SERVICE_SUFFIX"]}
    before, _, _ = text.partition("- SERVICE_SUFFIX")
    assert before.splitlines()[-2].lstrip().startswith("#")
    assert "WIRE_JSON" in yaml.safe_load(text)["breaking"]["use"]
