"""What the evidence says of one thing is not said of the thing beside it, nor of another time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evidencegate_server.judge.deterministic import DeterministicEngine

from tests.excerpts.support import lexicon
from tests.judge.helpers import labelled_by
from tests.judge.rows import SUPPORTED, is_accepted, own_rows

ENGINE = DeterministicEngine(lexicon())
ROWS = {row.id: row for row in own_rows()}
PODS = (
    "$ kubectl get pods -o wide\n"
    "NAME         READY   STATUS             RESTARTS   AGE   IP           NODE\n"
    "web-7f-ab1   0/1     CrashLoopBackOff   14         3h    10.42.0.71   knot-01\n"
    "map-5c-qq9   1/1     Running            0          9d    10.42.0.72   knot-02"
)


@pytest.mark.parametrize(
    ("row", "said", "other"),
    [
        ("OWN-CNO-011t", "api.mall", "img.mall"),
        ("OWN-CNO-022t", "jx2-db-02", "jx2-app-17"),
        ("OWN-DBT-012t", "hot-02", "hot-03"),
        ("OWN-K8S-001", "worker-02", "worker-03"),
        ("OWN-MXD-001", "100.66.12.40", "172.31.8.9"),
    ],
)
def test_an_own_claim_holds_and_with_another_row_it_does_not(row: str, said: str, other: str) -> None:
    true = ROWS[row]
    assert said in true.claim
    assert is_accepted(true)
    assert not is_accepted(replace(true, claim=true.claim.replace(said, other)))


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("运行在 knot-01 上。", "运行在 knot-02 上。"),
        ("已重启 14 次。", "已重启 0 次。"),
    ],
)
def test_what_a_claim_goes_on_to_say_is_of_the_same_row(true: str, false: str) -> None:
    lead = "web-7f-ab1 处于 CrashLoopBackOff，"
    assert labelled_by(ENGINE, lead + true, PODS).verification in SUPPORTED
    assert labelled_by(ENGINE, lead + false, PODS).verification not in SUPPORTED


def test_the_state_of_a_row_is_not_that_of_what_another_column_names() -> None:
    assert labelled_by(ENGINE, "knot-01 处于 CrashLoopBackOff，已重启 14 次。", PODS).verification not in SUPPORTED


def test_a_denial_is_not_proved_by_the_opposite_of_an_earlier_time() -> None:
    assert labelled_by(ENGINE, "该告警未恢复。", "告警 10:05 触发，10:09 恢复").verification not in SUPPORTED
