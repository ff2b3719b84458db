"""What came first, during what, and what caused what has to hold of the times that lines, events and prose show."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

LAYOUTS = {
    "chinese_log": (
        "2025-03-02 10:01:00 INFO db-1 已切换为主库\n2025-03-02 10:05:00 ERROR seat-api 连接失败\n"
        "2025-03-02 10:09:00 INFO seat-api 重启完成"
    ),
    "english_log": (
        "2025-03-02T10:01:00Z db-1 promoted to primary\n2025-03-02T10:05:00Z seat-api connection failed\n"
        "2025-03-02T10:09:00Z seat-api restarted"
    ),
    "json": (
        '{"ts":"2025-03-02T10:01:00Z","svc":"db-1","msg":"promoted to primary"}\n'
        '{"ts":"2025-03-02T10:05:00Z","svc":"seat-api","msg":"connection failed"}\n'
        '{"ts":"2025-03-02T10:09:00Z","svc":"seat-api","msg":"restarted"}'
    ),
    "prose": "10:01 db-1 切换为主库，10:05 seat-api 连接失败，10:09 seat-api 重启。",
    "events": (
        "LAST SEEN   TYPE      REASON      OBJECT         MESSAGE\n"
        "9m          Normal    Promoted    pod/db-1       promoted to primary\n"
        "5m          Warning   Failed      pod/seat-api   connection failed\n"
        "1m          Normal    Restarted   pod/seat-api   restarted"
    ),
}
EVENTS = ("db-1 切换为主库", "seat-api 连接失败", "seat-api 重启")
BEFORE = (
    "{0}之后{1}。",
    "{0}后，{1}。",
    "{1}之前{0}。",
    "{1}前，{0}。",
    "{0}，随后{1}。",
    "先{0}，后{1}。",
    "{1}发生在{0}之后。",
    "{0}发生在{1}之前。",
    "{0}，然后{1}。",
    "{0}，4 分钟后{1}。",
    "在{0}之后，{1}。",
    "{0}，接着{1}。",
    "{0}，最终{1}。",
    "{0}，之后{1}。",
)
BOUND = ("{0}导致{1}。", "由于{0}，{1}。", "{0}，因此{1}。", "{0}时{1}。", "{0}期间{1}。")
PAIRS = [(first, last) for at, first in enumerate(EVENTS) for last in EVENTS[at + 1 :]]


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_order_turned_round_is_refused(layout: str) -> None:
    claims = [form.format(last, first) for first, last in PAIRS for form in BEFORE]
    assert [claim for claim in claims if accepts(claim, LAYOUTS[layout])] == []


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_was_at_another_time_is_no_cause_and_went_on_during_nothing(layout: str) -> None:
    pairs = [*PAIRS, *((last, first) for first, last in PAIRS)]
    claims = [form.format(*pair) for pair in pairs for form in BOUND]
    assert [claim for claim in claims if accepts(claim, LAYOUTS[layout])] == []


@pytest.mark.parametrize("layout", ["chinese_log", "english_log", "json", "prose"])
def test_the_order_as_shown_is_accepted(layout: str) -> None:
    forms = ("{0}，随后{1}。", "{0}之后{1}。", "{0}，之后{1}。")
    claims = [form.format(*EVENTS[:2]) for form in forms]
    assert [claim for claim in claims if not accepts(claim, LAYOUTS[layout])] == []


def test_a_wrapped_error_is_a_reason() -> None:
    evidence = (
        "Type     Reason   Age   From      Message\n"
        'Warning  Failed   11m   kubelet   Failed to pull image "cr.lan/maps/tile-server/edge-cache:3.1.0-rc2": rpc '
        'error: code = Unknown desc = Get "https://10.6.0.4:443/v2/": dial tcp 10.6.0.4:443: i/o timeout'
    )
    assert accepts(
        "The image cr.lan/maps/tile-server/edge-cache:3.1.0-rc2 could not be pulled because 10.6.0.4:443 timed out.",
        evidence,
    )
