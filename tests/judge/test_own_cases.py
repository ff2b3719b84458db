"""The own cases of the judge keep their form: rows are complete, twins come in pairs, decisive spans are real."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from evidencegate_server.catalog.model import KNOWN_CLAIM_TYPES
from evidencegate_server.words import Verification

FILES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
LABELS = {label.value for label in Verification}
SUPPORTED = {Verification.DIRECT_OBSERVATION.value, Verification.REASONABLE_INFERENCE.value}
FIELDS = {"id", "lang", "aspect", "claim", "claim_type", "evidence", "expect", "also", "note", "decisive"}

Row = dict[str, Any]


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


ROWS = [row for path in FILES for row in _rows(path)]
BY_ID = {row["id"]: row for row in ROWS}
EACH_ROW = pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in ROWS])


def test_there_are_at_least_85_pairs() -> None:
    assert len(ROWS) >= 170


def test_ids_are_unique() -> None:
    assert [name for name, times in Counter(row["id"] for row in ROWS).items() if times > 1] == []


def test_no_claim_is_told_twice_over_the_same_evidence() -> None:
    told = Counter((row["claim"], tuple(row["evidence"])) for row in ROWS)
    assert [claim for (claim, _), times in told.items() if times > 1] == []


@EACH_ROW
def test_a_row_holds_known_words_and_nothing_empty(row: Row) -> None:
    assert set(row) - {"twin_of"} == FIELDS
    assert {row["expect"], *row["also"]} <= LABELS
    assert row["expect"] not in row["also"]
    assert row["claim_type"] in KNOWN_CLAIM_TYPES
    assert row["lang"] == ("zh" if any("\u4e00" <= char <= "\u9fff" for char in row["claim"]) else "en")
    assert all(row[field] for field in FIELDS - {"also"})


@EACH_ROW
def test_the_decisive_spans_occur_in_the_evidence(row: Row) -> None:
    assert [span for span in row["decisive"] if not any(span in text for text in row["evidence"])] == []


@EACH_ROW
def test_a_row_has_one_twin_over_the_same_evidence_on_the_other_side(row: Row) -> None:
    twin = BY_ID[row.get("twin_of", row["id"] + "t")]
    assert {row["id"], twin["id"]} == {twin["id"].removesuffix("t"), twin["id"].removesuffix("t") + "t"}
    assert twin.get("twin_of", twin["id"]) == row.get("twin_of", row["id"])
    assert row["evidence"] == twin["evidence"]
    assert (row["expect"] in SUPPORTED) != (twin["expect"] in SUPPORTED)
