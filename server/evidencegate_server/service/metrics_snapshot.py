"""Takes the counts of one process as plain data, and adds them to those of others."""

from __future__ import annotations

from typing import Any

from evidencegate_server.service.metrics import Latencies, Metrics


def take_snapshot(metrics: Metrics) -> dict[str, Any]:
    """Returns the present counts as JSON can carry them."""
    return {
        "counters": {
            counted.name: [[list(labels), count] for labels, count in counted.counts.items()]
            for counted in metrics.counters
        },
        "latencies": {method: [latencies.counts, latencies.seconds] for method, latencies in metrics.latencies.items()},
        "catalog": dict(metrics.catalog),
        "in_flight": metrics.in_flight(),
    }


def add_snapshot(metrics: Metrics, snapshot: dict[str, Any]) -> None:
    """Adds another process' counts to these; calls in flight, which are no count, are left out."""
    others = snapshot["counters"]
    for counted in metrics.counters:
        for labels, count in others.get(counted.name, ()):
            counted.counts[tuple(labels)] += count
    for method, (counts, seconds) in snapshot["latencies"].items():
        sums = metrics.latencies.setdefault(method, Latencies())
        sums.counts = [one + other for one, other in zip(sums.counts, counts, strict=True)]
        sums.seconds += seconds
    metrics.catalog = snapshot["catalog"]
