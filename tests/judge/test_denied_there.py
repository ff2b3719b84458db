"""What is denied, undone or said of something else where it stands bears out no claim that it is so."""

from __future__ import annotations

import pytest
from evidencegate_server.words import Verification

from tests.judge.test_deterministic import labelled

ACCEPTED = (Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE)
CONTAINERS = """Name:    feed-1
Containers:
  feed:
    Image:          cr.lan/feed:2.4
    Ready:          False
    Restart Count:  6
  shipper:
    Image:          cr.lan/shipper:1.1
    Ready:          True
    Restart Count:  0"""
PARTITIONS = """\tTopic: ledger\tPartition: 0\tLeader: 4\tReplicas: 4,5\tIsr: 4,5
\tTopic: ledger\tPartition: 1\tLeader: none\tReplicas: 5,6\tIsr: 5"""
RING = """Status=Up/Down
|/ State=Normal/Leaving/Joining/Moving
--  Address     Load       Rack
UN  10.44.0.11  91.2 GiB   r1
DN  10.44.0.12  90.7 GiB   r2"""
ROLLOUT = (
    'Waiting for deployment "tariff" rollout to finish: 2 of 5 updated replicas are available...\nerror: timed out'
)
THREADS = """             Replica_IO_Running: Yes
            Replica_SQL_Running: No"""
QUEUES = "name\tmessages_ready\tconsumers\tstate\nbill.new\t912\t0\trunning\nbill.old\t4\t3\trunning"
PULL = """Type     Reason   Age   From      Message
Warning  Failed   11m   kubelet   Failed to pull image "cr.lan/map:3.1": dial tcp 10.6.0.4:443: i/o timeout"""
CLAIMS = """NAME         STATUS    STORAGECLASS   AGE
data-tsdb-0  Bound     ssd            12d
data-tsdb-1  Pending   ssdd           9m"""

# What the evidence shows, what it does not, and the evidence of both.
TWINS = {
    "a_key_with_a_no_behind_many_blanks": ("feed 容器未就绪。", "feed 容器就绪。", CONTAINERS),
    "a_key_with_none": ("ledger 的 1 号分区没有 leader。", "ledger 的 1 号分区有 leader。", PARTITIONS),
    "a_legend_of_states": ("Node 10.44.0.12 is down.", "Node 10.44.0.12 is up.", RING),
    "an_idiom_that_denies_another_meaning_of_the_word": (
        "The rollout of tariff did not finish.",
        "The rollout of tariff did finish.",
        ROLLOUT,
    ),
    "the_other_side_of_a_pair_of_fields": ("SQL 线程已停止。", "IO 线程已停止。", THREADS),
    "a_count_of_none": ("bill.new 有 912 条消息，没有消费者。", "bill.new 有 912 条消息，有消费者。", QUEUES),
    "an_event_that_failed": (
        "The image cr.lan/map:3.1 could not be pulled because 10.6.0.4:443 timed out.",
        "The image cr.lan/map:3.1 could be pulled because 10.6.0.4:443 timed out.",
        PULL,
    ),
    "a_light_state_that_is_all_that_is_said": ("data-tsdb-1 仍处于 Pending。", "data-tsdb-1 仍处于 Running。", CLAIMS),
    "the_state_of_the_other_name_in_one_sentence": (
        "redis 备份失败。",
        "redis 备份成功。",
        "备份：mysql 成功，redis 失败（磁盘满）",
    ),
    "the_last_state_of_a_record": (
        "As of its latest record gate-4 is unlocked.",
        "As of its latest record gate-4 is locked.",
        "2025-03-02T04:10:00Z gate-4 locked; 2025-03-02T04:22:09Z gate-4 unlocked",
    ),
    "another_field_of_the_same_noun": (
        "kw-1 has the internal IP 172.20.0.7.",
        "kw-1 has an external IP.",
        "NAME   INTERNAL-IP   EXTERNAL-IP\nkw-1   172.20.0.7    <none>\nkw-2   172.20.0.8    <none>",
    ),
}


@pytest.mark.parametrize(("true", "false", "evidence"), TWINS.values(), ids=list(TWINS))
def test_only_the_twin_that_is_not_denied_there_is_accepted(true: str, false: str, evidence: str) -> None:
    assert labelled(true, evidence).verification in ACCEPTED
    assert labelled(false, evidence).verification not in ACCEPTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("tsdb-1 was scheduled.", "REASON             OBJECT\nFailedScheduling   pod/tsdb-1"),
        (
            "close-77 succeeded.",
            "Reason             From             Message\nSuccessfulCreate   job-controller   pod: close-77-x",
        ),
        ("The image cr.lan/map:3.1 cannot be pulled because it was found.", PULL),
        ("shipper 容器曾重启。", CONTAINERS),
    ],
    ids=["undone_in_one_name", "the_success_of_something_else", "a_reason_that_is_not_shown", "a_count_of_none_above"],
)
def test_what_is_shown_of_nothing_is_not_accepted(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification not in ACCEPTED
