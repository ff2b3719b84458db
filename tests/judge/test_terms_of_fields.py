"""Terms of single fields that have one meaning in both languages."""

from __future__ import annotations

import pytest

from tests.judge.reading import terms
from tests.judge.rows import accepts

PAIRS = [
    ("netmask", "子网掩码"),
    ("syscall", "系统调用"),
    ("savepoint", "保存点"),
    ("nexthop", "下一跳"),
    ("cipher suite", "加密套件"),
    ("coverage", "覆盖率"),
    ("histogram", "直方图"),
    ("finalizer", "终结器"),
    ("grace period", "宽限期"),
    ("deferred", "暂缓"),
    ("attacker", "攻击者"),
    ("pull request", "合并请求"),
]


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_a_term_means_the_same_in_both_languages(english: str, chinese: str) -> None:
    assert terms(f"the {english} is here")[english] == terms(f"这个{chinese}")[chinese]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("web-1 被拒收。", "web-1 bounced"),
        ("web-1 was moved.", "web-1 copied"),
        ("web-1 的次缺页为 12。", "web-1 major faults: 12"),
        ("web-1 处于强制模式。", "web-1 permissive"),
        ("web-1 的生命周期为 30s。", "web-1 grace period 30s"),
        ("web-1 延迟掉到 90ms。", "web-1 latency increased to 90ms"),
    ],
)
def test_what_only_lies_close_is_not_taken_for_it(claim: str, evidence: str) -> None:
    assert not accepts(claim, evidence)


@pytest.mark.parametrize("up", ["soared to", "surged to", "spiked to"])
@pytest.mark.parametrize("down", ["slid to", "plummeted to", "fell back to"])
def test_a_change_is_told_one_way_in_any_word(up: str, down: str) -> None:
    risen, fallen = (f"2024-05-01T10:00:00Z INFO web-1 latency {word} to 90ms" for word in ("increased", "decreased"))
    assert accepts(f"The web-1 latency {up} 90ms.", risen)
    assert accepts(f"The web-1 latency {down} 90ms.", fallen)
    assert not accepts(f"The web-1 latency {down} 90ms.", risen)
    assert not accepts(f"The web-1 latency {up} 90ms.", fallen)
