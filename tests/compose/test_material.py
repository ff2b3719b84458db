"""The allowed material: by label and verdict alone, and nothing from outside the session."""

from __future__ import annotations

import pytest
from evidencegate_server.words import Verdict, Verification

from tests.compose.helpers import check, evaluated

DIRECT, INFERRED = Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE
WEAK = [label for label in Verification if label not in (DIRECT, INFERRED)]
FACT = check(0, "order-svc restarted 3 times", DIRECT)
CAUSE = check(1, "the full disk of db-3 is the root cause", DIRECT, "root_cause")


@pytest.mark.req("CP-07")
def test_claims_go_where_their_labels_say() -> None:
    guess = check(1, "the restarts slow order-svc down", INFERRED)
    weak = check(2, "db-3 lost its network", Verification.UNSUPPORTED, "observation")
    material = evaluated(FACT, guess, weak).material
    assert [item.text for item in material.confirmed] == [FACT.claim_text]
    assert [item.text for item in material.inferred] == [guess.claim_text]
    assert [(gap.claim_text, gap.is_critical) for gap in material.gaps] == [(weak.claim_text, False)]


@pytest.mark.req("CP-02", "CP-07")
@pytest.mark.parametrize("label", WEAK)
def test_every_claim_without_support_is_named_as_a_gap_in_fixed_words(label: Verification) -> None:
    given = evaluated(FACT, check(1, "db-3 lost its network", label, "observation"))
    (gap,) = given.material.gaps
    assert given.verdict is not Verdict.REJECT
    assert gap.verification is label
    assert all("db-3 lost its network" in text and "what a model wrote" not in text for _, text in gap.sentences)


@pytest.mark.req("CP-03", "CP-07")
def test_beside_reject_no_cause_no_inference_no_direction_no_action_and_no_text_of_a_gap_is_left() -> None:
    wrong = check(2, "db-3 has 40 nodes", Verification.CONTRADICTED)
    guess = check(3, "order-svc is slow", INFERRED)
    given = evaluated(FACT, CAUSE, wrong, guess, hypotheses=["a network fault"], actions=["restart order-svc"])
    material = given.material
    assert given.verdict is Verdict.REJECT
    assert [item.text for item in material.confirmed] == [FACT.claim_text]
    assert (material.inferred, material.directions, material.next_steps) == ((), (), ())
    assert [gap.claim_text for gap in material.gaps] == [""]
    assert all("40" not in text and "db-3" not in text for gap in material.gaps for _, text in gap.sentences)
    assert [(item.kind, item.reason) for item in material.withheld] == [
        ("direction", "verdict"),
        ("next_step", "verdict"),
    ]


@pytest.mark.req("CP-07")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("restart pay-svc-7f9c", "unknown_identifier"),
        ("scale order-svc to 12 replicas", "unknown_number"),
        ("scale order-svc to twelve replicas", "unknown_number"),
        ("把 order-svc 扩到五个副本", "unknown_number"),
    ],
)
def test_an_action_that_names_what_nobody_has_seen_is_withheld(text: str, reason: str) -> None:
    material = evaluated(FACT, actions=["look at the disk of db-3", text]).material
    assert [item.text for item in material.next_steps] == ["look at the disk of db-3"]
    assert [(item.kind, item.index, item.reason) for item in material.withheld] == [("next_step", 1, reason)]


@pytest.mark.req("CP-07")
def test_what_the_question_names_may_be_named() -> None:
    material = evaluated(FACT, actions=["restart pay-svc-7f9c"], query="is pay-svc-7f9c down?").material
    assert [item.text for item in material.next_steps] == ["restart pay-svc-7f9c"]


@pytest.mark.req("CP-07")
def test_a_hypothesis_is_a_direction_where_the_verdict_is_uncertain_alone() -> None:
    weak = check(1, "db-3 lost its network", Verification.UNSUPPORTED)
    assert [item.text for item in evaluated(FACT, weak, hypotheses=["a slow disk"]).material.directions] == [
        "a slow disk"
    ]
    assert evaluated(FACT, hypotheses=["a slow disk"]).material.directions == ()


def test_what_a_model_hides_in_a_text_is_taken_out_and_a_long_text_is_cut() -> None:
    odd = check(0, "order-svc\u202e restarted\n\n3 times\x00" + " and so on" * 200, DIRECT)
    (item,) = evaluated(odd).material.confirmed
    assert item.text.startswith("order-svc restarted 3 times and so on")
    assert (len(item.text) <= 600, item.text[-1]) == (True, "…")
