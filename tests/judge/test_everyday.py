"""Plain claims over common outputs: each true one beside a false one that differs in little.

`everyday/false.json` has more false ones. `everyday/pairs.json` marks the true ones that the judge still refuses: one
that it comes to accept loses its mark.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judge.rows import accepts

FOLDER = Path(__file__).parent / "everyday"
OUTPUTS: list[dict[str, Any]] = json.loads((FOLDER / "pairs.json").read_text(encoding="utf-8"))
FALSE: list[dict[str, Any]] = json.loads((FOLDER / "false.json").read_text(encoding="utf-8"))
LEAST_ACCEPTED = 0.75


def is_accepted(claim: str, output: str) -> bool:
    """Returns whether the judge takes a claim as supported by an output."""
    text = (FOLDER / output).read_text(encoding="utf-8")
    return accepts(claim, text)


@pytest.mark.req("VO-11", "VD-11")
@pytest.mark.parametrize("output", OUTPUTS, ids=[one["evidence"] for one in OUTPUTS])
def test_the_true_is_told_from_the_false(output: dict[str, Any]) -> None:
    pairs = output["pairs"]
    assert [one["false"] for one in pairs if is_accepted(one["false"], output["evidence"])] == []
    refused = [one["true"] for one in pairs if not is_accepted(one["true"], output["evidence"])]
    assert refused == [one["true"] for one in pairs if one.get("refused")]


@pytest.mark.req("VO-11", "VD-11")
@pytest.mark.parametrize("output", FALSE, ids=[one["evidence"] for one in FALSE])
def test_what_is_false_of_an_output_is_refused(output: dict[str, Any]) -> None:
    assert [claim for claim in output["claims"] if is_accepted(claim, output["evidence"])] == []


def test_most_plain_claims_are_accepted() -> None:
    pairs = [one for output in OUTPUTS for one in output["pairs"]]
    assert sum(not one.get("refused") for one in pairs) >= LEAST_ACCEPTED * len(pairs)
