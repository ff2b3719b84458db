"""An equal value in another unit or time zone is the same fact, and one beside it is not."""

from __future__ import annotations

import pytest
from evidencegate_server.words import Verification

from tests.judge.test_lines_and_roles import labelled

EQUAL = [
    ("The memory limit of cart-1 is 1 GiB.", "cart-1 memory limit: 1073741824 bytes"),
    ("cart-1 的内存上限是 1 GiB。", "cart-1 memory limit: 1073741824 bytes"),
    ("The p99 latency of order-svc is 0.5 s.", "order-svc p99 latency 500 ms"),
    ("cart-1 restarted at 06:36 UTC.", "2026-03-01T07:36:00+01:00 cart-1 restarted"),
    ("cart-1 在北京时间 14:36 重启。", "2026-03-01T06:36:00Z cart-1 restarted"),
]
OTHER = [
    ("The memory limit of cart-1 is 1 GiB.", "cart-1 memory limit: 1000000 bytes"),
    ("The p99 latency of order-svc is 0.5 s.", "order-svc p99 latency 50 ms"),
    ("cart-1 restarted at 06:36 UTC.", "2026-03-01T06:36:00+01:00 cart-1 restarted"),
]


@pytest.mark.req("VD-11")
@pytest.mark.parametrize(("claim", "evidence"), EQUAL)
def test_an_equal_value_in_another_unit_or_zone_is_observed(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence) is Verification.DIRECT_OBSERVATION


@pytest.mark.req("VD-11")
@pytest.mark.parametrize(("claim", "evidence"), OTHER)
def test_another_value_in_another_unit_or_zone_is_not(claim: str, evidence: str) -> None:
    assert labelled(claim, evidence) not in (
        Verification.DIRECT_OBSERVATION,
        Verification.REASONABLE_INFERENCE,
    )
