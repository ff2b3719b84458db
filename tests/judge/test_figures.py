"""A figure that the evidence gives one name is not accepted under another, whatever else of the claim is right."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.judge.rows import accepts

FIGURES = {
    " s": ["age", "timeout", "uptime", "interval", "retention", "downtime", "cpu time", "lease", "cooldown", "rtt"],
    "": ["replicas", "restarts", "connections", "errors", "retries", "threads", "partitions", "sessions", "locks"],
    " MB": ["memory", "heap", "swap", "cache size", "log size", "memory limit", "rss", "quota", "dataset"],
    " %": ["cpu", "memory usage", "error rate", "hit rate", "packet loss", "fragmentation", "iowait", "steal"],
}
CHINESE = {
    " 秒": ["超时时间", "运行时间", "间隔", "保留时间", "宕机时间", "冷却时间"],
    " 个": ["副本", "连接", "错误", "请求", "线程", "分区", "会话", "锁"],
    " MB": ["内存", "堆", "交换区", "日志"],
}
# Names that the words make out to be near enough: those of one limit, and compounds of one word.
MOST_ACCEPTED = 0.05

EVIDENCE = ("worker-7: {key}=41{unit}", "worker-7 gone, {name} 41{unit}")


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("evidence", EVIDENCE)
@pytest.mark.parametrize("unit", FIGURES)
def test_a_figure_keeps_its_name(unit: str, evidence: str) -> None:
    pairs = list(permutations(FIGURES[unit], 2))
    wrong = [
        (name, other)
        for name, other in pairs
        if accepts(
            f"The {other} of worker-7 is 41{unit}.", evidence.format(key=name.replace(" ", "_"), name=name, unit=unit)
        )
    ]
    assert len(wrong) <= MOST_ACCEPTED * len(pairs), wrong


@pytest.mark.parametrize("unit", CHINESE)
def test_a_figure_keeps_its_name_in_chinese(unit: str) -> None:
    pairs = list(permutations(CHINESE[unit], 2))
    wrong = [
        (name, other)
        for name, other in pairs
        if accepts(f"worker-7 的{other}为 41{unit}。", f"worker-7 {name}：41{unit}")
    ]
    assert len(wrong) <= MOST_ACCEPTED * len(pairs), wrong


@pytest.mark.parametrize("unit", FIGURES)
def test_a_figure_is_accepted_under_its_own_name(unit: str) -> None:
    refused = [
        name
        for name in FIGURES[unit]
        if not accepts(
            f"The {name} of worker-7 is 41{unit}.", EVIDENCE[0].format(key=name.replace(" ", "_"), unit=unit)
        )
    ]
    assert len(refused) <= 1, refused


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The backup of db-2 took 41 s.", "backup of db-2 done, duration=41s"),
        ("api-1 的堆用到了 84%。", "api-1 heap usage 84%"),
        (
            "FailedMount was seen 7 times in 13 minutes.",
            "Warning  FailedMount  2m10s (x7 over 13m)   kubelet  no volume",
        ),
        ("max_connections is set to 500.", "Variable_name\tValue\nmax_connections\t500\nThreads_connected\t498"),
        ("Revision 14 of the release failed.", "NAME: geo\nSTATUS: failed\nREVISION: 14"),
    ],
)
def test_a_name_that_says_no_more_may_go_under_another_word(claim: str, evidence: str) -> None:
    assert accepts(claim, evidence)
