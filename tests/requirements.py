"""Runs every test and prints one line for each requirement row: proved by how many tests, or missing and why.

A row is proved only by a test that carries its ID, ran and passed; a test of it that failed makes it missing. Exits 1
where a test fails or a row that should be done is missing. `--from FILE` reads an earlier report instead of running;
`--with FILE` adds what an earlier run of other tests reported, so that CI runs each test once. An earlier report counts
only where it is of the same sources, and a test that failed in it fails here too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field

from tests.support import ROOT, digest_of_sources, known_requirements

REPORT = ".requirements.json"


@dataclass
class Row:
    """What the tests of one row came to."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """Whether a test of the row ran and passed, and none failed."""
        return self.passed > 0 and not self.failed

    def line(self) -> str:
        """Returns what is printed behind the ID."""
        if self.failed:
            return f"missing (failed: {self.failed[0]})"
        if self.passed:
            return f"proved {self.passed} test{'s' if self.passed > 1 else ''}"
        return f"missing (skipped: {self.skipped[0]})" if self.skipped else "missing"


def collect(tests: dict[str, dict[str, object]]) -> dict[str, Row]:
    """Sorts the outcomes of tests by row."""
    rows = {row: Row() for row in sorted(known_requirements())}
    for name, test in sorted(tests.items()):
        for row in test["rows"]:  # type: ignore[attr-defined]
            match test["outcome"]:
                case "passed":
                    rows[row].passed += 1
                case "skipped":
                    rows[row].skipped.append(str(test["reason"]))
                case _:
                    rows[row].failed.append(name)
    return rows


def read(report: str) -> dict[str, dict[str, object]]:
    """Returns the outcomes of an earlier run; ends the program where there are none, or they are of other sources."""
    path = ROOT / report
    if not path.exists():
        sys.exit(f"{report} is not there: run the tests that write it first")
    written = json.loads(path.read_text(encoding="utf-8"))
    if not written["sources"] or written["sources"] != digest_of_sources():
        sys.exit(f"{report} is of other sources than these: run the tests that write it again")
    outcomes: dict[str, dict[str, object]] = written["tests"]
    return outcomes


def main() -> int:
    """Runs, prints, and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="report", help="read this report instead of running the tests")
    parser.add_argument("--with", dest="others", action="append", default=[], help="add the outcomes of this report")
    parser.add_argument("pytest_arguments", nargs="*")
    arguments = parser.parse_args()
    status = 0
    tests: dict[str, dict[str, object]] = {}
    for report in (*arguments.others, *([arguments.report] if arguments.report else [])):
        tests |= read(report)
    failed = sorted(name for name, test in tests.items() if test["outcome"] not in ("passed", "skipped"))
    if failed:
        print(f"{len(failed)} tests of earlier runs failed, first: {failed[0]}", file=sys.stderr)
    if arguments.report is None:
        command = [sys.executable, "-m", "pytest", f"--requirements-report={REPORT}", *arguments.pytest_arguments]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        tests |= json.loads((ROOT / REPORT).read_text(encoding="utf-8"))["tests"]
    rows = collect(tests)
    for name, row in rows.items():
        print(name, row.line())
    missing = sorted(name for name in known_requirements("done") if not rows[name].proved)
    if missing:
        print(f"\n{len(missing)} rows that should be done are missing: {', '.join(missing)}", file=sys.stderr)
    return 1 if status or failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
