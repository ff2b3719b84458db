"""Proves that the words of the engine and the enums of the contract are the same sets."""

from __future__ import annotations

from enum import StrEnum

import pytest
from evidencegate.v1 import (
    catalog_pb2,
    evaluation_pb2,
    gatekeeper_pb2,
    invocation_pb2,
    prompt_pb2,
    text_pb2,
    trace_pb2,
)
from evidencegate_server import words
from evidencegate_server.service import enum_words
from evidencegate_server.service.enum_words import EnumWords
from google.protobuf.descriptor import EnumDescriptor

FILES = (catalog_pb2, evaluation_pb2, gatekeeper_pb2, invocation_pb2, prompt_pb2, text_pb2, trace_pb2)
ENUMS: list[EnumDescriptor] = [enum for file in FILES for enum in file.DESCRIPTOR.enum_types_by_name.values()]
MAPPINGS = {mapping.prefix: mapping for mapping in vars(enum_words).values() if isinstance(mapping, EnumWords)}


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.name)
def test_each_enum_of_the_contract_has_exactly_the_words_of_the_engine(enum: EnumDescriptor) -> None:
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    mapping = MAPPINGS[prefix]
    in_contract = {value.name: value.number for value in enum.values if value.number}
    in_engine = {prefix + word.upper(): number for word, number in mapping.number.items()}
    assert in_engine == in_contract
    assert {number: word for word, number in mapping.number.items()} == mapping.word


def test_a_word_without_a_number_is_an_error() -> None:
    class Longer(StrEnum):
        PASS = "PASS"
        LOW_CONFID = "LOW_CONFID"
        REJECT = "REJECT"
        MAYBE = "MAYBE"

    with pytest.raises(KeyError, match="VERDICT_MAYBE"):
        EnumWords(evaluation_pb2.Verdict.DESCRIPTOR, tuple(Longer))


def test_a_number_without_a_word_is_an_error() -> None:
    with pytest.raises(ValueError, match="numbers without a word"):
        EnumWords(evaluation_pb2.Verdict.DESCRIPTOR, (words.Verdict.PASS,))
