"""Measures SummarizeTrace in this process: CPU for a megabyte of output by kind, and how it grows.

CPU time and not time on the clock, the least of a few runs, the request's reading and the reply's writing included.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from evidencegate.v1 import invocation_pb2, trace_pb2
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.process import tune_process
from evidencegate_server.service.servicers import Methods

from bench.fits import exponent

KB = 1000
SIZES = (250 * KB, 500 * KB, 1000 * KB, 2000 * KB)
SHOWN = 1000 * KB
TIMES = 5

# What a tool returned, by kind: the tool, what opens the text, one piece with the number `n` in it, what closes it.
KINDS = {
    "logs_plain": (
        "query_logs",
        "",
        "2026-11-30T10:{m:02d}:{s:02d}Z INFO checkout-{n} request to payment-api took {n} ms\n",
        "",
    ),
    "logs_varied": (
        "query_logs",
        "",
        "2026-11-30T10:{m:02d}:{s:02d}Z {level} {one}-{n} {two} of {three} {four} after {n} ms, {five} {six}\n",
        "",
    ),
    "logs_json": (
        "query_logs",
        "",
        '{{"time": "2026-11-30T10:{m:02d}:{s:02d}Z", "level": "info", "service": "checkout", "msg": "took {n} ms"}}\n',
        "",
    ),
    "metrics_json": (
        "query_metrics",
        '{"status": "success", "data": {"resultType": "vector", "result": [',
        '{{"metric": {{"__name__": "up", "pod": "checkout-{n}"}}, "value": [1790000000, "{n}"]}},\n',
        '{"metric": {"__name__": "up", "pod": "last"}, "value": [1790000000, "0"]}]}}',
    ),
    "one_endless_line": ("query_logs", "", "checkout-{n} took {n} ms, ", ""),
    "chinese": (
        "query_logs",
        "",
        "2026-11-30T10:{m:02d}:{s:02d}Z 信息 结算服务-{n} 调用支付接口，耗时 {n} 毫秒\n",
        "",
    ),
    "table": (
        "kubectl_get",
        "NAME   READY   STATUS   RESTARTS   AGE\n",
        "checkout-{n}   1/1   Running   {s}   {n}m\n",
        "",
    ),
}

# What varies from line to line, so that hardly two are alike; one line in fifty tells of an error.
WORDS = [
    "checkout",
    "payment",
    "order",
    "ledger",
    "cart",
    "search",
    "session",
    "catalog",
    "invoice",
    "gateway",
    "worker",
    "cache",
    "queue",
    "broker",
    "replica",
    "request",
    "response",
    "commit",
    "rollback",
    "handshake",
    "lookup",
    "fetch",
    "flush",
    "retry",
    "probe",
    "snapshot",
    "rebalance",
    "election",
    "heartbeat",
]
SLOTS = ("one", "two", "three", "four", "five", "six")


def output(kind: str, size: int) -> str:
    """Returns an output of about that many bytes."""
    _, head, piece, tail = KINDS[kind]
    pieces, used, n = [head], len(head.encode()), 0
    while used < size:
        varied = {slot: WORDS[(n * 7919 >> at * 2) % len(WORDS)] for at, slot in enumerate(SLOTS)}
        text = piece.format(n=n, m=n // 60 % 60, s=n % 60, level="INFO" if n % 50 else "ERROR", **varied)
        pieces.append(text)
        used += len(text.encode())
        n += 1
    return "".join((*pieces, tail))


def summary_cpu(catalog: Catalog, progress: Callable[[str], None]) -> list[dict[str, object]]:
    """Returns for each kind the milliseconds for a megabyte, how they grow with the size, and the reply's bytes."""
    methods = Methods(catalog)
    tune_process()  # as the server is
    rows: list[dict[str, object]] = []
    for kind in KINDS:
        progress(f"SummarizeTrace {kind}")
        measured = [(size, *_measured(methods, kind, size)) for size in SIZES]
        millis = next(1000 * seconds for size, seconds, _ in measured if size == SHOWN)
        rows.append(
            {
                "kind": kind,
                "ms_a_MB": round(millis * 1_000_000 / SHOWN, 1),
                "exponent": round(exponent([(size, seconds) for size, seconds, _ in measured]), 2),
                "reply_bytes": max(reply for _, _, reply in measured),
            }
        )
    return rows


def _measured(methods: Methods, kind: str, size: int) -> tuple[float, int]:
    call = invocation_pb2.ToolInvocation(
        id="1",
        tool_name=KINDS[kind][0],
        status=invocation_pb2.INVOCATION_STATUS_SUCCESS,
        round=1,
        output=output(kind, size),
    )
    asked = trace_pb2.SummarizeTraceRequest(
        session_id="bench", original_query="why is checkout-4711 slow?", tool_invocations=[call]
    )
    request = asked.SerializeToString()
    best, reply = float("inf"), 0
    for _ in range(TIMES):
        begin = time.process_time()
        reply = len(methods.summarize_trace(request).payload)
        best = min(best, time.process_time() - begin)
    return best, reply
