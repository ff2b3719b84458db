"""Decoding that is blind to keys that stand twice gives what the decoder that looks at each key gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evidencegate_server.contract import decoder
from evidencegate_server.contract.decoder import UnsoundJsonError, WrittenFloat, decode, may_repeat_key
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


def _decoded(text: str) -> str:
    """Returns what came of decoding: a value with its types and its order of keys, or a refusal."""
    try:
        return repr(decode(text, 0, POLICY))
    except UnsoundJsonError as error:
        return repr((error.reason, error.message, error.offset, error.key))
    except json.JSONDecodeError as error:
        return repr(error)


def _agree(text: str) -> None:
    usual = _decoded(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "may_repeat_key", lambda *_: True)
        assert usual == _decoded(text)


@pytest.mark.req("EX-04")
@settings(max_examples=400, deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.booleans(), st.sampled_from([None, 1]))
def test_a_written_value_is_decoded_alike(value: dict[str, Any], ascii_only: bool, indent: int | None) -> None:
    _agree(json.dumps(value, ensure_ascii=ascii_only, indent=indent))


@pytest.mark.req("EX-04")
@settings(max_examples=600, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(OK)), st.integers(0, 5), st.sampled_from(PIECES)), max_size=3))
def test_whatever_is_put_into_an_output_it_is_decoded_alike(changes: list[tuple[int, int, str]]) -> None:
    text = OK
    for place, length, piece in changes:
        text = text[:place] + piece + text[place + length :]
    _agree(text)


@pytest.mark.req("EX-04")
@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_sequences_of_difficult_pieces_are_decoded_alike(text: str) -> None:
    _agree("{" + text + "}")
    _agree('{"k":' + text + "}")
    _agree('{"k":"' + text + '"}')


@pytest.mark.req("EX-04")
@pytest.mark.parametrize(
    ("text", "maybe"),
    [
        ('{"a":1,"a":1}', True),
        ('{"a":1,"\\u0061":1}', True),
        ('{"x":[{"b":"\\"","b":""}]}', True),
        ('{"a":123456789012345678901234567890}', True),  # for want of a better answer
        ('{"a":"\\ud83d"}', True),
        ('{"a":{"b":"a"},"b":{"a":"b"}}', False),
        ('{"a":[1.5,-1,null,true],"b":"C:\\\\dir \\"x\\" \\u9519\\n\\u0022"}', False),
        (OK, False),
    ],
)
def test_a_key_that_stands_twice_is_never_overlooked_and_seldom_suspected(text: str, maybe: bool) -> None:
    value = json.loads(text, parse_float=WrittenFloat)
    assert maybe is may_repeat_key(text.encode(), value)
