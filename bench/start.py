"""Measures a start: from the program's beginning until a health check answers SERVING, then the first cold calls.

Prints medians of `--runs` starts, one after the other: seconds of the clock and of CPU, MiB that are resident, and the
milliseconds of the first three Validate calls (20 kB, ten bindings, all different).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2

from bench import load
from bench.inputs import validate_request

HEALTH = "/grpc.health.v1.Health/Check"
COMMAND = [sys.executable, "-m", "evidencegate_server", "serve", "--port", "0", "--metrics-port", "0"]


def start_once(bodies: list[bytes]) -> list[float]:
    """Returns seconds, CPU seconds, MiB, and the milliseconds of each call."""
    begin = time.perf_counter()
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        target = re.search(r" on (\S+) \(", line)
        assert target is not None, f"the server said {line!r}"
        with grpc.insecure_channel(target[1]) as channel:
            reply = channel.unary_unary(HEALTH)(b"", wait_for_ready=True, timeout=30)
            seconds = time.perf_counter() - begin
            assert health_pb2.HealthCheckResponse.FromString(reply).status == health_pb2.HealthCheckResponse.SERVING
            times = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            cpu_seconds = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
            resident = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(encoding="ascii"))
            assert resident is not None
            call = channel.unary_unary(load.VALIDATE)
            millis = []
            for body in bodies:
                begin = time.perf_counter()
                call(body, timeout=30)
                millis.append((time.perf_counter() - begin) * 1000)
        process.terminate()
    return [seconds, cpu_seconds, int(resident[1]) / 1024, *millis]


def main() -> None:
    """Prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    bodies = [validate_request(20_000, bindings=10, salt=number).SerializeToString() for number in range(3)]
    figures = [start_once(bodies) for _ in range(runs)]
    columns = [sorted(column) for column in zip(*figures, strict=True)]
    names = ("serving_s", "cpu_s", "resident_MiB", "first_call_ms", "second_call_ms", "third_call_ms")
    for name, column in zip(names, columns, strict=True):
        print(f"{name}={load.median(column):.3g}  ({column[0]:.3g} to {column[-1]:.3g})")


if __name__ == "__main__":
    main()
