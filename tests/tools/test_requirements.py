"""The report of an earlier run proves rows only where it is of these sources, and hides no failure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import requirements
from tests.support import digest_of_sources, known_requirements

PROVED = {"rows": sorted(known_requirements()), "outcome": "passed", "reason": ""}


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, **report: Any) -> int:
    """Reads a report as `--from` does, and returns the exit status."""
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
    monkeypatch.setattr(requirements, "ROOT", folder)
    monkeypatch.setattr("sys.argv", ["requirements", "--from", "report.json"])
    return requirements.main()


def test_a_report_of_these_sources_proves_its_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert run(monkeypatch, tmp_path, sources=digest_of_sources(), tests={"one": PROVED}) == 0


def test_a_failed_test_of_an_earlier_run_fails_whatever_the_rows_say(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = {"one": PROVED, "two": {"rows": [], "outcome": "failed", "reason": ""}}
    assert run(monkeypatch, tmp_path, sources=digest_of_sources(), tests=tests) == 1
    assert "1 tests of earlier runs failed, first: two" in capsys.readouterr().err


@pytest.mark.parametrize("sources", ["", "0" * 64])
def test_a_report_of_other_sources_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sources: str
) -> None:
    with pytest.raises(SystemExit, match="of other sources"):
        run(monkeypatch, tmp_path, sources=sources, tests={"one": PROVED})
