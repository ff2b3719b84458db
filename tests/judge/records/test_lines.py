"""Log lines, traces and rows of access logs."""

from __future__ import annotations

import pytest
from evidencegate_server.judge.records.messages import apart
from evidencegate_server.judge.records.model import CellKind, RecordKind

from tests.judge.records.support import all_fields, fields, near, read

HEADS = {
    "syslog": (
        "Feb 22 16:47:52 web-2 sshd[2797]: Failed password for root",
        {"time": "Feb 22 16:47:52", "host": "web-2", "component": "sshd", "pid": "2797"},
        "Failed password for root",
    ),
    "iso": (
        "2025-03-04T10:11:12.345Z ERROR failed to open file",
        {"time": "2025-03-04T10:11:12.345Z", "level": "ERROR"},
        "failed to open file",
    ),
    "logback": (
        "2025-12-17 11:20:25.263 [job-0] INFO  JobContainer - finished",
        {"time": "2025-12-17 11:20:25.263", "level": "INFO", "component": "JobContainer"},
        "finished",
    ),
    "spring": (
        "2025-03-04 10:11:12.345 ERROR 1 --- [nio-8080-exec-3] c.e.PayController : payment failed",
        {"level": "ERROR", "component": "c.e.PayController"},
        "payment failed",
    ),
    "kafka": (
        "[2025-10-17 12:58:47,492] INFO [KafkaServer id=10] shutting down (kafka.server.KafkaServer)",
        {"time": "2025-10-17 12:58:47,492", "level": "INFO", "component": "KafkaServer id=10"},
        "shutting down (kafka.server.KafkaServer)",
    ),
    "mongodb": (
        "2025-03-13T17:10:07.792+0000 I REPL     [conn962] transition to SECONDARY from PRIMARY",
        {"time": "2025-03-13T17:10:07.792+0000", "level": "I", "component": "conn962"},
        "transition to SECONDARY from PRIMARY",
    ),
    "postgres": (
        "2025-02-17 16:27:06.567 UTC [2129] app@shop LOG:  process still waiting",
        {"time": "2025-02-17 16:27:06.567 UTC", "pid": "2129", "component": "app@shop", "level": "LOG"},
        "process still waiting",
    ),
    "mysql": (
        "2025-12-09T22:21:02.443689Z 0 [Note] InnoDB: page_cleaner: slow",
        {"time": "2025-12-09T22:21:02.443689Z", "level": "Note"},
        "InnoDB: page_cleaner: slow",
    ),
    "klog": (
        'E0304 10:11:12.123456    1234 kubelet.go:2345] "Node not ready" node="worker-2"',
        {"level": "E", "time": "0304 10:11:12.123456", "component": "kubelet.go:2345", "node": "worker-2"},
        '"Node not ready" node="worker-2"',
    ),
    "kernel": (
        "[ 1431.920513][ T1054] INFO: task blocked",
        {"time": "1431.920513", "component": "T1054"},
        "INFO: task blocked",
    ),
    "jvm": (
        "[12.345s][info][gc] GC(42) Pause Full",
        {"time": "12.345s", "level": "info", "component": "gc"},
        "GC(42) Pause Full",
    ),
    "double colons": (
        "MainThread::ERROR::2025-12-05 07:04:56,300::vdsm::74::vds::(run) cannot start",
        {"level": "ERROR", "time": "2025-12-05 07:04:56,300", "component": "run"},
        "cannot start",
    ),
    "colours": ("\x1b[31m2025-03-04 10:11:12 ERROR\x1b[0m disk full", {"level": "ERROR"}, "disk full"),
    "a clock and prose": ("10:08:20 pay process uptime", {"time": "10:08:20"}, "pay process uptime"),
    "a level alone": ("[ERROR] cannot connect", {"level": "ERROR"}, "cannot connect"),
}


@pytest.mark.parametrize(("text", "expected", "message"), HEADS.values(), ids=HEADS.keys())
def test_head_and_message(text: str, expected: dict[str, str], message: str) -> None:
    """What stands before the message comes out as fields, the rest as text."""
    line = read(text).records[0]
    assert line.kind == RecordKind.LINE
    assert expected == {key: value for key, value in fields(line).items() if key in expected}
    assert [message] == [cell.text.strip() for cell in line.cells if cell.kind is CellKind.TEXT]


def test_lines_of_one_log_are_siblings_and_hold_what_follows() -> None:
    """A line without a head belongs to the one above; a block under it is its child."""
    text = (
        "2025-03-04 10:11:12 ERROR first\n  goes on here\n2025-03-04 10:11:13 INFO report -\n"
        "total : 5\nfailed : 0\n2025-03-04 10:11:14 INFO last\n"
    )
    first, second, block, third = read(text).records

    assert first.group == second.group == third.group >= 0
    assert any("goes on here" in cell.text for cell in first.cells)
    assert (second.index, {"total": "5", "failed": "0"}) == (block.parent, fields(block))


def test_exceptions_and_their_causes() -> None:
    """Each exception is a record with its frames, under the one that wraps it."""
    text = (
        "2025-03-04 10:11:12 ERROR call failed\n"
        "shop.PayException: cannot pay\n\tat shop.Pay.run(Pay.java:42)\n"
        "Caused by: java.net.SocketTimeoutException: Read timed out\n"
        "\tat java.net.Socket.read(Socket.java:1)\n\t... 20 more\n"
    )
    line, outer, inner = read(text).records
    assert [(line.index, ""), (outer.index, "Caused by")] == [(outer.parent, outer.label), (inner.parent, inner.label)]
    assert fields(inner) == {
        "exception": "java.net.SocketTimeoutException",
        "at": "java.net.Socket.read(Socket.java:1)",
    }
    assert "Read timed out" in [cell.text for cell in inner.cells]


def test_thread_dump() -> None:
    """Each thread is a record with name, state, frames and locks."""
    text = (
        '"worker-1" #12 prio=5 tid=0x01 nid=0x4a waiting on condition [0x02]\n'
        "   java.lang.Thread.State: WAITING (parking)\n"
        "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x03> (a Lock)\n\n"
        '"worker-2" #13 prio=5 tid=0x04 nid=0x4b runnable [0x05]\n   java.lang.Thread.State: RUNNABLE\n'
    )
    first, second = read(text).records
    assert (
        first.label,
        fields(first)["state"],
        fields(first)["status"],
    ) == ("worker-1", "WAITING (parking)", "waiting on condition")
    assert "<0x03> (a Lock)" in [cell.text for cell in first.cells if cell.key == "parking to wait for"]
    assert (second.label, fields(second)["state"]) == ("worker-2", "RUNNABLE")


def test_panic_and_traceback() -> None:
    """Go names the goroutine under the panic, Python the exception below its frames."""
    panic, goroutine = read("panic: boom\n\ngoroutine 5 [running]:\nmain.main()\n\tmain.go:3 +0x1\n").records
    assert (panic.index, "running") == (goroutine.parent, fields(goroutine)["state"])

    trace = read(
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: no such key\n'
    ).records[0]
    assert fields(trace)["exception"] == "ValueError"
    assert "no such key" in [cell.text for cell in trace.cells]


def test_access_logs() -> None:
    """Formats without any key get the names of their columns."""
    nginx = all_fields('203.0.113.9 - bob [04/Mar/2025:10:11:12 +0000] "GET /pay HTTP/1.1" 502 157 "-" "curl/8.0"')[0]
    assert {"client": "203.0.113.9", "user": "bob", "status": "502", "body bytes": "157"}.items() <= nginx.items()

    haproxy = all_fields(
        "Feb 25 16:19:49 lb haproxy[7]: 10.0.0.9:53332 [25/Feb/2025:16:19:48.143] web~ shop/app-1 0/0/7/1457/1487 200 "
        '11394 - - ---- 2/1/0/0/0 0/0 "GET /pay HTTP/1.1"'
    )[0]
    assert {"Tc_ms": "7", "Tr_ms": "1457", "Ta_ms": "1487", "status": "200", "host": "lb"}.items() <= haproxy.items()

    redis = all_fields(
        "9bd595fe4821a0e8d6b99d70faa660638a7612b3 10.0.0.7:7008 master - 0 1447836264065 3 connected 0-5460"
    )[0]
    assert {"flags": "master", "link-state": "connected", "slots": "0-5460"}.items() <= redis.items()


def test_samples_of_the_exposition_format() -> None:
    """Labels and value of a metric are one row."""
    text = 'http_requests_total{method="post",code="500"} 37\nprocess_open_fds 12\n'
    assert all_fields(text) == [
        {"method": "post", "code": "500", "http_requests_total": "37"},
        {"process_open_fds": "12"},
    ]


def test_pairs_in_a_message() -> None:
    """A pair inside prose is a field, with the unit behind its number; it is not told twice."""
    line = read("2025-03-04 10:11:12 WARN pool empty (max=50, active=50) time=35.2 ms after 3 tries").records[0]
    assert {"max": "50", "active": "50", "time": "35.2 ms"}.items() <= fields(line).items()
    assert [cell.text for cell in line.cells if cell.kind is CellKind.IN_TEXT] == ["3"]


def test_words_beside_a_value() -> None:
    """Both sides within the clause; another value's words are not taken."""
    assert {"7%": "checkout error rate", "6": "checkout error rate minutes"}.items() <= {
        value: key.replace(" for", "") for value, key in near("checkout error rate 7% for 6 minutes").items()
    }.items()
    assert near("eu-1 p99 0.6 s -> 2.1 s")["2.1 s"] == "eu-1 p99"
    assert {"5": "packets sent", "40%": "packet loss"}.items() <= near(
        "5 packets sent, 3 back, 40% packet loss"
    ).items()
    assert near("pay 最近 5 分错误日志 0 条")["0"].removeprefix("分") == "错误日志 条"


def test_sentences() -> None:
    """English and Chinese; points in numbers, names and abbreviations end nothing."""
    english = read("Version 1.2.3 of e.g. nginx.conf failed at 3.5 s. It was rolled back; users saw errors.").records
    assert [record.cells[0].text for record in english] == [
        "Version 1.2.3 of e.g. nginx.conf failed at 3.5 s.",
        "It was rolled back;",
        "users saw errors.",
    ]
    chinese = read("连接池耗尽。原因是慢查询；已回滚").records
    assert [record.cells[0].text for record in chinese] == ["连接池耗尽。", "原因是慢查询；", "已回滚"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "process 2129 still waiting for ShareLock on transaction 700 after 1000.119 ms",
            {"2129": "waiting_pid", "1000.119 ms": "lock_wait_duration"},
        ),
        (
            "Container worker was using 41287904, request is 0, has larger consumption of ephemeral-storage.",
            {"41287904": "usage", "0": "request"},
        ),
        (
            '10:14:26 web: "GET /cart HTTP/1.1" 503 1435',
            {"503": "status_code", "1435": "response_bytes"},
        ),
        ("4 packets transmitted, 3 received, 25% packet loss, time 3004ms", {"3": "packets_received"}),
    ],
)
def test_a_known_message_names_its_values_beside_the_words_around_them(line: str, expected: dict[str, str]) -> None:
    found = near(line)
    assert {value: key.split()[0] for value, key in found.items() if value in expected} == expected


def test_a_pair_in_a_known_message_has_the_name_that_the_message_gives_it() -> None:
    (found,) = all_fields(
        'pods "etl-1" is forbidden: exceeded quota: team, requested: limits.memory=8Gi, '
        "used: limits.memory=60Gi, limited: limits.memory=64Gi"
    )
    assert found == {"requested_memory_limit": "8Gi", "used_memory_limit": "60Gi", "memory_quota": "64Gi"}


def test_a_value_that_two_messages_claim_has_the_name_of_the_first() -> None:
    assert apart([(4, 9, "b"), (0, 5, "a"), (4, 9, "c"), (9, 12, "d")]) == [(0, 5, "a"), (9, 12, "d")]
    assert apart([(4, 9, "b"), (4, 9, "c")]) == [(4, 9, "b")]
