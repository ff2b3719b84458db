"""Runs the cases that lie beside the rules."""

from __future__ import annotations

from typing import Any

import pytest
from evidencegate_server.rules.model import GatekeeperResult, RuleParameters
from evidencegate_server.rules.registry import RULES

from tests.rules.cases import RULES_FOLDER, RuleCase, rule_cases, run_case

ROWS = {
    "schema.executor_v2": ("GK-03", "EX-02", "EX-03", "EX-04"),
    "evidence.invocation_missing": ("GK-13",),
    "evidence.invocation_ref": ("GK-04", "GK-05", "GK-12", "EX-06"),
    "evidence.refs_unavailable": ("GK-08", "GK-10"),
    "evidence.raw_path_missing": ("GK-07",),
    "evidence.raw_path": ("GK-09", "GK-06", "EX-08"),
    "evidence.excerpt_mismatch": ("GK-10", "GK-20"),
    "evidence.excerpt_uninformative": ("GK-11",),
    "evidence.invocation_status": ("GK-14",),
    "scope.narrow_claims": ("PR-02",),
}
CASES = list(rule_cases())


def _parameters() -> list[Any]:
    return [
        pytest.param(case, id=f"{case.rule}-{case.name}", marks=pytest.mark.req(*ROWS[case.rule])) for case in CASES
    ]


@pytest.mark.parametrize("case", _parameters())
def test_a_rule_finds_what_its_case_says(case: RuleCase) -> None:
    result = run_case(case).result
    expect = dict(case.expect)
    expected = {
        "findings": expect.pop("findings", []),
        "warnings": expect.pop("warnings", []),
        "rule_errors": [],
        **expect,
    }
    assert expected == {name: _seen(result, name) for name in expected}


def _seen(result: GatekeeperResult, name: str) -> Any:
    """Returns one aspect of a result in the form in which cases write it."""
    if name == "findings":
        return [{"rule": each.rule_id, "place": each.place, "reason": each.reason} for each in result.findings]
    if name == "warnings":
        return [each.id for each in result.warnings]
    if name == "rule_errors":
        return [each.rule_id for each in result.rule_errors]
    if name == "severity":
        return result.severity.value
    if name == "verified":
        return [each.verified for each in result.bindings]
    first = result.bindings[0]
    if name == "spans":
        return [[span.start, span.end] for span in first.spans]
    if name in ("resolution", "kind"):
        word = getattr(first, name)
        return None if word is None else word.value
    return getattr(first, name)


@pytest.mark.req("RC-01")
def test_every_rule_has_a_file_named_after_it_and_cases_that_fire_and_stay_quiet() -> None:
    for rule in RULES:
        group, _, name = rule.id.partition(".")
        assert (RULES_FOLDER / group / f"{name}.yaml").is_file()
        fired = [_fires(case) for case in CASES if case.rule == rule.id]
        assert {True, False} <= set(fired), f"{rule.id} needs a case that fires and one that stays quiet"


def test_every_rule_has_a_case_that_is_not_ascii() -> None:
    for rule in RULES:
        assert any(not f"{case.given}".isascii() for case in CASES if case.rule == rule.id), rule.id


def test_every_numeric_parameter_has_a_case_on_both_sides() -> None:
    elsewhere = {"max_compared_characters"}  # its texts are too long for a case file: see test_chain.py
    for rule in RULES:
        for name in rule.Parameters.model_fields.keys() - elsewhere:
            touching = [case for case in CASES if case.rule == rule.id and name in case.given.get("parameters", {})]
            assert {_fires(case) for case in touching} == {True, False}, f"{rule.id} {name}"


def test_case_names_are_unique() -> None:
    names = [(case.rule, case.name) for case in CASES]
    assert sorted(set(names)) == sorted(names)


def test_parameters_are_frozen_and_know_no_other_key() -> None:
    for rule in RULES:
        assert issubclass(rule.Parameters, RuleParameters)
        assert rule.Parameters.model_config["extra"] == "forbid"
        assert rule.Parameters.model_config["frozen"] is True


def _fires(case: RuleCase) -> bool:
    found = [finding["rule"] for finding in case.expect.get("findings", [])]
    return case.rule in (*found, *case.expect.get("warnings", []))
