"""Which way a figure went is told by the figures: around an arrow, behind their times, or in the rows of a series."""

from __future__ import annotations

import pytest
from evidencegate_server.words import Verification

from tests.judge.rows import SUPPORTED, PairText, Row, accepts, label_of

LINES = "10:00 queue orders depth={}\n10:01 queue orders depth={}\n10:02 queue orders depth={}"

TOLD = [
    # evidence, borne out, contradicted
    ("eu-1 p99 0.6 s -> 2.1 s", "Latency rose sharply in region eu-1.", "Latency fell sharply in region eu-1."),
    ("堆使用率 10:00 为 61%，10:05 为 64%", "堆使用率上升。", "堆使用率下降。"),
    ("堆使用率 10:00 为 64%，10:05 为 61%", "堆使用率下降。", "堆使用率上升。"),
    ("10:00 变更：连接池 50 -> 100", "变更后连接池变大。", "变更后连接池变小。"),
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
        (
            "The depth of orders was rising.",
            "10:05 orders depth=5\n10:01 orders depth=9",
        ),  # the second is earlier
        ("The age of orders was rising.", "10:00 orders age=9 depth=5\n10:01 orders age=7 depth=9"),
        ("The depth of orders stayed flat.", LINES.format(5, 6, 9)),
    ],
)
def test_figures_that_go_no_one_way_bear_nothing_out(claim: str, text: str) -> None:
    assert not accepts(claim, text)
