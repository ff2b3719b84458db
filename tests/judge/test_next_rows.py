"""A claim that goes on with bare figures goes on with those of its own row."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

CART = "10:00:02 GET /cart 502 1200ms\n10:00:04 GET /cart 200 18ms"
ORDERS = (
    "2026-03-11T02:14:03.118Z INFO  checkout-api req=9f31 POST /v1/orders 201 84ms\n"
    "2026-03-11T02:14:06.977Z ERROR checkout-api req=9f52 redis command GET cart:88213 timed out after 2000ms\n"
    "2026-03-11T02:14:07.031Z ERROR checkout-api req=9f52 POST /v1/orders 503 2071ms"
)


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("GET /cart 返回 200，耗时 18ms。", CART),
        ("GET /cart 返回 502，耗时 1200ms。", CART),
        ("GET /cart returned 200 and took 18ms.", CART),
        ("checkout-api 的 POST /v1/orders 请求返回 503，耗时约 2 秒。", ORDERS),
    ],
)
def test_figures_of_one_row_go_together(claim: str, text: str) -> None:
    assert accepts(claim, text)


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("GET /cart 返回 200，耗时 1200ms。", CART),
        ("GET /cart 返回 502，耗时 18ms。", CART),
        ("GET /cart returned 200 and took 1200ms.", CART),
        ("checkout-api 的 POST /v1/orders 请求返回 201，耗时约 2 秒。", ORDERS),
        ("POST /v1/orders returned 201 and took 2071ms.", ORDERS),
    ],
)
def test_figure_of_another_row_is_none_of_its_own(claim: str, text: str) -> None:
    assert not accepts(claim, text)
