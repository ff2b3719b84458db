"""Every command of the documents works as it is written, from the project's folder."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.running import BLOCK, DOCUMENTED_ADDRESS, serving, shell
from tests.support import ROOT

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    # operations.md is followed from top to bottom; see test_operations.py.
    *sorted(path for path in (ROOT / "docs").glob("*.md") if path.name != "operations.md"),
]
# Their commands have tests of their own (test_recipes, test_other_languages, tests/java/test_docs.py).
RUN_ELSEWHERE = {"docs/grpcurl.md", "docs/other-languages.md", "docs/java.md"}
# Where a model of the documents is; what asks it is run by test_model_commands.
MODEL_ADDRESS = "http://127.0.0.1:8000/v1"

pytestmark = pytest.mark.timeout(300)


def blocks(language: str) -> list[tuple[str, str]]:
    """Returns each fenced block of the language with a readable name."""
    found = []
    for document in DOCUMENTS:
        for number, match in enumerate(BLOCK.finditer(document.read_text(encoding="utf-8")), start=1):
            if match[1] == language:
                found.append((f"{document.relative_to(ROOT)}-{number}", match[2]))
    return found


def _lines() -> list[str]:
    return [line for _, block in blocks("sh") for line in block.splitlines() if line.strip()]


def _is_run_elsewhere(block: str) -> bool:
    """Says whether a block is made of commands that have a test of their own, or that run this test."""
    if MODEL_ADDRESS in block or "--models" in block:
        return True
    words = [line.split()[0] for line in block.splitlines() if line.strip() and not line.startswith("#")]
    return all(word in {"make", "grpcurl", "export"} for word in words) or "evidencegate serve" in block


PLAIN = [
    (name, block)
    for name, block in blocks("sh")
    if name.rpartition("-")[0] not in RUN_ELSEWHERE and not _is_run_elsewhere(block)
]


@pytest.fixture(scope="module")
def documented_server() -> Iterator[str]:
    """Yields the address of a server that runs for the tests of this module."""
    with serving() as address:
        yield address


def test_the_documents_have_commands_to_run() -> None:
    assert PLAIN


@pytest.mark.parametrize("target", sorted({line.split()[1] for line in _lines() if line.startswith("make ")}))
def test_each_documented_make_target_exists(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(target)}:.*## ", makefile, re.MULTILINE)


@pytest.mark.parametrize(("name", "block"), PLAIN, ids=[name for name, _ in PLAIN])
def test_each_documented_command_ends_well(name: str, block: str) -> None:
    done = shell(block)
    assert done.returncode == 0, f"{name}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize(("name", "block"), blocks("python"), ids=[name for name, _ in blocks("python")])
def test_each_documented_python_example_runs(name: str, block: str, documented_server: str, tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(block.replace(DOCUMENTED_ADDRESS, documented_server), encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name}\n{done.stdout}\n{done.stderr}"
