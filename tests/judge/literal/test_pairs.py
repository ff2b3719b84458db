"""Simple true statements are confirmed; what a sign, a word or a neighbouring line changes never is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.literal.engine import LiteralEngine
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, VerifiedBinding
from evidencegate_server.words import InvocationStatus, Verification

from tests.judge.helpers import claim, statement_words, view_of
from tests.judge.literal.test_statements import CONTRADICTED, DIRECT, labelled

JSON_LINES = '{\n  "pod": "api-1",\n  "db_state": "down",\n  "restarts": 16\n}'
DESCRIBE = (
    "Name:             thumbnailer-7c5d8f6b9d-q4k2m\nStatus:           Pending\nContainers:\n  thumbnailer:\n"
    "    State:          Waiting\n      Reason:       ImagePullBackOff\n    Ready:          False\n"
    "    Restart Count:  16\n    Limits:\n      memory:  512Mi\n"
)
TWO_CONTAINERS = "Containers:\n  api:\n    Restart Count:  16\n  sidecar:\n    Restart Count:  0\n"

ACCEPTED = [
    # A message behind its time, level and component.
    ("Database connection failed after 3 retries.", "ERROR: Database connection failed after 3 retries"),
    ("database connection failed", "2025-07-11 13:23:24,098 ERROR Database connection failed."),
    ("database connection failed", "2025-07-11T13:23:24.098Z ERROR database connection failed"),
    ("database connection failed", "[2025-07-11 13:23:24] [error] database connection failed"),
    ("database connection failed", "[ERROR] database connection failed"),
    ("database connection failed", "WARN [main] com.example.Pool - database connection failed"),
    (
        "java.lang.OutOfMemoryError: Java heap space",
        "2026-03-14 06:07:45,900 [shard-18] ERROR com.example.Shard - java.lang.OutOfMemoryError: Java heap space",
    ),
    ("failed to sync pod web-0", "E0711 13:23:24.098765    1234 kubelet.go:2466] failed to sync pod web-0"),
    ("disk sda1 is full", "Jul 11 13:23:24 disk sda1 is full"),
    ("database connection failed", "\x1b[31mERROR:\x1b[0m database connection failed"),
    ("the pool is dry", "12:00:01 INFO started\n12:00:02 WARN the pool is dry\n12:00:03 INFO not retried"),
    (
        "connection refused",
        "12:00:01 ERROR connection refused\n\tat com.example.Pool.get(Pool.java:12)\n12:00:02 INFO x",
    ),
    ("The log shows that the connection pool is exhausted.", "[WARN] the connection pool is exhausted"),
    # Sentences.
    ("The soft limit is 512MB.", "Memory is fine. The soft limit is 512MB. The hard limit is 768MB."),
    ("More replicas than partitions stay idle.", "Scale the consumer up. More replicas than partitions stay idle."),
    ("Node worker-07 is not ready", "Node worker-07 is not ready"),
    ("memory usage of api > 90%", "memory usage of api > 90%"),
    ("request latency is 5 μs", "request latency is 5 µs"),
    ("request latency is 1.50 ms", "request latency is 1.5ms"),
    ("throughput is 1245678 bytes", "throughput is 1,245,678 bytes"),
    ("连接数是 ５０ 个", "连接数是 50 个"),
    ("The open ports are 80,443", "open ports are 80,443"),
    # Keys and values.
    ("The restart count is 16.", "Restart Count:  16"),
    ("Restart Count: 16", "Restart Count:  16"),
    ("restart count is 16", DESCRIBE),
    ("The reason is ImagePullBackOff.", DESCRIBE),
    ("The reason is ImagePullBackOff.", "State:          Waiting\n      Reason:       ImagePullBackOff"),
    ("enabled=false", "enabled=false"),
    ("enabled is false", "enabled=false"),
    ("Threads_connected is 798.", "| Threads_connected    | 798   |"),
    ("network_partitions_detected is true", '"network_partitions_detected": true'),
    ("db_state is down", '{"db_state": "down", "restarts": 16}'),
    ("restarts is 16", JSON_LINES),
    ("db_state: down", JSON_LINES),
    ("phase is Failed", '{\n "status": {\n  "phase": "Failed"\n }\n}'),
    # Chinese.
    ("日志显示：连接池已耗尽", "2025-01-01 10:00:00 ERROR 连接池已耗尽。"),
    ("连接池已耗尽", "连接池已耗尽"),
    ("当前连接数为 50000", "当前连接数：50000"),
    ("主库磁盘使用率达到 97%", "告警触发。主库磁盘使用率达到 97%。已通知值班人员。"),
    ("数据库未响应", "2025-01-01 10:00:00 [ERROR] 数据库未响应"),
]

REFUSED = [
    # Comparators and signs.
    ("memory usage of api 90%", "memory usage of api > 90%"),
    ("memory usage of api is 90%", "memory usage of api >= 90%"),
    ("latency of api is 5 ms", "latency of api < 5 ms"),
    ("latency of api is 5 ms", "latency of api ≤ 5 ms"),
    ("exit code 0", "exit code != 0"),
    ("worker exit_status 1", "worker exit_status ≠ 1"),
    ("latency of api 5 ms", "latency of api ~5 ms"),
    ("latency of api 5 ms", "latency of api ±5 ms"),
    ("latency of api 5 ms", "latency of api ≈ 5 ms"),
    ("ready replica found", "!ready replica found"),
    ("node state Ready NotReady", "node state Ready -> NotReady"),
    ("Free memory change +5 MB", "Free memory change -5 MB"),
    ("Free memory change 5 MB", "Free memory change −5 MB"),
    ("status ok degraded", "status ok != degraded"),
    ("disk full not", "disk full (not)"),
    ("replica 3 failed", "replica #3 failed"),
    ("flag enabled false", "flag enabled==false"),
    # Units and numbers.
    ("request latency 5 s", "request latency 5 µs"),
    ("request latency is 5 s", "request latency is 5 μs"),
    ("bandwidth is 100 Mb", "bandwidth is 100 MB"),
    ("transfer is 5 MB", "transfer is 5 MB/s"),
    ("connection count 10", "connection count 10²"),
    ("connection count 5", "connection count 5½"),
    ("cost per day 5", "cost per day $5"),
    ("nginx version 1.1", "nginx version 1.10"),
    ("open ports 80443", "open ports 80,443"),
    ("invocation id 394", "invocation id 0394"),
    ("当前连接数为 50,000", "当前连接数：50000"),
    ("等待时间为 5 秒", "等待时间为 5 毫秒"),
    # Other scripts and symbols.
    ("データベース接続が停止している", "データベース接続が停止していない"),
    ("the database crashed", "the database не crashed"),
    ("database replica ready", "database replica ready ❌"),
    ("the database crashed", "the database \u202ecrashed"),
    ("the database crashed", "the database \x1b[8mnever\x1b[0m crashed"),
    ("the database crashed", "the database crash\u0336ed"),
    # Sentences that are none alone.
    ("the data disk is full", "Possible causes, e.g. the data disk is full. Check first."),
    ("the data disk is full", "This is a runbook template, i.e. the data disk is full"),
    ("The data disk is full", "See the notes, e.g. The data disk is full"),
    ("Data disk is full", "Look at Fig. Data disk is full"),
    ("the data disk is full", "Possible causes: the data disk is full"),
    ("the data disk is full", "the data disk is full ?"),
    ("is the disk full", "is the disk full?\nyes no"),
    ("The data disk is full.", "This is an example. The data disk is full."),
    ("The data disk is full.", "Suppose this happens. The data disk is full. What next?"),
    ("the data disk is full", "If " + "a very long text without any punctuation " * 3 + "then\nthe data disk is full"),
    ("磁盘已满", "可能的情况如下。磁盘已满。"),
    ("磁盘已满", "如果磁盘已满"),
    ("磁盘已满", "并非磁盘已满"),
    ("连接池已耗尽", "连接池未耗尽"),
    # What a neighbouring line changes.
    ("the database crashed", "Checks that did NOT fire:\nthe database crashed\n"),
    ("the database crashed", "Checks that did NOT fire:\n\nthe database crashed\n"),
    ("the database crashed", "Checks that did NOT fire:\nDatabase:\nthe database crashed\n"),
    ("the database crashed", "## Examples\n\nthe database crashed\n"),
    ("the database crashed", "Examples\n\nthe database crashed\n"),
    ("the database crashed", "We have no indication whatsoever that\nthe database crashed\n"),
    ("the database crashed", "the database crashed\nis what the alert would say\n"),
    ("the database crashed", "12:00:01 INFO we looked whether\nthe database crashed\n12:00:02 INFO done"),
    ("the database crashed", "12:00:01 INFO refuted:\nthe database crashed"),
    ("the database crashed", "12:00:01 INFO the database crashed\n  in the drill of today"),
    ("the database crashed", "[dry-run] 12:00:01 ERROR the database crashed"),
    ("the database crashed", "12:00:01 [dry-run] the database crashed"),
    ("The database crashed.", "12:00:01 INFO Simulation started. The database crashed."),
    ("db_state down", '{\n "desired": {\n  "db_state": "down"\n }\n}'),
    ("db_state down", '{\n"desired": {\n"db_state": "down"\n}\n}'),
    ("db_state down", '{"desired": {"db_state": "down"}}'),
    ("db_state is down", '{"mode": "dry-run", "db_state": "down"}'),
    ("db_state is down", '{\n  "mode": "dry-run",\n  "db_state": "down"\n}'),
    ("replicas is 3", "spec:\n  replicas: 3\nstatus:\n  replicas: 1\n"),
    ("memory is 512Mi", DESCRIBE),
    ("reason is OOMKilled", "Last State:     Terminated\n  Reason:       OOMKilled"),
    ("restart count is 16", TWO_CONTAINERS),
    ("db_state is down", "db_state: down\nis what we expected"),
    ("db_state is down", "Expected state\ndb_state: down"),
    ("web 3 1", "NAME  DESIRED  CURRENT\nweb   3        1"),
    ("web 3 1", "| NAME | DESIRED | CURRENT |\n| web | 3 | 1 |"),
    ("web,3,1", "name,desired,actual\nweb,3,1"),
    ("数据库已停止", "未触发的检查：\n数据库已停止"),
    ("数据库已停止", "目前没有任何迹象表明\n数据库已停止"),
    ("db_state: down", "Expected:\n}\ndb_state: down"),
    ("db_state: down", "The following did not happen:\nmode: slow\nData:\ndb_state: down"),
    ("db_state: down", "<!--\ndb_state: down\n-->"),
    ("db_state is down", "[desired]\ndb_state=down"),
    ("db_state is down", "# db_state: down"),
    ("db_state is down", "~~db_state: down~~"),
    ("db_state is down", '"desired": {\n' + "{\n" * 200 + "}\n" * 200 + "db_state: down"),
    # What is quoted or in brackets.
    ("The database crashed.", 'The operator wrote "Hello. The database crashed. Bye."'),
    ("The database crashed.", "The drop-down holds two entries (All is well. The database crashed. Done)."),
    ("rack height is 5", 'rack height is 5"'),
    # What looks like the head of a record and is a part of the sentence.
    ("budget exceeded by 5%", "Error budget exceeded by 5%"),
    ("budget exceeded by 5%", "ERROR budget exceeded by 5%"),
    ("section entered", "Critical section entered"),
    ("crashes of db are rare", "Fatal crashes of db are rare"),
    # Another statement.
    ("Connect to database.", "failed to connect to database"),
    ("The pod is healthy.", "Unless restarted, the pod is healthy"),
    ("The pod is down.", "The pod was down"),
    ("Pod is down.", "Pod a is down"),
    ("db.prod.a is down", "db.prod.A is down"),
    ("restart count was 16 yesterday", "Restart Count: 16"),
]


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(("text", "evidence"), ACCEPTED)
def test_a_simple_true_statement_is_confirmed(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification is DIRECT


@pytest.mark.parametrize(("text", "evidence"), REFUSED)
def test_what_something_changes_is_not_confirmed(text: str, evidence: str) -> None:
    label = labelled(text, evidence)
    assert label.verification is not DIRECT
    assert label.detail


# These say another thing with the same number, or nothing that can be compared: no conflict.
NOT_IN_CONFLICT = [pair for pair in REFUSED if pair[0] not in ("Free memory change +5 MB", "Free memory change 5 MB")]


@pytest.mark.req("VD-04")
@pytest.mark.parametrize(("text", "evidence"), NOT_IN_CONFLICT)
def test_what_cannot_be_compared_is_no_conflict(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification is Verification.UNSUPPORTED


def _mutations(text: str) -> list[str]:
    """Returns claims that say another thing: other numbers, units and entities, a negation, a comparator."""
    changed = [re.sub(r"\d+", lambda number: str(int(number[0]) + 1), text, count=1)]
    changed.append(re.sub(r"\d", "", text, count=1))
    changed.append(re.sub(r"(\d)(?=\D*$)", r"\g<1>3", text))
    changed.append(re.sub(r"(?<=\d) ?([A-Za-zµμ%]+|个)", " kB", text))
    changed += [re.sub(r"(?<![\w,.])(?=\d)", sign, text, count=1) for sign in ("> ", "<", "~", "!= ", "-", "±", "≥")]
    changed += [re.sub(r"(?<=\d)(?![\d,.])", end, text, count=1) for end in ("²", "½", " s", "%", "+", "/s", "k", ",5")]
    changed += [
        re.sub(rf"(?<!\w){word}(?!\w)", f"{word} not", text, count=1) for word in ("is", "are", "failed", "stay")
    ]
    changed += [re.sub(word, "", text, count=1) for word in (" not", "未", "已")]
    changed += [re.sub(word, f"没有{word}", text, count=1) for word in ("已", "达到", "当前")]
    changed += [re.sub(r"[A-Za-z]{4,}(?!.*[A-Za-z]{4,})", "other", text, count=1)]
    changed += [
        f"{text.rstrip('.')} {tail}" for tail in ("everywhere", "again", "❌", "(not)", "не", "です", "?", "以及备库")
    ]
    changed += [f"{head} {text}" for head in ("not", "!", "all", "if", "并非", "никогда")]
    changed += [text.replace("is", "was", 1), text.replace("down", "up"), text.replace("true", "false")]
    return [claim for claim in changed if claim != text]


MUTATIONS = [(claim, evidence) for text, evidence in ACCEPTED for claim in _mutations(text)]


def test_there_are_many_mutations() -> None:
    assert len(MUTATIONS) > 800


def test_no_mutation_of_a_true_statement_is_confirmed() -> None:
    assert [pair for pair in MUTATIONS if labelled(*pair).verification is DIRECT] == []


def _spoiled(evidence: str) -> list[str]:
    """Returns evidence in which the same words say less: under a heading, run on, asked."""
    lines = [f"{'  '}{line}" for line in evidence.split("\n")]
    return [
        "\n".join(("Not observed in the last hour:", *lines)),
        "\n".join(("expected:", *lines)),
        f"# Examples\n{evidence}",
        "\n".join(('"desired": {', *lines, "}")),
        "\n".join(("以下检查未触发：", *lines)),
    ]


@pytest.mark.parametrize(("text", "evidence"), ACCEPTED)
def test_a_heading_takes_its_force_from_a_statement(text: str, evidence: str) -> None:
    assert [spoiled for spoiled in _spoiled(evidence) if labelled(text, spoiled).verification is DIRECT] == []


def test_a_plain_conflict_is_still_seen() -> None:
    assert labelled("restart count is 15", "Restart Count: 16").verification is CONTRADICTED
    assert labelled("latency of api is 7 ms", "latency of api is 5 ms").verification is CONTRADICTED
    assert labelled("Free memory change +5 MB", "Free memory change -5 MB").verification is CONTRADICTED
    assert labelled("cpu > 80%", "cpu > 90%").verification is Verification.UNSUPPORTED
    assert labelled("limit: memory is 5 MB", "Limits:\n  memory: 6 MB").verification is Verification.UNSUPPORTED


def test_what_is_asked_of_a_tool_is_no_observation() -> None:
    asked = "database connection refused"
    for ref, status in (
        (EvidenceRef("input", asked, implied=True), InvocationStatus.NO_HIT),
        (EvidenceRef("input", asked), InvocationStatus.NO_HIT),
    ):
        label = judged([(asked, Invocation("1", "query_logs", status, input=asked, refs=(ref,)))])[0]
        assert label.verification is Verification.UNSUPPORTED
        assert "asked" in label.detail


def test_what_was_cut_off_can_have_gone_on() -> None:
    whole = EvidenceRef("lines[0]", "the database crashed")
    for ref, expected in (
        (whole, DIRECT),
        (replace(whole, truncated=True), Verification.UNSUPPORTED),
        (replace(whole, text="the database crashed.", truncated=True), DIRECT),
    ):
        call = Invocation("1", "query_logs", InvocationStatus.SUCCESS, refs=(ref,))
        assert judged([("the database crashed", call)])[0].verification is expected


def judged(claims: Sequence[tuple[str, Invocation]], *more: Invocation) -> tuple[ClaimLabel, ...]:
    """Labels claims that quote the whole first ref of their calls."""
    cases = []
    for index, (text, call) in enumerate(claims):
        ref = call.refs[0]
        bound = VerifiedBinding(0, call, ref, (Span(0, len(ref.text)),))
        cases.append(ClaimCase(claim(text, index), (bound,), (), 0))
    calls = {call.id: call for _, call in claims} | {call.id: call for call in more}
    return LiteralEngine(statement_words()).judge(view_of(cases, tuple(calls.values()))).labels


def log(lines: int, call_id: str = "1") -> Invocation:
    """Returns a call with one log of similar lines."""
    text = "\n".join(f"2026-11-30T10:00:00Z ERROR checkout-{at} timed out after {at} ms" for at in range(lines))
    return Invocation(call_id, "query_logs", InvocationStatus.SUCCESS, refs=(EvidenceRef("lines", text),))


@pytest.mark.req("VO-08")
def test_each_claim_of_many_gets_a_label_and_those_not_compared_say_so() -> None:
    source = log(1_000)
    labels = judged([(f"checkout-{at} timed out after {at} ms", source) for at in range(850, 1_000)])
    assert [label.index for label in labels] == list(range(150))
    assert labels[0].verification is labels[99].verification is DIRECT
    assert {label.verification for label in labels} == {DIRECT, Verification.UNSUPPORTED}
    left = [label for label in labels if label.verification is Verification.UNSUPPORTED]
    assert {label.detail for label in left} == {
        "The claim was not compared with all of its quotations: the output and its evidence are larger than is read."
    }


def test_evidence_that_is_not_read_confirms_and_refutes_nothing() -> None:
    small, big = log(1), log(60_000, "2")
    labels = judged([("checkout-0 timed out after 0 ms", small), ("checkout-7 timed out after 7 ms", big)])
    assert [label.verification for label in labels] == [DIRECT, Verification.UNSUPPORTED]
    assert judged([("checkout-0 timed out after 5 ms", small)])[0].verification is CONTRADICTED
    assert judged([("checkout-0 timed out after 5 ms", small)], big)[0].verification is Verification.UNSUPPORTED


def test_claims_beyond_what_is_read_are_unsupported() -> None:
    source = log(1)
    long = "checkout-0 " + "x" * 1_900
    labels = judged([*[(long, source)] * 250, ("checkout-0 timed out after 0 ms", source)])
    assert labels[-1].verification is Verification.UNSUPPORTED
    assert "larger than is read" in labels[-1].detail
