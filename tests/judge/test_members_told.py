"""What is told of all, of one alone, of the most or of a number has to hold of what rows, objects and lines show."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

LAYOUTS = {
    "table": (
        "NAME   READY  STATUS   RESTARTS  AGE\n"
        "web-1  1/1    Running  3         4d\nweb-2  1/1    Running  3         4d\n"
        "web-3  0/1    Pending  5         2d\n"
    ),
    "json": (
        '{"items":[{"name":"web-1","status":"Running","restarts":3},{"name":"web-2","status":"Running","restarts":3},'
        '{"name":"web-3","status":"Pending","restarts":5}]}'
    ),
    "lines": (
        "10:00:01 web-1 restarts=3 status=Running\n10:00:02 web-2 restarts=3 status=Running\n"
        "10:00:03 web-3 restarts=5 status=Pending\n"
    ),
    "prose": "web-1 restarted 3 times. web-2 restarted 3 times. web-3 restarted 5 times.",
}

FALSE = [
    "All pods are running.",
    "Every pod is running.",
    "All pods restarted 3 times.",
    "All three pods restarted 3 times.",
    "Each pod restarted three times.",
    "Both web-1 and web-3 are running.",
    "Both pods are pending.",
    "No pod is pending.",
    "Three pods are running.",
    "Only web-1 is running.",
    "Only web-1 restarted 3 times.",
    "web-1 is the only running pod.",
    "web-1 is the only pod that restarted 3 times.",
    "web-2 restarted the most.",
    "web-1 has the most restarts.",
    "web-1 restarted more often than web-3.",
    "Most pods are pending.",
    "All pods restarted at least 4 times.",
    "None of them restarted more than 4 times.",
    "The pods restarted 12 times in total.",
    "所有 Pod 都在运行。",
    "三个 Pod 都重启了 3 次。",
    "web-1 和 web-3 都在运行。",
    "没有 Pod 处于 Pending。",
    "只有 web-1 在运行。",
    "只有 web-1 重启了 3 次。",
    "web-1 重启次数最多。",
    "web-1 的重启次数比 web-3 多。",
    "三个 Pod 均为 Running。",
    "有三个 Pod 在运行。",
]


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_one_member_belies_is_refused(layout: str) -> None:
    assert [claim for claim in FALSE if accepts(claim, LAYOUTS[layout])] == []


@pytest.mark.parametrize(
    ("claim", "layout"),
    [
        ("web-3 is the only pending pod.", "table"),
        ("Only web-3 restarted 5 times.", "table"),
        ("web-3 restarted the most.", "table"),
        ("Two pods are running.", "table"),
        ("web-1 重启了 3 次。", "prose"),
        ("web-1 restarted only 3 times.", "lines"),
    ],
)
def test_what_the_members_show_is_accepted(claim: str, layout: str) -> None:
    assert accepts(claim, LAYOUTS[layout])


@pytest.mark.parametrize("state", ["在运行", "运行中", "就绪", "健康", "空闲", "已停止", "多", "变慢", "卡住"])
@pytest.mark.parametrize("text", ["web-1: port=8080", '{"name":"web-1","zone":"a"}', "web-1 restarted 3 times."])
def test_a_name_alone_bears_out_no_state(state: str, text: str) -> None:
    """Chinese tells a state without a copula, and a word that no list knows is one as well."""
    assert not accepts(f"web-1 {state}。", text)
