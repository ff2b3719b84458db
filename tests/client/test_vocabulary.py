"""Stored JSON: the words, the order, what is written out and what is left out."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from evidencegate.v1 import (
    catalog_pb2,
    evaluation_pb2,
    executor_output_pb2,
    gatekeeper_pb2,
    invocation_pb2,
    prompt_pb2,
    text_pb2,
    trace_pb2,
    verifier_pb2,
)
from evidencegate_client import VocabularyError, vocabulary
from evidencegate_server import words
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

PAIRS = [
    (text_pb2.ParseStatus, words.ParseStatus),
    (invocation_pb2.InvocationStatus, words.InvocationStatus),
    (invocation_pb2.EvidenceKind, words.EvidenceKind),
    (trace_pb2.EvidenceLevel, words.EvidenceLevel),
    (gatekeeper_pb2.CheckOutcome, words.Outcome),
    (gatekeeper_pb2.GatekeeperStatus, words.GatekeeperStatus),
    (gatekeeper_pb2.BindingResolution, words.Resolution),
    (catalog_pb2.Severity, words.Severity),
    (evaluation_pb2.Verification, words.Verification),
    (evaluation_pb2.FactVerification, words.FactVerification),
    (evaluation_pb2.Verdict, words.Verdict),
    (evaluation_pb2.Route, words.Route),
    (evaluation_pb2.JudgeEngine, words.Engine),
    (evaluation_pb2.EvaluationSource, words.EvaluationSource),
]
FILES = [
    catalog_pb2,
    evaluation_pb2,
    executor_output_pb2,
    gatekeeper_pb2,
    invocation_pb2,
    prompt_pb2,
    text_pb2,
    trace_pb2,
    verifier_pb2,
]
MESSAGES = [
    getattr(module, name)
    for module in FILES
    for name in module.DESCRIPTOR.message_types_by_name
    if name != "ExecutorOutput"  # holds a free object, which has its own test
]


@pytest.mark.parametrize(("enum", "word_set"), PAIRS, ids=lambda item: getattr(item, "__name__", ""))
def test_the_words_of_the_contract_are_those_of_the_engine(enum: Any, word_set: type[words.StrEnum]) -> None:
    assert sorted(vocabulary.words(enum)) == sorted(item.value for item in word_set)


def test_every_enum_of_the_contract_has_its_words_checked() -> None:
    enums = {name for module in FILES for name in module.DESCRIPTOR.enum_types_by_name}
    assert {enum.DESCRIPTOR.name for enum, _ in PAIRS} | {"PromptRole"} == enums


@pytest.mark.parametrize(("enum", "_words"), PAIRS, ids=lambda item: getattr(item, "__name__", ""))
def test_each_word_reads_back_as_its_value(enum: Any, _words: Any) -> None:
    for value in enum.DESCRIPTOR.values:
        assert vocabulary.number(enum, vocabulary.word(enum, value.number)) == value.number


def test_an_unknown_word_is_named_beside_the_known_ones() -> None:
    with pytest.raises(VocabularyError, match="'MAYBE' is none of PASS, LOW_CONFID, REJECT"):
        vocabulary.number(evaluation_pb2.Verdict, "MAYBE")


def test_defaults_are_written_out_and_absent_fields_left_out_in_the_order_of_the_fields() -> None:
    check = evaluation_pb2.ClaimCheck(claim_id="c1", verification=1)
    assert vocabulary.to_json(check) == (
        '{"index":0,"claim_id":"c1","claim_text":"","claim_type":"","verification":"direct_observation","detail":"",'
        '"evidence_refs":[],"is_critical":false,"label_steps":[],"fabricated":false,"fabricated_identifiers":[],'
        '"witnesses":[]}'
    )


def test_a_present_optional_is_written_even_when_it_is_the_default() -> None:
    report = text_pb2.ParseReport(line=0)
    assert vocabulary.to_dict(report)["line"] == 0
    assert "column" not in vocabulary.to_dict(report)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.DESCRIPTOR.name)
def test_every_message_reads_back_as_it_was(kind: type[Message]) -> None:
    """Random messages with every field set, some by chance; the same message gives the same text."""
    chance = random.Random(f"fixed for {kind.DESCRIPTOR.name}")
    for _ in range(20):
        message = kind()
        _fill(message, chance, depth=0)
        text = vocabulary.to_json(message)
        assert vocabulary.from_json(kind, text) == message
        assert vocabulary.to_json(vocabulary.from_json(kind, text)) == text


def _fill(message: Message, chance: random.Random, depth: int) -> None:
    for field in message.DESCRIPTOR.fields:
        if chance.random() < 0.3:
            continue
        if field.is_repeated:
            for _ in range(chance.randrange(3)):
                if field.message_type is not None:
                    _fill(getattr(message, field.name).add(), chance, depth + 1)
                else:
                    getattr(message, field.name).append(_value(field, chance))
        elif field.message_type is not None:
            if field.message_type.full_name != "google.protobuf.Struct":
                getattr(message, field.name).SetInParent()
                _fill(getattr(message, field.name), chance, depth + 1)
        else:
            setattr(message, field.name, _value(field, chance))


def _value(field: FieldDescriptor, chance: random.Random) -> Any:
    if field.enum_type is not None:
        return chance.choice([value.number for value in field.enum_type.values] + [77])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return chance.randbytes(chance.randrange(8))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return chance.random() < 0.5
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return chance.choice([0.0, 1.0, 0.1 + 0.2, chance.random()])
    if field.type == FieldDescriptor.TYPE_STRING:
        return chance.choice(["", "a", "退出码 137", '"\\\n\u2028\x00', "\U0001f600"])
    return chance.choice([0, 1, -1, 2**31 - 1, -(2**31)])


def test_a_free_object_keeps_its_content() -> None:
    output = executor_output_pb2.ExecutorOutput()
    output.object.update({"a": [1, None, "x"], "b": {"c": True}})
    stored = vocabulary.to_dict(output)
    assert stored == {"object": {"a": [1.0, None, "x"], "b": {"c": True}}}
    assert vocabulary.from_dict(executor_output_pb2.ExecutorOutput, stored) == output


def test_a_free_object_gives_the_same_text_in_every_process_and_language() -> None:
    """The maps of protobuf come in an order that each process chooses anew; StoredJsonTest has the same text."""
    output = executor_output_pb2.ExecutorOutput()
    output.object.update({"\U0001f6a8": "", "z": {"c": "<\u2028", "b": 1e17}, "\uffee": 0.1, "a": [1, None, True]})
    text = '{"object":{"a":[1.0,null,true],"z":{"b":1e+17,"c":"<\u2028"},"\uffee":0.1,"\U0001f6a8":""}}'
    assert vocabulary.to_json(output) == text
    assert vocabulary.from_json(executor_output_pb2.ExecutorOutput, text) == output


@pytest.mark.parametrize(
    "unfit",
    [float("nan"), float("inf"), 10**400, "\ud800", {"\ud800": 1}, {1: 1}, {1, 2}, [[float("nan")]]],
    ids=repr,
)
def test_what_a_free_object_cannot_carry_is_refused_with_its_place(unfit: Any) -> None:
    with pytest.raises(VocabularyError, match=r"^object: "):
        vocabulary.from_dict(executor_output_pb2.ExecutorOutput, {"object": {"a": unfit}})


def test_a_free_object_with_a_number_that_json_cannot_carry_is_refused() -> None:
    output = executor_output_pb2.ExecutorOutput()
    output.object["a"] = float("inf")
    with pytest.raises(VocabularyError, match="cannot carry"):
        vocabulary.to_json(output)


def test_a_value_of_a_newer_service_survives_as_its_number() -> None:
    evaluation = evaluation_pb2.Evaluation(verdict=9)  # type: ignore[arg-type]
    stored = json.loads(vocabulary.to_json(evaluation))
    assert stored["verdict"] == 9
    assert vocabulary.from_dict(evaluation_pb2.Evaluation, stored).verdict == 9
    assert vocabulary.word(evaluation_pb2.Verdict, 9) == "9"


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ({"verdit": "PASS"}, 'verdit: unknown key; did you mean "verdict"'),
        ({"verdict": "pass"}, "verdict: 'pass' is none of UNSPECIFIED, PASS, LOW_CONFID, REJECT"),
        ({"verdict": 1}, "verdict: 1 is none of"),
        ({"verdict": None}, "verdict: None is none of"),
        ({"groundedness_score": "0.5"}, "groundedness_score: a text does not fit"),
        ({"groundedness_score": float("nan")}, "groundedness_score: a number does not fit"),
        ({"critical_fact_count": True}, "critical_fact_count: a boolean does not fit"),
        ({"critical_fact_count": 1.0}, "critical_fact_count: a number does not fit"),
        ({"critical_fact_count": 2**31}, "critical_fact_count: a number does not fit"),
        ({"claim_checks": {}}, "claim_checks: a list is wanted, not an object"),
        ({"claim_checks": [{}, 5]}, r"claim_checks\[1\]: an object is wanted, not a number"),
        ({"claim_checks": [{"witnesses": [{"claim_span": {"begin": 1}}]}]}, r"witnesses\[0\]\.claim_span\.begin"),
        ({"rationale": "\ud800"}, "rationale: .*surrogates not allowed"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(stored: dict[str, Any], message: str) -> None:
    with pytest.raises(VocabularyError, match=message):
        vocabulary.from_dict(evaluation_pb2.Evaluation, stored)


def test_null_for_a_field_that_may_be_absent_is_absent() -> None:
    read = vocabulary.from_dict(evaluation_pb2.Evaluation, {"engine": None, "gatekeeper_result": None})
    assert read == evaluation_pb2.Evaluation()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a":1}'])
def test_text_that_is_no_such_message_is_refused(text: str) -> None:
    with pytest.raises(VocabularyError):
        vocabulary.from_json(evaluation_pb2.Evaluation, text)


def test_a_number_that_json_cannot_carry_is_refused() -> None:
    with pytest.raises(VocabularyError, match="groundedness_score is nan"):
        vocabulary.to_json(evaluation_pb2.Evaluation(groundedness_score=float("nan")))
