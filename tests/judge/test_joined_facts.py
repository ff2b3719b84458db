"""A true fact carries nothing that is only told beside it: an occasion, a time, a second state, or that it changed."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

INDICES = (
    "index            health status pri rep docs.count store.size\n"
    "orders-2025.03   red    open     5   1   18211004     41.2gb\n"
    "users            yellow open     1   1      88121    512.3mb\n"
)
TOP = (
    "NAME                     CPU(cores)   MEMORY(bytes)\n"
    "orders-7c8d9f-abcde      487m         498Mi\nbilling-5b6c7d-klmno     23m          1204Mi\n"
)
ACCESS = (
    '10.1.4.22 - - [04/Mar/2025:10:31:07 +0000] "POST /api/v2/orders HTTP/1.1" 502 157 "-" "okhttp/4.9" rt=0.004\n'
    '10.1.4.23 - - [04/Mar/2025:10:31:07 +0000] "GET /api/v2/orders/17 HTTP/1.1" 200 5120 "-" "okhttp/4.9" rt=1.911\n'
)
CHANGES = "At 10:05 checkout was rolled back from v42 to v41. Error rate dropped from 18% to 0.4% by 10:09."
SERIES = "TIME      USED%\n10:00:01  95.2\n10:00:02  53.5\n10:00:03  95.3\n"

TRUE = {
    INDICES: ["users is yellow", "users has 88121 documents", "orders-2025.03 is red"],
    TOP: ["billing-5b6c7d-klmno uses 1204Mi of memory"],
    ACCESS: ["POST /api/v2/orders returned 502"],
}

BESIDE = [
    "during the outage",
    "in production",
    "under heavy load",
    "despite low traffic",
    "after the deployment",
    "since the upgrade",
    "following a failover",
    "in the background",
    "until now",
    "within seconds",
    "this morning",
    "last night",
    "in the last hour",
    "for the first time",
    "for the third time",
    "and was restarted",
    "and is corrupt",
    "and users see timeouts",
    "and will fail soon",
    "and should be restarted",
    "while the database is down",
]


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("beside", BESIDE)
def test_what_is_only_told_beside_a_fact_is_refused(beside: str) -> None:
    claims = [(f"{core} {beside}.", text) for text, cores in TRUE.items() for core in cores]
    assert [claim for claim, text in claims if accepts(claim, text)] == []


@pytest.mark.parametrize(("core", "text"), [(core, text) for text, cores in TRUE.items() for core in cores])
def test_the_fact_alone_is_accepted(core: str, text: str) -> None:
    assert accepts(core + ".", text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("billing-5b6c7d-klmno's memory usage has grown to 1204Mi.", TOP),
        ("The CPU usage of orders-7c8d9f-abcde rose to 487m.", TOP),
        ("The CPU usage of orders-7c8d9f-abcde dropped to 487m.", TOP),
        ("users grew to 88121 documents.", INDICES),
        ("Checkout was rolled back to v42.", CHANGES),
        ("The error rate dropped to 18%.", CHANGES),
        ("The error rate dropped by 18%.", CHANGES),
        ("The error rate is 18%.", CHANGES),
    ],
)
def test_a_change_that_is_not_shown_is_refused(claim: str, text: str) -> None:
    assert not accepts(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Checkout was rolled back to v41.", CHANGES),
        ("The error rate dropped from 18% to 0.4%.", CHANGES),
        ("Usage fell to 53.5%.", SERIES),
    ],
)
def test_a_change_that_is_shown_is_accepted(claim: str, text: str) -> None:
    assert accepts(claim, text)
