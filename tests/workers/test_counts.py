"""Proves that the counts of several processes are added up without loss."""

from __future__ import annotations

import orjson
from evidencegate_server.service.metrics import LATENCY_BUCKETS, CallFacts, Metrics
from evidencegate_server.service.metrics_snapshot import add_snapshot, take_snapshot


def counted(*seconds: float) -> Metrics:
    """Counts a call of so many seconds each, with an answer and a caller."""
    metrics = Metrics()
    metrics.show_catalog("1.2.3", "ab", "7")
    for each in seconds:
        metrics.count_call("Gatekeeper/Validate", "OK", each)
        metrics.count_answer(CallFacts(parse_status="ok", findings=(("evidence.raw_path", 2),)))
        metrics.count_caller("chat", "OK")
        metrics.memo_miss()
    return metrics


def test_the_sum_of_two_processes_shows_what_one_process_with_all_calls_would() -> None:
    sums = Metrics()
    for part in (counted(LATENCY_BUCKETS[0], 0.5), counted(0.5, 100.0, 0.002)):
        # As it comes over the pipe.
        add_snapshot(sums, orjson.loads(orjson.dumps(take_snapshot(part))))
    whole = counted(LATENCY_BUCKETS[0], 0.5, 0.5, 100.0, 0.002)
    assert samples(sums) == samples(whole)


def samples(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Returns every sample by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): round(sample.value, 9)
        for family in metrics.registry().collect()
        for sample in family.samples
    }


def test_a_process_that_has_counted_nothing_adds_nothing() -> None:
    sums = counted(0.5)
    before = samples(sums)
    add_snapshot(sums, take_snapshot(counted()))
    assert samples(sums) == before
