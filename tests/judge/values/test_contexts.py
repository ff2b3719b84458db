"""A bare number takes the unit that its command, the fields beside it, a unit field or the metric fix, and no other."""

from __future__ import annotations

import pytest

from tests.judge.values.support import reader, shorts

CONTEXTS = [
    ("$ free -m", ("total", "used", "free"), "", "", "free", "1290", "1352663040 size"),
    ("$ uptime", ("total", "used", "free"), "", "", "free", "1290", "1290"),
    ("", ("Filesystem", "1K-blocks", "Used"), "", "", "Used", "2048", "2097152 size"),
    ("", ("traceID", "spanID", "operationName", "duration"), "", "", "duration", "968334", "0.968334 time"),
    ("", ("response_flags", "duration"), "", "", "duration", "120", "0.12 time"),
    ("", ("name", "heap.percent", "cpu"), "", "", "cpu", "97", "0.97 share"),
    ("limits", ("cpu", "memory"), "", "", "cpu", "2", "2 cores"),
    ("", ("remote", "st", "poll", "reach", "offset"), "", "", "offset", "1589483", "1589.483 time"),
    ("", ("TOPIC", "PARTITION", "offset"), "", "", "offset", "1589483", "1589483"),
    ("", ("Snt", "Last", "Avg", "Best", "Wrst"), "", "", "Avg", "42.0", "0.042 time"),
    ("", ("Timestamp", "Average"), "Percent", "", "Average", "40.3", "0.403 share"),
    ("", ("Timestamp", "Average"), "Seconds", "", "Average", "0.5", "0.5 time"),
    ("", ("Timestamp", "Average"), "Count", "", "Average", "40.3", "40.3"),
    ("", (), "", "container_memory_working_set_bytes / 1024 / 1024", "value", "612", "641728512 size"),
    ("", (), "", "rate(node_network_receive_bytes_total[5m])", "value", "1024", "1024 size/time"),
    (
        "",
        (),
        "",
        "histogram_quantile(0.99, rate(http_request_duration_seconds_bucket[5m]))",
        "value",
        "1.84",
        "1.84 time",
    ),
    ("", (), "", "rate(process_cpu_seconds_total[5m])", "value", "1.84", "1.84"),
    ("", (), "", "http_request_duration_seconds_count", "value", "184", "184"),
    ("", (), "", "sum(a_bytes) / sum(b_bytes)", "value", "0.4", "0.4"),
    ("", (), "", "cache_hit_ratio", "value", "0.4", "0.4 share"),
    ("", (), "", "up", "value", "1", "1"),
    ("", (), "", "node_memory_free_bytes", "instance", "1", "1"),
]


@pytest.mark.parametrize(("words", "keys", "unit", "metric", "key", "text", "expected"), CONTEXTS)
def test_surroundings_give_a_bare_number_its_unit(
    words: str, keys: tuple[str, ...], unit: str, metric: str, key: str, text: str, expected: str
) -> None:
    (mention,) = reader().cell(key, text)
    context = reader().context(words, keys, unit, metric)

    placed = mention if context is None else reader().in_context(key, mention, context)

    assert shorts((placed,)) == [expected]


def test_what_has_a_unit_keeps_it() -> None:
    context = reader().context("$ free -m", ("used",))
    assert context is not None
    for text in ("3 GiB", "5 pods", "10:05", "> 5"):
        (mention,) = reader().cell("used", text)
        assert reader().in_context("used", mention, context) == mention
