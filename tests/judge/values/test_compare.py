"""Values compare by what they mean: units, zones and rounding do not matter, scale and kind do."""

from __future__ import annotations

from decimal import Decimal

import pytest
from evidencegate_server.judge.values.compare import Relation, compare, difference, to_utc
from evidencegate_server.judge.values.model import Instant, Quantity
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.values.support import one, reader, short

R = Relation

PAIRS = [
    ("92%", "0.92%", R.SCALE),
    ("0.12 秒", "120 ms", R.EQUAL),
    ("120 秒", "120 ms", R.SCALE),
    ("约 44 毫秒", "44.349 ms", R.EQUAL),
    ("约 44 秒", "44.349 ms", R.SCALE),
    ("44 s", "45 s", R.OUTSIDE),
    ("12.35 ms", "12.349 ms", R.EQUAL),
    ("12 millicores", "12 cores", R.SCALE),
    ("0.012 CPU cores", "12 millicores", R.EQUAL),
    ("12 millicores", "averageValue: 12m", R.EQUAL),
    ("12 cores", "averageValue: 12m", R.SCALE),
    ("20 MB", "20 GB", R.SCALE),
    ("20 kB", "20480 bytes", R.EQUAL),
    ("20 kB", "20000 bytes", R.EQUAL),
    ("20 kB", "21900 bytes", R.OUTSIDE),
    ("20 MB", "21 MB", R.OUTSIDE),
    ("20 MB", "20 MiB", R.EQUAL),
    ("800 Mb", "100 MB", R.EQUAL),
    ("100 Mb", "100 MB", R.SCALE),
    ("100 Mbps", "100 MB/s", R.SCALE),
    ("about 39 GiB", "40894464 KiB", R.EQUAL),
    ("9.4 GiB", "9813428 KiB", R.EQUAL),
    ("约 12 万条", "121334 条", R.EQUAL),
    ("约 12 万条", "141334 条", R.OUTSIDE),
    ("4.75 million rows", "4751313 rows", R.EQUAL),
    ("nearly 7,000", "6983", R.EQUAL),
    ("60 requests a minute", "1 req/s", R.EQUAL),
    ("5 个百分点", "5%", R.INCOMPARABLE),
    ("5 pods", "5 s", R.EQUAL),
    ("5 pods", "6 s", R.INCOMPARABLE),
    ("204800", "204800 KiB", R.EQUAL),
    ("209715200", "204800 KiB", R.INCOMPARABLE),
    ("41.27", "41.27 ms", R.EQUAL),
    ("5 pods", "500 ms", R.INCOMPARABLE),
    ("5 s", "5%", R.INCOMPARABLE),
    ("more than 10 s", "10.5 s", R.INSIDE),
    ("more than 10 s", "10 s", R.OUTSIDE),
    ("at least 10 s", "10000 ms", R.INSIDE),
    ("不到 10 秒", "13.6 s", R.OUTSIDE),
    ("5 to 10 seconds", "7 s", R.INSIDE),
    ("超过 10 秒", "more than 12 s", R.WEAKER),
    ("超过 10 秒", "more than 10 s", R.EQUAL),
    ("超过 10 秒", "more than 8 s", R.OPEN),
    ("超过 10 秒", "under 8 s", R.OUTSIDE),
    ("12 s", "more than 10 s", R.OPEN),
    ("10 s", "more than 10 s", R.OPEN),
    ("about 4 s", "4.071491 s", R.EQUAL),
    ("4 s", "4.071491 s", R.OUTSIDE),
    ("1 秒", "1000.087 ms", R.EQUAL),
    ("约 2 秒", "2.1 s", R.EQUAL),
    ("3.4 s", "3.421 s", R.EQUAL),
    ("3.5 s", "3.421 s", R.OUTSIDE),
    ("about eight minutes", "7m43s", R.EQUAL),
    ("接近 30", "29.53", R.EQUAL),
    ("9 s", "more than 10 s", R.OUTSIDE),
    ("23,456 rows", "about 2.3 万 行", R.OPEN),
]

INSTANT_PAIRS = [
    ("02:05 UTC on 1 May 2024", "2024-05-01T10:05:00+08:00", R.EQUAL),
    ("10:05 UTC on 1 May 2024", "2024-05-01T10:05:00+08:00", R.OUTSIDE),
    ("10:05 on 1 May 2024", "2024-05-01T10:05:00+08:00", R.EQUAL),
    ("北京时间 3 月 14 日 01:10", "2022-03-13T17:10:07.796+0000", R.EQUAL),
    ("北京时间 3 月 13 日 01:10", "2022-03-13T17:10:07.796+0000", R.OUTSIDE),
    ("10:05", "10:05:59", R.EQUAL),
    ("10:05", "10:06:00", R.OUTSIDE),
    ("around 10:05", "10:07:30", R.EQUAL),
    ("around 10:05", "10:15", R.OUTSIDE),
    ("10:05:30", "10:05", R.OPEN),
    ("10:05 UTC", "10:05:30", R.INCOMPARABLE),
    ("7 August 2020", "2020-08-07 12:00:00", R.EQUAL),
    ("8 August 2020", "2020-08-07 12:00:00", R.OUTSIDE),
    ("after 10:05", "10:07", R.INSIDE),
    ("before 10:05", "10:07", R.OUTSIDE),
    ("10:05", "5 s", R.INCOMPARABLE),
    ("since 10:05", "10:05:30", R.EQUAL),
    ("since 10:05", "10:07", R.OPEN),
    ("since 10:05", "10:04", R.OUTSIDE),
    ("22 September 2018 evening", "2018-09-22T19:54:00Z", R.EQUAL),
    ("22 September 2018 evening", "2018-09-22T11:54:00Z", R.OUTSIDE),
    ("北京时间 2021-09-17 11:33", "2021-09-16 20:33:13 PDT", R.EQUAL),
    ("北京时间 2021-09-17", "2021-09-16 20:33:13 PDT", R.EQUAL),
    ("北京时间 2021-09-16", "2021-09-16 20:33:13 PDT", R.OUTSIDE),
    ("23:59 UTC on 31 December 2023", "2024-01-01 07:59:10 +0800", R.EQUAL),
]


@pytest.mark.parametrize(("claim", "evidence", "expected"), PAIRS + INSTANT_PAIRS)
def test_a_claimed_value_stands_to_the_shown_one(claim: str, evidence: str, expected: Relation) -> None:
    assert compare(one(claim), one(evidence)) is expected


@pytest.mark.parametrize(
    ("later", "earlier", "expected"),
    [
        ("2022-02-17 16:27:06.567 UTC", "2022-02-17 16:26:53.000 UTC", "13.567 time"),
        ("2024-05-01T10:05:00+08:00", "2024-05-01T02:04:00Z", "60 time"),
        ("Mar 1 00:00:10", "Feb 28 23:59:50", "86420 time"),
        ("5 min", "30 s", "270 time"),
        ("92%", "80%", "12 points"),
    ],
)
def test_differences_are_exact(later: str, earlier: str, expected: str) -> None:
    found = difference(one(later), one(earlier))

    assert found is not None
    assert short(found) == expected


@pytest.mark.parametrize(
    ("a", "b"), [("5 s", "5%"), ("10:05 UTC", "10:05"), ("10:05", "1 May 2024 10:05"), ("> 5 s", "3 s")]
)
def test_what_cannot_be_subtracted_has_no_difference(a: str, b: str) -> None:
    assert difference(one(a), one(b)) is None


def test_utc_moves_the_day() -> None:
    instant = one("2024-01-01 07:59:10 +0800")

    assert isinstance(instant, Instant)
    assert short(to_utc(instant)) == "2023-12-31 86350/1 +0"


NUMBERS = st.decimals(min_value=Decimal("0.001"), max_value=Decimal(999999), places=3)


@given(
    NUMBERS,
    st.sampled_from(
        [("s", "ms", 1000), ("ms", "us", 1000), ("h", "min", 60), ("GiB", "MiB", 1024), ("MB", "KB", 1000)]
    ),
)
def test_an_equal_value_in_another_unit_is_equal(value: Decimal, units: tuple[str, str, int]) -> None:
    large, small, factor = units
    claim, shown = one(f"{value} {large}"), one(f"{value * factor:f} {small}")

    assert compare(claim, shown) is Relation.EQUAL
    assert compare(shown, claim) is Relation.EQUAL


@given(st.integers(0, 10**6), st.integers(-840, 840))
def test_an_instant_is_equal_to_itself_in_any_zone(second: int, offset: int) -> None:
    shown = Instant(2024, 2, 29, Decimal(second % 86400), Decimal(1), offset)

    assert compare(to_utc(shown), shown) is Relation.EQUAL


QUANTITIES = st.sampled_from(
    ["5", "~5 s", "≥ 5 s", "< 3 s", "4 to 9 s", "12%", "3 MB", "2 Mb/s", "40 cores", "0", "0 s", "-3 s"]
)


@given(QUANTITIES, QUANTITIES)
def test_comparing_is_total(a: str, b: str) -> None:
    one_, other = reader().mentions(a)[0].value, reader().mentions(b)[0].value
    assert isinstance(compare(one_, other), Relation)
    assert compare(one_, one_) is Relation.EQUAL or (isinstance(one_, Quantity) and one_.low != one_.high)
