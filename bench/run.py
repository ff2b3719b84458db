"""Measures the service as ratios in one run, against an echo call on the same server. See docs/performance.md.

Absolute figures depend on the machine; the ratios hardly do. `--json` prints one JSON object instead of the report,
`--quick` runs a tenth of the calls (to see that the bench works, not to quote its figures).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.service.process import tune_process
from evidencegate_server.service.translate_request import read_validate_request
from evidencegate_server.use_cases.validate import validate

from bench import load
from bench.fits import exponent
from bench.inputs import judge_request, validate_request
from bench.judging import judge_cpu

ROOT = Path(__file__).resolve().parent.parent
KB = 1000
SIZES = ((2 * KB, 2), (20 * KB, 10), (200 * KB, 10), (1000 * KB, 10))
CONCURRENCY = 16
ROUNDS = 5
SMALL = 2 * KB
HOT_MEMO_BYTES = 64 << 20


@contextlib.contextmanager
def server(memo_bytes: int) -> Iterator[str]:
    """Starts the bench server in a process of its own and yields its address."""
    command = [sys.executable, "-m", "bench.server", "--memo-bytes", str(memo_bytes)]
    with (
        open(ROOT / ".bench-server.log", "ab") as log,  # noqa: PTH123  # a file object for the child
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=ROOT) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.stdin.close()
            process.wait(30)


def throughput(scale: float, progress: Callable[[str], None], only_kb: int | None = None) -> list[dict[str, object]]:
    """Measures Validate, hot and cold, against echo: pairs of runs, the median of their ratios and how far they lie.

    Both calls of a pair send the same bytes, as often and as many at once. The first pair only warms the server up.
    """
    rows = []
    for state, memo_bytes in (("hot", HOT_MEMO_BYTES), ("cold", 0)):
        with server(memo_bytes) as target:
            for size, bindings in ((size, count) for size, count in SIZES if only_kb in (None, size // KB)):
                for language in ("english", "chinese"):
                    progress(f"Validate {state} {size // KB} kB {language}")
                    body = validate_request(size, bindings=bindings, chinese=language == "chinese").SerializeToString()
                    row = _against_echo(target, load.VALIDATE, body, scale)
                    rows.append({"method": "Validate", "state": state, "kB": size // KB, "language": language, **row})
    return rows


def _against_echo(target: str, method: str, body: bytes, scale: float) -> dict[str, object]:
    """Measures one method against echo with the same bytes: the median of the pairs' ratios and how far they lie."""
    calls = max(16, int(scale * min(6000, 100_000_000 / len(body))))
    ratios, rates, client = [], [], ""
    for number in range(ROUNDS + 1):
        echo = load.closed_loop(target, load.ECHO, body, concurrency=CONCURRENCY, calls=calls)
        ours = load.closed_loop(target, method, body, concurrency=CONCURRENCY, calls=calls)
        if number == 0:
            continue
        ratios.append(ours.calls_per_second / echo.calls_per_second)
        rates.append(ours.calls_per_second)
        client = ours.client
    return {
        "ratio_to_echo": round(load.median(ratios), 3),
        "ratios": f"{min(ratios):.2f}..{max(ratios):.2f}",
        "calls_per_second": round(load.median(rates)),
        "client": client,
    }


def judge_throughput(scale: float, progress: Callable[[str], None]) -> list[dict[str, object]]:
    """Measures Judge, cold, against echo: 20 kB with ten claims that do not stand in the evidence word for word."""
    body = judge_request(20 * KB, 10, salt=1).SerializeToString()
    with server(0) as target:
        progress("Judge cold 20 kB")
        row = _against_echo(target, load.JUDGE, body, scale / 100)
    return [{"method": "Judge", "state": "cold", "kB": 20, "claims": 10, **row}]


def engine_cpu(progress: Callable[[str], None]) -> dict[str, object]:
    """Measures the engine's CPU in this process: by size, by binding, and how both grow."""
    catalog = load_catalog(find_rules(None))
    tune_process()  # as the server is
    result: dict[str, object] = {}
    for name, folded in (("verbatim", False), ("folded", True)):
        for language in ("english", "chinese"):
            progress(f"engine CPU {name} {language}")
            by_size = [
                (size, _cpu_us(catalog, validate_request(size, chinese=language == "chinese", folded=folded)))
                for size in (100 * KB, 200 * KB, 500 * KB, 1000 * KB)
            ]
            result[f"us_at_1MB_{name}_{language}"] = round(by_size[-1][1])
            result[f"exponent_by_size_{name}_{language}"] = round(exponent(by_size), 3)
    by_bindings = [
        (count, _cpu_us(catalog, validate_request(200 * KB, bindings=count))) for count in (50, 100, 200, 400)
    ]
    result["exponent_by_bindings"] = round(exponent(by_bindings), 3)
    result["us_per_binding"] = round((by_bindings[-1][1] - by_bindings[0][1]) / (400 - 50), 1)
    result["us_at_20kB"] = round(_cpu_us(catalog, validate_request(20 * KB)))
    return result


def _cpu_us(catalog: object, request: object) -> float:
    """Returns the least CPU time of several runs, in microseconds, translation of the request included."""
    best, spent = math.inf, 0.0
    while spent < 0.4:
        begin = time.process_time()
        validate(read_validate_request(request, catalog), catalog)  # type: ignore[arg-type]
        took = time.process_time() - begin
        best, spent = min(best, took), spent + max(took, 1e-5)
    return best * 1e6


def beside_heavy(scale: float, progress: Callable[[str], None]) -> dict[str, object]:
    """Measures a small call alone and beside a stream of cold calls of 1 MB, whose texts all have to be folded."""
    calls = max(50, int(scale * 2000))
    small = [validate_request(SMALL, bindings=2, salt=number).SerializeToString() for number in range(calls)]
    heavy = [validate_request(1000 * KB, salt=100_000 + number, folded=True).SerializeToString() for number in range(4)]
    with server(0) as target:
        progress("a small call alone")
        alone = load.latencies_ms(target, load.VALIDATE, small)
        spawn = multiprocessing.get_context("spawn")
        stop = spawn.Event()
        stream = spawn.Process(target=load.stream_until, args=(target, load.VALIDATE, heavy, stop))
        stream.start()
        try:
            time.sleep(2)  # the process starts and its channel connects
            progress("a small call beside a stream of cold 1 MB calls")
            beside = load.latencies_ms(target, load.VALIDATE, small)
        finally:
            stop.set()
            stream.join()
    return {
        "small_alone_p50_ms": round(alone[len(alone) // 2], 3),
        "small_alone_p99_ms": round(alone[len(alone) * 99 // 100], 3),
        "small_beside_p50_ms": round(beside[len(beside) // 2], 3),
        "small_beside_p99_ms": round(beside[len(beside) * 99 // 100], 3),
        "p50_ratio": round(beside[len(beside) // 2] / alone[len(alone) // 2], 2),
    }


def main() -> None:
    """Runs the bench and prints its report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=["throughput", "cpu", "beside", "judge"])
    parser.add_argument(
        "--kb", type=int, choices=[size // KB for size, _ in SIZES], help="throughput of one size alone"
    )
    arguments = parser.parse_args()
    scale = 0.1 if arguments.quick else 1.0

    def progress(what: str) -> None:
        print(f"measuring: {what} ...", file=sys.stderr)

    report: dict[str, object] = {}
    if arguments.only in (None, "cpu"):
        report["engine_cpu"] = engine_cpu(progress)
    if arguments.only in (None, "judge"):
        report["judge_cpu"] = judge_cpu(load_catalog(find_rules(None)), progress)
        report["judge_throughput"] = judge_throughput(scale, progress)
    if arguments.only in (None, "beside"):
        report["beside_heavy"] = beside_heavy(scale, progress)
    if arguments.only in (None, "throughput"):
        report["throughput"] = throughput(scale, progress, arguments.kb)
    if arguments.json:
        print(json.dumps(report))
        return
    for section, figures in report.items():
        print(f"\n{section}")
        rows = figures if isinstance(figures, list) else [figures]
        for row in rows:
            print("  " + "  ".join(f"{name}={value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
