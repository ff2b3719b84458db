"""Builds the typed output of a valid executor text, with the place of everything."""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import pytest
from evidencegate_server.contract import executor_v2, strict_json
from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.contract.model import Binding, Claim, InvocationId, SideItem
from evidencegate_server.contract.policy import ParsingPolicy

from tests.contract.cases import MIN, OK

_POLICY = ParsingPolicy()


def _parse(**changes: Any) -> Any:
    return parse_executor_output(json.dumps({**json.loads(MIN), **changes}), _POLICY)


@pytest.mark.req("EX-02", "EX-03")
def test_a_claim_and_its_binding_are_read_with_their_places() -> None:
    output = parse_executor_output(OK, _POLICY).output
    assert output is not None
    raw = json.loads(OK)
    assert output.raw == raw
    binding = Binding(
        "claims[0].evidence_bindings[0]",
        0,
        "logs.query",
        InvocationId("394", '"394"'),
        (),
        "$.lines[0]",
        "pool exhausted on db-7",
        "tool",
        None,
        raw["claims"][0]["evidence_bindings"][0],
    )
    assert output.claims == (
        Claim(
            "claims[0]",
            0,
            "c1",
            "symptom",
            "The pool on db-7 is exhausted",
            "direct",
            (binding,),
            raw["claims"][0],
        ),
    )


@pytest.mark.req("EX-04")
def test_faults_inside_claims_leave_every_claim_in_place() -> None:
    claims = [
        {},
        {"claim_id": 7, "claim_type": None, "claim_text": " ", "support_level": 3, "evidence_bindings": {"a": 1}},
        {"claim_id": "c1", "evidence_bindings": [None, "x", {"tool_name": "", "raw_path": 4, "evidence_excerpt": " "}]},
        {"claim_id": "c1", "evidence_bindings": [{"tool_name": " t ", "source_id": 12, "evidence_excerpt": None}]},
    ]
    parsed = _parse(claims=claims)
    assert parsed.report.status == "valid"
    found = parsed.output.claims
    assert [claim.claim_id for claim in found] == ["", "7", "c1", "c1"]
    assert [claim.index for claim in found] == [0, 1, 2, 3]
    assert [claim.raw for claim in found] == claims
    assert [len(claim.bindings) for claim in found] == [0, 0, 3, 1]
    assert (found[1].claim_type, found[1].claim_text, found[1].support_level) == ("", "", "")
    assert [binding.tool_name for binding in found[2].bindings] == [None, None, None]
    assert [binding.evidence_excerpt for binding in found[2].bindings] == [None, None, " "]
    assert found[2].bindings[2].raw_path is None
    assert found[2].bindings[1].place == "claims[2].evidence_bindings[1]"
    assert found[3].bindings[0].tool_name == " t "
    assert found[3].bindings[0].source_id == "12"


@pytest.mark.req("EX-10")
def test_side_items_are_strings_or_objects_with_a_text() -> None:
    items = ["a leak", {"text": "restart", "priority": 1}, {"title": "x"}, 5, None, " ", {"text": 7}]
    output = _parse(hypotheses=items, missing_info=["logs of db-8"]).output
    texts = ["a leak", "restart", None, None, None, None, None]
    assert [item.text for item in output.hypotheses] == texts
    assert [item.raw for item in output.hypotheses] == items
    assert output.missing_info == (SideItem("missing_info[0]", 0, "logs of db-8", "logs of db-8"),)


@pytest.mark.req("EX-05", "GK-19")
def test_unknown_fields_are_kept_and_warned_about_with_their_places() -> None:
    claim = {"claim_id": "c1", "mood": 1, "evidence_bindings": [{"tool_name": "t", 'odd "key"': 2}]}
    parsed = _parse(claims=[claim], zeta=1, alpha=2)
    assert [(warning.id, warning.place) for warning in parsed.report.warnings] == [
        ("schema.unknown_field", "zeta"),
        ("schema.unknown_field", "alpha"),
        ("schema.unknown_field", "claims[0].mood"),
        ("schema.unknown_field", 'claims[0].evidence_bindings[0]["odd \\"key\\""]'),
    ]
    assert parsed.output.raw["zeta"] == 1
    assert parsed.output.claims[0].raw["mood"] == 1


@pytest.mark.req("EX-05")
def test_warnings_of_one_kind_are_bounded_and_counted() -> None:
    warnings = _parse(**{f"x{number}": 1 for number in range(50)}).report.warnings
    assert len(warnings) == 21
    assert warnings[-1].message == "and 30 more of this kind"


@pytest.mark.req("EX-01", "EX-04")
@pytest.mark.parametrize("field", ["diagnosis_summary", "user_facing_answer"])
def test_a_removed_field_is_kept_for_the_gatekeeper(field: str) -> None:
    parsed = _parse(**{field: "x"})
    assert parsed.report.status == "valid"
    assert parsed.report.warnings == ()
    assert parsed.output.raw[field] == "x"


@pytest.mark.req("EX-04")
def test_the_envelope_fault_names_the_field() -> None:
    assert "claims[1] is not an object" in _parse(claims=[{}, 1]).report.message
    assert "missing_info is not a list" in _parse(missing_info="x").report.message
    assert "executor_evidence_v9" in _parse(answer_version="executor_evidence_v9").report.message


@pytest.mark.req("EX-04")
@pytest.mark.parametrize("text", [OK, "nonsense", "", "结论 😀", "<think>a</think>" + OK])
def test_digest_and_length_are_those_of_the_raw_text(text: str) -> None:
    for content in (text, text.encode()):
        report = parse_executor_output(content, _POLICY).report
        assert hashlib.sha256(text.encode()).hexdigest() == report.raw_sha256
        assert len(text) == report.raw_length


@pytest.mark.req("EX-04", "IO-07")
def test_no_output_is_missing() -> None:
    parsed = parse_executor_output(None, _POLICY)
    assert (parsed.report.status, parsed.report.reason, parsed.report.raw_length) == ("missing", "empty", 0)
    assert parsed.final_answer == ""


@pytest.mark.req("EX-05", "VI-01")
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (OK, OK),
        ("  " + OK, "  " + OK),
        ("<think>secret</think>" + OK, OK),
        ("\n<THINK>secret</THINK>\nI cannot tell.", "\nI cannot tell."),
        ("secret</think>{", "{"),
        ("<think>secret", ""),
        ("<think>secret</think>", ""),
        ("<think>secret\ud800</think>x", "x"),
        ("```json\n{}\n```", "```json\n{}\n```"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_the_final_answer_has_no_reasoning_block_and_can_be_sent(text: str, answer: str) -> None:
    assert answer == parse_executor_output(text, _POLICY).final_answer


@pytest.mark.req("EX-04", "IO-06")
@pytest.mark.parametrize(
    ("content", "offset"),
    [
        ("ab\ud800", 2),
        ("\ud83d\ude00", 0),
        ("ab\ud800".encode("utf-8", "surrogatepass"), 2),
        ("é".encode() + b"\xff{}", 1),
        ("{}".encode("utf-16"), 0),
        (b"{\xc3", 1),
    ],
)
def test_what_utf8_cannot_carry_is_invalid_unicode(content: str | bytes, offset: int) -> None:
    parsed = parse_executor_output(content, _POLICY)
    assert ("malformed", "invalid_unicode", offset) == (
        parsed.report.status,
        parsed.report.reason,
        parsed.report.offset,
    )
    parsed.final_answer.encode()


@pytest.mark.req("EX-04")
def test_the_size_limit_counts_utf8_bytes() -> None:
    """Just inside and just outside, in a text whose bytes and code points differ."""
    limit = 4096
    policy = ParsingPolicy(max_output_bytes=limit)
    space = limit - len(MIN.encode()) - len(',"x":"é"'.encode())
    inside = f'{MIN[:-1]},"x":"é{"x" * space}"}}'
    assert len(inside.encode()) == limit
    assert parse_executor_output(inside, policy).report.status == "valid"
    for outside in (inside.replace("é", "éx"), b"\xff" * (limit + 1), " " * (limit + 1)):
        parsed = parse_executor_output(outside, policy)
        assert (parsed.report.status, parsed.report.reason) == ("malformed", "too_large")
        assert str(limit) in parsed.report.message
        assert parsed.final_answer == ""


@pytest.mark.req("EX-04")
@pytest.mark.parametrize("depth", [33, 500, 5000, 200_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("closed", [True, False])
def test_depth_does_not_depend_on_the_interpreter(depth: int, opening: str, closed: bool) -> None:
    closing = ("]" if opening == "[" else "}") * depth if closed else ""
    report = parse_executor_output(f'{{"x":{opening * depth}1{closing}}}', ParsingPolicy()).report
    expected = "too_large" if report.raw_length > 1_048_576 else "too_deep"
    assert expected == report.reason


@pytest.mark.req("EX-04")
def test_a_nearly_full_stack_changes_nothing_about_depth() -> None:
    text = f'{{"x":{"[" * 40}{"]" * 40}}}'

    def call(depth: int) -> str | None:
        return call(depth - 1) if depth else parse_executor_output(text, _POLICY).report.reason

    assert call(sys.getrecursionlimit() - 200) == call(0) == "too_deep"


@pytest.mark.req("EX-04")
@pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError, KeyError])
@pytest.mark.parametrize("broken", ["try_decode", "diagnose"])
def test_a_failure_of_the_parser_itself_is_a_result(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], broken: str
) -> None:
    def fail(*_: object) -> None:
        raise error("text of the evidence")

    monkeypatch.setattr(strict_json, broken, fail)
    report = parse_executor_output("{", _POLICY).report
    assert (report.status, report.reason) == ("malformed", "internal_error")
    assert error.__name__ in report.message
    assert "evidence" not in report.message


@pytest.mark.req("EX-04")
def test_a_failure_while_building_is_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError

    monkeypatch.setattr(executor_v2, "read_id", fail)
    parsed = parse_executor_output(OK, _POLICY)
    assert (parsed.report.status, parsed.report.reason) == ("malformed", "internal_error")
    assert parsed.output is None


@pytest.mark.req("EX-04")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a":NaN}', 5),
        ('{"NaN":"NaN","a":-Infinity}', 17),
        ('{"1e999":"1e999","a":1e999}', 21),
        (f'{{"a":[1,{"7" * 41}]}}', 8),
        ('{"a":1,\n"b":{"a":2},\n"a":3}', 21),
        ('{"a":{"k":"\\"k\\":","k":1}}', 19),
        (f'{{"x":"[[",\n"y":{"[" * 40}{"]" * 40}}}', 46),
    ],
)
def test_a_fault_that_the_library_lets_through_is_told_with_its_place(text: str, place: int) -> None:
    report = parse_executor_output(text, _POLICY).report
    assert place == report.offset, report
