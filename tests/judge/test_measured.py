"""The judge does not fall behind what it reached over the own cases.

The floors guard against steps back; they are no aim. Who makes the judge better moves them, and the date.
"""

from __future__ import annotations

import math
from functools import cache

from evidencegate_server.cli.pairs import Pair, read_pairs
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.words import Verification

from tests.judge.rows import OWN, SUPPORTED, Row, own_rows
from tests.use_cases.sessions import catalog
from tools.false_twins import HEDGE, judge_all

MEASURED_ON = "2026-11-30"
MOST_FALSE_ACCEPTANCE = 0.03
MOST_FALSE_TWINS = 0.05  # of accepted claims
LEAST_RECALL = 0.47
LEAST_DIRECT = 0.5
LEAST_SIX_LABEL = 0.5

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


def test_false_twins_of_accepted_claims_pass_as_seldom_as_they_did() -> None:
    pairs = [pair for path in OWN for pair in read_pairs(path) if isinstance(pair, Pair)]
    assert len(pairs) == len(own_rows())
    twins = [one for one in judge_all(PairJudge(catalog()), pairs) if one.origin_accepted and one.twin.kind != HEDGE]
    passed = [f"{one.twin.kind}, {one.twin.of.id}: {one.twin.claim}" for one in twins if one.accepted]
    assert len(twins) > 400
    assert len(passed) <= MOST_FALSE_TWINS * len(twins), passed


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
