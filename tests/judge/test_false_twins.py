"""Each mutator makes false twins in both languages, and leaves out what may stay true."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from evidencegate_server.cli.pairs import Pair
from evidencegate_server.use_cases.label_pair import PairJudge, PairLabel
from evidencegate_server.use_cases.pair_session import PairText
from evidencegate_server.words import Verification

from tests.support import ROOT
from tools.false_twins import HEDGE, MUTATORS, OTHER_EVIDENCE, Judged, Twin, hedged_twins_of, main, report, twins_of
from tools.twin_mutators.model import MOST_TWINS, TrueClaim
from tools.twin_mutators.words import hedged

PODS = "NAME         READY  STATUS            RESTARTS  AGE\n"
TWO_PODS = (
    f"{PODS}cart-7f4c-a  0/1    CrashLoopBackOff  12        3h\ncart-7f4c-b  1/1    Running           0         9d"
)
SAME_PODS = (
    f"{PODS}cart-7f4c-a  1/1    Running           0         9d\ncart-7f4c-b  1/1    Running           0         9d"
)
LOG = "10:02:11 mail-gw queue filled up\n10:44:50 mail-gw queue drained"


def twins(kind: str, claim: str, *texts: str) -> list[str]:
    """Returns what one mutator makes of a claim."""
    return list(MUTATORS[kind](TrueClaim("x", claim, texts)))


# kind, claim, evidence, one of the twins
MADE = [
    ("other identifier", "cart-7f4c-a restarted 12 times.", TWO_PODS, "cart-7f4c-b restarted 12 times."),
    ("other identifier", "cart-7f4c-a 重启了 12 次。", TWO_PODS, "cart-7f4c-b 重启了 12 次。"),
    ("swapped roles", "db-main-1 waits for db-main-2.", "db-main-2 blocks db-main-1", "db-main-2 waits for db-main-1."),
    ("swapped roles", "db-main-1 正在等待 db-main-2。", "db-main-2 blocks db-main-1", "db-main-2 正在等待 db-main-1。"),
    (
        "swapped roles",
        "web-a-1 和 web-b-2 分别在节点 n7 和 n8 上。",
        "web-a-1 n7\nweb-b-2 n8",
        "web-b-2 和 web-a-1 分别在节点 n7 和 n8 上。",
    ),
    ("opposite state", "The backup of orders failed.", "orders: failed", "The backup of orders succeeded."),
    ("opposite state", "订单库备份失败。", "orders: failed", "订单库备份成功。"),
    ("opposite state", "The self-test says PASSED.", "PASSED", "The self-test says FAILED."),
    ("other comparator", "Latency was over 300 ms.", "412 ms", "Latency was under 300 ms."),
    ("other comparator", "At least 4 retries failed.", "6 retries", "less than 4 retries failed."),
    ("other comparator", "延迟超过 300 毫秒。", "412 ms", "延迟不到 300 毫秒。"),
    ("other comparator", "延迟不超过 500 毫秒。", "412 ms", "延迟超过 500 毫秒。"),
    ("other comparator", "磁盘占用在 90% 以上。", "93%", "磁盘占用在 90% 以下。"),
    ("other number", "The pool has 64 connections.", "max_size: 64\nwaiting: 17", "The pool has 17 connections."),
    ("other number", "连接池有 64 个连接。", "max_size: 64\nwaiting: 17", "连接池有 17 个连接。"),
    ("swapped numbers", "Replicas went from 3 to 8.", "3 -> 8", "Replicas went from 8 to 3."),
    ("swapped numbers", "副本数从 3 增加到 8。", "3 -> 8", "副本数从 8 增加到 3。"),
    ("changed digit", "The pool has 64 connections.", "64", "The pool has 74 connections."),
    ("changed digit", "Seven replicas are stale.", "stale: 7", "Four replicas are stale."),
    ("changed digit", "共有三个副本落后。", "stale: 3", "共有七个副本落后。"),
    ("changed digit", "共写入 1,245 行。", "1245", "共写入 2,245 行。"),
    ("ten times", "It took 1.5 s.", "1.5 s", "It took 15 s."),
    ("ten times", "共写入 1,245 行。", "1245", "共写入 12,450 行。"),
    ("other unit", "It took 80 ms.", "80ms", "It took 80 s."),
    ("other unit", "The heap holds 3 GiB.", "3Gi", "The heap holds 3 MiB."),
    ("other unit", "耗时 80 毫秒。", "80ms", "耗时 80 秒。"),
    ("shifted time", "The queue filled up at 10:02.", LOG, "The queue filled up at 10:19."),
    ("shifted time", "队列在 10:02 写满。", LOG, "队列在 13:02 写满。"),
    ("other time", "The queue filled up at 10:02.", LOG, "The queue filled up at 10:44."),
    ("other time", "mail-gw 的 queue 在 10:02 filled up。", LOG, "mail-gw 的 queue 在 10:44 filled up。"),
    ("stronger quantifier", "Two pods are stuck.", "a stuck\nb stuck\nc ok", "All pods are stuck."),
    ("stronger quantifier", "One of the nodes is down.", "a down\nb up", "All of the nodes is down."),
    ("stronger quantifier", "有两个节点失联。", "a down\nb down\nc up", "所有节点失联。"),
    ("stronger quantifier", "部分请求超时。", "timeout", "所有请求超时。"),
    ("dropped negation", "The probe is not passing.", "probe: failing", "The probe is passing."),
    ("dropped negation", "The job never started.", "job: none", "The job started."),
    ("dropped negation", "该任务尚未完成。", "running", "该任务完成。"),
    ("dropped negation", "近一小时没有报错。", "0 errors", "近一小时有报错。"),
    ("dropped negation", "proxy 从未重启。", "restarts: 0", "proxy 曾重启。"),
    ("dropped negation", "队列没有任何消费者。", "consumers: 0", "队列有消费者。"),
    ("other comparator", "错误至少有 40 条。", "errors: 44", "错误不到 40 条。"),
    ("inserted negation", "The disk was replaced.", "replaced", "The disk was not replaced."),
    ("inserted negation", "磁盘已恢复。", "recovered", "磁盘未恢复。"),
    ("other statistic", "The average wait was 9 ms.", "avg 9", "The maximum wait was 9 ms."),
    ("other statistic", "平均等待 9 毫秒。", "avg 9", "最大等待 9 毫秒。"),
    ("other statistic", "The memory limit is 512 MiB.", "limit 512Mi", "The memory usage is 512 MiB."),
]


@pytest.mark.parametrize(("kind", "claim", "evidence", "twin"), MADE, ids=[f"{one[0]}: {one[1]}" for one in MADE])
def test_a_mutator_makes_a_false_twin(kind: str, claim: str, evidence: str, twin: str) -> None:
    assert twin in twins(kind, claim, evidence)


# kind, why it may stay true, claim, evidence
LEFT_OUT = [
    ("other identifier", "the other pod is in the same state", "cart-7f4c-a is Running.", SAME_PODS),
    ("other identifier", "the claim names both", "cart-7f4c-a crashes, cart-7f4c-b does not.", TWO_PODS),
    ("other identifier", "a name short for the other", "cart-0 is 3.", "cart-0 3\ncart-0.shop.svc 4"),
    ("other identifier", "another shape", "cart-7f4c-a restarted 12 times.", "cart-7f4c-a 12\n10.2.3.4 0"),
    ("swapped roles", "a list", "db-main-1 and db-main-2 are down.", "db-main-1 db-main-2 down"),
    ("swapped roles", "a list", "db-main-1、db-main-2 离线。", "db-main-1 db-main-2 down"),
    ("swapped roles", "no direction", "The link between db-main-1 and then db-main-2 broke.", "db-main-1 db-main-2"),
    ("swapped roles", "no direction", "db-main-1 到 db-main-2 之间丢包。", "db-main-1 db-main-2"),
    ("swapped roles", "one thing with two names", "The host db-main-1 (srv-rack-2) is down.", "db-main-1 srv-rack-2"),
    ("swapped roles", "the same of both", "db-main-1 is down, db-main-2 is down.", "db-main-1 db-main-2"),
    ("opposite state", "of some", "One of the backups failed.", "a failed\nb succeeded"),
    ("opposite state", "of some", "Two backups failed.", "a failed\nb failed\nc succeeded"),
    ("opposite state", "of some", "有两个备份失败。", "a failed\nb failed\nc succeeded"),
    ("opposite state", "of more than so many", "失败请求超过 30 个。", "failed 41, ok 900"),
    ("opposite state", "in a denial", "No disk was marked as failed.", "failed: 0"),
    ("opposite state", "in a denial", "没有磁盘被标记为故障。", "failed: 0"),
    ("opposite state", "a part of another word", "The node is running out of memory.", "free: 0"),
    ("other comparator", "a bound of its own", "It took not more than 5 s.", "4 s"),
    ("other comparator", "no comparison", "It went over port 443.", "443"),
    ("other comparator", "no comparison", "节点内存不足。", "OOM"),
    ("other number", "the same amount in another unit", "It took 3 s.", "took=3\nmillis=3000"),
    ("other number", "the same amount rounded", "It took about 3 s.", "took=3\nexact=3.04"),
    ("other number", "another value of the attribute", "Latency was 80 ms.", "latency=80\nlatency=95"),
    ("other number", "another row's value", "The restarts are 12.", "cart  12  3h  x\nshop  14  3h  x"),
    ("other number", "a member of a list", "Ports 81, 82 are open.", "open 81\nopen 82\nseen 90"),
    ("other number", "at a bound", "It took over 10 s.", "took=10\nother=12"),
    ("other number", "unknown where it is from", "It took 9 s.", "took=8.97\nretries=4"),
    ("swapped numbers", "a list", "Ports 81 and 99 are open.", "81 99"),
    ("swapped numbers", "a list", "端口 81、99 开放。", "81 99"),
    ("swapped numbers", "rounding", "It rose from 100 to 101.", "100 101"),
    ("swapped numbers", "a bound", "At least 3 of 8 failed.", "5 of 8"),
    ("changed digit", "at a lower bound", "It took over 10 s.", "13.6 s"),
    ("changed digit", "at an upper bound", "耗时不到 60 秒。", "13.6 s"),
    ("changed digit", "the evidence has it too", "It took 4 s.", "took 4 s, then 5 s"),
    ("changed digit", "at least two", "At least two pods failed.", "4 failed"),
    ("ten times", "at a lower bound", "At least 3 pods failed.", "41 failed"),
    ("ten times", "zero", "There were 0 errors.", "errors: 0"),
    ("ten times", "the evidence has it too", "It has 3 pods.", "pods 3, max 30"),
    ("other unit", "zero", "It took 0 ms.", "0"),
    ("other unit", "a weaker bound", "It took at least 40 s.", "55 s"),
    ("other unit", "a weaker bound", "耗时不到 1 秒。", "0.4 s"),
    ("shifted time", "a start", "It has been down since 10:02.", "down 10:02"),
    ("shifted time", "a start", "自 10:02 起一直离线。", "down 10:02"),
    ("shifted time", "a span", "10:02 至 10:30 之间队列已满。", "full"),
    ("shifted time", "an upper end", "It failed before 10:02.", "failed 09:40"),
    (
        "other time",
        "the same event again",
        "The queue filled up at 10:02.",
        "10:02:11 queue filled up\n10:44:50 queue filled up",
    ),
    ("other time", "converted from another zone", "The queue filled up at 02:02.", LOG),
    ("stronger quantifier", "a count of all", "Two pods are ready.", "ready 2/2"),
    ("stronger quantifier", "the evidence says all", "Two pods are ready.", "all pods are ready"),
    ("stronger quantifier", "the evidence says all", "有两个节点失联。", "全部节点失联"),
    ("stronger quantifier", "the claim counts them all", "有两个节点失联，共两个。", "a down\nb down"),
    ("stronger quantifier", "the known ones", "The two pods are ready.", "a ready\nb ready"),
    ("dropped negation", "not only", "It is not only slow.", "slow and wrong"),
    ("dropped negation", "a denial of a denial", "并非没有报错。", "errors: 4"),
    ("inserted negation", "a denial already", "The disk was never replaced.", "no"),
    ("inserted negation", "nothing firm", "The disk was probably replaced.", "replaced"),
    ("inserted negation", "of some", "One of the disks was replaced.", "a replaced\nb kept"),
    ("inserted negation", "of some", "有一块磁盘被替换。", "a replaced\nb kept"),
    ("inserted negation", "unfinished before and before it finishes", "重建完成之前只有一块盘。", "rebuilding"),
    ("other statistic", "limit and request are equal", "The memory limit is 512 MiB.", "limit 512Mi request 512Mi"),
    ("other statistic", "nothing is told of it", "The average matters.", "avg 9"),
    ("foreign cause", "the evidence has them", "It failed.", "node-x9 kernel license cooling"),
]


@pytest.mark.parametrize(
    ("kind", "why", "claim", "evidence"), LEFT_OUT, ids=[f"{one[0]}, {one[1]}: {one[2]}" for one in LEFT_OUT]
)
def test_what_may_stay_true_is_left_out(kind: str, why: str, claim: str, evidence: str) -> None:
    assert twins(kind, claim, evidence) == [], why


def test_the_states_of_the_lexicon_count_beside_those_of_the_mutator() -> None:
    assert twins("opposite state", "The volume is unmounted.", "unmounted") == ["The volume is mounted."]
    assert twins("opposite state", "该卷已挂载。", "mounted") != []
    # No state in the lexicon either: a response can stand beside every request.
    assert twins("opposite state", "The request was long.", "9 s") == []


def test_the_stated_value_of_a_threshold_is_no_bound() -> None:
    assert twins("changed digit", "It is above its 80 % target.", "target 80") == ["It is above its 90 % target."]
    assert twins("changed digit", "已高于 80% 的阈值。", "threshold 80") == ["已高于 90% 的阈值。"]


@pytest.mark.parametrize("name", ["cart-7f4c-a", "10.2.3.4", "/var/lib/orders", "OrderRepository", "9f8e7d6c5b", "n7"])
def test_an_invented_identifier_stands_nowhere_and_has_the_same_form(name: str) -> None:
    made = twins("invented identifier", f"{name} is down.", f"{name} down")
    assert len(made) == 1
    new = made[0].removesuffix(" is down.")
    assert new != name
    assert [char for char in new if char in "-./"] == [char for char in name if char in "-./"]
    assert made == twins("invented identifier", f"{name} is down.", f"{name} down")


def test_an_invented_identifier_goes_to_every_place_of_the_name() -> None:
    (made,) = twins("invented identifier", "n7 已宕机，n7 上的服务离线。", "n7 down")
    assert "n7" not in made


def test_a_value_or_a_word_is_no_name() -> None:
    claim = "The p99 of 100Mi at 10:02 on 2024-05-01 was a self-inflicted 3rd 5xx."
    assert twins("invented identifier", claim, claim) == []


def test_a_foreign_cause_goes_before_the_full_stop() -> None:
    (english,) = twins("foreign cause", "The pod crashed.", "crashed")
    (chinese,) = twins("foreign cause", "Pod 崩溃了。", "crashed")
    assert english.startswith("The pod crashed")
    assert english.endswith(".")
    assert not english.startswith("The pod crashed.")
    assert chinese.startswith("Pod 崩溃了，")
    assert chinese.endswith("。")


def test_a_hedge_stands_in_front() -> None:
    assert list(hedged(TrueClaim("x", "The pod crashed.", ()))) == ["Probably the pod crashed."]
    assert list(hedged(TrueClaim("x", "OOMKilled was the reason.", ()))) == ["Probably OOMKilled was the reason."]
    assert list(hedged(TrueClaim("x", "容器崩溃了。", ()))) == ["可能容器崩溃了。"]
    assert list(hedged(TrueClaim("x", "cart-7 崩溃了。", ()))) == ["可能 cart-7 崩溃了。"]
    assert list(hedged(TrueClaim("x", "The pod may have crashed.", ()))) == []
    assert list(hedged(TrueClaim("x", "容器可能崩溃了。", ()))) == []


def pair(name: str, claim: str, *texts: str, expect: str = "direct_observation", also: Sequence[str] = ()) -> Pair:
    """Returns a row as it is read from a file."""
    right = frozenset(map(Verification, (expect, *also)))
    supported = expect in ("direct_observation", "reasonable_inference")
    evidence = tuple(PairText(text) for text in texts)
    return Pair(name, claim, "symptom", evidence, supported, right, "", (expect, *also), "en", "", "f")


def test_a_claim_stands_beside_the_evidence_of_another_case() -> None:
    one = pair("1", "cart-7 restarted 12 times.", "cart-7 12")
    same = pair("2", "cart-7 was restarted.", "cart-7 12")
    states_it = pair("3", "x", "cart-7 and 12 more")
    other = pair("4", "y", "mail-3 queue 88")
    made = [twin for twin in twins_of(one, [one, same, states_it, other]) if twin.kind == OTHER_EVIDENCE]
    assert [(twin.claim, twin.evidence) for twin in made] == [(one.claim, other.evidence)]


def test_only_false_rows_get_the_hedge() -> None:
    assert [twin.claim for twin in hedged_twins_of(pair("1", "The pod crashed.", "pod ok", expect="contradicted"))] == [
        "Probably the pod crashed."
    ]
    for row in (
        pair("2", "The pod crashed.", "pod ok", expect="unsupported"),
        pair("3", "The pod crashed.", "pod ok", expect="external_unknown", also=["reasonable_inference"]),
        pair("4", "The pod crashed.", "pod crashed"),
    ):
        assert list(hedged_twins_of(row)) == []


def test_no_mutator_returns_its_claim_or_too_many_or_other_twins_the_second_time() -> None:
    for kind, claim, evidence, _ in MADE:
        for mutate in MUTATORS.values():
            made = list(mutate(TrueClaim("x", claim, (evidence,))))
            assert claim not in made, kind
            assert len(made) == len(set(made)) <= MOST_TWINS
            assert made == list(mutate(TrueClaim("x", claim, (evidence,))))


@pytest.mark.parametrize("claim", ["", " ", ".", "。", "\x00", "a" * 5000, "1" * 5000, "not " * 1000, "没有" * 1000])
def test_odd_claims_end_no_run(claim: str) -> None:
    for mutate in MUTATORS.values():
        list(mutate(TrueClaim("x", claim, (claim, ""))))


def test_the_headline_counts_the_twins_of_accepted_claims_alone() -> None:
    row = pair("1", "c", "e")

    def judged(kind: str, *, accepted: bool, origin: bool) -> Judged:
        return Judged(Twin(kind, row, "t", row.evidence), accepted, origin)

    figures = report(
        [
            judged("ten times", accepted=True, origin=True),
            judged("other unit", accepted=False, origin=True),
            judged("other unit", accepted=False, origin=True),
            judged("other unit", accepted=True, origin=False),
            judged(HEDGE, accepted=True, origin=False),
            judged(HEDGE, accepted=True, origin=True),
            judged(HEDGE, accepted=False, origin=False),
        ]
    )
    assert figures["headline"] == {
        "made": 3,
        "accepted": 1,
        "rate": 0.3333,
        "all_made": 4,
        "all_accepted": 2,
        "all_rate": 0.5,
    }
    assert figures["mean_of_kinds"] == 0.5
    assert figures["kinds"]["other unit"]["made"] == 2
    assert figures["kinds"]["shifted time"]["rate"] is None
    assert figures["hedge"] == {"made": 3, "accepted": 2, "rate": 0.6667, "leaked": 1}


def test_the_command_prints_and_writes_the_twins_of_the_examples(tmp_path: Path) -> None:
    examples = str(ROOT / "examples" / "pairs.jsonl")
    written = tmp_path / "twins.jsonl"
    ran = CliRunner().invoke(main, [examples, "--json", "--show", "--write", str(written)])
    assert ran.exit_code == 0, ran.output
    figures = json.loads(ran.output)
    assert figures["headline"]["made"] > 0
    rows = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == figures["headline"]["all_made"] + figures["hedge"]["made"]
    assert {row["label"] for row in rows} == {"unsupported"}
    people = CliRunner().invoke(main, [examples, "--show"]).output
    assert all(kind in people for kind in MUTATORS)


def test_a_judge_that_accepts_everything_fails_every_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    accepted = PairLabel(Verification.DIRECT_OBSERVATION, "")
    monkeypatch.setattr(PairJudge, "label", lambda *_: accepted)
    ran = CliRunner().invoke(main, [str(ROOT / "examples" / "pairs.jsonl"), "--json"])
    figures = json.loads(ran.output)
    assert figures["headline"]["rate"] == figures["headline"]["all_rate"] == figures["mean_of_kinds"] == 1.0
    assert figures["headline"]["made"] == figures["headline"]["all_made"]
    assert (figures["hedge"]["rate"], figures["hedge"]["leaked"]) == (1.0, 0)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, [str(tmp_path / "none.jsonl")])
    assert (ran.exit_code, "cannot be read" in ran.output) == (1, True)
