"""Counts what operators and rule editors watch, for Prometheus.

Counts are plain numbers, all made on the event loop: one is an addition, and the Prometheus library is first needed
when somebody reads them (see `metrics_families`). Labels are bounded: methods, codes, rules and words, never an ID or
text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from evidencegate_server.contract.records import record

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from evidencegate_server.verdict.material import ModelUse

# Seconds. From a remembered answer to the largest request that the limits allow.
LATENCY_BUCKETS: Final = (0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

# Names in certificates are as many as somebody signs; those over this bound are counted together.
MAX_CALLERS: Final = 256
OTHER_CALLERS: Final = "(other)"

_HIT: Final = ("hit",)
_MISS: Final = ("miss",)


@record
class CallFacts:
    """What a call's log line and the metrics say about its answer: words and numbers, no text of claims or evidence."""

    session_id: str = ""
    parse_status: str = ""
    gatekeeper_status: str = ""
    failed_rules: tuple[str, ...] = ()
    findings: tuple[tuple[str, int], ...] = ()
    verdict: str = ""
    route: str = ""
    claim_labels: tuple[tuple[str, int], ...] = ()
    fact_labels: tuple[tuple[str, int], ...] = ()
    counted: bool = True  # false where a call hands in what another one has counted


NO_FACTS = CallFacts()


class Latencies:
    """How long the calls of one method took: how many fell into each bucket, the last one open, and their sum."""

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(LATENCY_BUCKETS) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Counts one call; a bucket includes its upper bound."""
        self.counts[bisect_left(LATENCY_BUCKETS, seconds)] += 1
        self.seconds += seconds


@record
class Counted:
    """One counter of the server: its name without the prefix, what it counts, its labels and the counts by them."""

    name: str
    text: str
    labels: tuple[str, ...]
    counts: Counter[tuple[str, ...]]


class Metrics:
    """The server's metrics, apart from every other server's in the process."""

    def __init__(self) -> None:
        self.counters: list[Counted] = []
        self.latencies: dict[str, Latencies] = {}
        self.catalog: Mapping[str, str] = {}
        self.in_flight: Callable[[], int] = int
        self._calls = self._counter("calls", "Calls by method and status code.", "method", "code")
        self.workers: Callable[[], int] | None = None  # where there are several processes
        self._deaths = self._counter("worker_deaths", "Worker processes that ended unasked.")
        self._callers = self._counter("caller_calls", "Calls by the caller that was known and code.", "caller", "code")
        self._known_callers: set[str] = set()
        self._findings = self._counter("findings", "Findings by the rule that made them.", "rule")
        self._verdicts = self._counter("verdicts", "Evaluations by effective verdict.", "verdict")
        self._routes = self._counter("routes", "Evaluations by route.", "route")
        self._parses = self._counter("executor_outputs", "Executor outputs by parse status.", "status")
        self._requests = self._counter("model_requests", "Requests to models by profile.", "profile")
        self._tokens = self._counter("model_tokens", "Tokens of models by profile and kind.", "profile", "kind")
        self._failures = self._counter("model_failures", "Questions that got nothing.", "profile", "failure")
        self._memo = self._counter("memo", "Lookups of remembered answers by result.", "result")
        self._memo.update({_HIT: 0, _MISS: 0})  # shown before the first call

    def _counter(self, name: str, text: str, *labels: str) -> Counter[tuple[str, ...]]:
        counted = Counted(name, text, labels, Counter())
        self.counters.append(counted)
        return counted.counts

    def show_catalog(self, rule_set_version: str, catalog_digest: str, engine_version: str) -> None:
        """Says which catalog is in use."""
        self.catalog = {
            "rule_set_version": rule_set_version,
            "catalog_digest": catalog_digest,
            "engine_version": engine_version,
        }

    def show_in_flight(self, count: Callable[[], int]) -> None:
        """Says what knows how many calls are at work."""
        self.in_flight = count

    def memo_hit(self) -> None:
        """Counts an answer that was remembered."""
        self._memo[_HIT] += 1

    def memo_miss(self) -> None:
        """Counts an answer that was not."""
        self._memo[_MISS] += 1

    def count_model(self, use: ModelUse) -> None:
        """Counts what asking a model came to."""
        self._requests[use.profile,] += use.requests
        self._tokens[use.profile, "prompt"] += use.prompt_tokens
        self._tokens[use.profile, "completion"] += use.completion_tokens
        if use.failure:
            self._failures[use.profile, use.failure] += 1

    def count_call(self, method: str, code: str, seconds: float) -> None:
        """Counts one call that ended."""
        self._calls[method, code] += 1
        latencies = self.latencies.get(method)
        if latencies is None:
            latencies = self.latencies[method] = Latencies()
        latencies.add(seconds)

    def count_caller(self, caller: str, code: str) -> None:
        """Counts one call of a caller that is known by a token or a certificate."""
        if caller not in self._known_callers:
            if len(self._known_callers) >= MAX_CALLERS:
                caller = OTHER_CALLERS
            else:
                self._known_callers.add(caller)
        self._callers[caller, code] += 1

    def count_death(self) -> None:
        """Counts a worker that ended unasked."""
        self._deaths[()] += 1

    def count_answer(self, facts: CallFacts) -> None:
        """Counts what an answer says."""
        if not facts.counted:
            return
        for rule_id, count in facts.findings:
            self._findings[rule_id,] += count
        if facts.parse_status:
            self._parses[facts.parse_status,] += 1
        if facts.verdict:
            self._verdicts[facts.verdict,] += 1
            self._routes[facts.route,] += 1

    def registry(self) -> CollectorRegistry:
        """Returns a registry that gives the present values. The first call imports the Prometheus library."""
        from evidencegate_server.service.metrics_families import make_registry

        return make_registry(self)
