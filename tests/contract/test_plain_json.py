"""Where plain JSON is read fast, the strict decoder reads the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evidencegate_server.contract import decoder
from evidencegate_server.contract.decoder import decode
from evidencegate_server.contract.plain_json import read_plain_object
from evidencegate_server.contract.policy import ParsingPolicy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.cases import OK

POLICY = ParsingPolicy()
TEXTS = st.text(alphabet=st.sampled_from([*'a"\\/{}[]:,1 e.-é错\n\t\x00\x7f\u2028\ufeff', "\U0001f600"]), max_size=6)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**22), 10**22), st.floats(), TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)
PIECES = [
    '"a":1,', '"a":2,', '"\\u0061":3,', '"a":{', "}", "{", "[", "]", ",", ":", '"', "\\", "\\\\", '\\"', "\\ud83d",
    "\\ud83d\\ude00", "\\u0022", "\\n", "\n", "\t", "\x00", "\ufeff", "NaN", "-Infinity", "1e5", "1.0", "-1", "-0",
    "01", "9" * 18, "9" * 19, "9" * 20, "9" * 41, "null", "true", "false", "tru", "nulle", "'", "//", " ",
    "é", "\x0b", "\xa0",
]  # fmt: skip


def _strict(text: str) -> Any:
    """Returns what the strict decoder makes of a text by itself, the exception where it refuses it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "read_plain_object", lambda *_: None)
        try:
            return decode(text, 0, POLICY)
        except ValueError as error:
            return error


def _agree(text: str) -> None:
    value = read_plain_object(text.encode(), POLICY.max_depth)
    if value is None:
        return
    text = text.strip(" \t\n\r")  # which the strict one is never asked to step over
    strict = _strict(text)
    assert repr(strict.value) == repr(value)  # types and the order of keys too
    assert not strict.raw_line_breaks
    assert strict.end == len(text)


@pytest.mark.req("EX-04")
@settings(max_examples=400, deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.booleans(), st.sampled_from([None, 1]))
def test_a_value_that_is_read_fast_is_the_one_that_was_written(
    value: dict[str, Any], ascii_only: bool, indent: int | None
) -> None:
    _agree(json.dumps(value, ensure_ascii=ascii_only, indent=indent))


@pytest.mark.req("EX-04")
@settings(max_examples=600, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(OK)), st.integers(0, 5), st.sampled_from(PIECES)), max_size=3))
def test_whatever_is_put_into_an_output_it_is_read_alike(changes: list[tuple[int, int, str]]) -> None:
    text = OK
    for place, length, piece in changes:
        text = text[:place] + piece + text[place + length :]
    _agree(text)


@pytest.mark.req("EX-04")
@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_sequences_of_difficult_pieces_are_read_alike(text: str) -> None:
    _agree("{" + text + "}")
    _agree('{"k":' + text + "}")
    _agree('{"k":"' + text + '"}')


@pytest.mark.req("EX-04")
@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":1}',
        '{"a":1,"\\u0061":1}',
        '{"x":[{"b":"\\"","b":""}]}',
        '{"a":1.0}',
        '{"a":1e2}',
        '{"a":-1}',
        '{"a":12345678901234567890}',
        '{"a":"\\ud83d"}',
        '{"a":NaN}',
        '{"a":"\n"}',
        '{"a":1} {}',
        "[1]",
        '{"a":' + "[" * 32 + "]" * 32 + "}",
    ],
)
def test_what_the_two_could_read_differently_is_left_to_the_strict_one(text: str) -> None:
    assert read_plain_object(text.encode(), POLICY.max_depth) is None


@pytest.mark.req("EX-04")
def test_an_output_as_models_write_it_is_read_fast() -> None:
    assert read_plain_object(OK.encode(), POLICY.max_depth) == json.loads(OK)
    text = '{"a":[null,true,false,100,"C:\\\\dir \\"x\\" \\u9519\\n"],"b":' + "[" * 31 + "]" * 31 + "}"
    assert read_plain_object(text.encode(), POLICY.max_depth) == json.loads(text)
