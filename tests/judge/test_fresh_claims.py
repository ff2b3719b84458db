"""Checks that the fresh claims are well formed, so that a measurement over them counts what it says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.judge.fresh_claims import claims, rows

SUPPORTED = {"direct_observation", "reasonable_inference"}
LABELS = SUPPORTED | {"overstated", "unsupported", "external_unknown", "contradicted"}


def test_numbers_the_claims_without_a_gap() -> None:
    found = claims()
    assert [f"FR-{number:03d}" for number in range(1, len(found) + 1)] == [claim["id"] for claim in found]


def test_gives_labels_that_exist_and_stand_on_one_side_of_the_line() -> None:
    for claim in claims():
        accepted = {claim["expect"], *claim["also"]}
        assert accepted <= LABELS, claim["id"]
        assert accepted <= SUPPORTED or not accepted & SUPPORTED, claim["id"]


def test_puts_each_claim_into_one_pair_with_its_twin_on_the_other_side() -> None:
    by_id = {claim["id"]: claim for claim in claims()}
    members = Counter[str]()
    for claim in by_id.values():
        if "twin_of" not in claim:
            continue
        twin = by_id[claim["twin_of"]]
        members.update((claim["id"], twin["id"]))
        assert (twin["expect"] in SUPPORTED) != (claim["expect"] in SUPPORTED), claim["id"]
        for key in ("lang", "aspect", "claim_type", "session", "evidence_of"):
            assert twin[key] == claim[key], (claim["id"], key)
    assert dict.fromkeys(by_id, 1) == members


def test_takes_at_most_four_claims_from_a_session() -> None:
    assert max(Counter(claim["session"] for claim in claims()).values()) <= 4


@pytest.mark.usefixtures("shared")
def test_finds_the_decisive_words_in_the_evidence() -> None:
    for row in rows():
        assert all(row["evidence"]), row["id"]
        assert row["decisive"], row["id"]
        for words in row["decisive"]:
            assert any(words in text for text in row["evidence"]), (row["id"], words)


def test_says_so_where_a_session_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tests.judge.fresh_claims.SESSIONS", tmp_path)
    monkeypatch.setattr("tests.judge.fresh_claims.claims", lambda: [{"session": "S99", "evidence_of": ["1"]}])
    with pytest.raises(FileNotFoundError, match="0 recorded sessions are named S99"):
        rows()
