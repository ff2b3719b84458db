"""A claim falls into clauses, and what it says of a list it says of each member."""

from __future__ import annotations

import pytest

from tests.judge.reading import clauses, readers


def marks(text: str) -> list[list[str]]:
    return [[name for name, _ in clause.marks] for clause in readers().claims.read(text).clauses]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("CPU is 30%; memory is 40%", ["CPU is 30%;", "memory is 40%"]),
        ("api-1 is down, and db-2 is up.", ["api-1 is down,", "and db-2 is up."]),
        ("内存占用 40%，CPU 占用 30%。", ["内存占用 40%，", "CPU 占用 30%。"]),
        ("api-1 is down because the disk is full", ["api-1 is down", "because the disk is full"]),
        ("磁盘已满，因此 api-1 宕机", ["磁盘已满，", "因此 api-1 宕机"]),
        ("不是内存不足，而是磁盘已满", ["不是内存不足，", "而是磁盘已满"]),
        ("after the restart, errors rose", ["after the restart,", "errors rose"]),
        ("db-2 重启之后请求超时", ["db-2 重启之后", "请求超时"]),
    ],
)
def test_a_claim_falls_into_clauses(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "web and mail are down",
        "1,245,678 bytes were sent",
        "version 3.5.13 runs on 10.2.3.4:6379",
        "the run took 1.5 s",
        "api-1 重启了 3 次",
        "it failed at 10:02:11.5",
    ],
)
def test_names_numbers_and_lists_are_not_torn(text: str) -> None:
    assert clauses(text) == [text]


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("api-1、api-2 和 api-3 均重启 3 次", ["api-1 3", "api-2 3", "api-3 3"]),
        ("api-1, api-2 and api-3 are down", ["api-1", "api-2", "api-3"]),
        ("api-1 and api-2 restarted 3 times", ["api-1 3", "api-2 3"]),
        ("api-1 and api-2 have 3 and 5 restarts respectively", ["api-1 3", "api-2 5"]),
        ("api-1 和 api-2 的重启次数分别为 3 和 5", ["api-1 3", "api-2 5"]),
        pytest.param(
            "api-1 和 api-2 分别重启 3 次和 5 次",
            ["api-1 3", "api-2 5"],
            marks=pytest.mark.xfail(strict=False, reason="a counting word behind each value parts the list"),
        ),
        ("api-1、api-2 的 CPU 分别为 30% 和 40%", ["api-1 30%", "api-2 40%"]),
        ("api-1、api-2、api-3 的重启次数分别为 3、4、5", ["api-1 3", "api-2 4", "api-3 5"]),
        pytest.param(
            "api-1, api-2 and api-3 have 3, 4 and 5 restarts respectively",
            ["api-1 3", "api-2 4", "api-3 5"],
            marks=pytest.mark.xfail(strict=False, reason="a comma in a list of values ends its clause"),
        ),
    ],
)
def test_what_is_said_of_a_list_is_said_of_each(text: str, each: list[str]) -> None:
    found = clauses(text, lists=True)
    assert [" ".join(one.replace("次", "").split()) for one in found] == each


def test_lists_of_different_length_are_not_paired() -> None:
    assert clauses("api-1 和 api-2 的重启次数分别为 3、4 和 5", lists=True) == ["api-1 api-2 3 4 5"]


def test_all_of_a_named_list_is_no_more_than_the_list() -> None:
    text = "api-1 and api-2 are both down"
    assert any("@quantifiers" in name for found in marks(text) for name in found)
    assert clauses(text, lists=True) == ["api-1", "api-2"]


def test_a_very_long_list_stays_one_clause() -> None:
    text = ", ".join(f"api-{at}" for at in range(1, 300)) + " are down"
    assert len(clauses(text, lists=True)) < 320


@pytest.mark.parametrize("text", ["There is one node", "有一个节点", "a pod is down", "one pod is down"])
def test_an_article_counts_nothing(text: str) -> None:
    assert [clause.values for clause in readers().claims.read(text).clauses] == [()]


@pytest.mark.parametrize("text", ["There are 2 nodes", "有两个节点", "1 of 3 nodes is down", "one of the 3 nodes"])
def test_other_numbers_count(text: str) -> None:
    assert any(clause.values for clause in readers().claims.read(text).clauses)


@pytest.mark.parametrize("text", ["the probe failed 200 ms after the start", "启动 200 ms 后探针失败"])
def test_a_word_of_order_behind_a_duration_says_how_much_later(text: str) -> None:
    assert not any(name.startswith("@order") for found in marks(text) for name in found)


def test_the_event_that_a_length_counts_from_has_its_own_clause() -> None:
    told = [text.split() for text in clauses("the probe failed 200 ms after the start")]
    assert len(told) == 2
    assert "start" not in told[0]


def test_how_long_before_an_event_is_an_order() -> None:
    found = marks("the probe failed three seconds before the start")
    assert any(name.startswith("@order.before") for names in found for name in names)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("The pod probably failed", "@hedges"),
        ("容器可能崩溃了", "@hedges"),
        ("The pod failed after the deploy", "@order.after"),
        ("部署之前已经失败", "@order.before"),
        ("All pods failed", "@quantifiers.all"),
        ("所有节点失联", "@quantifiers.all"),
        ("It fails because of the disk", "@cause.backward"),
    ],
)
def test_marks_are_kept_with_their_term(text: str, mark: str) -> None:
    claim = readers().claims.read(text)
    term = next(found for clause in claim.clauses if (found := clause.marked(mark)) is not None)
    assert text[term.start : term.end].strip()


def test_chinese_clauses_know_that_they_are() -> None:
    claim = readers().claims.read("api-1 is down, api-2 已宕机")
    assert [clause.is_chinese for clause in claim.clauses] == [False, True]


def test_every_word_and_value_stands_in_its_clause() -> None:
    text = "api-1 重启 3 次，随后 10:02 起 p99 升到 1.2 s; nothing else changed — db-2 is fine."
    for clause in readers().claims.read(text).clauses:
        for item in (*clause.terms, *clause.values):
            assert clause.start <= item.start < item.end <= clause.end


@pytest.mark.parametrize("text", ["", " ", "。", "，，，", ";;;;", "因为", "and", "\x00", "and " * 500, "，" * 1000])
def test_odd_claims_have_no_fault(text: str) -> None:
    readers().claims.read(text)
