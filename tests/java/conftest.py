"""Builds and tests java/ once for the whole run, and gives tests what came of it."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support import ROOT

JAVA = ROOT / "java"
CLIENT = JAVA / "evidencegate-client"
_OLDEST_JDK = 17
_LOCK = "java-build.lock"
# Enough of a log to show what failed.
_TAIL_LINES = 60


@dataclass(frozen=True)
class Build:
    """How `mvn verify` ended, and the end of what it wrote."""

    status: int
    tail: str


@dataclass(frozen=True)
class TestClass:
    """What the tests of one Java class came to."""

    __test__ = False

    run: int
    failed: int
    skipped: int


def maven(*arguments: str, folder: Path = JAVA) -> Build:
    """Runs Maven and passes on what it writes, so that a log keeps its `Tests run:` lines."""
    command = ["mvn", "-B", "-ntp", *arguments]
    environment = os.environ | {"EVIDENCEGATE_COMMAND": str(Path(sys.executable).with_name("evidencegate"))}
    lines = []
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            sys.stdout.write(line)
    return Build(process.returncode, "".join(lines[-_TAIL_LINES:]))


def reports() -> dict[str, TestClass]:
    """Returns what Maven's reports say of each test class, by its full name."""
    found = {}
    for path in JAVA.glob("*/target/surefire-reports/TEST-*.xml"):
        suite = ElementTree.parse(path).getroot()
        number = {key: int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")}
        found[suite.attrib["name"]] = TestClass(
            number["tests"], number["failures"] + number["errors"], number["skipped"]
        )
    return found


def classpath() -> str:
    """Returns what a program needs that uses the client and its test helpers."""
    libraries = (CLIENT / "target" / "test-classpath.txt").read_text(encoding="utf-8").strip()
    return os.pathsep.join([str(CLIENT / "target" / "classes"), str(CLIENT / "target" / "test-classes"), libraries])


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """How building and testing java/ ended; skips where there is no JDK or Maven."""
    _skip_without_tools()
    shared = _shared(tmp_path_factory)
    with _locked(shared / _LOCK):
        kept = shared / "java-build.json"
        if kept.exists():
            return Build(**json.loads(kept.read_text(encoding="utf-8")))
        # Reports of an earlier run would count for this one.
        for path in JAVA.glob("*/target/surefire-reports"):
            shutil.rmtree(path)
        result = maven("verify")
        kept.write_text(json.dumps(asdict(result)), encoding="utf-8")
        return result


@pytest.fixture
def built(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """For tests that use what was built, one at a time, since some build it again; fails where the build did."""
    assert build.status == 0, build.tail
    with _locked(_shared(tmp_path_factory) / _LOCK):
        yield


def _shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder that all processes of the run have."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def _skip_without_tools() -> None:
    missing = [name for name in ("javac", "mvn") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (a JDK {_OLDEST_JDK} and Maven are needed)")
    told = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=True)
    version = re.search(r"javac (\d+)", told.stdout + told.stderr)
    if version is None or int(version[1]) < _OLDEST_JDK:
        pytest.skip(f"a JDK {_OLDEST_JDK} is needed, and this is {told.stdout.strip()}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Lets one process of the run in at a time."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
