"""Gives the server's counts in Prometheus' own terms. Imported by the first who reads them, not by the start."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from evidencegate_server.service.metrics import LATENCY_BUCKETS, Metrics

_PREFIX = "evidencegate"


def make_registry(metrics: Metrics) -> CollectorRegistry:
    """Returns a registry of these metrics alone; it reads them anew each time that it is read."""
    registry = CollectorRegistry()
    registry.register(_Families(metrics))
    return registry


class _Families(Collector):
    """Reads the counts while the event loop goes on counting: each number is right at some moment of the reading."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        """Yields each metric with its samples."""
        for counted in self._metrics.counters:
            family = CounterMetricFamily(f"{_PREFIX}_{counted.name}", counted.text, labels=counted.labels)
            for labels, count in dict(counted.counts).items():
                family.add_metric(labels, count)
            yield family
        yield self._latency()
        catalog = self._metrics.catalog
        info = GaugeMetricFamily(f"{_PREFIX}_catalog_info", "The catalog in use; always 1.", labels=tuple(catalog))
        info.add_metric(tuple(catalog.values()), 1)
        yield info
        yield GaugeMetricFamily(f"{_PREFIX}_calls_in_flight", "Calls at work.", value=self._metrics.in_flight())
        if self._metrics.workers is not None:
            yield GaugeMetricFamily(f"{_PREFIX}_workers", "Workers that serve.", value=self._metrics.workers())

    def _latency(self) -> HistogramMetricFamily:
        text = "Time from a request's arrival to its answer."
        family = HistogramMetricFamily(f"{_PREFIX}_call_seconds", text, labels=("method",))
        bounds = (*map(str, LATENCY_BUCKETS), "+Inf")
        for method, latencies in dict(self._metrics.latencies).items():
            buckets = list(zip(bounds, accumulate(latencies.counts.copy()), strict=True))
            family.add_metric((method,), buckets, latencies.seconds)
        return family
