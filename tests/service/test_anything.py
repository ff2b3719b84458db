"""Proves that nothing that a model writes gives anything but a result."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from evidencegate.v1 import evaluation_pb2, gatekeeper_pb2, text_pb2, verifier_pb2
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.service.servicers import Methods
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service.builders import binding, judge_request, output_text, validate_request
from tests.service.conftest import Running

SOUND = output_text(binding(), binding(raw_path=None), hypotheses=["the pool is too small"]).encode()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["claims", "claim_id", "evidence_bindings", "raw_path", "source_invocation_id", "hypotheses"])


def mutated(cuts: list[tuple[int, int, bytes]]) -> bytes:
    """The sound output with pieces cut out and others put in."""
    text = SOUND
    for start, length, piece in cuts:
        at = start % (len(text) + 1)
        text = text[:at] + piece + text[at + length :]
    return text


MUTATIONS = st.lists(
    st.tuples(
        st.integers(0, 2_000),
        st.integers(0, 40),
        st.binary(max_size=6) | st.sampled_from([b'"', b"{", b"\xed\xa0\x80"]),
    ),
    min_size=1,
    max_size=4,
).map(mutated)


def with_field(field: str, value: Any) -> bytes:
    """The sound output with one field, wherever it stands, set to something else."""

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: value if key == field else walk(inner) for key, inner in node.items()}
        return [walk(inner) for inner in node] if isinstance(node, list) else node

    return json.dumps(walk(json.loads(SOUND))).encode()


WRONG_TYPES = st.builds(with_field, FIELDS, JSON)


@pytest.mark.req("EX-04")
async def test_two_hundred_random_texts_give_a_result_over_the_wire(running: Running) -> None:
    chance = random.Random(20260302)
    for number in range(200):
        raw = (
            chance.randbytes(chance.randrange(300))
            if number % 2
            else mutated([(chance.randrange(2_000), chance.randrange(30), chance.randbytes(3)) for _ in range(3)])
        )
        validate, judge = validate_request(), judge_request()
        validate.executor_output.raw = judge.executor_output.raw = raw
        validated = await running.gatekeeper.Validate(validate)
        judged = await running.verifier.Judge(judge)
        assert validated.executor_output_parse_status == judged.evaluation.executor_output_parse_status
        assert validated.gatekeeper_result == judged.evaluation.gatekeeper_result
        if validated.executor_output_parse_status.status != text_pb2.PARSE_STATUS_VALID:
            assert judged.evaluation.verdict == evaluation_pb2.VERDICT_LOW_CONFID


@pytest.fixture(scope="module")
def methods() -> Methods:
    """The methods without a server between."""
    return Methods(load_catalog(find_rules()))


@pytest.mark.req("EX-04", "GK-01")
@settings(max_examples=150, deadline=None)
@given(raw=st.binary(max_size=200) | MUTATIONS | WRONG_TYPES)
def test_any_executor_output_gives_a_result(methods: Methods, raw: bytes) -> None:
    request = judge_request()
    request.executor_output.raw = raw
    payload = methods.judge(request.SerializeToString()).payload
    evaluation = verifier_pb2.JudgeResponse.FromString(payload).evaluation
    assert evaluation.verdict in (1, 2, 3)
    assert 0.0 <= evaluation.groundedness_score <= 1.0
    assert methods.judge(request.SerializeToString()).payload == payload


@pytest.mark.req("EX-04", "VO-07")
@settings(max_examples=100, deadline=None)
@given(raw=st.binary(max_size=200) | st.builds(lambda value: json.dumps(value).encode(), JSON))
def test_any_verifier_output_gives_a_result(methods: Methods, raw: bytes) -> None:
    request = judge_request(engine=evaluation_pb2.JUDGE_ENGINE_SUPPLIED)
    request.verifier_output.raw = raw
    evaluation = verifier_pb2.JudgeResponse.FromString(methods.judge(request.SerializeToString()).payload).evaluation
    assert evaluation.verdict == evaluation_pb2.VERDICT_LOW_CONFID
    assert evaluation.HasField("prompt_audit")


@pytest.mark.req("EX-04")
@settings(max_examples=50, deadline=None)
@given(
    value=st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=8), st.floats() | st.booleans(), max_size=3)
)
def test_any_object_gives_a_result(methods: Methods, value: dict[str, Any]) -> None:
    request = validate_request()
    request.executor_output.object.update(value)
    payload = methods.validate(request.SerializeToString()).payload
    assert gatekeeper_pb2.ValidateResponse.FromString(payload).executor_output_parse_status.status != 0


@pytest.mark.req("EX-04")
def test_an_output_over_a_mebibyte_is_a_result(methods: Methods) -> None:
    payload = methods.validate(validate_request("x" * 1_048_577).SerializeToString()).payload
    report = gatekeeper_pb2.ValidateResponse.FromString(payload).executor_output_parse_status
    assert (report.status, report.reason) == (text_pb2.PARSE_STATUS_MALFORMED, "too_large")
