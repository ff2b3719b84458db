"""Runs a server with workers as an operator would, and looks at it from outside."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import orjson

COMMAND = [sys.executable, "-m", "evidencegate_server", "serve", "--port", "0", "--metrics-port", "0"]
LINE = re.compile(
    r"evidencegate serves on 127\.0\.0\.1:(?P<port>\d+) \(rule set \S+, \d+ rules, metrics (?P<metrics>\S+)"
    r"(, health 127\.0\.0\.1:(?P<health>\d+))?, (?P<workers>\d+) workers\)\n"
)

# Only what never comes takes so long; a test that waits for it fails then.
_PATIENCE_SECONDS = 60.0


def wait_for(what: Callable[[], Any]) -> Any:
    """Returns the first true value that `what` gives."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        value = what()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("it never came")


def is_alive(pid: int) -> bool:
    """Says whether a process is there and no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@dataclass
class Team:
    """A parent and its workers."""

    process: subprocess.Popen[str]
    line: re.Match[str]
    log: Path

    @property
    def target(self) -> str:
        """Where they serve."""
        return f"127.0.0.1:{self.line['port']}"

    def workers(self) -> list[int]:
        """Returns the process IDs of the workers that there are now."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                words = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(words[1]) == self.process.pid and words[0] != "Z":
                found.append(int(stat.parent.name))
        return sorted(found)

    def kill_one(self) -> int:
        """Kills one worker without a warning and returns what its process ID was."""
        pid = self.workers()[0]
        os.kill(pid, signal.SIGKILL)
        return pid

    def lines(self, event: str | None = None) -> list[dict[str, Any]]:
        """Returns the lines of the log, those of one event where it is named."""
        lines = [orjson.loads(line) for line in self.log.read_bytes().splitlines() if line.startswith(b"{")]
        return [line for line in lines if event is None or line["event"] == event]

    def metrics(self) -> dict[str, float]:
        """Returns the metrics by name and labels."""
        with urlopen(self.line["metrics"], timeout=30) as page:
            lines = [line for line in page.read().decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@contextmanager
def team(folder: Path, *arguments: str, **environment: str) -> Iterator[Team]:
    """Starts a server with two workers and waits for its line; leaves no process behind."""
    log = folder / "log"
    command = [*COMMAND, "--workers", "2", "--drain-pause-seconds", "0", *arguments]
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=os.environ | environment
        )
    workers: list[int] = []
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = LINE.fullmatch(line)
        assert match, (line, log.read_text(encoding="utf-8"))
        running = Team(process, match, log)
        workers = running.workers()
        yield running
    finally:
        process.terminate()
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        for pid in workers:  # they end with their parent; nothing of them may outlive a failed test either
            if is_alive(pid):
                wait_for(lambda pid=pid: not is_alive(pid))
