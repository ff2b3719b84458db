"""Proves that a Struct becomes the one JSON text that the digest and the parser see."""

from __future__ import annotations

import json

import pytest
from evidencegate_server.service.struct_json import UnsetValueError, canonical_json
from google.protobuf import struct_pb2
from hypothesis import given
from hypothesis import strategies as st


def text_of(value: object) -> str:
    struct = struct_pb2.Struct()
    struct.update({"v": value})
    return canonical_json(struct)[len('{"v":') : -1]


@pytest.mark.req("IO-06")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (394, "394"),
        (-0.0, "0"),
        (0.5, "0.5"),
        (1e300, "1e+300"),
        (2**53 - 1, "9007199254740991"),
        (2**53, "9007199254740992.0"),
        (-(2**53), "-9007199254740992.0"),
        (True, "true"),
        (None, "null"),
        ('数据库 "慢"\n', '"数据库 \\"慢\\"\\n"'),
        ([], "[]"),
        ([1, "a", None], '[1,"a",null]'),
        ({}, "{}"),
        ({"b": 1, "a": {"é": 2, "e": 3}}, '{"a":{"e":3,"é":2},"b":1}'),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_values_are_written_in_one_way(value: object, text: str) -> None:
    assert text_of(value) == text


def test_a_value_with_nothing_set_is_refused_with_its_path() -> None:
    inner = struct_pb2.ListValue(values=[struct_pb2.Value(bool_value=True), struct_pb2.Value()])
    struct = struct_pb2.Struct(fields={"v": struct_pb2.Value(list_value=inner), "w": struct_pb2.Value(number_value=1)})
    with pytest.raises(UnsetValueError) as refused:
        canonical_json(struct)
    assert refused.value.path == ".v[1]"


def test_keys_are_sorted_by_code_point() -> None:
    null = struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)
    # UTF-16 would put the second before the first.
    struct = struct_pb2.Struct(fields={"\U0001f600": null, "\ufb01": null})
    assert canonical_json(struct) == '{"\ufb01":null,"\U0001f600":null}'


TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(TEXT, JSON, max_size=4))
def test_reading_the_text_gives_the_same_values(value: dict[str, object]) -> None:
    struct = struct_pb2.Struct()
    struct.update(value)
    assert json.loads(canonical_json(struct)) == value
