"""Proves what Prometheus reads of the counts."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from urllib.request import urlopen

import pytest
from evidencegate_server.service.metrics import LATENCY_BUCKETS, CallFacts, Metrics
from evidencegate_server.service.metrics_endpoint import MAX_READERS, start_endpoint


def test_a_bucket_holds_the_calls_up_to_its_bound_and_those_of_the_smaller_ones() -> None:
    metrics = Metrics()
    for seconds in (LATENCY_BUCKETS[0], 0.0021, LATENCY_BUCKETS[3], LATENCY_BUCKETS[-1] * 2):
        metrics.count_call("Gatekeeper/Validate", "OK", seconds)

    def bucket(bound: str) -> float | None:
        name, labels = "evidencegate_call_seconds_bucket", {"method": "Gatekeeper/Validate", "le": bound}
        return metrics.registry().get_sample_value(name, labels)

    assert [bucket(bound) for bound in ("0.0002", "0.001", "0.0025", "2.5", "+Inf")] == [1, 1, 3, 3, 4]
    total = metrics.registry().get_sample_value("evidencegate_call_seconds_sum", {"method": "Gatekeeper/Validate"})
    assert total == pytest.approx(sum((LATENCY_BUCKETS[0], 0.0021, LATENCY_BUCKETS[3], LATENCY_BUCKETS[-1] * 2)))


def test_findings_are_counted_each_and_an_answer_without_verdict_counts_none() -> None:
    metrics = Metrics()
    metrics.count_answer(CallFacts(parse_status="ok", findings=(("evidence.raw_path", 3),)))
    metrics.count_answer(CallFacts(parse_status="ok", verdict="PASS", route="compose"))
    read = metrics.registry().get_sample_value
    assert read("evidencegate_findings_total", {"rule": "evidence.raw_path"}) == 3
    assert read("evidencegate_executor_outputs_total", {"status": "ok"}) == 2
    assert read("evidencegate_verdicts_total", {"verdict": "PASS"}) == 1
    assert read("evidencegate_routes_total", {"route": "compose"}) == 1


@pytest.mark.parametrize(("host", "address"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
def test_the_endpoint_shows_the_catalog_the_memo_and_the_calls_at_work(host: str, address: str) -> None:
    metrics = Metrics()
    metrics.show_catalog("1.2.3", "ab", "7")
    metrics.show_in_flight(lambda: 5)
    metrics.memo_miss()
    close, port = start_endpoint(host, 0, metrics)
    try:
        with urlopen(f"http://{address}:{port}/metrics", timeout=30) as page:
            assert page.headers["content-type"].startswith("text/plain")
            lines = page.read().decode().splitlines()
    finally:
        close()
    assert {
        'evidencegate_catalog_info{catalog_digest="ab",engine_version="7",rule_set_version="1.2.3"} 1.0',
        'evidencegate_memo_total{result="hit"} 0.0',
        'evidencegate_memo_total{result="miss"} 1.0',
        "evidencegate_calls_in_flight 5.0",
    } <= set(lines)


def test_readers_that_say_nothing_are_bounded_and_make_room_when_they_go() -> None:
    close, port = start_endpoint("127.0.0.1", 0, Metrics())
    try:
        with ExitStack() as silent:
            for _ in range(MAX_READERS):
                silent.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            with socket.create_connection(("127.0.0.1", port), timeout=30) as one_more:
                assert one_more.recv(1) == b""  # hung up
        while True:  # until the places are free again; the test's timeout bounds it
            try:
                with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as page:
                    assert page.status == 200
                break
            except (ConnectionError, OSError):
                continue
    finally:
        close()
