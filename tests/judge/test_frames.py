"""What is asked, wanted, played, supposed or denied is no observation; a claim that says so itself is borne out."""

from __future__ import annotations

import pytest

from tests.judge.test_deterministic import SUPPORTED, labelled

LISTED = "Nodes that are not ready:\n  worker-3\n  worker-5\n"
MANIFEST = "spec:\n  replicas: 4\n  image: shop/cart:2.1\nstatus:\n  replicas: 2\n  readyReplicas: 2\n"

NO_OBSERVATION = [
    # Questions.
    ("The broker kafka-2 is down.", "10:02:11 INFO [chatops] is the broker kafka-2 down?"),
    ("缓存 cache-7 已满", "缓存 cache-7 已满了吗？"),
    ("Is the broker kafka-2 down?", "The broker kafka-2 is down."),
    # Headings and frames.
    ("The replica count is 5.", "Expected state\nreplica count: 5"),
    ("The replica count is 5.", "expected:\n  replica count: 5\nactual:\n  replica count: 3"),
    ("node-4 is cordoned", "Planned changes:\n- node-4 is cordoned"),
    ("queue depth is 900", '{"simulated": true, "queue_depth": 900}'),
    ("queue depth is 900", '{"mode": "dry-run", "queue_depth": 900}'),
    ("The disk vdb is full.", "For example, the disk vdb is full. Then writes fail."),
    ("磁盘 vdb 已满", "例如：磁盘 vdb 已满，写入会失败。"),
    ("磁盘 vdb 已满", "演练脚本\n磁盘 vdb 已满"),
    # Denied or supposed as a whole.
    ("The leader lost its quorum.", "There is no evidence that the leader lost its quorum."),
    ("The leader lost its quorum.", "If the leader lost its quorum, writes are refused."),
    ("The leader lost its quorum.", "The alert 'the leader lost its quorum' was a false positive."),
    ("主节点失去仲裁", "经核实，主节点失去仲裁属误报。"),
    ("It is not true that the leader lost its quorum.", "The leader lost its quorum."),
    # Hidden or taken out.
    ("max_connections is 400", "# max_connections = 400"),
    ("The leader lost its quorum.", "~~The leader lost its quorum.~~"),
    ("The leader lost its quorum.", 'The reporter wrote "All good. The leader lost its quorum. Joking."'),
    # A specification beside its status.
    ("replicas is 4", MANIFEST),
]
OBSERVED = [
    ("The desired replica count is 5.", "desired replica count: 5"),
    ("The image is shop/cart:2.1.", MANIFEST),
    ("worker-5 is not ready.", LISTED),
    ("readyReplicas is 2", MANIFEST),
    ("The disk vdb is full.", "Is the disk vdb full?\nyes\n\nThe disk vdb is full."),
    ("GET /search?q=1 returned 503", "GET /search?q=1 returned 503"),
    ("api.shop.example is unreachable", "api.shop.example is unreachable"),
    ("The leader lost its quorum.", "10:00:01 INFO dry-run finished\n10:00:02 ERROR the leader lost its quorum"),
]


@pytest.mark.parametrize(("text", "evidence"), NO_OBSERVATION)
def test_what_is_no_observation_confirms_nothing(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification not in SUPPORTED


@pytest.mark.parametrize(("text", "evidence"), OBSERVED)
def test_a_frame_reaches_no_further_than_it_stands(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification in SUPPORTED


# Both are written alike but for what the pair turns on.
WRITTEN = [
    ("Shard b is stuck.", "Shard b is stuck", "Shard c is stuck"),
    ("节点 b 已宕机", "节点 b 已宕机", "节点 c 已宕机"),
    ("The agent has version 2.1.", "agent version 2.1", "agent version 2.10"),
    ("port 9092 is closed", "port 9092 is closed", "port 09092 is closed"),
    ("job.batch.q failed", "job.batch.q failed", "job.batch.Q failed"),
    ("The gate is open.", "The gate is open", "The gate was open"),
    ("queue lag of billing is 40 s", "queue lag of billing is 40 s", "queue lag of billing < 40 s"),
    ("queue lag of billing is 40 s", "queue lag of billing is 40 s", "queue lag of billing != 40 s"),
    ("queue lag of billing is 40 s", "queue lag of billing is 40 s", "queue lag of billing ~40 s"),
    ("worker exit_status is not equal to 0", "worker exit_status 137", "worker exit_status 0"),
    (
        "importer-2 failed again.",
        "02:00:05 ERROR importer-2 failed\n03:00:05 ERROR importer-2 failed",
        "03:00:05 ERROR importer-2 failed",
    ),
]


@pytest.mark.parametrize(("text", "shown", "other"), WRITTEN)
def test_what_is_written_otherwise_is_another_thing(text: str, shown: str, other: str) -> None:
    assert labelled(text, shown).verification in SUPPORTED
    assert labelled(text, other).verification not in SUPPORTED


BLOCKS = "proxy:\n  timeout: 5s\n  retries: 2\nbackend:\n  timeout: 30s\n  retries: 4\n"


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("The timeout of the proxy is 30s.", BLOCKS),
        ("backend 的重试次数为 2", BLOCKS),
        ("The gate is open.", "The gate is almost open."),
        ("磁盘已满", "磁盘几乎已满"),
        ("主从同步正常", "主从同步未恢复正常"),
        ("All shards are ready.", "all shards except s7 are ready"),
        ("所有分片均正常", "除 s7 外所有分片均正常"),
        ("memory dropped to 5 GB", "memory rose to 5 GB"),
        ("连接数降到 50", "连接数升到 50"),
        ("The lease expires in 3 days.", "The lease expired 3 days ago."),
        ("租约 3 天后过期", "租约已过期 3 天"),
    ],
)
def test_what_stands_beside_it_or_falls_short_of_it_is_not_it(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification not in SUPPORTED


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("The timeout of the proxy is 5s.", BLOCKS),
        ("backend 的重试次数为 4", BLOCKS),
        ("The gate is almost open.", "The gate is almost open."),
        ("memory dropped to 5 GB", "memory dropped to 5 GB"),
        ("All shards are ready.", "all shards are ready"),
    ],
)
def test_what_is_its_own_stays_borne_out(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification in SUPPORTED
