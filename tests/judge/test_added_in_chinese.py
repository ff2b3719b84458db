"""What a Chinese claim adds to a fact that stands (when, how often, why, as still to come) has to be shown."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

LAYOUTS = {
    "line": "10:14:26 ERROR mail-api crashed: exit code 139",
    "table": "NAME      READY  STATUS   AGE\nmail-api  0/1    Crashed  4d\nbill-api  1/1    Running  4d",
    "json": '{"service":"mail-api","status":"crashed"}',
    "prose": "值班记录：mail-api 崩溃。",
}

FALSE = [
    "mail-api 将崩溃。",
    "mail-api 会崩溃。",
    "mail-api 需要崩溃。",
    "mail-api 试图崩溃。",
    "mail-api 仍未崩溃。",
    "mail-api 还未崩溃。",
    "mail-api 始终没有崩溃。",
    "mail-api 每天崩溃。",
    "mail-api 首次崩溃。",
    "mail-api 定期崩溃。",
    "mail-api 在高峰期崩溃。",
    "mail-api 在压测期间崩溃。",
    "压测期间 mail-api 崩溃。",
    "发布后 mail-api 崩溃。",
    "生产环境中 mail-api 崩溃。",
    "mail-api 被人为弄崩溃。",
    "mail-api 因人为操作崩溃。",
    "mail-api 十分钟后崩溃。",
    "mail-api 崩溃，触发了告警。",
    "mail-api 崩溃，问题依旧存在。",
    "mail-api 崩溃，是首次出现。",
    "mail-api 崩溃，创历史新高。",
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_fact_alone_is_accepted(layout: str) -> None:
    assert accepts("mail-api 崩溃。", LAYOUTS[layout])


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_told_besides_is_refused(layout: str) -> None:
    assert [claim for claim in FALSE if accepts(claim, LAYOUTS[layout])] == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("mail-api 尝试重启。", "mail-api: attempting restart"),
        ("mail-api 仍未就绪。", "NAME      READY  STATUS\nmail-api  0/1    Running"),
        ("发布后 mail-api 崩溃。", "After the deploy mail-api crashed."),
        ("mail-api 每天重启。", "值班记录：mail-api 每天重启。"),
        ("mail-api 在十分钟后恢复。", "10:14 mail-api crashed. It recovered after 10 minutes."),
    ],
)
def test_what_the_evidence_says_besides_is_accepted(claim: str, evidence: str) -> None:
    assert accepts(claim, evidence)
