"""Which way a figure went is told by the figures: around an arrow, behind their times, or in the rows of a series."""

from __future__ import annotations

import pytest
from evidencegate_server.words import Verification

from tests.judge.rows import SUPPORTED, PairText, Row, accepts, label_of

SAMPLES = (
    '{{"metric":{{"__name__":"memory_usage_bytes","pod":"web-1"}},'
    '"values":[[1700000000,"{}"],[1700000060,"{}"],[1700000120,"{}"]]}}'
)
BOTH = f"[{SAMPLES.format(100, 140, 190)},{SAMPLES.format(190, 140, 100).replace('web-1', 'web-2')}]"
LINES = "10:00 queue orders depth={}\n10:01 queue orders depth={}\n10:02 queue orders depth={}"

TOLD = [
    # evidence, borne out, contradicted
    ("eu-1 p99 0.6 s -> 2.1 s", "The p99 of eu-1 rose sharply.", "The p99 of eu-1 fell sharply."),
    ("堆使用率 10:00 为 61%，10:05 为 64%", "堆使用率上升。", "堆使用率下降。"),
    ("堆使用率 10:00 为 64%，10:05 为 61%", "堆使用率下降。", "堆使用率上升。"),
    ("10:00 变更：连接池 50 -> 100", "变更后连接池变大。", "变更后连接池变小。"),
    ("heap usage at 10:00+08:00 was 61%, at 03:00Z was 64%", "The heap usage rose.", "The heap usage fell."),
    (SAMPLES.format(100, 140, 190), "Memory usage of web-1 rose.", "Memory usage of web-1 fell."),
    (BOTH, "Memory usage of web-2 fell.", "Memory usage of web-2 rose."),
    (BOTH, "Memory usage of web-1 rose.", "Memory usage of web-1 fell."),
    ("web memory limit 1Gi -> 2Gi", "The memory limit of web increased.", "The memory limit of web decreased."),
    (LINES.format(5, 6, 9), "The depth of orders was rising.", "The depth of orders was falling."),
    (LINES.format(9, 6, 5), "The depth of orders was falling.", "The depth of orders was rising."),
]


def _label(claim: str, text: str) -> Verification:
    return label_of(Row(claim, claim, "symptom", (PairText(text),), "", frozenset()))


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(("text", "right", "wrong"), TOLD)
def test_way_is_read_off_the_figures(text: str, right: str, wrong: str) -> None:
    assert _label(right, text) in SUPPORTED
    assert _label(wrong, text) is Verification.CONTRADICTED


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The depth of orders was rising.", LINES.format(5, 9, 6)),  # up and down
        ("The depth of orders was falling.", LINES.format(5, 9, 6)),
        ("The depth of orders was rising.", LINES.format(5, 5, 5)),
        ("The depth of orders was rising.", "10:00 orders depth=5\n10:01 refunds depth=9"),  # of two things
        ("The depth of orders was rising.", "10:05 orders depth=5\n10:01 orders depth=9"),  # the second is earlier
        ("The age of orders was rising.", "10:00 orders age=9 depth=5\n10:01 orders age=7 depth=9"),
        ("The depth of orders stayed flat.", LINES.format(5, 6, 9)),
    ],
)
def test_figures_that_go_no_one_way_bear_nothing_out(claim: str, text: str) -> None:
    assert not accepts(claim, text)


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("CPU usage rose sharply in region eu-1.", "eu-1 p99 0.6 s -> 2.1 s"),
        ("Errors rose in region eu-1.", "eu-1 p99 0.6 s -> 2.1 s"),
        ("Memory of eu-1 rose.", "eu-1 p99 0.6 s -> 2.1 s"),
        ("The latency of web rose.", "10:00 web replicas 3 -> 5"),
        ("web's memory increased.", "10:00 web replicas 3 -> 5"),
        ("线程池变大。", "10:00 变更：连接池 50 -> 100"),
        ("该服务的 CPU 使用率上升。", "堆使用率 10:00 为 61%，10:05 为 64%"),
        ("错误率上升。", "堆使用率 10:00 为 61%，10:05 为 64%"),
        ("The free memory rose.", "used memory: 10:00 61%, 10:05 64%"),
        ("Memory of web increased.", "web memory limit 1Gi -> 2Gi"),
        ("web 的内存上升。", "web 内存上限 1Gi -> 2Gi"),
        ("The average latency rose.", "max latency 5 ms -> 9 ms"),
        ("Memory usage rose.", BOTH),
        ("Memory usage fell.", BOTH),
        ("CPU usage of web-1 rose.", SAMPLES.format(100, 140, 190)),
        ("Memory usage of web-2 rose.", SAMPLES.format(100, 140, 190)),
        ("Memory usage of web-1 was flat.", SAMPLES.format(100, 140, 190)),
        ("The error rate of orders was rising.", LINES.format(5, 6, 9)),
    ],
)
def test_figure_of_another_name_tells_nothing_of_a_way(claim: str, text: str) -> None:
    assert _label(claim, text) not in {*SUPPORTED, Verification.CONTRADICTED}


@pytest.mark.req("VO-10")
def test_figures_that_stay_as_they_are_bear_a_standstill_out() -> None:
    assert accepts("Memory usage of web-1 was flat.", SAMPLES.format(100, 100, 100))
