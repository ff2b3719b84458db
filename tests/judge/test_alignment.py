"""Claims beside small outputs of real form: each is held to its row, its figure, its state and its reach."""

from __future__ import annotations

import pytest
from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.words import Verification

from tests.judge.reading import HELD, facts, standings
from tests.judge.test_deterministic import CONTRADICTED, DIRECT, SUPPORTED, labelled

PODS = (
    "NAME   READY   STATUS             RESTARTS   AGE\n"
    "api-1  1/1     Running            2          5d\n"
    "api-2  0/1     CrashLoopBackOff   17         5d\n"
    "web-1  1/1     Running            4          3d\n"
)
POD_LIST = (
    '{"pods": [{"name": "cart-1", "node": "n-1", "restarts": 3, "ready": true},'
    ' {"name": "cart-2", "node": "n-2", "restarts": 9, "ready": false}]}'
)
DESCRIBE = (
    "Name: cart-1\nNode: n-1\nContainers:\n"
    "  app:\n    Image: shop/app:1.2\n    Restart Count: 4\n    Limits:\n      memory: 512Mi\n"
    "  proxy:\n    Image: mesh/proxy:3.1\n    Restart Count: 0\n    Limits:\n      memory: 128Mi\n"
)
CONDITIONS = 'conditions:\n- type: Ready\n  status: "False"\n- type: MemoryPressure\n  status: "True"\n'
LIMITS = (
    "Status: Running\nLimits:\n  memory: 512Mi\nRequests:\n  memory: 256Mi\n"
    "Last State: Terminated\n  Reason: OOMKilled\n  Exit Code: 137\n"
)
LATENCY = "endpoint=/pay avg=35ms max=2100ms p99=640ms count=1200"
REDIS = (
    "# Memory\nused_memory_human:1.50G\nmaxmemory_human:2.00G\n"
    "# Clients\nconnected_clients:812\nblocked_clients:4\n# Stats\nevicted_keys:0\n"
)
DISKS = "Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 100G 91G 9G 91% /\n/dev/sdb1 500G 120G 380G 24% /data\n"
LOG = (
    "10:00:01 WARN pool-7 connection pool exhausted\n"
    "10:02:05 ERROR cart-api request timed out after 2000ms\n"
    "10:03:00 INFO cart-api recovered\n"
)
EVENT = "Warning  FailedScheduling  2m  default-scheduler  0/3 nodes are available: 3 Insufficient memory.\n"
SCALED = "2024-05-01T10:00:00Z scaled deployment web from 5 to 3\n"
REQUEST = ("request 7f3a9c1e2b4d failed at gateway\n", "trace 7f3a9c1e2b4d: payment-svc returned 503\n")


def xfail(reason: str, *, strict: bool = False) -> pytest.MarkDecorator:
    return pytest.mark.xfail(strict=strict, reason=reason)


def row(claim: str, evidence: str, mark: pytest.MarkDecorator | None = None) -> object:
    return pytest.param(claim, evidence, marks=[] if mark is None else [mark])


STATED = [
    # The row, the object, the block that a name stands in.
    row("api-2 restarted 17 times", PODS),
    row("api-2 重启了 17 次", PODS),
    row("api-2 is not ready", PODS),
    row("api-2 处于 CrashLoopBackOff", PODS),
    row("cart-2 is not ready", POD_LIST),
    row("cart-2 runs on n-2", POD_LIST),
    row("cart-2 重启了 9 次", POD_LIST),
    row("the app container restarted 4 times", DESCRIBE),
    row("cart-1 的 app 容器内存限制为 512Mi", DESCRIBE),
    row("cart-1 uses image shop/app:1.2", DESCRIBE),
    # Figures by what names them.
    row("内存限制为 512Mi", LIMITS),
    row("/pay 的平均耗时为 35 ms", LATENCY),
    row("/pay p99 is 640 ms", LATENCY),
    row("max latency of /pay is 2100 ms", LATENCY, xfail("what a duration is of is not told by its statistic")),
    row("已用内存 1.5G", REDIS),
    row("内存上限为 2G", REDIS),
    row("812 clients are connected", REDIS),
    row("blocked clients: 4", REDIS),
    row("/dev/sda1 已用 91G", DISKS, xfail("the columns of df are not read as such")),
    row("/data 剩余 380G", DISKS, xfail("the columns of df are not read as such")),
    # States, flags and denials.
    row("节点未就绪", CONDITIONS),
    row("the node has memory pressure", CONDITIONS),
    row("Ready is False", CONDITIONS),
    row("The container was OOMKilled with exit code 137", LIMITS),
    row("没有错误", "errors: 0"),
    row("no pods failed", "failed: 0"),
    row("No keys were evicted", REDIS),
    row("the node may be down", "the node may be down"),
    # Time, order and change.
    row("请求在 10:02:05 超时", LOG),
    row("the pool was exhausted before the request timed out", LOG),
    row("连接池耗尽之后请求超时", LOG, xfail("what is told of two lines of one log is taken for another row")),
    row("web was scaled from 5 to 3", SCALED),
    row("replicas changed from 8 to 5", "replicas 8 -> 5"),
    row("web 从 5 个副本缩到 3 个", SCALED),
    row("cart-api recovered 55 s after the timeout", LOG),
    # Causes that the evidence names.
    row("pods cannot be scheduled because memory is insufficient", EVENT),
    row("The cause is a full disk", "Reason: disk full"),
    # Rows that are counted and compared.
    row("api-2 has the most restarts", PODS),
    row("/dev/sda1 has the highest usage", DISKS, xfail("the columns of df are not read as such")),
    row("two pods are Running", PODS),
]

# What is said of one thing is not said of its neighbour.
OTHER_ROW = [
    row("api-1 restarted 17 times", PODS),
    row("web-1 处于 CrashLoopBackOff", PODS),
    row("api-2 有 17 个副本", PODS),
    row("cart-1 is not ready", POD_LIST),
    row("cart-1 重启了 9 次", POD_LIST),
    row("cart-2 runs on n-1", POD_LIST),
    row(
        "the proxy container restarted 4 times",
        DESCRIBE,
    ),
    row(
        "the memory limit of proxy is 512Mi",
        DESCRIBE,
    ),
    row("/data 使用率 91%", DISKS),
    row("/dev/sdb1 已用 91G", DISKS),
]

OTHER_FIGURE = [
    row("memory limit is 256Mi", LIMITS),
    row("memory usage is 512Mi", LIMITS),
    row("average latency of /pay is 2100 ms", LATENCY),
    row("/pay 的最大耗时为 35 ms", LATENCY),
    row("/pay p99 is 2100 ms", LATENCY),
    row("latency of /pay is usually 2100 ms", LATENCY),
    row("used memory is 2G", REDIS),
    row("812 个客户端被阻塞", REDIS),
    row("4 keys were evicted", REDIS),
    row("/dev/sda1 has 91G available", DISKS),
    row("三个 pod 处于 Running", PODS),
]

REACHES_BEYOND = [
    row("All pods are Running", PODS),
    row("所有 pod 都在运行", PODS),
    row("api-1 has the most restarts", PODS),
    row("web-1 的重启次数最多", PODS),
    row("cart-api has been down since 10:02:05", LOG),
    row("cart-api 一直超时", LOG),
    row("only cart-api ever timed out", LOG),
    row("latency of /pay keeps rising", LATENCY),
    row("web was scaled from 3 to 5", SCALED),
    row("replicas changed from 5 to 8", "replicas 8 -> 5"),
    row("the request timed out before the pool was exhausted", LOG),
]

NO_CAUSE = [
    row("the request timed out because the connection pool was exhausted", LOG),
    row("连接池耗尽导致请求超时", LOG),
    row("the request timed out because of a kernel bug", LOG),
    row("scheduling failed because of CPU", EVENT),
    row("cart-api recovered because the pool was enlarged", LOG),
]

NOT_ALL = [
    row("All pods are ready.", "pod a: ready, all checks done\npod b: unready, restarting\npod c: ready, idle"),
    row("所有节点都正常。", "node-1: 正常，所有检查完成\nnode-2: 异常\nnode-3: 正常"),
    row("All brokers are healthy.", '[{"broker": "b1", "state": "healthy"}, {"broker": "b2", "state": "not healthy"}]'),
    row("All jobs succeeded.", "| job | result |\n|---|---|\n| j1 | succeeded |\n| j2 | has not succeeded |"),
    row("All jobs succeeded.", "10:00:01 INFO all steps of job-1 succeeded\n10:00:02 ERROR job-2 failed"),
]

BESIDE_A_DENIAL = [
    row("order-api retried without errors.", "order-api: no retries, no errors"),
    row("The deploy of order-api rolled back without an alert.", "deploy of order-api: never rolled back, no alert"),
    row("order-api 重试且没有报错。", "order-api 没有重试，没有报错"),
]

DENIED = [
    row("no errors", "errors: 3"),
    row("没有错误", "errors: 3"),
    row("the disk is full", "disk is not full"),
    row("the node is ready", CONDITIONS),
    row("the node is down", "the node may be down"),
    row("the node is down", "if the node is down, page the on-call"),
    row("the node is down", "make sure the node is down before the swap"),
    row("no pods failed", "failed: 2"),
]


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(("claim", "evidence"), STATED)
def test_what_the_evidence_shows_is_accepted(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification in SUPPORTED


@pytest.mark.parametrize(("claim", "evidence"), [*OTHER_ROW, *OTHER_FIGURE, *REACHES_BEYOND, *NO_CAUSE, *DENIED])
def test_what_the_evidence_does_not_show_is_refused(claim: str, evidence: str) -> None:
    label = labelled(claim, evidence)
    assert label.detail
    assert label.verification not in SUPPORTED


@pytest.mark.req("VD-04")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("cart-1 is not ready", POD_LIST),
        ("cart-1 重启了 9 次", POD_LIST),
        ("All pods are Running", PODS),
        ("api-1 has the most restarts", PODS),
        ("web was scaled from 3 to 5", SCALED),
        ("replicas changed from 5 to 8", "replicas 8 -> 5"),
        ("the request timed out before the pool was exhausted", LOG),
        ("no errors", "errors: 3"),
        ("the node is ready", CONDITIONS),
        ("the disk is full", "disk is not full"),
        ("used memory is 2G", REDIS),
    ],
)
def test_what_the_evidence_conflicts_with_is_contradicted(claim: str, evidence: str) -> None:
    label = labelled(claim, evidence)
    assert label.verification is CONTRADICTED
    assert label.witnesses[0].relation == "in_conflict"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("cart-9 is not ready", POD_LIST),
        ("db-main-3 restarted 17 times", PODS),
        ("cart-2 重启了 9 次，节点 n-77 故障", POD_LIST),
        ("used memory is 73.25G", LIMITS),
    ],
)
def test_what_stands_nowhere_is_foreign(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification is Verification.EXTERNAL_UNKNOWN


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("the request timed out because the connection pool was exhausted", LOG),
        ("连接池耗尽导致请求超时", LOG),
        ("cart-api has been down since 10:02:05", LOG),
    ],
)
def test_what_reaches_beyond_the_evidence_has_a_true_core(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification in (Verification.OVERSTATED, Verification.UNSUPPORTED)


def test_a_hedged_cause_from_two_events_is_no_more_than_an_inference() -> None:
    label = labelled("the request probably timed out because the connection pool was exhausted", LOG)
    assert label.verification is not DIRECT


def test_two_texts_are_joined_by_an_identifier_and_by_nothing_else() -> None:
    joined = "request 7f3a9c1e2b4d failed, payment-svc returned 503"
    assert labelled(joined, *REQUEST).verification in SUPPORTED
    other = (REQUEST[0], REQUEST[1].replace("7f3a9c1e2b4d", "11aa22bb33cc"))
    assert labelled("payment-svc returned 503 for request 7f3a9c1e2b4d", *other).verification not in SUPPORTED


@pytest.mark.parametrize(
    "claim",
    [
        "/pay 的 p99 为 0.64 秒",
        "/pay p99 is 640ms",
        pytest.param("p99 latency of /pay is 640 ms", marks=xfail("a duration whose key does not say latency")),
    ],
)
def test_a_value_is_the_same_in_other_units_and_words(claim: str) -> None:
    assert "stated" in standings(claim, FactKind.VALUE, LATENCY)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("cart p99 latency is 840 ms", '{"service": "cart", "p50_ms": 12, "p99_ms": 840}'),
        ("cart 的 p99 为 840 ms", '{"service": "cart", "p50_ms": 12, "p99_ms": 840}'),
    ],
)
@xfail("a percentile loses its figure in a key with further parts")
def test_a_percentile_in_a_key_is_that_percentile(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification in SUPPORTED


def test_a_percentile_is_not_another_one() -> None:
    evidence = '{"service": "cart", "p50_ms": 12, "p99_ms": 840}'
    assert labelled("cart p50 latency is 840 ms", evidence).verification not in SUPPORTED


def test_the_value_that_fits_better_wins() -> None:
    evidence = "connections=40 max_connections=100"
    assert labelled("max connections is 100", evidence).verification in SUPPORTED
    assert labelled("当前连接数为 100", evidence).verification not in SUPPORTED


def test_a_figure_follows_from_two_that_the_claim_states() -> None:
    evidence = "errors=36 requests=1200"
    assert labelled("36 of 1200 requests had errors, that is 3%", evidence).verification in SUPPORTED
    assert labelled("36 of 1200 requests had errors, that is 30%", evidence).verification not in SUPPORTED


def test_figures_are_compared_as_they_are() -> None:
    evidence = "read_latency=40ms write_latency=900ms"
    higher = "write latency of 900 ms is higher than read latency of 40 ms"
    assert labelled(higher, evidence).verification in SUPPORTED
    assert labelled(higher.replace("higher", "lower"), evidence).verification is CONTRADICTED


def test_rows_that_a_claim_counts_are_counted() -> None:
    assert "derivable" in standings("two pods are Running", FactKind.VALUE, PODS)
    assert set(standings("three pods are Running", FactKind.VALUE, PODS)).isdisjoint({"stated", "derivable"})


def test_every_fact_stands_within_its_claim_and_its_evidence() -> None:
    for claim, evidence in (("api-2 重启了 17 次", PODS), ("连接池耗尽之后请求超时", LOG)):
        for fact in facts(claim, evidence):
            assert 0 <= fact.start < fact.end <= len(claim)
            if fact.place is not None:
                assert 0 <= fact.place.start <= fact.place.end <= len(evidence)
            if fact.kind is FactKind.NAME and fact.standing in HELD:
                assert fact.place is not None


@pytest.mark.parametrize(("claim", "evidence"), NOT_ALL)
def test_one_row_that_is_not_so_refuses_a_claim_of_all(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification not in SUPPORTED


@pytest.mark.parametrize(("claim", "evidence"), BESIDE_A_DENIAL)
def test_an_event_is_no_more_true_for_a_denial_beside_it(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification is CONTRADICTED


@pytest.mark.parametrize("claim", ["db-7 没有可用连接", "db-7 has no available connection"])
def test_a_denial_of_a_described_thing_denies_both_words(claim: str) -> None:
    assert labelled(claim, "db-7: no available connection, the queue is full").verification is not CONTRADICTED
