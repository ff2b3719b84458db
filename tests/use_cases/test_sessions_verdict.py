"""The recorded sessions end in the right verdict by the whole path, from raw text to route."""

from __future__ import annotations

from pathlib import Path

import pytest
from evidencegate_server.use_cases.judge import judge
from evidencegate_server.verdict.model import Evaluation

from tests.support import SHARED
from tests.use_cases.sessions import catalog, judge_input, read_session

SESSIONS = sorted((SHARED / "sessions").glob("*.json"))


def evaluated(path: Path) -> tuple[dict[str, object], Evaluation]:
    """Returns what a session expects, and its evaluation."""
    session = read_session(path)
    return session["expect"], judge(judge_input(session), catalog())


@pytest.mark.req("VD-07", "VD-05", "VD-08", "VD-10")
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_recorded_session_gets_its_verdict(path: Path) -> None:
    expect, evaluation = evaluated(path)
    assert evaluation.executor_report.status.value == expect["parse_status"]
    assert evaluation.verdict.value == expect["verdict"]


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_recorded_session_is_labelled_as_its_authors_expect(path: Path) -> None:
    expect, evaluation = evaluated(path)
    labels = expect["claims"]
    assert isinstance(labels, dict)
    differ = {
        check.claim_id: check.verification.value
        for check in evaluation.claim_checks
        if check.verification.value not in labels[check.claim_id]
    }
    assert differ == {}


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_recorded_session_is_never_labelled_better_than_it_is(path: Path) -> None:
    expect, evaluation = evaluated(path)
    labels = expect["claims"]
    assert isinstance(labels, dict)
    strength = {"reasonable_inference": 1, "direct_observation": 2}  # the rest support nothing
    wrong = [
        (check.claim_id, check.verification.value, labels[check.claim_id])
        for check in evaluation.claim_checks
        if strength.get(check.verification.value, 0) > max(strength.get(label, 0) for label in labels[check.claim_id])
    ]
    assert wrong == []
    assert [check.claim_id for check in evaluation.claim_checks] == list(labels)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_recorded_session_is_judged_the_same_twice(path: Path) -> None:
    assert evaluated(path)[1] == evaluated(path)[1]
