"""False claims that somebody found accepted: those that are mended stay refused, the others are marked and counted.

A row whose claim comes to be refused loses its `accepted`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judge.rows import accepts

FOUND: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "found_wrong.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.req("VD-11")
def test_what_was_found_and_mended_stays_refused() -> None:
    accepted = [row["id"] for row in FOUND if accepts(row["claim"], *row["evidence"])]
    assert accepted == [row["id"] for row in FOUND if row.get("accepted")]
