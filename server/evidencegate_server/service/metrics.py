"""Counts what operators and rule editors watch, for Prometheus.

Children of labelled metrics are looked up once and kept: a lookup by labels costs more than the count itself. Labels
are bounded: methods, codes, rules and words, never an ID or text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

# Seconds. From a remembered answer to the largest request that the limits allow.
_LATENCY_BUCKETS = (0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


@dataclass(frozen=True, slots=True)
class CallFacts:
    """What a call's log line and the metrics say about its answer: words and numbers, no text of claims or evidence."""

    session_id: str = ""
    parse_status: str = ""
    gatekeeper_status: str = ""
    failed_rules: tuple[str, ...] = ()
    findings: tuple[tuple[str, int], ...] = ()
    verdict: str = ""
    route: str = ""


NO_FACTS = CallFacts()


class Metrics:
    """The server's metrics in a registry of their own, so that two servers in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        self._calls = self._counter("calls", "Calls by method and status code.", "method", "code")
        self._latency = Histogram(
            "evidencegate_call_seconds",
            "Time from a request's arrival to its answer.",
            ["method"],
            buckets=_LATENCY_BUCKETS,
            registry=self.registry,
        )
        self._findings = self._counter("findings", "Findings by the rule that made them.", "rule")
        self._verdicts = self._counter("verdicts", "Evaluations by effective verdict.", "verdict")
        self._routes = self._counter("routes", "Evaluations by route.", "route")
        self._parses = self._counter("executor_outputs", "Executor outputs by parse status.", "status")
        self._memo = self._counter("memo", "Lookups of remembered answers by result.", "result")
        self._catalog = Gauge(
            "evidencegate_catalog_info",
            "The catalog in use; always 1.",
            ["rule_set_version", "catalog_digest", "engine_version"],
            registry=self.registry,
        )
        self.in_flight = Gauge("evidencegate_calls_in_flight", "Calls at work.", registry=self.registry)
        self._call_children: dict[tuple[str, str], Callable[[], None]] = {}
        self._latency_children: dict[str, Callable[[float], None]] = {}
        self._word_children: dict[tuple[int, str], Callable[..., None]] = {}
        self.memo_hit = self._memo.labels("hit").inc
        self.memo_miss = self._memo.labels("miss").inc

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"evidencegate_{name}", text, labels, registry=self.registry)

    def show_catalog(self, rule_set_version: str, catalog_digest: str, engine_version: str) -> None:
        """Says which catalog is in use."""
        self._catalog.clear()
        self._catalog.labels(rule_set_version, catalog_digest, engine_version).set(1)

    def count_call(self, method: str, code: str, seconds: float) -> None:
        """Counts one call that ended."""
        key = (method, code)
        if key not in self._call_children:
            self._call_children[key] = self._calls.labels(method, code).inc
        self._call_children[key]()
        if method not in self._latency_children:
            self._latency_children[method] = self._latency.labels(method).observe
        self._latency_children[method](seconds)

    def count_answer(self, facts: CallFacts) -> None:
        """Counts what an answer says."""
        for rule_id, count in facts.findings:
            self._child(self._findings, rule_id)(count)
        if facts.parse_status:
            self._child(self._parses, facts.parse_status)()
        if facts.verdict:
            self._child(self._verdicts, facts.verdict)()
            self._child(self._routes, facts.route)()

    def _child(self, counter: Counter, label: str) -> Callable[..., None]:
        key = (id(counter), label)
        child = self._word_children.get(key)
        if child is None:
            child = self._word_children[key] = counter.labels(label).inc
        return child
