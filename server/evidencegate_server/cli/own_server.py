"""Starts a server of one's own on a free loopback port, for as long as it is needed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

# Starting takes less than a second; this is for a machine that is busy with something else.
_START_SECONDS = 30.0
# The server drains within its grace; after this it is stuck.
_STOP_SECONDS = 15.0
# Enough for what a catalog that does not load has to say first.
_MOST_LINES = 20


class ServerStartError(Exception):
    """Raised when the server ended or said nothing while starting; the text begins with what it wrote last."""


@contextmanager
def own_server(rules: Path | None = None, store: str | None = None, models: str | Path | None = None) -> Iterator[str]:
    """Runs `evidencegate serve` in a process of its own and gives its HOST:PORT; ends it on the way out.

    `store` is the URL of an evaluation store, `models` a models file or its text, None where the server has none.
    """
    with tempfile.TemporaryDirectory(prefix="evidencegate-") as folder:
        port_file, log = Path(folder) / "port", Path(folder) / "log"
        command = [sys.executable, "-m", "evidencegate_server", "serve", "--host", "127.0.0.1", "--port", "0"]
        command += ["--port-file", str(port_file), "--no-metrics", "--log-level", "warning"]
        command += ["--drain-pause-seconds", "0"]  # nobody else calls it, so nobody needs time to turn away
        command += ["--no-engine-process"]  # nor is there a light call that a heavy one could keep waiting
        if rules is not None:
            command += ["--rules", str(rules)]
        if models is not None:
            if isinstance(models, str):
                written = Path(folder) / "models.yaml"
                written.write_text(models, encoding="utf-8")
                models = written
            command += ["--models", str(models)]
        if store is not None:
            command += ["--store", store]
        # An installed server's ports and limits are not meant for this one; its catalog is.
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("EVIDENCEGATE_") or name == "EVIDENCEGATE_RULES"
        }
        with log.open("wb") as output, _ended_by_signal():
            process = subprocess.Popen(  # noqa: S603  our own interpreter and arguments
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=output, env=environment
            )
            try:
                target = f"127.0.0.1:{_wait_for_port(process, port_file, log, rules)}"
                try:
                    yield target
                finally:
                    _stop(process)
                    # Its log goes away with it, and a fault's incident ID is of no use without.
                    sys.stderr.write(log.read_text(encoding="utf-8", errors="replace"))
            finally:
                _stop(process)


def _wait_for_port(process: subprocess.Popen[bytes], port_file: Path, log: Path, rules: Path | None) -> int:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise ServerStartError(_why(f"ended with code {process.returncode}", log, rules))
        text = port_file.read_text(encoding="ascii").strip() if port_file.exists() else ""
        if text.isdigit():
            return int(text)
        time.sleep(0.02)
    raise ServerStartError(_why(f"did not start within {_START_SECONDS:.0f} s", log, rules))


def _why(end: str, log: Path, rules: Path | None) -> str:
    """Returns the cause first, with the catalog that was asked for, and how the server ended after it."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_MOST_LINES:]
    cause = "\n".join(lines).strip().removeprefix("Error: ")
    ended = f"the server that was started for this run {end}"
    if not cause:
        return ended
    # The catalog's complaints name files inside its folder.
    folder = "" if rules is None or cause.startswith(str(rules)) else f"{rules}: "
    return f"{folder}{cause}\n({ended})"


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """Makes SIGTERM and SIGHUP unwind the stack, so that the server does not outlive the program that started it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
