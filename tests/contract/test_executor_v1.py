"""The older contract is read with the strictness of the present one, and only where it is asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evidencegate_server.contract.executor_v1 import ANSWER_VERSION, WITH_V1, user_facing_answer
from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.contract.model import ParsedOutput
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.words import ParseReason, ParseStatus

from tests.contract.cases import MIN, OK

POLICY = ParsingPolicy()
V1_FIELDS = {"answer_version": ANSWER_VERSION, "diagnosis_summary": "摘要", "user_facing_answer": "连接池已耗尽。"}
BROKEN = [
    "",
    "null",
    "{",
    "[]",
    '{"a":1,"a":2}',
    f"{OK}{OK}",
    "I cannot tell.",
    OK[:40],
    "<think>",
    OK.replace("{", "｛", 1),
]


def older(base: str = MIN, **changes: Any) -> dict[str, Any]:
    """Returns an output as the older contract has it, from one of the present contract."""
    return {**json.loads(base), **V1_FIELDS, **changes}


def parse(raw: object) -> ParsedOutput:
    """Reads an output where both contracts are known."""
    return parse_executor_output(raw if isinstance(raw, str) else json.dumps(raw), POLICY, WITH_V1)


@pytest.mark.req("EX-09")
def test_without_the_switch_the_older_contract_is_an_unsupported_version() -> None:
    report = parse_executor_output(json.dumps(older()), POLICY).report
    assert (report.status, report.reason) == (ParseStatus.MALFORMED, ParseReason.UNSUPPORTED_VERSION)
    assert report.message == 'answer_version is "executor_evidence_v1"; known is executor_evidence_v2'


@pytest.mark.req("EX-09")
def test_with_it_both_contracts_are_read_and_a_third_names_both() -> None:
    first, second = parse(older()), parse(MIN)
    assert [first.report.status, second.report.status] == [ParseStatus.VALID, ParseStatus.VALID]
    assert first.output is not None
    assert second.output is not None
    assert [first.output.answer_version, second.output.answer_version] == [ANSWER_VERSION, "executor_evidence_v2"]
    report = parse(older(answer_version="executor_evidence_v3")).report
    assert report.reason is ParseReason.UNSUPPORTED_VERSION
    assert report.message.endswith("known are executor_evidence_v2 and executor_evidence_v1")


@pytest.mark.req("EX-09")
def test_a_note_says_that_the_older_contract_was_read() -> None:
    assert [(note.id, note.place) for note in parse(older()).report.notes] == [
        ("parse.older_contract", "answer_version")
    ]
    assert parse(MIN).report.notes == ()


@pytest.mark.req("EX-09", "EX-03")
def test_claims_and_bindings_are_read_as_in_the_present_contract() -> None:
    first, second = parse(older(OK)).output, parse(OK).output
    assert first is not None
    assert second is not None
    assert first.claims == second.claims


@pytest.mark.req("EX-09", "EX-04")
@pytest.mark.parametrize("name", ["diagnosis_summary", "user_facing_answer"])
@pytest.mark.parametrize(("value", "says"), [(..., "is missing"), (None, "is not a string"), ([], "is not a string")])
def test_the_texts_beside_the_lists_belong_to_the_envelope(name: str, value: object, says: str) -> None:
    raw = {key: item for key, item in older(**{name: value}).items() if item is not ...}
    parsed = parse(raw)
    assert (parsed.report.status, parsed.report.reason) == (ParseStatus.MALFORMED, ParseReason.SCHEMA)
    assert parsed.report.message == f"{name} {says}"
    assert parsed.output is None


@pytest.mark.req("EX-09", "EX-04")
@pytest.mark.parametrize("raw", BROKEN)
def test_what_is_no_sound_object_gets_the_same_report_with_and_without_the_switch(raw: str) -> None:
    assert parse(raw).report == parse_executor_output(raw, POLICY).report


@pytest.mark.req("EX-09")
@pytest.mark.parametrize(
    ("version", "level", "expected"),
    [(ANSWER_VERSION, "none", True), (ANSWER_VERSION, "direct", False), ("executor_evidence_v2", "none", False)],
)
def test_a_claim_can_say_of_itself_that_nothing_supports_it_in_the_older_contract_alone(
    version: str, level: str, expected: bool
) -> None:
    claims = [{**json.loads(OK)["claims"][0], "support_level": level}, {}]
    output = parse(older(answer_version=version, claims=claims)).output
    assert output is not None
    assert [claim.declared_unsupported for claim in output.claims] == [expected, False]


@pytest.mark.req("EX-09")
def test_only_the_older_contract_has_an_answer_for_the_user() -> None:
    first, second = parse(older()).output, parse(older(answer_version="executor_evidence_v2")).output
    assert first is not None
    assert second is not None
    assert [user_facing_answer(first), user_facing_answer(second)] == ["连接池已耗尽。", ""]
