"""Throws random and mutated texts at the parsers."""

from __future__ import annotations

import json

import pytest
from evidencegate_server.contract.decoder import is_nested_deeper
from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.contract.model import ParsedOutput
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.verifier_output import parse_verifier_output
from evidencegate_server.words import ParseReason, ParseStatus
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.cases import OK

_POLICY = ParsingPolicy()
_SWITCHED = ParsingPolicy(allow_text_outside_json=True)

_CLAIM = json.loads(OK)["claims"][0]
_THREE = json.dumps(
    {**json.loads(OK), "claims": [{**_CLAIM, "claim_id": f"c{number}"} for number in range(3)]}, ensure_ascii=False
)
_PIECES = [
    "{", "}", "[", "]", ",", ":", '"', "\\", "'", "```", "```json\n", "\n```", "<think>", "</think>", "NaN", "1e999",
    "\\ud83d", "\\u", "\x00", "\n", "\ufeff", "\u200b", "：", "“", "null", "{}", '{"a":1}', "{pod}", "answer_version",
    "0" * 41, "true", "-", "...", "data: ", OK,
]  # fmt: skip
_MUTATION = st.tuples(st.integers(0, len(_THREE)), st.integers(0, 40), st.sampled_from(_PIECES))


def _check(parsed: ParsedOutput) -> None:
    report = parsed.report
    assert (report.status is ParseStatus.VALID) == (parsed.output is not None) == (report.reason is None)
    assert report.reason is not ParseReason.INTERNAL_ERROR
    assert (report.offset is None) == (report.line is None) == (report.column is None)
    assert report.offset is None or 0 <= report.offset <= report.raw_length
    for text in (parsed.final_answer, report.message, *(n.message + n.place for n in report.notes + report.warnings)):
        text.encode()


@pytest.mark.req("EX-04")
@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(), st.text(), st.text(alphabet=st.characters(categories=["Cs", "Cc", "Ps", "Po"]))))
def test_random_content_always_gets_a_report(content: bytes | str) -> None:
    for policy in (_POLICY, _SWITCHED):
        first = parse_executor_output(content, policy)
        _check(first)
        assert first == parse_executor_output(content, policy)
        assert parse_verifier_output(content, policy) == parse_verifier_output(content, policy)


@pytest.mark.req("EX-04", "EX-05")
@settings(max_examples=400, deadline=None)
@given(st.lists(_MUTATION, min_size=1, max_size=4))
def test_mutated_outputs_always_get_a_report(mutations: list[tuple[int, int, str]]) -> None:
    text = _THREE
    for place, length, piece in mutations:
        text = text[:place] + piece + text[place + length :]
    for policy in (_POLICY, _SWITCHED):
        _check(parse_executor_output(text, policy))
    verified = parse_verifier_output(text, _POLICY)
    assert verified.output is None


@pytest.mark.req("EX-04")
@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_sequences_of_difficult_pieces_always_get_a_report(text: str) -> None:
    for policy in (_POLICY, _SWITCHED):
        first = parse_executor_output(text, policy)
        _check(first)
        assert first == parse_executor_output(text.encode(), policy)
    assert parse_verifier_output(text, _POLICY).report.reason is not ParseReason.INTERNAL_ERROR


@pytest.mark.req("EX-04", "EX-05")
@pytest.mark.parametrize("policy", [_POLICY, _SWITCHED], ids=["strict", "text_outside_allowed"])
def test_a_cut_answer_is_never_valid(policy: ParsingPolicy) -> None:
    reasons = {parse_executor_output(_THREE[:end], policy).report.reason for end in range(1, len(_THREE))}
    assert reasons == {ParseReason.TRUNCATED}


@pytest.mark.req("EX-05")
@pytest.mark.parametrize("around", [("```json\n", "\n```"), ("<think>a</think>", ""), ("Here:\n", "\nDone.")])
@pytest.mark.parametrize("policy", [_POLICY, _SWITCHED], ids=["strict", "text_outside_allowed"])
def test_a_cut_answer_with_something_around_is_never_valid(policy: ParsingPolicy, around: tuple[str, str]) -> None:
    for end in range(1, len(_THREE)):
        assert parse_executor_output(f"{around[0]}{_THREE[:end]}{around[1]}", policy).report.status == "malformed"


@pytest.mark.req("EX-04", "EX-05")
def test_an_answer_without_its_beginning_is_never_valid() -> None:
    for start in range(1, len(_THREE)):
        for policy in (_POLICY, _SWITCHED):
            assert parse_executor_output(_THREE[start:], policy).report.status != "valid"


_JSON = st.recursive(
    st.one_of(st.none(), st.text(alphabet='[]{}"\\,: aé')),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(alphabet='[{"\\'), inner, max_size=3)),
)


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


@pytest.mark.req("EX-04")
@settings(max_examples=300, deadline=None)
@given(_JSON, st.booleans())
def test_depth_is_counted_exactly_whatever_strings_hold(value: object, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    depth = _depth(value)
    assert not is_nested_deeper(data, depth)
    assert depth == 0 or is_nested_deeper(data, depth - 1)
