"""What a run comes to where something fails: always a safe answer, and the fault on record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from evidencegate.v1.composer_pb2 import ComposeResponse, ComposerOutput, FallbackReason
from evidencegate.v1.evaluation_pb2 import Evaluation, RetryContext
from evidencegate.v1.prompt_pb2 import PROMPT_ROLE_PLANNER, PromptVersion
from evidencegate.v1.verifier_pb2 import JudgeResponse
from evidencegate_client import (
    ChatAnswer,
    ChatConfig,
    ServiceError,
    judge_request,
    safe_text,
    vocabulary,
)
from evidencegate_client.errors import FALLBACK_CODES
from evidencegate_server.cli.own_server import own_server
from google.rpc import error_details_pb2

from tests.client.chat_support import GOOD, WEAK, Chat, Script, Store, output, step, steps
from tests.client.fake_service import Failure, FakeService

SECRET = "password=hunter2"
FALLBACK = sorted(code.name for code in FALLBACK_CODES)
RAISED = ["UNAUTHENTICATED", "PERMISSION_DENIED", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"]
NONSENSE: dict[str, Any] = {
    "nothing": None,
    "an empty text": "",
    "no JSON": "我不知道",
    "cut off": output(GOOD)[:-30],
    "two objects": output(GOOD) * 2,
    "another object": '{"user_facing_answer": "db-9 is down, 4711 errors"}',
    "lone surrogates": output(GOOD).replace("pool", "\ud800"),
    "bytes that are no text": b"\xff\xfe\x00",
    "deep nesting": "[" * 100_000,
    "a list": "[1, 2, 3]",
}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    """HOST:PORT of the real service."""
    with own_server() as address:
        yield address


def judged(verdict: int, route: int, score: float, **fields: Any) -> JudgeResponse:
    evaluation = Evaluation(verdict=verdict, route=route, groundedness_score=score, source=1)  # type: ignore[arg-type]
    return JudgeResponse(evaluation=evaluation, **fields)


def assert_safe(answer: ChatAnswer, text: str) -> None:
    assert answer.text == answer.composer_output.text == text
    assert (answer.verdict, answer.route, answer.score) == ("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY", 0.0)
    assert answer.is_fallback
    stored = vocabulary.to_dict(answer.evaluation)
    assert (stored["verdict"], stored["source"], stored["claim_checks"]) == ("LOW_CONFID", "CLIENT_FALLBACK", [])
    assert [prompt.name for prompt in answer.evaluation.prompt_audit.prompts] == [
        "planner",
        "executor",
        "verifier",
        "composer",
    ]
    assert len(answer.composer_output.prompt_audit.prompts) == 4
    assert answer.composer_output.fallback_reason == FallbackReason.FALLBACK_REASON_UNAVAILABLE


@pytest.mark.req("SE-03", "SE-04", "CP-05")
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["planner", "executor"])
def test_a_function_that_raises_in_round_1_gives_the_safe_text_and_its_type_on_record(
    chat: Chat, fake: FakeService, name: str, language: str
) -> None:
    error = KeyError(SECRET)
    script = Script(plans=[error]) if name == "planner" else Script(outputs=[error])
    used = PromptVersion(role=PROMPT_ROLE_PLANNER, name="mine", version="3")
    store = Store()
    made = {"store": store, "config": ChatConfig(prompts_used=(used,))}
    answer = chat(fake.target, script, made=made, session_id="s", language=language)
    assert_safe(answer, safe_text(language, "diagnosis"))
    assert fake.calls == []
    assert [(fault.name, fault.outcome, fault.fault) for fault in answer.faults] == [(name, "failed", "KeyError")]
    assert [warning.id for warning in answer.evaluation.warnings] == [f"chat.{name}_failed"]
    assert answer.evaluation.warnings[0].message == f"Round 1: {name} failed with KeyError."
    assert SECRET not in f"{answer!r}{answer.evaluation}{answer.composer_output}"
    assert answer.stored
    assert [write.evaluation for write in store.evaluations] == [answer.evaluation]
    assert store.evaluations[0].judge_request is None
    assert list(answer.evaluation.prompt_audit.prompts_used) == [used]
    assert answer.composer_output.prompt_audit.declared


@pytest.mark.req("SE-04")
@pytest.mark.parametrize("name", ["planner", "executor"])
def test_a_function_that_raises_in_round_2_leaves_the_answer_of_round_1(chat: Chat, target: str, name: str) -> None:
    failing: dict[str, Any] = {"plans": ["p", ValueError(SECRET)], "outputs": [output(GOOD, WEAK, WEAK), output(GOOD)]}
    if name == "executor":
        failing = {"plans": ["p", "q"], "outputs": [output(GOOD, WEAK, WEAK), ValueError(SECRET)]}
    store = Store()
    answer = chat(target, Script(**failing), made={"store": store}, session_id="s", language="en")
    assert (answer.verdict, answer.route) == ("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY")
    assert not answer.is_fallback
    assert f"Confirmed facts\n- {GOOD['claim_text']}" in answer.text
    assert (answer.rounds[1].request, answer.rounds[1].result) == (None, None)
    first = answer.rounds[0].result
    assert first is not None
    assert [warning.id for warning in answer.evaluation.warnings][-1] == f"chat.{name}_failed"
    assert answer.evaluation.claim_checks == first.evaluation.claim_checks
    assert step(answer, name, 2).fault == "ValueError"
    assert [write.request_id.split(":")[1] for write in store.writes] == ["round-1", "round-2", "composer"]
    assert store.evaluations[-1].evaluation == answer.evaluation
    assert store.evaluations[-1].judge_request == answer.rounds[0].request
    assert store.composer_outputs[0].composer_output == answer.composer_output
    assert SECRET not in f"{answer!r}{answer.evaluation}"


@pytest.mark.req("GK-15", "CP-05")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_without_any_service_the_user_gets_the_safe_text(chat: Chat, dead_target: str, language: str) -> None:
    store = Store()
    answer = chat(dead_target, Script(), made={"store": store}, session_id="s", language=language)
    assert_safe(answer, safe_text(language))
    assert steps(answer) == [
        "planner 1 ok",
        "executor 1 ok",
        "validate 1 fallback",
        "judge 1 fallback",
        "store_evaluation 1 ok",
        "compose 0 skipped",
        "store_composer_output 0 ok",
    ]
    assert [fault.fault for fault in answer.faults] == ["UnavailableError", "UnavailableError"]
    assert store.evaluations[0].judge_request == answer.rounds[0].request


@pytest.mark.req("GK-15")
@pytest.mark.parametrize("code", FALLBACK)
@pytest.mark.parametrize("method", ["Validate", "Judge", "Compose"])
def test_each_call_that_does_not_answer_is_on_record_and_never_better_than_low_confid(
    chat: Chat, fake: FakeService, method: str, code: str
) -> None:
    fake.scripts[method] = [Failure(grpc.StatusCode[code])]
    fake.scripts.setdefault("Judge", [judged(1, 1, 1.0)])
    fake.scripts.setdefault("Compose", [ComposeResponse(composer_output=ComposerOutput(text="fine"))])
    answer = chat(fake.target, Script(outputs=["{}"]))
    found = step(answer, method.lower(), 0 if method == "Compose" else 1)
    assert (found.outcome, found.detail.split(";")[0]) == ("fallback", code)
    assert answer.text == safe_text()
    if method != "Compose":
        assert answer.verdict == "LOW_CONFID"


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("code", RAISED)
@pytest.mark.parametrize("method", ["Validate", "Judge", "Compose"])
def test_every_other_code_is_raised(chat: Chat, fake: FakeService, method: str, code: str) -> None:
    fake.scripts[method] = [Failure(grpc.StatusCode[code])]
    fake.scripts.setdefault("Judge", [judged(1, 1, 1.0)])
    with pytest.raises(ServiceError) as caught:
        chat(fake.target, Script(outputs=["{}"]))
    assert caught.value.code is grpc.StatusCode[code]


def test_what_is_raised_in_round_2_loses_no_evaluation_of_round_1(chat: Chat, fake: FakeService) -> None:
    first = judged(2, 3, 0.0, retry_context=RetryContext(verdict=2))
    fake.scripts["Judge"] = [first, Failure(grpc.StatusCode.RESOURCE_EXHAUSTED)]
    store = Store()
    with pytest.raises(ServiceError):
        chat(fake.target, Script(outputs=["{}", "{}"]), made={"store": store}, session_id="s")
    assert [write.evaluation for write in store.evaluations] == [first.evaluation]


def test_a_catalog_that_changed_between_judge_and_compose_gives_the_safe_text(chat: Chat, fake: FakeService) -> None:
    info = error_details_pb2.ErrorInfo(reason="EVALUATION_INCONSISTENT", domain="evidencegate")
    fake.scripts["Judge"] = [judged(1, 1, 1.0)]
    fake.scripts["Compose"] = [Failure(grpc.StatusCode.INVALID_ARGUMENT, "no", (info,))]
    answer = chat(fake.target, Script(outputs=["{}"]))
    assert answer.text == safe_text()
    assert step(answer, "compose").fault == "InvalidRequestError"


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_composer_that_gives_no_text_gives_the_safe_text(chat: Chat, fake: FakeService, text: str) -> None:
    fake.scripts["Judge"] = [judged(1, 1, 1.0)]
    fake.scripts["Compose"] = [ComposeResponse(composer_output=ComposerOutput(text=text, writer=1))]
    answer = chat(fake.target, Script(outputs=["{}"]))
    assert (answer.text, step(answer, "compose").outcome) == (safe_text(), "fallback")


@pytest.mark.req("GK-15")
@pytest.mark.parametrize(("verdict", "route"), [(0, 1), (9, 1), (1, 0), (1, 77)])
def test_a_verdict_or_route_that_is_not_known_is_never_composed(
    chat: Chat, fake: FakeService, verdict: int, route: int
) -> None:
    fake.scripts["Judge"] = [judged(verdict, route, 1.0)]
    answer = chat(fake.target, Script(outputs=["{}"]))
    assert (answer.route, answer.text, fake.count("Compose")) == ("DEGRADE", safe_text(), 0)


@pytest.mark.req("GK-15")
def test_a_service_that_passes_an_unchecked_output_is_not_believed(chat: Chat, fake: FakeService) -> None:
    fake.scripts["Validate"] = [Failure(grpc.StatusCode.UNAVAILABLE)]
    fake.scripts["Judge"] = [judged(1, 1, 1.0)]
    answer = chat(fake.target, Script(outputs=["{}"]))
    assert (answer.verdict, answer.route) == ("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY")
    assert (answer.text, fake.count("Compose")) == (safe_text(), 0)


@pytest.mark.req("SE-04")
def test_a_judge_that_is_gone_in_round_2_leaves_the_answer_of_round_1(chat: Chat, fake: FakeService) -> None:
    first = judged(2, 3, 0.0, retry_context=RetryContext(verdict=2))
    fake.scripts["Judge"] = [first, Failure(grpc.StatusCode.UNAVAILABLE)]
    fake.scripts["Compose"] = [
        ComposeResponse(composer_output=ComposerOutput(text="first", writer=1, requested_writer=1))
    ]
    answer = chat(fake.target, Script(outputs=["{}", "{}"]))
    (composed,) = [request for name, request in fake.calls if name == "Compose"]
    assert composed.evaluation == first.evaluation
    assert (answer.text, answer.verdict, answer.route) == ("first", "LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY")
    assert [warning.id for warning in answer.evaluation.warnings] == ["chat.judge_failed"]


@pytest.mark.req("SE-04")
@pytest.mark.parametrize("written", NONSENSE)
def test_a_model_that_writes_nonsense_is_a_result_in_both_rounds(chat: Chat, target: str, written: str) -> None:
    answer = chat(target, Script(outputs=[NONSENSE[written]] * 2), language="en")
    assert (answer.verdict, answer.route, len(answer.rounds)) == ("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY", 2)
    status = vocabulary.to_dict(answer.evaluation)["executor_output_parse_status"]["status"]
    assert status in ("missing", "malformed")
    assert answer.faults == ()
    assert "could not be read" in answer.text
    assert "4711" not in answer.text


@pytest.mark.req("SE-04")
@pytest.mark.parametrize("written", [RuntimeError(SECRET), "", "PASS", "{}", b"\xff", "```json\n{}\n```"])
def test_a_verifier_that_fails_or_writes_nonsense_never_passes(chat: Chat, target: str, written: Any) -> None:
    store = Store()
    answer = chat(target, Script(outputs=[output(GOOD)] * 2, verified=written), made={"store": store}, session_id="s")
    assert answer.verdict == "LOW_CONFID"
    stored = vocabulary.to_dict(store.evaluations[-1].evaluation)
    assert stored["verifier_output_parse_status"]["status"] in ("missing", "malformed")
    if isinstance(written, RuntimeError):
        assert "chat.verifier_failed" in [warning["id"] for warning in stored["warnings"]]
        assert step(answer, "verifier", 1).fault == "RuntimeError"


@pytest.mark.req("CP-05", "SE-04")
@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (RuntimeError(SECRET), "unreadable"),
        ("", "unreadable"),
        (b"\xff", "unreadable"),
        ('{"answer": "fine"}', "unreadable"),
        ("The root cause is that db-9 is full.", "leak"),
    ],
)
def test_a_composer_that_fails_or_writes_nonsense_is_replaced_by_the_template(
    chat: Chat, target: str, written: Any, reason: str
) -> None:
    store = Store()
    answer = chat(target, Script(composed=written), made={"store": store}, session_id="s", language="en")
    assert answer.text.startswith("What the tools returned confirms:")
    stored = vocabulary.to_dict(store.composer_outputs[0].composer_output)
    assert (stored["requested_writer"], stored["writer"], stored["fallback_reason"]) == ("supplied", "template", reason)
    assert "parse_status" in stored
    assert step(answer, "compose").outcome == "fallback"
    assert step(answer, "composer").fault == ("RuntimeError" if isinstance(written, RuntimeError) else "")
    assert SECRET not in f"{answer!r}{stored}"


@pytest.mark.parametrize("error", [ConnectionError("down"), TimeoutError("locked"), OSError(28, "full")])
def test_a_store_that_fails_costs_no_answer_and_says_so(chat: Chat, target: str, error: Exception) -> None:
    store = Store([error])
    answer = chat(target, Script(), made={"store": store}, session_id="s")
    assert (answer.verdict, answer.stored, store.writes) == ("PASS", False, [])
    assert step(answer, "store_evaluation", 1).fault == type(error).__name__
    assert step(answer, "store_composer_output").outcome == "skipped"


def test_a_store_that_fails_at_the_last_write_says_so(chat: Chat, target: str) -> None:
    store = Store([None, OSError(28, "full")])
    answer = chat(target, Script(), made={"store": store}, session_id="s")
    assert (answer.verdict, answer.stored, len(store.writes)) == ("PASS", False, 1)
    assert step(answer, "store_composer_output").fault == "OSError"


@pytest.mark.req("SE-02", "SE-03")
def test_what_is_stored_is_what_the_answer_rests_on_and_can_be_judged_again(chat: Chat, target: str) -> None:
    store = Store()
    answer = chat(
        target, Script(outputs=[output(WEAK), output(GOOD)]), made={"store": store}, session_id="s", request_id="r"
    )
    assert answer.stored
    assert [write.request_id for write in store.writes] == ["r:round-1", "r:round-2", "r:composer"]
    first, last = store.evaluations
    assert [vocabulary.to_dict(write.evaluation)["route"] for write in (first, last)] == ["RETRY", "COMPOSE"]
    assert last.evaluation == answer.evaluation
    assert len(last.evaluation.prompt_audit.prompts) == 4
    assert last.judge_request is not None
    assert last.judge_request.round == 2
    rebuilt = judge_request(
        executor_output=last.judge_request.executor_output,
        tool_invocations=last.judge_request.tool_invocations,
        original_query="why?",
        round=2,
        session_id="s",
        retry_context=last.judge_request.retry_context,
    )
    rebuilt.gatekeeper_result.CopyFrom(last.judge_request.gatekeeper_result)
    assert rebuilt == last.judge_request


def test_two_runs_without_a_request_id_are_two_writes(chat: Chat, target: str) -> None:
    store = Store()
    for _ in range(2):
        chat(target, Script(), made={"store": store}, session_id="s")
    assert len({write.request_id for write in store.writes}) == 4
