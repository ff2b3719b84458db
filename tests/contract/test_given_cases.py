"""Reads the given and the project's own parsing cases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.contract.policy import ParsingPolicy
from tests.support import CASES

_POLICY = ParsingPolicy()
_WITH_TEXT_OUTSIDE = ParsingPolicy(allow_text_outside_json=True)


def _given() -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (CASES / "parsing.jsonl").read_text("utf-8").splitlines()]
    by_id = {row["id"]: row for row in rows}
    names = {"OK": by_id["P001"]["raw"], "MIN": by_id["P002"]["raw"]}
    for row in rows:
        if row["raw"] is None and "raw_expr" in row:
            row["raw"] = eval(row["raw_expr"], {"__builtins__": {}}, names)
    return rows


@pytest.mark.req("EX-04", "EX-05", "EX-06")
@pytest.mark.parametrize("row", _given(), ids=lambda row: row["id"])
def test_a_given_case_has_its_status_and_reason(row: dict[str, Any]) -> None:
    report = parse_executor_output(row["raw"], _POLICY).report
    assert (row["expect_status"], row["reason"]) == (report.status, report.reason or "")


@pytest.mark.req("EX-05")
@pytest.mark.parametrize("row", _given(), ids=lambda row: row["id"])
def test_the_switch_for_text_outside_changes_only_the_cases_that_say_so(row: dict[str, Any]) -> None:
    report = parse_executor_output(row["raw"], _WITH_TEXT_OUTSIDE).report
    assert report.status == row.get("expect_with_allow_text_outside_json", row["expect_status"])
