"""Changing one member of a JSON text leaves every other character of it as it is."""

from __future__ import annotations

import json

import pytest
from evidencegate_server.store.splice import JsonTextError, checked_object, member, members, with_member
from hypothesis import given
from hypothesis import strategies as st

ODD = (
    '{ "n": 1.00, "big":123456789012345678901234567890.10e+2 , "n":{"a" :1,"a": 2},\n"s":"\\u00e4\\/\\ud800", "e":[ ] }'
)


@pytest.mark.req("SE-01")
def test_numbers_order_repeats_escapes_and_white_space_stay() -> None:
    assert with_member(ODD, "s", "7") == ODD.replace('"\\u00e4\\/\\ud800"', "7")
    assert with_member(ODD, "new", "[1]") == ODD.replace("[ ] }", '[ ],"new":[1] }')


@pytest.mark.req("SE-01")
def test_of_a_repeated_key_the_last_one_counts() -> None:
    assert member(ODD, "n") == '{"a" :1,"a": 2}'
    assert with_member(ODD, "n", "0") == ODD.replace('{"a" :1,"a": 2}', "0")


@pytest.mark.parametrize(
    ("text", "changed"), [("{}", '{"k":1}'), (" { } ", ' { "k":1} '), ('{"a":{}}', '{"a":{},"k":1}')]
)
def test_a_new_member_stands_behind_the_others(text: str, changed: str) -> None:
    assert with_member(text, "k", "1") == changed


BAD = {
    "": 0,
    "[]": 0,
    "null": 0,
    '"{}"': 0,
    "{": 1,
    '{"a"}': 4,
    '{"a":}': 5,
    '{"a":1,}': 7,
    '{"a":1 "b":2}': 7,
    "{a:1}": 1,
    '{"a":NaN}': 5,
    '{"a":01}': 6,
    "{}{}": 2,
    '{"a":"\t"}': 6,
    '{"a":1}x': 7,
    '{"a":' + "[" * 100_000 + "]" * 100_000 + "}": 5,
}


@pytest.mark.req("SE-01")
@pytest.mark.parametrize(("text", "offset"), BAD.items(), ids=range(len(BAD)))
def test_what_is_not_one_object_is_refused_with_its_place(text: str, offset: int) -> None:
    with pytest.raises(JsonTextError) as refused:
        checked_object(text)
    assert refused.value.offset == offset


def test_a_number_of_ten_thousand_digits_is_kept() -> None:
    text = '{"n":' + "9" * 10_000 + "}"
    assert checked_object(f"\n{text} ") == text


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=5), VALUES, max_size=4), st.text(max_size=5), VALUES, st.sampled_from([None, 2])
)
def test_a_member_is_replaced_as_json_means_it(
    value: dict[str, object], key: str, new: object, indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    changed = with_member(text, key, json.dumps(new))
    assert json.loads(changed) == {**value, key: new}
    kept = {each.key: changed[each.start : each.end] for each in members(changed) if each.key != key}
    assert kept == {each.key: text[each.start : each.end] for each in members(text) if each.key != key}
