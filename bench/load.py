"""Puts load on a server: h2load where it is installed, else a client of several processes.

Both run closed loops of `concurrency` calls and report calls a second. Bodies are sent as bytes, so that the client
does as little as possible beside the server on the same machine.
"""

from __future__ import annotations

import multiprocessing
import re
import shutil
import statistics
import struct
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import grpc

VALIDATE = "/evidencegate.v1.Gatekeeper/Validate"
JUDGE = "/evidencegate.v1.Verifier/Judge"
ECHO = "/evidencegate.bench.Echo/Echo"
CHANNEL_OPTIONS = [("grpc.max_send_message_length", 64 << 20), ("grpc.max_receive_message_length", 64 << 20)]


@dataclass(frozen=True)
class Load:
    """What a closed loop came to."""

    calls: int
    calls_per_second: float
    client: str


def _h2load(target: str, method: str, body: bytes, concurrency: int, calls: int) -> Load:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "body"
        data.write_bytes(struct.pack(">BI", 0, len(body)) + body)
        command = [
            "h2load",
            "-n",
            str(calls),
            "-c",
            "4",
            "-m",
            str(max(1, concurrency // 4)),
            "-t",
            "1",
            "-d",
            str(data),
        ]
        command += ["-w", "24", "-W", "24"]  # windows of 16 MiB: a body of 1 MB shall not wait for window updates
        command += ["-H", "content-type: application/grpc", "-H", "te: trailers", f"http://{target}{method}"]
        report = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate = re.search(r"finished in [^,]+, ([\d.]+) req/s", report)
    succeeded = re.search(r"(\d+) succeeded", report)
    if rate is None or succeeded is None or int(succeeded[1]) != calls:
        raise RuntimeError(f"h2load did not finish its calls:\n{report}")
    return Load(calls, float(rate[1]), "h2load")


def _python_worker(target: str, method: str, body: bytes, concurrency: int, calls: int) -> float:
    with grpc.insecure_channel(target, options=CHANNEL_OPTIONS) as channel:
        call = channel.unary_unary(method)
        call(body, timeout=60, wait_for_ready=True)
        with ThreadPoolExecutor(concurrency) as pool:
            begin = time.perf_counter()
            for reply in [pool.submit(call, body, timeout=60) for _ in range(calls)]:
                reply.result()
            return time.perf_counter() - begin


def _python(target: str, method: str, body: bytes, concurrency: int, calls: int) -> Load:
    workers = 2
    share = (target, method, body, max(1, concurrency // workers), calls // workers)
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        seconds = pool.starmap(_python_worker, [share] * workers)
    return Load(calls, calls / max(seconds), "python")


def check_status(target: str, method: str, body: bytes) -> bytes:
    """Makes one call and returns its reply; raises where it is no success, which h2load would not notice."""
    with grpc.insecure_channel(target, options=CHANNEL_OPTIONS) as channel:
        return channel.unary_unary(method)(body, timeout=60, wait_for_ready=True)


def closed_loop(target: str, method: str, body: bytes, *, concurrency: int, calls: int) -> Load:
    """Runs `calls` calls, `concurrency` at once."""
    check_status(target, method, body)
    run = _h2load if shutil.which("h2load") else _python
    return run(target, method, body, concurrency, calls)


def latencies_ms(target: str, method: str, bodies: list[bytes]) -> list[float]:
    """Sends the bodies one after the other and returns each call's milliseconds, sorted."""
    with grpc.insecure_channel(target, options=CHANNEL_OPTIONS) as channel:
        call = channel.unary_unary(method)
        call(bodies[0], timeout=60, wait_for_ready=True)
        times = []
        for body in bodies:
            begin = time.perf_counter()
            call(body, timeout=60)
            times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)


def stream_until(target: str, method: str, bodies: list[bytes], stop: object) -> None:
    """Sends the bodies round and round, one at a time, until the event `stop` is set. Runs in its own process."""
    with grpc.insecure_channel(target, options=CHANNEL_OPTIONS) as channel:
        call = channel.unary_unary(method)
        while not stop.is_set():  # type: ignore[attr-defined]
            for body in bodies:
                call(body, timeout=60, wait_for_ready=True)


def median(values: list[float]) -> float:
    """Returns the middle value."""
    return statistics.median(values)
