"""The value that names an input, the same in every language."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from dataclasses import replace
from typing import Any

import pytest
from evidencegate.v1 import gatekeeper_pb2
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.use_cases.digest import input_digest
from evidencegate_server.words import EvidenceKind, InvocationStatus, OutputVariant
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ROOT

VECTORS: list[dict[str, Any]] = json.loads((ROOT / "examples/digest_vectors.json").read_text("utf-8"))["vectors"]
REQ = pytest.mark.req("GK-16")
CALL = Invocation(
    id="1",
    tool_name="query_logs",
    status=InvocationStatus.SUCCESS,
    round=1,
    topic_domain="logs",
    input="{}",
    output="one line",
    error="none",
    refs=(EvidenceRef("lines[0]", "connection refused", source_document="a"), EvidenceRef("lines[1]", "again")),
)


def _invocation(data: dict[str, Any]) -> Invocation:
    refs = data.get("retrieval_details", {}).get("evidence_refs", [])
    return Invocation(
        id=data["id"],
        tool_name=data["tool_name"],
        status=InvocationStatus(data["status"].removeprefix("INVOCATION_STATUS_")),
        round=data["round"],
        topic_domain=data.get("topic_domain", ""),
        input=data.get("input", ""),
        output=data.get("output", ""),
        error=data.get("error", ""),
        refs=tuple(
            EvidenceRef(
                raw_path=ref["raw_path"],
                text=ref["text"],
                kind=EvidenceKind(ref.get("kind", "EVIDENCE_KIND_OBSERVATION").removeprefix("EVIDENCE_KIND_").lower()),
                source_document=ref.get("source_document", ""),
                truncated=ref.get("truncated", False),
            )
            for ref in refs
        ),
    )


def _digest(vector: dict[str, Any]) -> str:
    request = vector["request"]
    content = request.get("executor_output", {})
    variant, output = OutputVariant.NONE, None
    if "text" in content:
        variant, output = OutputVariant.TEXT, content["text"]
    elif "raw" in content:
        variant, output = OutputVariant.RAW, base64.b64decode(content["raw"])
    elif "object" in content:
        variant, output = OutputVariant.OBJECT, vector["output"]
    calls = [_invocation(each) for each in request.get("tool_invocations", [])]
    return input_digest(variant, output, calls, request.get("narrow_question", False))


@REQ
@pytest.mark.parametrize("vector", [pytest.param(each, id=each["name"]) for each in VECTORS])
def test_a_vector_is_recomputed(vector: dict[str, Any]) -> None:
    assert vector["input_digest"] == _digest(vector)


@REQ
@pytest.mark.parametrize("vector", [pytest.param(each, id=each["name"]) for each in VECTORS])
def test_a_vector_is_a_request_in_the_json_form_of_the_protos(vector: dict[str, Any]) -> None:
    json_format.ParseDict(vector["request"], gatekeeper_pb2.ValidateRequest())


@REQ
def test_vectors_are_alike_exactly_where_their_notes_say_so() -> None:
    by_digest: dict[str, list[str]] = {}
    for vector in VECTORS:
        by_digest.setdefault(vector["input_digest"], []).append(vector["name"])
    alike = sorted(names for names in by_digest.values() if len(names) > 1)
    assert alike == [["no_refs", "no_retrieval_details"], ["order_by_code_point", "order_is_irrelevant"]]


@REQ
def test_the_bytes_are_those_of_the_written_order() -> None:
    fields = ["evidencegate.input.v1", "text", "结论", "1", "1", "1", "query_logs", "SUCCESS", "1", "logs", "{}"]
    fields += ["one line", "none", "2", "lines[0]", "connection refused", "observation", "a", "0"]
    fields += ["lines[1]", "again", "observation", "", "0"]
    data = b"".join(struct.pack(">Q", len(field.encode())) + field.encode() for field in fields)
    assert input_digest(OutputVariant.TEXT, "结论", [CALL], True) == hashlib.sha256(data).hexdigest()


CHANGES: list[dict[str, Any]] = [
    {"id": "2"},
    {"tool_name": "other"},
    {"status": InvocationStatus.FAILED},
    {"round": 2},
    {"topic_domain": ""},
    {"input": ""},
    {"output": ""},
    {"error": ""},
    {"refs": ()},
    {"refs": CALL.refs[::-1]},
    {"refs": (replace(CALL.refs[0], raw_path="x"), CALL.refs[1])},
    {"refs": (replace(CALL.refs[0], text="x"), CALL.refs[1])},
    {"refs": (replace(CALL.refs[0], kind=EvidenceKind.GUIDANCE), CALL.refs[1])},
    {"refs": (replace(CALL.refs[0], source_document=""), CALL.refs[1])},
    {"refs": (replace(CALL.refs[0], truncated=True), CALL.refs[1])},
]


@REQ
def test_every_field_counts() -> None:
    variants = [[CALL], *[[replace(CALL, **change)] for change in CHANGES], [], [CALL, replace(CALL, id="2")]]
    digests = {input_digest(OutputVariant.TEXT, "x", calls, False) for calls in variants}
    digests |= {input_digest(OutputVariant.TEXT, text, [CALL], narrow) for text, narrow in (("y", False), ("x", True))}
    digests |= {
        input_digest(OutputVariant.RAW, b"x", [CALL], False),
        input_digest(OutputVariant.NONE, None, [CALL], False),
    }
    digests.add(input_digest(OutputVariant.OBJECT, "x", [CALL], False))
    assert len(digests) == len(variants) + 5


@REQ
def test_implied_refs_do_not_count() -> None:
    implied = replace(CALL, refs=(*CALL.refs, EvidenceRef("output", "one line", implied=True)))
    assert input_digest(OutputVariant.NONE, None, [implied], False) == input_digest(
        OutputVariant.NONE, None, [CALL], False
    )


@REQ
@given(st.lists(st.text(min_size=1), unique=True, max_size=6), st.randoms())
def test_the_order_of_the_invocations_does_not_count(names: list[str], rng: Any) -> None:
    calls = [replace(CALL, id=name) for name in names]
    mixed = list(calls)
    rng.shuffle(mixed)
    assert input_digest(OutputVariant.NONE, None, mixed, False) == input_digest(OutputVariant.NONE, None, calls, False)


@REQ
def test_long_fields_and_lone_surrogates_are_written_too() -> None:
    texts = ["", "x" * 2_047, "x" * 2_048, "x" * 70_000, "\ud800"]
    digests = {
        input_digest(OutputVariant.NONE, None, [replace(CALL, refs=(EvidenceRef(path, text),))], False)
        for path in texts
        for text in texts
    }
    assert len(digests) == len(texts) ** 2
