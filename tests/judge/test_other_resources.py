"""What the evidence tells of one resource is told of no other one."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

DISKS = "Filesystem   Size  Used Avail Use% Mounted on\n/dev/vda1    50G   46G  4.0G  92% /"
SCHEDULING = (
    "LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n"
    "14m         Warning   FailedScheduling   pod/job-9   0/6 nodes are available: 4 Insufficient cpu, 2 had taints."
)
ALERT = '{"status":"firing","annotations":{"summary":"内存使用率超过 90%"}}'


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("/ 的 inode 使用率为 92%。", DISKS),
        ("job-9 有 4 个节点内存不足。", SCHEDULING),
        ("磁盘使用率超过 90%。", ALERT),
        ("CPU 使用率超过 90%。", ALERT),
    ],
)
def test_a_figure_or_state_of_another_resource_is_refused(claim: str, evidence: str) -> None:
    assert not accepts(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("磁盘使用率超过 90%。", ALERT.replace("内存", "磁盘")),
        ("job-9 有节点 CPU 不足。", SCHEDULING),
        ("内存使用率超过 90%。", ALERT),
    ],
)
def test_that_of_the_same_one_is_accepted(claim: str, evidence: str) -> None:
    assert accepts(claim, evidence)
