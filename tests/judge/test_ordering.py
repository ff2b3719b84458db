"""Claims of which of two events came first, over logs, tables, JSON and lists of events, in both directions."""

from __future__ import annotations

import pytest
from evidencegate_server.judge.alignment.model import FactKind, Standing

from tests.judge.reading import HELD, facts
from tests.judge.rows import accepts

CRASHED, ELECTED, SCALED = "leader crashed", "node-3 elected", "cart-8 scaled to 3 replicas"
LAYOUTS = {
    "log": (
        f"2024-05-01T09:58:00Z INFO {SCALED}\n2024-05-01T10:00:05Z WARN {CRASHED}\n"
        f"2024-05-01T10:02:41Z INFO {ELECTED}\n"
    ),
    "log, the latest line first": (
        f"2024-05-01T10:02:41Z INFO {ELECTED}\n2024-05-01T10:00:05Z WARN {CRASHED}\n"
        f"2024-05-01T09:58:00Z INFO {SCALED}\n"
    ),
    "logfmt": (
        f'time="2024-05-01T09:58:00Z" level=info msg="{SCALED}"\n'
        f'time="2024-05-01T10:00:05Z" level=warn msg="{CRASHED}"\n'
        f'time="2024-05-01T10:02:41Z" level=info msg="{ELECTED}"\n'
    ),
    "lines of JSON": (
        f'{{"ts":"2024-05-01T10:00:05Z","level":"warn","msg":"{CRASHED}"}}\n'
        f'{{"ts":"2024-05-01T10:02:41Z","level":"info","msg":"{ELECTED}"}}\n'
    ),
    "table, the latest row first": (
        f"TIME                 LEVEL  MESSAGE\n2024-05-01 10:02:41  INFO   {ELECTED}\n"
        f"2024-05-01 10:00:05  WARN   {CRASHED}\n2024-05-01 09:58:00  INFO   {SCALED}\n"
    ),
    "markdown": f"| time | event |\n|---|---|\n| 10:02:41 | {ELECTED} |\n| 10:00:05 | {CRASHED} |\n",
    "JSON, the latest object first": (
        f'{{"events":[{{"time":"2024-05-01T10:02:41Z","message":"{ELECTED}"}},'
        f'{{"time":"2024-05-01T10:00:05Z","message":"{CRASHED}"}}]}}'
    ),
    "events by their ages": (
        "LAST SEEN   TYPE      REASON    OBJECT     MESSAGE\n"
        f"94s         Normal    Elected   pod/b      {ELECTED}\n4m10s       Warning   Crashed   pod/a      {CRASHED}\n"
    ),
    "described events": (
        "Events:\n  Type     Reason   Age    From      Message\n  ----     ------   ----   ----      -------\n"
        f"  Normal   Elected  94s    raft      {ELECTED}\n  Warning  Crashed  4m10s  raft      {CRASHED}\n"
    ),
}
ORDERS = [
    "{one}, then {two}.",
    "{one} before {two}.",
    "{two} later than {one}.",
    "{two} only after {one}.",
    "First {one}, then {two}.",
    "At first {one}; later {two}.",
]
CHINESE = ["{one}，随后{two}。", "{one}之后{two}。", "先{one}，后{two}。", "{one}早于{two}。", "先是{one}，再{two}。"]
LENGTHS = ["{two} 156 seconds after {one}.", "{two} less than 5 minutes after {one}.", "{one}; 156 s later {two}."]
CHINESE_LENGTHS = ["{one}后 156 秒，{two}。", "{one}后不到 5 分钟{two}。"]


@pytest.mark.parametrize("claim", ORDERS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_events_are_told_in_the_order_of_their_times(layout: str, claim: str) -> None:
    one, two = "the leader crashed", "node-3 was elected"
    assert accepts(claim.format(one=one, two=two), LAYOUTS[layout])
    assert not accepts(claim.format(one=two, two=one), LAYOUTS[layout])


@pytest.mark.parametrize("claim", CHINESE)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_events_are_told_in_the_order_of_their_times_in_chinese(layout: str, claim: str) -> None:
    one, two = "leader 崩溃", "node-3 当选"
    assert accepts(claim.format(one=one, two=two), LAYOUTS[layout])
    assert not accepts(claim.format(one=two, two=one), LAYOUTS[layout])


@pytest.mark.parametrize("claim", LENGTHS)
@pytest.mark.parametrize("layout", ["log", "log, the latest line first", "markdown", "JSON, the latest object first"])
def test_how_much_later_holds_one_way_only(layout: str, claim: str) -> None:
    assert not accepts(claim.format(one="node-3 was elected", two="the leader crashed"), LAYOUTS[layout])


@pytest.mark.parametrize("claim", CHINESE_LENGTHS)
@pytest.mark.parametrize("layout", ["log", "table, the latest row first"])
def test_how_much_later_holds_one_way_only_in_chinese(layout: str, claim: str) -> None:
    assert not accepts(claim.format(one="node-3 当选", two="leader 崩溃"), LAYOUTS[layout])


def order(claim: str, evidence: str) -> list[Standing]:
    """Returns how what a claim says of order stands."""
    return [fact.standing for fact in facts(claim, evidence) if fact.kind is FactKind.ORDER]


def test_rows_without_times_stand_in_no_order() -> None:
    rows = "NAME   STATE\ndb-a   failed\ndb-b   started\n"
    assert not set(order("db-a failed, then db-b started.", rows)) & {*HELD, Standing.IN_CONFLICT}
    assert not accepts("db-a failed, then db-b started.", rows)


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        ("NAME   STATUS   AGE\njob-a  Failed   43m\njob-b  Running  62m\n", "job-b was running before job-a failed."),
        (
            '[{"name":"job-b","creationTimestamp":"2024-05-01T10:00:00Z","status":"Running"},'
            '{"name":"job-a","creationTimestamp":"2024-05-01T10:05:00Z","status":"Failed"}]',
            "job-b was running before job-a failed.",
        ),
    ],
)
def test_how_old_a_thing_is_tells_nothing_of_what_happened_to_it(table: str, claim: str) -> None:
    assert not set(order(claim, table)) & {*HELD, Standing.IN_CONFLICT}


def test_what_happened_again_and_again_has_both_orders() -> None:
    log = (
        "2024-05-01T10:00:00Z web-1 started\n2024-05-01T10:01:00Z web-1 crashed\n"
        "2024-05-01T10:02:00Z web-1 started\n2024-05-01T10:03:00Z web-1 crashed\n"
    )
    assert Standing.IN_CONFLICT not in order("web-1 crashed, then web-1 started.", log)


def test_an_event_seen_over_a_while_came_neither_before_nor_after_what_lies_within() -> None:
    events = (
        "LAST SEEN          TYPE      REASON    MESSAGE\n"
        "1m (x9 over 20m)   Warning   BackOff   web-1 crashed\n5m                 Normal    Elected   node-3 elected\n"
    )
    assert not set(order("web-1 crashed, then node-3 was elected.", events)) & {*HELD, Standing.IN_CONFLICT}
    assert not set(order("node-3 was elected, then web-1 crashed.", events)) & {*HELD, Standing.IN_CONFLICT}


def test_a_clause_behind_a_word_of_order_may_tell_of_something_else() -> None:
    log = "2024-05-01T10:00:05Z WARN db-1 restarted\n2024-05-01T10:02:41Z INFO queue drained\n"
    assert accepts("db-1 was restarted, then the queue was drained.", log)
    assert not accepts("The queue was drained, then db-1 was restarted.", log)
