"""What an answer tells beside its claims is found sentence by sentence, and what the claims tell is not."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from evidencegate_server.contract.executor_v1 import ANSWER_VERSION, WITH_V1
from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.judge.unclaimed import MAX_ANSWER_CHARS, MAX_SENTENCES, UnclaimedReader
from evidencegate_server.words import FactVerification

from tests.use_cases.sessions import catalog

FAILED = ("symptom", "order-db: the database connection failed after 3 retries")
ZH = (("symptom", "数据库连接失败，重试了 3 次"), ("root_cause", "根因是连接池耗尽"))


def found(answer: str, *claims: tuple[str, str], query: str = "", **lists: Sequence[str]) -> list[str]:
    """Returns the sentences that tell what no claim does, each with the end of its reason."""
    written = [
        {"claim_id": f"c{at}", "claim_type": kind, "claim_text": text, "support_level": "none"}
        for at, (kind, text) in enumerate(claims)
    ]
    raw = {
        "answer_version": ANSWER_VERSION,
        "diagnosis_summary": "",
        "user_facing_answer": answer,
        "claims": written,
        "hypotheses": [],
        "recommended_actions": [],
        "missing_info": [],
        **lists,
    }
    used = catalog()
    output = parse_executor_output(json.dumps(raw), used.parsing, WITH_V1).output
    assert output is not None
    reader = UnclaimedReader(used.lexicon, used.composer.cause_marks.pattern(), used.composer.bounds.min_cover)
    facts = reader.unclaimed(answer, output, query)
    assert all(
        (fact.verification, fact.is_critical, fact.unclaimed) == (FactVerification.NO_EVIDENCE, False, True)
        for fact in facts
    )
    return [f"{fact.fact} <- {fact.detail.rpartition('of it: ')[2]}" for fact in facts]


@pytest.mark.req("EX-09")
@pytest.mark.parametrize(
    "answer",
    [
        "数据库连接失败，重试了 3 次。根因是连接池耗尽。",
        "根据日志分析，得出以下结论：\n1. 数据库连接失败，重试 3 次\n2. 根因是连接池耗尽",
        "The database connection failed after 3 retries.",
        "您好，以下是本次诊断的结果。如需进一步帮助请告诉我。",
        "根因尚未确定。",
        "  \n",
    ],
)
def test_an_answer_that_tells_its_claims_in_either_language_has_nothing_beside_them(answer: str) -> None:
    assert found(answer, *ZH) == []


@pytest.mark.req("EX-09")
@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("数据库连接失败，重试了 5 次。", "the number '5'."),
        ("数据库连接失败，涉及 pod-7。", "the identifier 'pod-7'."),
        ("数据库连接失败的根因是磁盘已满。", "the cause that it names."),
        ("The disk is full because of order logs.", "the cause that it names."),
        ("数据库已宕机。", "what it says of a state or an event."),
        ("没有发现数据库连接失败。", "what it says of a state or an event."),
        ("数据库连接失败，磁盘已满。", "what it says of a state or an event."),
        ("The database has recovered.", "what it says of a state or an event."),
    ],
)
def test_a_number_name_cause_or_state_that_no_claim_has_is_a_fact_of_its_own(sentence: str, why: str) -> None:
    assert found(f"数据库连接失败，重试了 3 次。{sentence}", *ZH) == [f"{sentence} <- {why}"]


@pytest.mark.req("EX-09")
def test_a_claim_of_one_thing_does_not_tell_of_another() -> None:
    other = ("symptom", "pay-db: the replication lag is high")
    answer = "pay-db: the database connection failed after 3 retries."
    assert found(answer, FAILED, other) == [f"{answer} <- what it says of a state or an event."]


@pytest.mark.req("EX-09", "EX-07")
def test_a_hypothesis_told_as_certain_is_no_claim_and_one_told_as_a_guess_is_none() -> None:
    assert found("根因是 db-9 磁盘已满。", *ZH, hypotheses=["db-9 磁盘已满"]) == [
        "根因是 db-9 磁盘已满。 <- the identifier 'db-9'."
    ]
    assert found("可能是由于 db-9 磁盘已满。", *ZH, hypotheses=["db-9 磁盘已满"]) == []
    assert found("可能是由于 db-8 磁盘已满。", *ZH, hypotheses=["db-9 磁盘已满"]) == [
        "可能是由于 db-8 磁盘已满。 <- the identifier 'db-8'."
    ]


@pytest.mark.req("EX-09")
def test_an_advice_may_name_what_an_action_names_and_a_question_what_was_asked() -> None:
    assert found("建议检查 db-9 的磁盘。", *ZH, recommended_actions=["检查 db-9 的磁盘"]) == []
    assert found("建议检查 db-9 的磁盘。", *ZH) == ["建议检查 db-9 的磁盘。 <- the identifier 'db-9'."]
    assert found("关于 order-svc：数据库连接失败。", *ZH, query="order-svc 怎么了？") == []


@pytest.mark.req("EX-09")
@pytest.mark.parametrize("answer", ["好" * (MAX_ANSWER_CHARS + 1), "好。" * (MAX_SENTENCES + 1)])
def test_what_is_beyond_the_bounds_counts_as_told_by_no_claim(answer: str) -> None:
    fact = found(answer, *ZH)[-1]
    assert fact.startswith("user_facing_answer")
    assert fact.endswith("and it has more.")
    assert found(answer[: MAX_ANSWER_CHARS // 200], *ZH) == []


@pytest.mark.req("EX-09")
def test_claims_too_long_to_compare_tell_nothing() -> None:
    long = ("symptom", "数据库连接失败，重试了 3 次" + "。" * 50_000)
    assert found("数据库连接失败。", long) == ["数据库连接失败。 <- what it says of a state or an event."]
