"""Reads the given and the project's own parsing cases."""

from __future__ import annotations

from typing import Any

import pytest
from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.contract.policy import ParsingPolicy

from tests.contract.cases import given, load

_POLICY = ParsingPolicy()
_WITH_SWITCH = ParsingPolicy(allow_text_outside_json=True)
_OWN = load("executor_cases.yaml")


@pytest.mark.req("EX-01", "EX-04", "EX-05", "EX-06")
@pytest.mark.parametrize("row", given(), ids=lambda row: row["id"])
def test_a_given_case_has_its_status_and_reason(row: dict[str, Any]) -> None:
    report = parse_executor_output(row["raw"], _POLICY).report
    assert (row["expect_status"], row["reason"]) == (report.status, report.reason or "")


@pytest.mark.req("EX-05")
@pytest.mark.parametrize("row", given(), ids=lambda row: row["id"])
def test_the_switch_for_text_outside_changes_only_the_given_cases_that_say_so(row: dict[str, Any]) -> None:
    report = parse_executor_output(row["raw"], _WITH_SWITCH).report
    assert row.get("expect_with_allow_text_outside_json", row["expect_status"]) == report.status


@pytest.mark.req("EX-01", "EX-04", "EX-05")
@pytest.mark.parametrize("case", _OWN, ids=lambda case: case["name"])
def test_an_own_case_has_its_status_reason_and_remarks(case: dict[str, Any]) -> None:
    parsed = parse_executor_output(case["raw"], _POLICY)
    report = parsed.report
    assert (case["status"], case.get("reason", "")) == (report.status, report.reason or ""), report
    assert (parsed.output is not None) == (report.status == "valid")
    if "offset" in case:
        assert case["offset"] == report.offset
    if "notes" in case:
        assert case["notes"] == [note.id for note in report.notes]
    if "warnings" in case:
        assert case["warnings"] == [warning.id for warning in report.warnings]


@pytest.mark.req("EX-05")
@pytest.mark.parametrize("case", _OWN, ids=lambda case: case["name"])
def test_the_switch_for_text_outside_changes_only_the_own_cases_that_say_so(case: dict[str, Any]) -> None:
    report = parse_executor_output(case["raw"], _WITH_SWITCH).report
    assert case.get("with_switch", case["status"]) == report.status


@pytest.mark.req("EX-04")
@pytest.mark.parametrize(
    "case", [case for case in _OWN if case["status"] == "malformed"], ids=lambda case: case["name"]
)
def test_a_malformed_text_is_told_with_a_place_inside_it(case: dict[str, Any]) -> None:
    report = parse_executor_output(case["raw"], _POLICY).report
    if report.reason in ("schema", "unsupported_version"):
        assert report.offset is None
        return
    assert report.offset is not None
    assert 0 <= report.offset <= len(case["raw"])
    before = case["raw"][: report.offset]
    assert (before.count("\n") + 1, len(before) - before.rfind("\n")) == (report.line, report.column)
