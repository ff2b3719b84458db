"""Claims over lines and rows: who depends on whom, which number goes by what, how long lies between two lines."""

from __future__ import annotations

import pytest
from evidencegate_server.judge.alignment.model import FactKind
from evidencegate_server.words import Verification

from tests.judge.reading import HELD, clauses, facts, standings
from tests.judge.test_deterministic import CONTRADICTED, SUPPORTED
from tests.judge.test_deterministic import labelled as label_of

CLUSTER = (
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1 10.0.0.1:7001@17001 myself,master - 0 1700000000000 1 connected 0-8191\n"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2 10.0.0.2:7002@17002 master - 0 1700000000000 2 connected 8192-16383\n"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa3 10.0.0.3:7003@17003 slave aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1"
    " 0 1700000000000 1 connected\n"
)
MEMBERS = (
    '{"members": [{"name": "db-a", "stateStr": "PRIMARY", "syncSourceHost": "", "optime": "2024-05-01T10:02:00Z"},'
    ' {"name": "db-b", "stateStr": "SECONDARY", "syncSourceHost": "db-a", "optime": "2024-05-01T10:01:15Z"}]}'
)
THREADS = (
    '"worker-1" #11 prio=5 tid=0x01 nid=0x2a waiting for monitor entry\n'
    "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
    "\tat shop.Cart.add(Cart.java:10)\n\t- waiting to lock <0x00000000aa55> (a shop.Cart)\n\n"
    '"worker-2" #12 prio=5 tid=0x02 nid=0x2b runnable\n'
    "   java.lang.Thread.State: RUNNABLE\n"
    "\tat shop.Cart.load(Cart.java:20)\n\t- locked <0x00000000aa55> (a shop.Cart)\n"
)
WAITS = (
    "waiting_pid | blocking_pid | wait_age\n------------+--------------+---------\n"
    " 5101 | 5207 | 00:01:02\n 5300 | 5101 | 00:00:12\n"
)
CHAIN = (
    "shop.CheckoutException: checkout failed\n\tat shop.Checkout.run(Checkout.java:9)\n"
    "Caused by: shop.StockException: no stock service\n\tat shop.Stock.ask(Stock.java:30)\n"
    "Caused by: java.net.ConnectException: Connection refused\n\tat java.net.Socket.connect(Socket.java:1)\n"
)
LOGIN = (
    "May  1 10:00:00 gate sshd[11]: Failed password for root from 192.0.2.7 port 4001 ssh2\n"
    "May  1 10:00:04 gate sshd[12]: Failed password for root from 192.0.2.7 port 4002 ssh2\n"
    "May  1 10:00:09 gate sshd[13]: Failed password for root from 192.0.2.8 port 4003 ssh2\n"
    "May  1 10:01:00 gate sshd[14]: Accepted publickey for ops from 192.0.2.9 port 4004 ssh2\n"
)
LAG = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n"
    "bill  inv   0         100            104            4\n"
    "bill  inv   1         200            5200           5000\n"
)
SLOW = "# Query_time: 20.100000  Lock_time: 19.900000 Rows_sent: 1  Rows_examined: 9\n"
FLAGS = "Replica_IO_Running: Yes\nReplica_SQL_Running: No\n"
RING = (
    "Status=Up/Down\n|/ State=Normal/Leaving/Joining/Moving\n"
    "--  Address   Load     Tokens\nUN  10.0.0.1  1.2 GiB  16\nDN  10.0.0.2  1.1 GiB  16\nUJ  10.0.0.3  0.2 GiB  16\n"
)


def labelled(claim: str, evidence: str) -> Verification:
    return label_of(claim, evidence).verification


@pytest.mark.parametrize(
    ("claim", "evidence", "standing"),
    [
        ("10.0.0.3 replicates from 10.0.0.1", CLUSTER, "derivable"),
        ("10.0.0.3 replicates from 10.0.0.2", CLUSTER, "in_conflict"),
        ("10.0.0.1 replicates from 10.0.0.3", CLUSTER, "in_conflict"),
        ("10.0.0.3 是 10.0.0.1 的从节点", CLUSTER, "derivable"),
        ("10.0.0.1 是 10.0.0.3 的从节点", CLUSTER, "in_conflict"),
        ("10.0.0.3 的主节点是 10.0.0.1", CLUSTER, "derivable"),
        ("10.0.0.3 的主节点是 10.0.0.2", CLUSTER, "in_conflict"),
        ("db-b syncs from db-a", MEMBERS, "derivable"),
        ("db-a syncs from db-b", MEMBERS, "in_conflict"),
        ("worker-1 在等待 worker-2 持有的锁", THREADS, "derivable"),
        ("worker-2 在等待 worker-1 持有的锁", THREADS, "in_conflict"),
        ("worker-2 holds the lock that worker-1 waits for", THREADS, "derivable"),
        ("worker-1 is blocked by worker-2", THREADS, "derivable"),
        ("worker-2 is blocked by worker-1", THREADS, "in_conflict"),
        ("process 5101 is blocked by process 5207", WAITS, "derivable"),
        ("process 5101 is blocked by process 5300", WAITS, "in_conflict"),
        ("CheckoutException wraps StockException", CHAIN, "derivable"),
        ("StockException wraps CheckoutException", CHAIN, "in_conflict"),
    ],
)
def test_a_format_tells_who_depends_on_whom(claim: str, evidence: str, standing: str) -> None:
    assert standing in standings(claim, FactKind.ORDER, evidence)


def test_a_clause_of_two_names_goes_on_with_the_bond_before() -> None:
    claim = "process 5101 is blocked by process 5207, and process 5300 by process 5101"
    assert standings(claim, FactKind.ORDER, WAITS) == ["derivable", "derivable"]


@pytest.mark.parametrize(
    ("cause", "standings_of"),
    [("ConnectException", ["derivable", "derivable"]), ("CheckoutException", ["derivable", "in_conflict"])],
)
def test_whose_goes_on_with_the_last_name(cause: str, standings_of: list[str]) -> None:
    claim = f"CheckoutException wraps StockException, whose own cause is a {cause}"
    assert standings(claim, FactKind.ORDER, CHAIN) == standings_of


def test_who_holds_a_lock_does_not_wait_for_it() -> None:
    assert labelled("The thread that holds the lock is in Cart.load", THREADS) in SUPPORTED
    assert labelled("The thread that waits for the lock is in Cart.load", THREADS) not in SUPPORTED


def test_a_relative_clause_tells_of_the_name_before_it() -> None:
    rows = CLUSTER.replace("10.0.0.1:7001@17001 myself,master", "10.0.0.1:7001@17001 myself,master,fail")
    assert labelled("10.0.0.3 replicates from 10.0.0.1, which is marked as fail", rows) in SUPPORTED
    assert labelled("10.0.0.1 is the master of 10.0.0.3, which is marked as fail", rows) not in SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence", "is_name"),
    [
        ("goroutine 7 is running", "goroutine 7 [running]:\nmain.work()\n", True),
        ("会话 31 已断开", "session 31 closed by peer\nsession 44 opened", True),
        ("5 号分区没有 leader", "Partition: 5 Leader: none\nPartition: 6 Leader: 1", True),
        ("it failed in line 88", "at shop.Cart.add(Cart.java:88)", True),
        ("44 threads run", "Threads_running: 44", False),
        ("the load is 44", "load 44", False),
    ],
)
def test_a_number_behind_its_noun_is_a_name(claim: str, evidence: str, *, is_name: bool) -> None:
    assert any(fact.why == "numbered there" for fact in facts(claim, evidence)) is is_name


def test_a_number_is_no_name_of_another_row() -> None:
    two = "TRANSACTION 9001, ACTIVE 3 sec\n\nTRANSACTION 9002, ACTIVE 40 sec\n"
    assert labelled("transaction 9001 was active for 40 seconds", two) not in SUPPORTED


def test_ports_in_a_list_have_a_clause_each() -> None:
    assert clauses("7001、7002 和 7003 都是主节点", lists=True) == ["7001", "7002", "7003"]


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("192.0.2.7 failed to log in twice, 192.0.2.8 once.", True),
        ("192.0.2.7 failed to log in once, 192.0.2.8 twice.", False),
        ("192.0.2.7 登录失败两次，4 秒后是最后一次", False),
        ("None of the login attempts from 192.0.2.7 succeeded.", True),
        ("None of the login attempts from 192.0.2.9 succeeded.", False),
        ("登录失败大多来自 192.0.2.7。", True),
        ("登录失败大多来自 192.0.2.8。", False),
    ],
)
def test_lines_are_counted_by_what_they_name(claim: str, *, supported: bool) -> None:
    assert (labelled(claim, LOGIN) in SUPPORTED) is supported


@pytest.mark.parametrize(
    ("claim", "evidence", "standing"),
    [
        ("Almost all of the lag of bill is on partition 1", LAG, "derivable"),
        ("Almost all of the lag of bill is on partition 0", LAG, "in_conflict"),
        ("The query took 20.1 s, nearly all of which went on a lock", SLOW, "derivable"),
        ("The query took 20.1 s, nearly all of which went on a lock", SLOW.replace("19.9", "0.9"), "in_conflict"),
    ],
)
def test_most_of_something_is_worked_out(claim: str, evidence: str, standing: str) -> None:
    assert standing in standings(claim, FactKind.SCOPE, evidence)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("从库的 SQL 线程已停止，IO 线程仍在运行", True),
        ("从库的 IO 线程已停止，SQL 线程仍在运行", False),
    ],
)
def test_fields_of_two_sides_are_told_apart(claim: str, *, supported: bool) -> None:
    assert (labelled(claim, FLAGS) in SUPPORTED) is supported


def test_a_legend_says_nothing_of_a_row() -> None:
    assert labelled("Node 10.0.0.2 is down, while 10.0.0.3 is still joining.", RING) in SUPPORTED
    assert labelled("Node 10.0.0.3 is down, while 10.0.0.2 is still joining.", RING) not in SUPPORTED


REQUESTS = (
    "2024-05-01 10:00:00,100 INFO [w-1] order 7f3a91 received\n"
    "2024-05-01 10:00:00,200 INFO [w-2] order 7f3a92 received\n"
    "2024-05-01 10:00:06,100 INFO [w-1] order 7f3a91 shipped\n"
    "2024-05-01 10:00:31,200 INFO [w-2] order 7f3a92 shipped\n"
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Order 7f3a91 was shipped 6 seconds after it came in.", True),
        ("Order 7f3a92 was shipped 6 seconds after it came in.", False),
        ("订单 7f3a92 在 31 秒后发货", True),
        ("订单 7f3a91 在 31 秒后发货", False),
    ],
)
def test_a_length_of_time_lies_between_the_lines_of_one_thing(claim: str, *, supported: bool) -> None:
    lengths = [fact for fact in facts(claim, REQUESTS) if fact.kind is FactKind.VALUE]
    assert [fact.standing in HELD for fact in lengths] == [supported]


def test_who_is_behind_is_told_by_the_moments_of_both() -> None:
    assert labelled("db-b 比 db-a 落后 45 秒", MEMBERS) in SUPPORTED
    assert labelled("db-a 比 db-b 落后 45 秒", MEMBERS) == CONTRADICTED


def test_the_month_of_a_line_is_no_guess() -> None:
    assert labelled("The login of root from 192.0.2.8 failed.", LOGIN) == Verification.DIRECT_OBSERVATION


def test_what_is_denied_for_one_is_not_denied_by_it() -> None:
    line = "10:00:01 ERROR upload failed: AccessDenied for role s3-writer\n"
    assert labelled("The upload was denied to the role s3-writer.", line) in SUPPORTED
    assert labelled("The upload was denied by the role s3-writer.", line) not in SUPPORTED


def test_three_times_are_no_3_ms() -> None:
    line = "10.0.0.1 GET /pay status=502 rt=0.003\n10.0.0.1 GET /cart status=200 rt=0.004\n"
    assert labelled("10.0.0.1 failed three times", line) not in SUPPORTED
