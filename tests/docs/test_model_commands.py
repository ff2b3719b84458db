"""Every documented command that asks a model works as it is written, against a local endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_judge_pairs_by_model import accepting
from tests.docs.running import shell
from tests.docs.test_commands import MODEL_ADDRESS, blocks
from tests.models.endpoint import FakeEndpoint, running_endpoint

pytestmark = pytest.mark.timeout(300)
COMMANDS = [
    line
    for _, block in blocks("sh")
    for line in block.splitlines()
    if " serve" not in line and (MODEL_ADDRESS in line or "--models" in line)
]
(FILE,) = (block for _, block in blocks("yaml") if "profiles:" in block)


@pytest.fixture
def fake() -> Iterator[FakeEndpoint]:
    """An endpoint whose model accepts every claim."""
    with running_endpoint() as running:
        running.model = accepting
        yield running


@pytest.mark.parametrize("command", COMMANDS)
def test_each_documented_command_that_asks_a_model_ends_well(command: str, fake: FakeEndpoint, tmp_path: Path) -> None:
    models = tmp_path / "models.yaml"
    file = FILE.replace(MODEL_ADDRESS, fake.base_url).replace("https://models.example/v1", fake.base_url)
    models.write_text(file, encoding="utf-8")
    written = command.replace(MODEL_ADDRESS, fake.base_url).replace("models.yaml", str(models))
    done = shell(f"export MODEL_KEY=sk-1; {written}")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[0])["id"] == "P1"


def test_there_are_such_commands() -> None:
    assert len(COMMANDS) == 2
