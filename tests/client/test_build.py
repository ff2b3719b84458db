"""Requests built from a program's values and from session files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidencegate.v1.evaluation_pb2 import JUDGE_ENGINE_SUPPLIED, RetryContext
from evidencegate.v1.invocation_pb2 import EVIDENCE_KIND_GUIDANCE, INVOCATION_STATUS_NO_HIT, ToolInvocation
from evidencegate_client import (
    EvidenceGateError,
    SessionError,
    judge_request,
    request_from_session,
    tool_invocation,
    validate_request,
    vocabulary,
)
from evidencegate_client.build import executor_output, model_text
from evidencegate_client.reader import clean

ROW: dict[str, Any] = {
    "id": "394",
    "tool_name": "query_logs",
    "status": "NO_HIT",
    "round": 1,
    "topic_domain": "logs",
    "input": "{}",
    "output": "",
    "error": "",
    "retrieval_details": {
        "evidence_refs": [{"raw_path": "lines[0]", "text": "t", "kind": "guidance", "truncated": True}],
        "queries": ["q"],
        "retrieval_layers": ["keyword"],
        "relevance_levels": ["high"],
        "source_documents": ["d"],
    },
}
SESSION: dict[str, Any] = {
    "session_id": "s",
    "title": "t",
    "round": 2,
    "original_query": "why?",
    "executor_output": "{}",
    "verifier_output": "{}",
    "retry_context": {"verdict": "LOW_CONFID", "groundedness_score": 0.2, "weak_claims": [], "missing_info": ["m"]},
    "narrow_question": True,
    "tool_invocations": [ROW],
    "source": [],
    "expect": {},
}


def changed(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Returns the session with one value replaced; `...` takes the key away."""
    session: Any = json.loads(json.dumps(SESSION))
    target = session
    for step in path[:-1]:
        target = target[step]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return dict(session)


@pytest.mark.req("IO-06")
def test_text_travels_as_text_and_lone_surrogates_as_bytes() -> None:
    assert executor_output("{} 退出") == executor_output("{} 退出")
    assert executor_output("{} 退出").text == "{} 退出"
    lone = executor_output("a\ud800b")
    assert (lone.WhichOneof("content"), lone.raw) == ("raw", b"a\xed\xa0\x80b")
    assert model_text("a\udfffb").raw == b"a\xed\xbf\xbfb"


@pytest.mark.req("IO-06", "IO-07")
def test_no_output_is_unset_and_an_empty_one_is_not() -> None:
    assert executor_output(None).WhichOneof("content") is None
    assert executor_output("").WhichOneof("content") == "text"
    assert executor_output(b"x").raw == b"x"
    assert executor_output({"a": 1}).WhichOneof("content") == "object"


@pytest.mark.req("IO-06")
def test_lone_surrogates_in_evidence_and_query_become_the_replacement_character() -> None:
    row = changed(("tool_invocations", 0, "output"), "x\udc80y")["tool_invocations"][0]
    row["retrieval_details"]["evidence_refs"][0]["text"] = "\ud83d\ude00"
    row["input"], row["error"] = "\ud800", "\udfff"
    built = tool_invocation(row)
    assert (built.output, built.input, built.error) == ("x\ufffdy", "\ufffd", "\ufffd")
    assert built.retrieval_details.evidence_refs[0].text == "\ufffd\ufffd"
    request = judge_request(executor_output=None, tool_invocations=[], original_query="\ud800?")
    assert request.original_query == "\ufffd?"
    assert clean("plain 文字 \U0001f600") == "plain 文字 \U0001f600"


def test_a_session_becomes_the_request_that_it_describes() -> None:
    request = request_from_session(SESSION, engine="supplied")
    assert (request.session_id, request.round, request.original_query) == ("s", 2, "why?")
    assert (request.executor_output.text, request.verifier_output.text) == ("{}", "{}")
    assert (request.narrow_question, request.engine) == (True, JUDGE_ENGINE_SUPPLIED)
    assert request.retry_context == RetryContext(verdict=2, groundedness_score=0.2, missing_info=["m"])
    (row,) = request.tool_invocations
    assert (row.id, row.tool_name, row.status, row.round) == ("394", "query_logs", INVOCATION_STATUS_NO_HIT, 1)
    details = row.retrieval_details
    assert (details.evidence_refs[0].kind, details.evidence_refs[0].truncated) == (EVIDENCE_KIND_GUIDANCE, True)
    assert [list(details.queries), list(details.source_documents)] == [["q"], ["d"]]


def test_validate_is_asked_about_the_same_output() -> None:
    request = judge_request(
        executor_output=None,
        tool_invocations=[ROW],
        narrow_question=True,
        expected_rule_set_version="2",
        session_id="s",
    )
    built = validate_request(request)
    assert (built.session_id, built.narrow_question, built.expected_rule_set_version) == ("s", True, "2")
    assert list(built.tool_invocations) == list(request.tool_invocations)
    assert built.HasField("executor_output")


def test_what_the_format_calls_optional_may_be_absent() -> None:
    session = {
        "session_id": "s",
        "executor_output": None,
        "tool_invocations": [{"id": 7, "tool_name": "t", "status": "FAILED"}],
    }
    request = request_from_session(session)
    assert (request.round, request.engine, request.HasField("retry_context")) == (1, 0, False)
    assert not request.HasField("verifier_output")
    assert request.tool_invocations[0].id == "7"
    assert not request.tool_invocations[0].HasField("retrieval_details")


def test_an_empty_retry_context_is_present() -> None:
    request = judge_request(executor_output=None, tool_invocations=[], retry_context=RetryContext())
    assert request.HasField("retry_context")


def test_invocations_may_be_messages_already() -> None:
    ready = ToolInvocation(id="1", tool_name="t", status=INVOCATION_STATUS_NO_HIT)
    assert list(judge_request(executor_output="{}", tool_invocations=[ready]).tool_invocations) == [ready]


REF = ("tool_invocations", 0, "retrieval_details", "evidence_refs", 0)


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("session_id",), ..., "this key is missing"),
        (("sesion_id",), "s", 'unknown key; did you mean "session_id"?'),
        (("engine",), "supplied", "unknown key; known are session_id, title, round, "),
        (("tool_invocations", 0, "ouput"), "", 'unknown key; did you mean "output"?'),
        (
            ("tool_invocations", 0, "retrieval_details", "evidence_ref"),
            [],
            'unknown key; did you mean "evidence_refs"?',
        ),
        ((*REF, "rawpath"), "lines[0]", 'unknown key; did you mean "raw_path"?'),
        (("round",), 0, "is 0; it must be 1 or 2"),
        (("round",), 3, "is 3; it must be 1 or 2"),
        (("executor_output",), ..., "this key is missing"),
        (("executor_output",), {}, "the raw text of a model is wanted, not an object"),
        (("tool_invocations",), ..., "this key is missing"),
        (("tool_invocations",), None, "a list is wanted, not null"),
        (("tool_invocations",), {}, "a list is wanted, not an object"),
        (("round",), "1", "a whole number is wanted, not a text"),
        (("round",), True, "a whole number is wanted, not a boolean"),
        (("round",), 1.5, "a whole number is wanted, not a number"),
        (("narrow_question",), "no", "true or false is wanted, not a text"),
        (("original_query",), 5, "a text is wanted, not a number"),
        (("retry_context",), [], "an object is wanted, not a list"),
        (("tool_invocations", 0), 5, "an object is wanted, not a number"),
        (("tool_invocations", 0, "id"), ..., "this key is missing"),
        (("tool_invocations", 0, "id"), True, "an ID is a text or a whole number, not a boolean"),
        (("tool_invocations", 0, "status"), "DONE", "'DONE' is none of SUCCESS, FAILED, NO_HIT, DEDUPED"),
        (("tool_invocations", 0, "status"), "success", "'success' is none of"),
        (("tool_invocations", 0, "status"), None, "a text is wanted, not null"),
        (("tool_invocations", 0, "input"), {}, "a text is wanted, not an object"),
        (("tool_invocations", 0, "retrieval_details"), [], "an object is wanted, not a list"),
        ((*REF, "text"), ..., "this key is missing"),
        ((*REF, "raw_path"), 3, "a text is wanted, not a number"),
        ((*REF, "kind"), "rumour", "'rumour' is none of observation, guidance"),
    ],
)
def test_an_object_that_is_no_session_is_refused_with_its_place(
    path: tuple[str | int, ...], value: Any, problem: str
) -> None:
    with pytest.raises(SessionError) as caught:
        request_from_session(changed(path, value))
    assert caught.value.place == place_of(path)
    assert caught.value.problem.startswith(problem)


def place_of(path: tuple[str | int, ...]) -> str:
    """Returns a path as messages write it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def test_a_list_of_texts_holds_texts_alone() -> None:
    with pytest.raises(SessionError, match=r"retrieval_details\.queries\[1\]: a text is wanted, not a number"):
        request_from_session(changed(("tool_invocations", 0, "retrieval_details", "queries"), ["q", 1]))


def test_a_retry_context_with_an_unknown_word_is_refused_with_its_place() -> None:
    with pytest.raises(SessionError, match="retry_context: verdict: 'SURE' is none of"):
        request_from_session(changed(("retry_context", "verdict"), "SURE"))


@pytest.mark.parametrize("value", [float("nan"), 10**400, {1: 1}, "\ud800"], ids=repr)
def test_an_output_that_no_json_object_can_carry_is_refused(value: Any) -> None:
    with pytest.raises(SessionError, match="executor_output: no JSON object"):
        executor_output({"a": value})


@pytest.mark.parametrize("value", [None, [], "x", 5])
def test_a_session_is_an_object(value: Any) -> None:
    with pytest.raises(SessionError, match="a session is a JSON object"):
        request_from_session(value)


def test_a_misspelt_key_is_told_before_the_one_that_it_leaves_missing() -> None:
    session = changed(("tool_invocations",), ...) | {"tool_invocation": []}
    with pytest.raises(SessionError, match='tool_invocation: unknown key; did you mean "tool_invocations"'):
        request_from_session(session)


def test_every_field_of_a_stored_call_is_read() -> None:
    """A key is known because the message has the field, so each of them must reach the message."""
    assert ROW.keys() == set(ToolInvocation.DESCRIPTOR.fields_by_name)
    refs = ROW["retrieval_details"]["evidence_refs"]
    row = ROW | {"output": "o", "error": "e"}
    row["retrieval_details"] = ROW["retrieval_details"] | {"evidence_refs": [refs[0] | {"source_document": "d"}]}
    assert vocabulary.to_dict(tool_invocation(row)) == row


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"round": 0}, "round: is 0; it must be 1 or 2"),
        ({"round": True}, "round: is True; it must be 1 or 2"),
        ({"executor_output": 5}, "executor_output: the raw text of a model is wanted, not a number"),
        ({"verifier_output": {}}, "verifier_output: the raw text of a model is wanted, not an object"),
        ({"original_query": None}, "original_query: a text is wanted, not null"),
        ({"session_id": 7}, "session_id: a text is wanted, not a number"),
        ({"tool_invocations": None}, "tool_invocations: a list is wanted, not null"),
        ({"tool_invocations": ROW}, "tool_invocations: a list is wanted, not an object"),
        ({"tool_invocations": [ROW, ROW | {"stats": 1}]}, r"tool_invocations\[1\]\.stats: unknown key; did you mean"),
        ({"retry_context": {"verdit": "PASS"}}, 'retry_context: verdit: unknown key; did you mean "verdict"'),
    ],
)
def test_a_value_of_a_program_that_does_not_fit_is_refused_at_once(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(EvidenceGateError, match=message):
        judge_request(**{"executor_output": "{}", "tool_invocations": [], **wrong})


def test_an_engine_that_there_is_not_is_named() -> None:
    with pytest.raises(SessionError, match="engine: 'magic' is none of deterministic, llm, hybrid, supplied"):
        judge_request(executor_output="{}", tool_invocations=[], engine="magic")


def test_every_recorded_session_can_be_sent(shared: Path) -> None:
    for path in sorted((shared / "sessions").glob("*.json")):
        session = json.loads(path.read_text(encoding="utf-8"))
        request = request_from_session(session)
        assert request.executor_output.text == session["executor_output"]
        assert len(request.tool_invocations) == len(session["tool_invocations"])
