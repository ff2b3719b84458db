"""A claim is contradicted where what it tells of is shown and shown otherwise, and its true twin never is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evidencegate_server.words import Verification

from tests.judge.test_deterministic import labelled

CASES = Path(__file__).parent / "cases" / "contrary.jsonl"
NODES = "NAME      STATUS     VERSION\nedge-n1   Ready      v1.28.9\nedge-n2   NotReady   v1.27.3"
RUNS = "ts                   job     ms\n2024-04-02 09:14:11  merge   5120\n2024-04-02 09:20:48  merge   840"

# What the claim may say, what it may not, and the evidence of both.
TWINS = {
    "another_row_has_the_name": ("edge-n1 runs v1.28.9.", "edge-n1 runs v1.27.3.", NODES),
    "the_clock_of_another_zone": (
        "The snapshot of vol-7 started at 03:15 UTC.",
        "The snapshot of vol-7 started at 11:15 UTC.",
        "2024-08-19T11:15:42+08:00 snapshot of vol-7 started",
    ),
    "a_power_of_ten_away": (
        "j-77 导入了约 418 万行。",
        "j-77 导入了约 41.8 万行。",
        "import job j-77: rows_loaded=4183920 rows_rejected=0",
    ),
    "each_in_the_place_of_the_other": (
        "q-51 examined 2,480,113 rows and sent 40.",
        "q-51 examined 40 rows and sent 2,480,113.",
        "query q-51: rows_examined=2480113 rows_sent=40",
    ),
    "percent_of_points": (
        "CPU of api-west went up by 12 percentage points.",
        "CPU of api-west went up by a relative 12%.",
        "CPU of api-west went from 40% to 52% after the release",
    ),
    "a_maximum_beyond_the_bound": (
        "最近 1 小时 mail-out 的最大深度为 8800。",
        "最近 1 小时 mail-out 的深度一直低于 5000。",
        "队列 mail-out：最近 1 小时最大深度 8800",
    ),
}


@pytest.mark.parametrize(("true", "false", "evidence"), TWINS.values(), ids=list(TWINS))
def test_only_the_twin_that_is_shown_otherwise_is_contradicted(true: str, false: str, evidence: str) -> None:
    assert labelled(true, evidence).verification is not Verification.CONTRADICTED
    assert labelled(false, evidence).verification is Verification.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("gw-2 drops 90,412 packets a second.", "gw-2 counters: dropped_packets_total 90412"),
        ("eth3 每小时发送 82.6 GB。", "接口 eth3：累计发送 82.6 GB，累计错误 0"),
    ],
)
def test_a_total_told_as_a_rate_is_unsupported(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification is Verification.UNSUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("31 张工单里有 4 张已经关闭。", "工单汇总：共 31 张，未关闭 4 张"),
        ("b-12 里有 9 台已经升级。", "批次 b-12：共 60 台，未升级 9 台"),
    ],
)
def test_the_number_of_those_that_are_not_is_not_of_those_that_are(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence).verification not in (
        Verification.DIRECT_OBSERVATION,
        Verification.REASONABLE_INFERENCE,
    )


def test_most_of_the_contrary_cases_are_called_so_and_hardly_a_true_one() -> None:
    """What was measured when they were written: 26 of 36, and 2 of 40 true ones."""
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    called = [row for row in rows if labelled(row["claim"], *row["evidence"]).verification is Verification.CONTRADICTED]
    right = [row["id"] for row in called if row["expect"] == "contradicted"]
    wrong = [row["id"] for row in called if row["expect"] in ("direct_observation", "reasonable_inference")]
    assert len(right) >= 24
    assert len(wrong) <= 2
