"""Which round follows and what is composed, for every verdict, round, side of the score and writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from evidencegate.v1.composer_pb2 import ComposeResponse, ComposerOutput, ComposerWriter, FallbackReason
from evidencegate.v1.evaluation_pb2 import Evaluation, RetryContext
from evidencegate.v1.prompt_pb2 import PROMPT_ROLE_EXECUTOR, PromptVersion
from evidencegate.v1.verifier_pb2 import JudgeResponse
from evidencegate_client import ChatConfig, ComposerInput, vocabulary
from evidencegate_server.cli.own_server import own_server

from tests.client.chat_support import (
    ABSENT_CALL,
    CALL,
    GOOD,
    MADE_UP,
    WEAK,
    Chat,
    Script,
    claim,
    honest,
    output,
    step,
    steps,
)
from tests.client.fake_service import FakeService

LOW_LOW, LOW_HIGH, PASS = (WEAK,), (GOOD, WEAK), (GOOD,)
REJECT_LOW, REJECT_HIGH = (MADE_UP,), (GOOD, MADE_UP)
WEAK_TEXT, MADE_UP_TEXT = WEAK["claim_text"], MADE_UP["claim_text"]
ONE, TWO = (
    ["planner 1 ok", "executor 1 ok", "validate 1 ok", "judge 1 ok"],
    [
        "planner 2 ok",
        "executor 2 ok",
        "validate 2 ok",
        "judge 2 ok",
    ],
)

# The claims of each round, then verdict, side of the score and route of each round that is run, then the final route.
TABLE: dict[str, tuple[list[Sequence[Any]], list[tuple[str, bool, str]], str]] = {
    "PASS in round 1": ([PASS], [("PASS", True, "COMPOSE")], "COMPOSE"),
    "LOW_CONFID from 0.5 in round 1": (
        [LOW_HIGH],
        [("LOW_CONFID", True, "COMPOSE_WITH_UNCERTAINTY")],
        "COMPOSE_WITH_UNCERTAINTY",
    ),
    "REJECT below 0.5 in round 1": ([REJECT_LOW], [("REJECT", False, "DEGRADE")], "DEGRADE"),
    "REJECT from 0.5 in round 1": ([REJECT_HIGH], [("REJECT", True, "DEGRADE")], "DEGRADE"),
    "REJECT by the Gatekeeper in round 1": ([(GOOD, ABSENT_CALL)], [("REJECT", True, "DEGRADE")], "DEGRADE"),
    "LOW_CONFID below 0.5, then PASS": (
        [LOW_LOW, PASS],
        [("LOW_CONFID", False, "RETRY"), ("PASS", True, "COMPOSE")],
        "COMPOSE",
    ),
    "LOW_CONFID below 0.5, then LOW_CONFID below 0.5": (
        [LOW_LOW, LOW_LOW],
        [("LOW_CONFID", False, "RETRY"), ("LOW_CONFID", False, "COMPOSE_WITH_UNCERTAINTY")],
        "COMPOSE_WITH_UNCERTAINTY",
    ),
    "LOW_CONFID below 0.5, then LOW_CONFID from 0.5": (
        [LOW_LOW, LOW_HIGH],
        [("LOW_CONFID", False, "RETRY"), ("LOW_CONFID", True, "COMPOSE_WITH_UNCERTAINTY")],
        "COMPOSE_WITH_UNCERTAINTY",
    ),
    "LOW_CONFID below 0.5, then REJECT below 0.5": (
        [LOW_LOW, REJECT_LOW],
        [("LOW_CONFID", False, "RETRY"), ("REJECT", False, "DEGRADE")],
        "DEGRADE",
    ),
    "LOW_CONFID below 0.5, then REJECT from 0.5": (
        [LOW_LOW, REJECT_HIGH],
        [("LOW_CONFID", False, "RETRY"), ("REJECT", True, "DEGRADE")],
        "DEGRADE",
    ),
}


def leaking(given: ComposerInput) -> str:
    return honest(given) + "\n- db-9 has 4711 open transactions."


WRITERS = {"template": None, "supplied": honest, "supplied that leaks": leaking}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    """HOST:PORT of the real service."""
    with own_server() as address:
        yield address


@pytest.mark.req("RT-01", "RT-02", "RT-03", "RT-04", "RT-05", "RT-06", "CP-05")
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("case", TABLE)
def test_each_combination_ends_in_the_route_of_the_rules(chat: Chat, target: str, case: str, writer: str) -> None:
    claims, rounds, route = TABLE[case]
    script = Script(outputs=[output(*one) for one in claims], composed=WRITERS[writer])
    answer = chat(target, script, language="en")
    seen = [
        (one.result.verdict, one.result.score >= 0.5, one.result.route)
        for one in answer.rounds
        if one.result is not None
    ]
    assert seen == rounds
    assert (answer.verdict, answer.route) == (rounds[-1][0], route)
    assert steps(answer)[: 4 * len(rounds)] == (ONE + TWO)[: 4 * len(rounds)]
    assert len(script.executor_inputs) == len(rounds)
    _assert_writer(answer.composer_output, answer.verdict, writer)
    _assert_nothing_refused_is_told(answer.text, answer.verdict)


def _assert_writer(composed: ComposerOutput, verdict: str, writer: str) -> None:
    spoke = vocabulary.word(ComposerWriter, composed.writer)
    reason = vocabulary.word(FallbackReason, composed.fallback_reason)
    expected = {
        "template": ("template", "unspecified"),
        "supplied": ("template", "verdict") if verdict == "REJECT" else ("supplied", "unspecified"),
        "supplied that leaks": {
            "REJECT": ("template", "verdict"),
        }.get(verdict, ("template", "leak")),
    }[writer]
    assert (spoke, reason) == expected


def _assert_nothing_refused_is_told(text: str, verdict: str) -> None:
    for never in ("4711", "db-9", "payment-api-7d9f", "claim_id", "evidence_excerpt", "executor_evidence_v2", "{"):
        assert never not in text
    confirmed = text.split("Possible directions")[0]
    assert WEAK_TEXT not in confirmed
    assert MADE_UP_TEXT not in text
    if verdict == "REJECT":
        assert "The database may be slow" not in text
        assert text.startswith("No reliable answer can be given now")
    if verdict == "LOW_CONFID":
        headings = [line for line in text.splitlines() if line and not line.startswith("- ")]
        assert headings == ["Confirmed facts", "Possible directions", "Evidence gaps", "Next steps"]


@pytest.mark.req("RT-04", "VI-02")
def test_the_second_round_gets_what_was_weak_and_never_what_the_first_answer_said(chat: Chat, target: str) -> None:
    second = {**CALL, "id": "395"}
    better = claim(GOOD["claim_text"], source_invocation_id="395")
    script = Script(outputs=[output(WEAK), output(better)], calls=[[CALL], [second]])
    answer = chat(target, script, narrow_question=True, language="en", session_id="s-1")
    assert (answer.verdict, answer.route, len(answer.rounds)) == ("PASS", "COMPOSE", 2)
    first_plan, second_plan = script.planner_inputs
    first_run, second_run = script.executor_inputs
    assert (first_plan.retry_context, first_run.retry_context) == (None, None)
    told = second_run.retry_context
    assert told is not None
    assert second_plan.retry_context == told
    assert [(weak.claim_id, weak.claim_text) for weak in told.weak_claims] == [("c1", WEAK_TEXT)]
    assert list(told.missing_info) == ["Query times of the database"]
    assert (first_run.plan, second_run.plan) == ("plan 1", "plan 2")
    assert all(one.narrow_question and one.session_id == "s-1" for one in script.executor_inputs)
    request = answer.rounds[1].request
    assert request is not None
    assert request.retry_context == told
    assert [(call.id, call.round) for call in request.tool_invocations] == [("394", 1), ("395", 2)]
    assert request.narrow_question
    assert "judge.retry_context_missing" not in [warning.id for warning in answer.evaluation.warnings]


@pytest.mark.req("VI-02")
def test_a_function_that_changes_its_retry_context_changes_not_what_judge_gets(chat: Chat, fake: FakeService) -> None:
    context = RetryContext(verdict=2, missing_info=["the pool's size"])
    fake.scripts["Judge"] = [_judged(2, 3, context), _judged(2, 2)]

    class Meddler(Script):
        def executor(self, given: Any) -> Any:
            if given.retry_context is not None:
                given.retry_context.missing_info.append("and this")
                given.retry_context.verdict = 1
            return super().executor(given)

    chat(fake.target, Meddler(outputs=["{}", "{}"]))
    second = [request for name, request in fake.calls if name == "Judge"][1]
    assert second.retry_context == context


@pytest.mark.req("RT-04", "RT-06")
@pytest.mark.parametrize("verdict", [1, 2, 3])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("route", [1, 2, 3, 4])
def test_the_route_alone_decides_on_the_second_round(
    chat: Chat, fake: FakeService, verdict: int, score: float, route: int
) -> None:
    """A service of another catalog may draw the line elsewhere: verdict and score are never looked at again."""
    first = _judged(verdict, route, RetryContext(verdict=2), score=score)
    fake.scripts["Judge"] = [first, _judged(2, 3, RetryContext(verdict=2))]
    answer = chat(fake.target, Script(outputs=["{}", "{}"]))
    assert fake.count("Judge") == (2 if route == 3 else 1)
    assert len(answer.rounds) == fake.count("Judge")
    assert answer.route != "RETRY"


def _judged(verdict: int, route: int, context: RetryContext | None = None, *, score: float = 0.0) -> JudgeResponse:
    evaluation = Evaluation(verdict=verdict, route=route, groundedness_score=score, source=1)  # type: ignore[arg-type]
    return JudgeResponse(evaluation=evaluation, retry_context=context)


def test_what_the_caller_chose_goes_through_to_judge_and_compose(chat: Chat, fake: FakeService) -> None:
    used = PromptVersion(role=PROMPT_ROLE_EXECUTOR, name="diagnose", version="7")
    fake.scripts["Judge"] = [_judged(1, 1, score=1.0)]
    composed = ComposerOutput(text="fine", requested_writer=2, writer=2)
    fake.scripts["Compose"] = [ComposeResponse(composer_output=composed)]
    config = ChatConfig(
        engine="hybrid",
        model_profile="small",
        writer="model",
        composer_model_profile="large",
        prompts_used=(used,),
        expected_rule_set_version="1.2.3",
    )
    answer = chat(
        fake.target, Script(outputs=["{}"]), made={"config": config}, query="q", session_id="s", language="en"
    )
    asked = dict(fake.calls)
    judge, compose = asked["Judge"], asked["Compose"]
    assert (judge.session_id, judge.original_query, judge.engine, judge.model_profile) == ("s", "q", 3, "small")
    assert (judge.expected_rule_set_version, list(judge.prompts_used)) == ("1.2.3", [used])
    assert asked["Validate"].expected_rule_set_version == "1.2.3"
    assert (compose.session_id, compose.original_query, compose.language, compose.writer) == ("s", "q", 2, 2)
    assert (compose.model_profile, list(compose.prompts_used)) == ("large", [used])
    assert compose.evaluation == _judged(1, 1, score=1.0).evaluation
    assert (answer.text, answer.composer_output) == ("fine", composed)


@pytest.mark.req("CP-01")
def test_the_answer_is_chinese_unless_english_is_asked_for(chat: Chat, target: str) -> None:
    assert chat(target, Script()).text.startswith("根据工具实际返回的结果，可以确认：")
    assert chat(target, Script(), language="en").text.startswith("What the tools returned confirms:")


@pytest.mark.req("VI-01")
def test_a_verifier_sees_the_answer_without_its_reasoning_and_what_the_service_made_of_it(
    chat: Chat, target: str
) -> None:
    verdict = (
        '{"verdict": "PASS", "groundedness_score": 1.0, "critical_fact_count": 1, "rationale": "r", "claim_checks": '
        '[{"claim_id": "c1", "verification": "direct_observation", "detail": "d", "evidence_refs": []}]}'
    )
    script = Script(outputs=["<think>the pool, surely</think>" + output(GOOD)], verified=verdict)
    answer = chat(target, script)
    (seen,) = script.verifier_inputs
    assert seen.executor_final_answer == output(GOOD)
    assert seen.parse_report is not None
    assert seen.gatekeeper_result.checked_bindings == 1
    assert [item.trace_ref for item in seen.tool_trace_summary.items] == ["inv:394"]
    assert seen.retry_context is None
    assert (answer.verdict, vocabulary.to_dict(answer.evaluation)["engine"]) == ("PASS", "supplied")
    assert "summarize_trace 1 ok" in steps(answer)
    assert step(answer, "verifier", 1).outcome == "ok"
