"""The judge does not fall behind what it reached over the own cases.

The floors guard against steps back; they are no aim. Who makes the judge better moves them, and the date.
"""

from __future__ import annotations

import math
from functools import cache

from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.words import Verification

from tests.judge.rows import SUPPORTED, Row, own_rows
from tests.use_cases.sessions import catalog

MEASURED_ON = "2026-11-30"
MOST_FALSE_ACCEPTANCE = 0.05
LEAST_RECALL = 0.38
LEAST_DIRECT = 0.42
LEAST_SIX_LABEL = 0.34

_NAMES = frozenset(label.value for label in SUPPORTED)


@cache
def judged() -> tuple[tuple[Row, Verification], ...]:
    judge = PairJudge(catalog())
    return tuple((row, judge.label(row.claim, row.claim_type, row.evidence).verification) for row in own_rows())


def share(wanted: list[bool]) -> float:
    return sum(wanted) / len(wanted)


def figures() -> dict[str, float]:
    """Returns the shares that are guarded."""
    return {
        "false acceptance": share([given in SUPPORTED for row, given in judged() if row.expect not in _NAMES]),
        "recall": share([given in SUPPORTED for row, given in judged() if row.expect in _NAMES]),
        "direct": share(
            [
                given is Verification.DIRECT_OBSERVATION
                for row, given in judged()
                if row.expect == Verification.DIRECT_OBSERVATION.value
            ]
        ),
        "six-label": share([given.value in row.may_be for row, given in judged()]),
    }


def test_false_acceptance_stays_as_low_as_it_was() -> None:
    wrong = [f"{row.id}: {row.claim}" for row, given in judged() if row.expect not in _NAMES and given in SUPPORTED]
    assert figures()["false acceptance"] <= MOST_FALSE_ACCEPTANCE, wrong


def test_supported_claims_are_accepted_as_often_as_they_were() -> None:
    assert figures()["recall"] >= LEAST_RECALL
    assert figures()["direct"] >= LEAST_DIRECT


def test_the_six_labels_are_right_as_often_as_they_were() -> None:
    assert figures()["six-label"] >= LEAST_SIX_LABEL


def test_every_claim_gets_a_label_and_ends_no_run() -> None:
    judge = PairJudge(catalog())
    for row, given in judged():
        assert given in Verification
        assert judge.explain(row.claim, row.claim_type, row.evidence)


if __name__ == "__main__":
    # What the constants above would be today.
    for name, figure in figures().items():
        rounded = math.ceil(figure * 100) if name == "false acceptance" else math.floor(figure * 100)
        print(f"{name}: {figure:.4f}, guarded at {rounded / 100}")
