"""Measures the judge in this process: CPU for a claim, and how it grows with evidence, claims and odd texts.

CPU time and not time on the clock, the least of a few runs. No text is judged twice, since the judge remembers what it
has just read.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.judge.deterministic.readers import readers_of
from evidencegate_server.service.process import tune_process
from evidencegate_server.service.rehearsal import request as rehearsed_request
from evidencegate_server.service.servicers import Methods
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.use_cases.pair_session import PairText

from bench.fits import exponent
from bench.inputs import judge_request

CASES = Path(__file__).resolve().parent.parent / "tests" / "judge" / "cases"
KB = 1000
EVIDENCE_SIZES = (20 * KB, 40 * KB, 80 * KB, 160 * KB)
CLAIM_COUNTS = (10, 20, 40, 80)
TIMES = 3

# One line, row or object each, with the number `n` in it; what follows from the claim is decided by the last one.
KINDS = {
    "log_english": "2026-11-30T10:{m:02d}:{s:02d}Z ERROR checkout-{n} upstream payment-api timed out after {n} ms\n",
    "log_chinese": "2026-11-30T10:{m:02d}:{s:02d}Z 错误 结算服务-{n} 调用支付接口超时，耗时 {n} 毫秒，已重试三次\n",
    "json": '{{"service": "checkout-{n}", "status": "timeout", "latency_ms": {n}, "labels": {{"zone": "z{s}"}}}}\n',
    "table": "checkout-{n}   0/1   CrashLoopBackOff   {s}   {n}m\n",
    "describe": "Name: checkout-{n}\n  Status: Running\n  Limits:\n    cpu: {s}\n    memory: {n}Mi\n  Restarts: {m}\n",
    "prose": "The service checkout-{n} was restarted {s} times. Its latency rose to {n} ms after the deployment.\n",
}
CLAIMS = {
    "log_english": "The call of checkout-{n} to payment-api timed out after more than {n} ms",
    "log_chinese": "结算服务-{n} 调用支付接口超时，耗时超过 {n} 毫秒",
    "json": "The latency of checkout-{n} is above {n} ms",
    "table": "checkout-{n} 处于 CrashLoopBackOff，已重启 {s} 次",
    "describe": "The memory limit of checkout-{n} is {n}Mi",
    "prose": "The latency of checkout-{n} rose to {n} ms after the deployment",
}
HEADS = {"table": "NAME   READY   STATUS   RESTARTS   AGE\n"}

# Pieces that a reader may be tempted to go back over, again and again.
PIECES = (
    '{"a": {"b": [1, {"c": "d"}]}} ', '{"a": ', '"', '"a": ', "key: value\n", "- a\n", "a | b\n", "(", "a=b, ", "a/",
    "NAME  X\n", "2025-03-04 10:11:12 ERROR x\n", "  ", "\t", "word ", "字", "a:b ", "::", "x: {", '\\"',
    "Caused by: a.B: c\n", "1/2 ", "[", "-", "1 ", "1", "1,234,", "1-", "1.", "1:", "十", "1h", "two ", "a-1 ", "/1",
    "9 9", "百分之", "Feb 3 ", "10:05-", "月1", "1 to ",
)  # fmt: skip
PIECE_SIZES = (5 * KB, 20 * KB)


def judge_cpu(catalog: Catalog, progress: Callable[[str], None]) -> dict[str, object]:
    """Returns every figure of the judge."""
    result: dict[str, object] = {}
    methods, pairs = Methods(catalog), PairJudge(catalog)
    methods.judge(rehearsed_request())
    tune_process()  # as the server is
    progress("judge CPU a claim")
    millis = [seconds * 1000 for seconds in _own_claims(pairs)]
    result["claims"] = len(millis)
    result["median_ms_a_claim"] = round(statistics.median(millis), 2)
    result["p95_ms_a_claim"] = round(sorted(millis)[len(millis) * 95 // 100], 2)
    for kind in KINDS:
        progress(f"judge CPU by evidence {kind}")
        by_size = [(size, _seconds(_sized(pairs, kind, size))) for size in EVIDENCE_SIZES]
        result[f"exponent_by_evidence_{kind}"] = round(exponent(by_size), 2)
        result[f"ms_at_160kB_{kind}"] = round(by_size[-1][1] * 1000)
    progress("judge CPU by claims")
    by_claims = [(number, _seconds(_crowd(methods, number))) for number in CLAIM_COUNTS]
    result["exponent_by_claims"] = round(exponent(by_claims), 2)
    result["ms_a_claim_more"] = round((by_claims[-1][1] - by_claims[0][1]) * 1000 / (80 - 10), 2)
    progress("readers over odd texts")
    result.update(_odd_texts(catalog))
    return result


def _seconds(runs: Iterable[Callable[[], Any]]) -> float:
    """Returns the least CPU time of the runs."""
    least = float("inf")
    for run in runs:
        begin = time.process_time()
        run()
        least = min(least, time.process_time() - begin)
    return least


def _own_claims(pairs: PairJudge) -> list[float]:
    """Returns the seconds of each own row. A twin's evidence has a line break more, so that it is read anew."""
    rows = [
        json.loads(line)
        for path in sorted(CASES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    runs = [
        partial(pairs.label, row["claim"], row["claim_type"], [PairText(text + end) for text in row["evidence"]])
        for row in rows
        for end in ("\n" if "twin_of" in row else "",)
    ]
    # Turn by turn: when a row comes again, the judge remembers other texts.
    turns = [[_seconds([run]) for run in runs] for _ in range(TIMES)]
    return [min(times) for times in zip(*turns, strict=True)]


def _sized(pairs: PairJudge, kind: str, size: int) -> list[Callable[[], Any]]:
    """Returns the runs of one claim over evidence of a size in UTF-8 bytes, each over text of its own."""

    def run(salt: int) -> Callable[[], Any]:
        text, used = [HEADS.get(kind, "")], 0
        for n in count(100_000 * salt):
            line = KINDS[kind].format(n=n, m=n // 60 % 60, s=n % 60)
            text.append(line)
            used += len(line.encode())
            if used >= size:
                claim = CLAIMS[kind].format(n=n, s=n % 60)
                return lambda: pairs.label(claim, "symptom", [PairText("".join(text))])
        raise AssertionError("counting does not end")

    return [run(salt) for salt in range(1, TIMES + 1)]


def _crowd(methods: Methods, claims: int) -> list[Callable[[], Any]]:
    """Returns the runs of one session of 20 kB with so many claims, none of which stands there word for word."""
    bodies = [judge_request(20 * KB, claims, salt).SerializeToString() for salt in range(1, TIMES + 1)]
    return [partial(methods.judge, body) for body in bodies]


def _odd_texts(catalog: Catalog) -> dict[str, object]:
    """Returns how the readers' time grows over one piece again and again: the three pieces with the worst growth."""
    readers = readers_of(catalog.lexicon)

    def records(text: str) -> Any:
        return readers.records.evidence([text])

    worst: list[tuple[float, str]] = []
    for name, read in (("records", records), ("values", readers.values.mentions)):
        for piece in PIECES:
            texts = [(size, piece * (size // len(piece))) for size in PIECE_SIZES]
            points = [(size, _seconds([partial(read, text)] * 2)) for size, text in texts]
            worst.append((exponent(points), f"{name} of {piece!r}"))
    worst.sort(reverse=True)
    return {f"exponent_of_odd_text_{rank}": f"{value:.2f} ({what})" for rank, (value, what) in enumerate(worst[:3], 1)}
