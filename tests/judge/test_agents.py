"""Claims that name by whom something was done, and passives that name nobody."""

from __future__ import annotations

import pytest

from tests.judge.reading import facts
from tests.judge.rows import accepts

_UNSAID = "by whom is not said"


@pytest.mark.parametrize("claim", ["job-7 被标成失败。", "job-7 被退回了。", "job-7 was followed by a restart."])
def test_a_passive_without_an_agent_names_nobody(claim: str) -> None:
    assert _UNSAID not in [fact.why for fact in facts(claim, "job-7 failed\n")]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("job-7 was killed by operators.", "job-7 was killed\n"),
        ("db-1 被攻击者停止了。", "db-1 stopped\n"),
        ("web-1 被监控系统重启。", "web-1 restarted\n"),
        ("web-1 被运维下线了。", "web-1 offline\n"),
        ("web-1 被运维成功重启。", "web-1 restarted\n"),
    ],
)
def test_who_is_said_to_have_done_it_needs_a_witness(claim: str, evidence: str) -> None:
    assert not accepts(claim, evidence)


def test_what_was_marked_as_failed_failed() -> None:
    assert accepts("job-7 被标成失败。", "job-7 failed\n")
