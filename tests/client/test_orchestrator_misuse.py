"""Mistakes of the program that holds an orchestrator raise, and name what to do."""

from __future__ import annotations

from typing import Any

import pytest
from evidencegate.v1.evaluation_pb2 import Evaluation, RetryContext
from evidencegate.v1.invocation_pb2 import ToolInvocation
from evidencegate.v1.verifier_pb2 import JudgeResponse
from evidencegate_client import (
    ChatConfig,
    ChatResultError,
    ChatUsageError,
    EvidenceGateClient,
    EvidenceGateError,
    ExecutorRun,
    Orchestrator,
)

from tests.client.chat_support import CALL, ONCE, Chat, Script, Store, Wrong, output
from tests.client.fake_service import FakeService

GIVEN = Script().functions()


async def coroutine(_given: Any) -> Any:
    return None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"planner": None}, "the planner must be a function"),
        ({"executor": "run"}, "the executor must be a function"),
        ({"composer": 7}, "the composer must be a function"),
        ({"store": object()}, "the store must have the method write_evaluation"),
        ({"planner": coroutine}, "the planner is a coroutine function: use AsyncOrchestrator"),
        ({"config": ChatConfig(engine="llama")}, "'llama' is none of deterministic, llm, hybrid, supplied"),
        ({"config": ChatConfig(writer="me")}, "'me' is none of template, model, supplied"),
        ({"config": ChatConfig(engine="supplied")}, "a verifier function and the engine `supplied` belong together"),
        ({"verifier": print, "config": ChatConfig(engine="llm")}, "a verifier function and the engine"),
        ({"config": ChatConfig(writer="supplied")}, "a composer function and the writer `supplied` belong together"),
        ({"composer": print, "config": ChatConfig(writer="model")}, "a composer function and the writer"),
        ({"config": ChatConfig(composer_model_profile="x")}, "belongs to the writer `model`"),
        ({"config": ChatConfig(reserve_seconds=-1)}, "it must be at least 0"),
    ],
)
def test_an_orchestrator_that_cannot_work_is_refused_when_it_is_made(
    fake: FakeService, arguments: dict[str, Any], problem: str
) -> None:
    with EvidenceGateClient(fake.target, ONCE) as client, pytest.raises(ChatUsageError) as caught:
        Orchestrator(client, **(GIVEN | arguments))
    assert problem in str(caught.value)
    assert isinstance(caught.value, EvidenceGateError)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"query": None}, "must be texts"),
        ({"session_id": 7}, "must be texts"),
        ({"language": "fr"}, "'fr' is none of zh, en"),
        ({"made": {"store": Store()}}, "a store needs a session_id"),
        ({"made": {"store": Store()}, "session_id": " "}, "a store needs a session_id"),
        ({"request_id": " "}, "request_id is blank"),
        ({"request_id": "x" * 181}, "request_id has more than 180 bytes"),
    ],
)
def test_a_run_that_cannot_work_is_refused_before_it_begins(
    chat: Chat, fake: FakeService, arguments: dict[str, Any], problem: str
) -> None:
    script = Script()
    with pytest.raises(ChatUsageError, match=problem):
        chat(fake.target, script, **arguments)
    assert (script.planner_inputs, fake.calls) == ([], [])


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (Script(outputs=[Wrong("text")]), "the executor must return an ExecutorRun, not a text"),
        (Script(calls=[[7]]), r"the executor's tool_invocations\[0\] must be a call, not a number"),
        (Script(calls=[{"id": "1"}]), "the executor's tool_invocations must be a list, not an object"),  # type: ignore[list-item]
        (Script(calls=[None]), "the executor's tool_invocations must be a list, not null"),  # type: ignore[list-item]
        (Script(calls=[[{**CALL, "statsu": "x"}]]), r'tool_invocations\[0\]\.statsu: .* did you mean "status"\?'),
        (
            Script(calls=[[CALL, {**CALL, "output": "other"}]]),
            r"tool_invocations\[1\] has the ID '394' of another call",
        ),
        (Script(verified=lambda _: 7), "the verifier must return the raw text of a model, not a number"),
        (Script(composed=lambda _: {"a": 1}), "the composer must return the raw text of a model, not an object"),
    ],
    ids=["no run", "no call", "a mapping", "nothing", "misspelt", "ID twice", "verifier", "composer"],
)
def test_a_function_that_returns_the_wrong_thing_is_a_mistake_of_the_program(
    chat: Chat, fake: FakeService, script: Script, problem: str
) -> None:
    passed = Evaluation(verdict=1, route=1, source=1)  # type: ignore[arg-type]  # PASS, COMPOSE, server
    fake.scripts["Judge"] = [JudgeResponse(evaluation=passed)]
    with pytest.raises(ChatResultError, match=problem):
        chat(fake.target, script)


def test_a_function_that_returns_something_to_await_is_told_of_the_other_orchestrator(fake: FakeService) -> None:
    with (
        EvidenceGateClient(fake.target, ONCE) as client,
        pytest.raises(ChatResultError, match="executor returned something to await: use AsyncOrchestrator"),
    ):
        Orchestrator(client, planner=lambda _: None, executor=lambda given: coroutine(given)).run("why?")  # type: ignore[arg-type, return-value]  # the mistake


def test_the_calls_of_both_rounds_go_to_judge_once_each_and_the_callers_own_stay_as_they_are(
    chat: Chat, fake: FakeService
) -> None:
    retry = Evaluation(verdict=2, route=3, source=1)  # type: ignore[arg-type]  # LOW_CONFID, RETRY, server
    fake.scripts["Judge"] = [JudgeResponse(evaluation=retry, retry_context=RetryContext(verdict=2))]  # type: ignore[arg-type]
    mine = ToolInvocation(id="1", tool_name="query_logs", status=1)  # type: ignore[arg-type]
    later = ToolInvocation(id="2", tool_name="query_logs", status=1)  # type: ignore[arg-type]
    chat(fake.target, Script(outputs=["{}", "{}"], calls=[(mine,), (call for call in (mine, later))]))  # type: ignore[list-item]
    judged = [request for name, request in fake.calls if name == "Judge"]
    assert [[(call.id, call.round) for call in request.tool_invocations] for request in judged] == [
        [("1", 1)],
        [("1", 1), ("2", 2)],
    ]
    assert (mine.round, later.round) == (0, 0)


def test_text_that_utf_8_cannot_carry_is_no_mistake(chat: Chat, fake: FakeService) -> None:
    script = Script(outputs=["\ud800"])
    chat(fake.target, script, query="why \ud800?", session_id="s\udfff")
    judged = dict(fake.calls)["Judge"]
    assert (judged.original_query, judged.session_id) == ("why \ufffd?", "s\ufffd")
    assert judged.executor_output.raw == b"\xed\xa0\x80"
    assert script.planner_inputs[0].original_query == "why \ufffd?"


def test_one_orchestrator_answers_several_questions(fake: FakeService) -> None:
    script = Script(outputs=[output()], calls=[()])
    with EvidenceGateClient(fake.target, ONCE) as client:
        chat = Orchestrator(client, planner=script.planner, executor=lambda _: ExecutorRun("{}"))
        answers = [chat.run(query) for query in ("a", "b")]
    assert [len(answer.rounds) for answer in answers] == [1, 1]
    assert [one.original_query for one in script.planner_inputs] == ["a", "b"]
