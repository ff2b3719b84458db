"""Validating one output as a whole: parsing, rules and what names the result."""

from __future__ import annotations

import json

import pytest
from evidencegate_server import ENGINE_VERSION
from evidencegate_server.use_cases.digest import input_digest
from evidencegate_server.use_cases.validate import Validated, ValidationInput, validate
from evidencegate_server.words import GatekeeperStatus, OutputVariant, ParseReason, ParseStatus, Severity

from tests.rules.cases import case_input, catalog, invocation, rule_cases, run_case, with_rule

EMPTY = json.dumps(
    {
        "answer_version": "executor_evidence_v2",
        "claims": [],
        "hypotheses": [],
        "recommended_actions": [],
        "missing_info": [],
    }
)
CALL = invocation({"id": "1", "tool": "query_logs", "refs": {"lines[0]": "connection refused"}})


def _validate(variant: OutputVariant, output: str | bytes | None) -> Validated:
    return validate(ValidationInput(variant, output, (CALL,)), catalog())


@pytest.mark.req("GK-01", "GK-16", "GK-02")
def test_a_result_names_its_input_its_catalog_and_the_engine() -> None:
    validated = _validate(OutputVariant.TEXT, EMPTY)
    result = validated.result
    assert result.input_digest == validated.input_digest == input_digest(OutputVariant.TEXT, EMPTY, [CALL], False)
    assert result.rule_set.catalog_digest == catalog().digest
    assert result.rule_set.rule_set_version == catalog().rule_set.rule_set_version
    assert result.engine_version == ENGINE_VERSION
    assert (result.fallback, result.bindings, result.status) == (False, (), GatekeeperStatus.PASS)


@pytest.mark.req("GK-01")
def test_the_narrow_question_is_part_of_what_was_validated() -> None:
    narrow = validate(ValidationInput(OutputVariant.TEXT, EMPTY, (CALL,), narrow_question=True), catalog())
    assert narrow.input_digest == input_digest(OutputVariant.TEXT, EMPTY, [CALL], True)


@pytest.mark.req("GK-03", "IO-07")
@pytest.mark.parametrize("output", [None, "", "  \n", "null"])
def test_an_output_that_is_missing_fails_the_schema(output: str | None) -> None:
    validated = _validate(OutputVariant.NONE if output is None else OutputVariant.TEXT, output)
    assert validated.parsed.report.status is ParseStatus.MISSING
    assert validated.result.failed_rules == ("schema.executor_v2",)
    assert validated.result.severity is Severity.LOW_CONFID
    assert [finding.reason for finding in validated.result.findings] == ["missing"]


@pytest.mark.req("GK-03", "EX-04")
def test_a_finding_on_broken_json_says_why_and_where() -> None:
    validated = _validate(OutputVariant.TEXT, EMPTY.replace("[]", "[],", 1))
    report = validated.parsed.report
    assert report.status is ParseStatus.MALFORMED
    finding = validated.result.findings[0]
    assert (finding.place, finding.reason, finding.claim_index) == ("", "malformed", None)
    assert report.reason is not None
    assert report.reason.value in finding.message
    assert f"line {report.line}, column {report.column}" in finding.message


@pytest.mark.req("GK-03", "IO-06")
def test_bytes_that_are_no_unicode_are_malformed_and_no_crash() -> None:
    validated = _validate(OutputVariant.RAW, '{"a": "\ud800"}'.encode("utf-8", "surrogatepass"))
    assert validated.parsed.report.reason is ParseReason.INVALID_UNICODE
    assert validated.result.failed_rules == ("schema.executor_v2",)


@pytest.mark.req("IO-06")
def test_bytes_and_object_text_are_read_as_text_is() -> None:
    results = [
        _validate(OutputVariant.TEXT, EMPTY).result,
        _validate(OutputVariant.RAW, EMPTY.encode()).result,
        _validate(OutputVariant.OBJECT, EMPTY).result,
    ]
    assert {result.status for result in results} == {GatekeeperStatus.PASS}
    assert len({result.input_digest for result in results}) == 3


@pytest.mark.req("GK-03")
@pytest.mark.parametrize("name", ["answer_version", "claims", "hypotheses", "recommended_actions", "missing_info"])
def test_a_missing_field_of_the_envelope_fails_the_schema(name: str) -> None:
    output = json.loads(EMPTY)
    del output[name]
    result = _validate(OutputVariant.TEXT, json.dumps(output)).result
    assert result.failed_rules == ("schema.executor_v2",)
    assert name in result.findings[0].message


@pytest.mark.req("RC-03")
def test_the_bindings_are_checked_whatever_is_switched_off() -> None:
    used = catalog()
    for entry in used.rule_set.entries:
        used = with_rule(used, entry.id, enabled=False)
    case = next(each for each in rule_cases() if each.name == "rejects_an_invented_invocation")
    counted = run_case(case).result
    uncounted = validate(case_input(case), used).result
    assert uncounted.status is GatekeeperStatus.PASS
    assert uncounted.bindings == counted.bindings
    assert [each.message for each in uncounted.uncounted_findings] == [each.message for each in counted.findings]
