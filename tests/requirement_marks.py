"""Collects, as a pytest plugin, which requirement rows each test claims to prove and how it ended.

Enabled by `--requirements-report FILE`. The rows travel as user properties of the reports, so the plugin works under
xdist as well: workers attach them, the controller collects them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import ROOT, digest_of_sources, known_requirements

PROPERTY = "requirement"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that names the report file."""
    parser.addoption("--requirements-report", default="", help="write requirement rows and outcomes to this JSON file")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the collector in the process that sees all reports."""
    target = config.getoption("--requirements-report")
    if target and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Collector(ROOT / target), "requirement-collector")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Attaches the rows of each `req` mark; refuses an ID that no row has."""
    known = known_requirements()
    for item in items:
        for mark in item.iter_markers("req"):
            for row in mark.args:
                if row not in known:
                    raise pytest.UsageError(f"{item.nodeid}: no requirement row has the ID {row!r}")
                item.user_properties.append((PROPERTY, row))


class _Collector:
    def __init__(self, target: Path) -> None:
        self._target = target
        self._sources = digest_of_sources()  # as they are when the tests begin
        self._tests: dict[str, dict[str, object]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        rows = [value for name, value in report.user_properties if name == PROPERTY]
        entry = self._tests.setdefault(report.nodeid, {"rows": rows, "outcome": "passed", "reason": ""})
        if report.outcome == "passed":
            return
        entry["outcome"] = report.outcome
        if report.skipped and isinstance(report.longrepr, tuple):
            entry["reason"] = str(report.longrepr[2]).removeprefix("Skipped: ")

    def pytest_sessionfinish(self) -> None:
        report = {"sources": self._sources, "tests": self._tests}
        self._target.write_text(json.dumps(report, indent=1, sort_keys=True), encoding="utf-8")
