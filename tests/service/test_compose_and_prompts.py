"""Proves Compose and the prompts over the wire: what they answer, and that each mistake is named by its field."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from evidencegate.v1 import (
    composer_pb2,
    composer_pb2_grpc,
    evaluation_pb2,
    material_pb2,
    prompt_pb2,
    prompt_pb2_grpc,
    text_pb2,
)
from evidencegate_client import fallback_evaluation, vocabulary
from evidencegate_server.catalog.model import Catalog
from google.rpc import error_details_pb2

from tests.service.builders import LOG_LINE, judge_request, output_text
from tests.service.conftest import Running
from tests.service.test_guard import details
from tests.service.test_requests import violated

ZH, EN = material_pb2.LANGUAGE_ZH, material_pb2.LANGUAGE_EN
SUPPLIED, MODEL = composer_pb2.COMPOSER_WRITER_SUPPLIED, composer_pb2.COMPOSER_WRITER_MODEL
CLAIM = "payment-api: connection pool exhausted after 30 s (active=50, max=50)"
ROLES = ["planner", "executor", "verifier", "composer", "semantic_guard", "evidence_repair"]


def composer(server: Running) -> Any:
    """The service's own stub."""
    return composer_pb2_grpc.ComposerStub(server.channel)


def prompts(server: Running) -> Any:
    """The service's own stub."""
    return prompt_pb2_grpc.PromptsStub(server.channel)


async def judged(server: Running, text: str | None = None, **fields: Any) -> evaluation_pb2.Evaluation:
    """What Judge says of an output, a sound one where none is given."""
    response = await server.verifier.Judge(judge_request(text, **fields))
    evaluation: evaluation_pb2.Evaluation = response.evaluation
    return evaluation


def request(evaluation: evaluation_pb2.Evaluation | None, **fields: Any) -> composer_pb2.ComposeRequest:
    return composer_pb2.ComposeRequest(session_id="session-1", evaluation=evaluation, **fields)


def inputs(**values: str) -> list[prompt_pb2.PromptInput]:
    return [prompt_pb2.PromptInput(name=name, value=value) for name, value in values.items()]


@pytest.mark.req("CP-01", "CP-05")
@pytest.mark.parametrize(
    ("language", "opening"),
    [
        (0, "根据工具实际返回的结果，可以确认："),
        (ZH, "根据工具实际返回的结果，可以确认："),
        (EN, "What the tools returned confirms:"),
    ],
)
async def test_a_pass_is_told_in_each_language_by_the_template(running: Running, language: int, opening: str) -> None:
    evaluation = await judged(running)
    output = (await composer(running).Compose(request(evaluation, language=language))).composer_output
    assert output.text.startswith(f"{opening}\n- {CLAIM}")
    assert output.language == (language or ZH)
    written = vocabulary.to_dict(output)
    assert (written["requested_writer"], written["writer"]) == ("template", "template")
    assert (written["fallback_reason"], written["leaks"]) == ("unspecified", [])
    assert output.template_version
    assert "parse_status" not in written


@pytest.mark.req("CP-02", "CP-03")
@pytest.mark.parametrize(
    ("text", "headings"),
    [
        (output_text(claims=[]), ["已确认的事实", "可能的方向", "证据缺口", "下一步建议"]),
        ("no JSON {", ["已确认的事实", "可能的方向", "证据缺口", "下一步建议"]),
        (None, ["目前无法可靠地回答这个问题", "已确认的事实", "证据缺口", "下一步建议"]),
    ],
    ids=["LOW_CONFID", "unreadable", "REJECT"],
)
async def test_each_other_verdict_has_its_parts(running: Running, text: str | None, headings: list[str]) -> None:
    if text is None:
        text = output_text().replace('"lines[0]"', '"lines[9]"')
    evaluation = await judged(running, text)
    output = (await composer(running).Compose(request(evaluation))).composer_output
    found = [line for line in output.text.splitlines() if line and not line.startswith("- ")]
    assert len(found) == len(headings)
    assert all(line.startswith(heading) for line, heading in zip(found, headings, strict=True))


@pytest.mark.req("SE-03")
async def test_the_output_says_which_prompts_were_in_play(running: Running, catalog: Catalog) -> None:
    used = prompt_pb2.PromptVersion(role=prompt_pb2.PROMPT_ROLE_COMPOSER, name="mine", version="9")
    answer = await composer(running).Compose(request(await judged(running), prompts_used=[used]))
    audit = answer.composer_output.prompt_audit
    assert audit.version == catalog.prompts.version
    assert [prompt.name for prompt in audit.prompts] == ROLES[:4]
    assert (audit.declared, list(audit.prompts_used)) == (True, [used])


@pytest.mark.req("CP-04", "CP-05")
async def test_what_a_callers_model_wrote_is_taken_where_it_says_nothing_new(running: Running) -> None:
    text = text_pb2.ModelText(text=f"{CLAIM}")
    answer = await composer(running).Compose(request(await judged(running), writer=SUPPLIED, composer_text=text))
    output = vocabulary.to_dict(answer.composer_output)
    assert (output["text"], output["writer"], output["fallback_reason"]) == (CLAIM, "supplied", "unspecified")
    assert output["parse_status"]["status"] == "valid"


@pytest.mark.req("CP-04", "CP-05", "SE-04")
@pytest.mark.parametrize(
    ("content", "reason", "status"),
    [
        ({"text": f"{CLAIM}\nIt held 4711 open connections on db-9."}, "leak", "valid"),
        ({"text": "```\nfine\n```"}, "unreadable", "valid"),
        ({"text": " "}, "unreadable", "missing"),
        ({}, "unreadable", "missing"),
        ({"raw": b"\xed\xa0\x80"}, "unreadable", "malformed"),
    ],
    ids=["leak", "code", "blank", "nothing", "no text"],
)
async def test_what_a_callers_model_wrote_badly_is_a_result(
    running: Running, content: dict[str, Any], reason: str, status: str
) -> None:
    text = text_pb2.ModelText(**content)
    answer = await composer(running).Compose(
        request(await judged(running), writer=SUPPLIED, composer_text=text, language=EN)
    )
    output = vocabulary.to_dict(answer.composer_output)
    assert output["text"].startswith("What the tools returned confirms:")
    assert (output["requested_writer"], output["writer"], output["fallback_reason"]) == ("supplied", "template", reason)
    assert output["parse_status"]["status"] == status
    assert output["fallback_detail"]
    assert bool(output["leaks"]) == (reason == "leak")
    for leak in output["leaks"]:
        assert leak["quote"] in content["text"]
        assert leak["quote"] == content["text"][leak["span"]["start"] : leak["span"]["end"]]


@pytest.mark.req("GK-15")
@pytest.mark.parametrize(
    ("language", "said"), [(ZH, "核对服务暂时不可用"), (EN, "The checking service could not be reached")]
)
async def test_a_clients_fallback_is_told_as_not_checked(running: Running, language: int, said: str) -> None:
    for round_number in (1, 2):
        answer = await composer(running).Compose(request(fallback_evaluation(round_number), language=language))
        assert said in answer.composer_output.text
        assert CLAIM not in answer.composer_output.text


MISTAKES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "an unknown language": ({"language": 9}, ["language"]),
    "an unknown writer": ({"writer": 9}, ["writer"]),
    "no text for the writer supplied": ({"writer": SUPPLIED}, ["composer_text"]),
    "a text for the template": ({"composer_text": text_pb2.ModelText(text="x")}, ["composer_text"]),
    "a text for the model": ({"writer": MODEL, "composer_text": text_pb2.ModelText(text="x")}, ["composer_text"]),
    "a profile for the template": ({"model_profile": "small"}, ["model_profile"]),
    "an unknown role of a prompt": (
        {"prompts_used": [prompt_pb2.PromptVersion(role=99, name="x", version="1")]},  # type: ignore[arg-type]
        ["prompts_used[0].role"],
    ),
    "several at once": (
        {"language": 9, "writer": SUPPLIED, "model_profile": "small"},
        ["composer_text", "language", "model_profile"],
    ),
}


@pytest.mark.req("IO-05")
@pytest.mark.parametrize("mistake", MISTAKES)
async def test_each_mistake_in_a_request_to_compose_is_named(running: Running, mistake: str) -> None:
    fields, places = MISTAKES[mistake]
    evaluation = await judged(running)
    assert sorted(await violated(composer(running).Compose(request(evaluation, **fields)))) == places


@pytest.mark.req("IO-05")
async def test_an_evaluation_that_is_not_there_is_named(running: Running) -> None:
    places = await violated(composer(running).Compose(request(None)))
    assert places == ["evaluation"]


@pytest.mark.req("IO-05")
async def test_an_over_long_query_is_refused_with_both_numbers(running: Running) -> None:
    long = request(await judged(running), original_query="x" * (64 * 1024 + 1))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await composer(running).Compose(long)
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    metadata = details(refused.value, error_details_pb2.ErrorInfo).metadata
    assert (metadata["limit"], metadata["actual"]) == (str(64 * 1024), str(64 * 1024 + 1))


@pytest.mark.req("IO-07")
async def test_a_model_that_is_not_configured_is_a_failed_precondition(running: Running) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await composer(running).Compose(request(await judged(running), writer=MODEL))
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "ENGINE_UNAVAILABLE"


def _raise_score(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.groundedness_score = 0.25


def _lift_verdict(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.verdict = evaluation_pb2.VERDICT_REJECT


def _change_route(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.route = evaluation_pb2.ROUTE_DEGRADE


def _count(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.critical_fact_count = 7


def _confirm(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.allowed_material.confirmed.add(index=1, claim_id="c2", claim_type="symptom", text="db-9 is down")


def _infer(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.allowed_material.inferred.add(index=1, text="db-9 is down")


def _direct(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.allowed_material.directions.add(index=0, text="db-9 is down")


def _gap(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.allowed_material.gaps.add(index=0, verification="unsupported", claim_text="x")


def _criticise(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.claim_checks[0].is_critical = False


def _forget_checks(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.ClearField("gatekeeper_result")


def _forget_parse(evaluation: evaluation_pb2.Evaluation) -> None:
    evaluation.ClearField("executor_output_parse_status")


EDITS: dict[str, tuple[Any, str]] = {
    "the score": (_raise_score, "evaluation.groundedness_score"),
    "the verdict": (_lift_verdict, "evaluation.verdict"),
    "the route": (_change_route, "evaluation.route"),
    "the count": (_count, "evaluation.critical_fact_count"),
    "a confirmed claim": (_confirm, "evaluation.allowed_material.confirmed"),
    "an inferred claim": (_infer, "evaluation.allowed_material.inferred"),
    "a direction": (_direct, "evaluation.allowed_material.directions"),
    "a gap": (_gap, "evaluation.allowed_material.gaps"),
    "what is critical": (_criticise, "evaluation.claim_checks"),
    "no Gatekeeper result": (_forget_checks, "evaluation.gatekeeper_result"),
    "no parse status": (_forget_parse, "evaluation.executor_output_parse_status"),
}


@pytest.mark.req("CP-07")
@pytest.mark.parametrize("edit", EDITS)
async def test_an_evaluation_that_was_edited_is_inconsistent(running: Running, edit: str) -> None:
    change, place = EDITS[edit]
    evaluation = await judged(running)
    change(evaluation)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await composer(running).Compose(request(evaluation))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "EVALUATION_INCONSISTENT"
    violations = details(refused.value, error_details_pb2.BadRequest).field_violations
    assert place in [violation.field for violation in violations]


@pytest.mark.req("CP-07", "GK-15")
async def test_a_fallback_that_says_more_than_one_can_is_inconsistent(running: Running) -> None:
    evaluation = fallback_evaluation(1)
    evaluation.verdict = evaluation_pb2.VERDICT_PASS
    evaluation.allowed_material.confirmed.add(text="db-9 is down")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await composer(running).Compose(request(evaluation))
    violations = details(refused.value, error_details_pb2.BadRequest).field_violations
    assert [one.field for one in violations] == ["evaluation.verdict", "evaluation.allowed_material"]


async def test_unknown_numbers_in_an_evaluation_are_named(running: Running) -> None:
    evaluation = await judged(running)
    evaluation.verdict = 9  # type: ignore[assignment]
    evaluation.source = 0  # type: ignore[assignment]
    evaluation.claim_checks[0].verification = 77  # type: ignore[assignment]
    assert sorted(await violated(composer(running).Compose(request(evaluation)))) == [
        "evaluation.claim_checks[0].verification",
        "evaluation.source",
        "evaluation.verdict",
    ]


async def test_the_log_of_compose_has_no_text(running: Running) -> None:
    await composer(running).Compose(request(await judged(running), original_query="SECRETQUERY"))
    line = running.log_lines()[-1]
    assert (line["method"], line["code"], line["session_id"]) == ("Composer/Compose", "OK", "session-1")
    logged = running.log.getvalue().decode()
    assert "SECRET" not in logged
    assert LOG_LINE[30:60] not in logged


@pytest.mark.req("PR-01")
async def test_the_prompts_are_listed_with_their_texts_and_versions(running: Running, catalog: Catalog) -> None:
    listed = await prompts(running).ListPrompts(prompt_pb2.ListPromptsRequest())
    assert listed.version == catalog.prompts.version
    assert [vocabulary.to_dict(prompt)["role"] for prompt in listed.prompts] == ROLES
    for prompt, held in zip(listed.prompts, catalog.prompts.prompts, strict=True):
        assert (prompt.name, prompt.version, prompt.text) == (held.name, held.version, held.text)
        assert list(prompt.inputs) == list(held.inputs)
        assert all("{{" + name + "}}" in prompt.text for name in prompt.inputs)


@pytest.mark.req("PR-01")
@pytest.mark.parametrize("role", ROLES)
async def test_each_prompt_is_rendered_with_its_values(running: Running, role: str) -> None:
    listed = await prompts(running).ListPrompts(prompt_pb2.ListPromptsRequest())
    (prompt,) = [one for one in listed.prompts if one.name == role]
    values = {name: f"value of {name}" for name in prompt.inputs}
    rendered = await prompts(running).RenderPrompt(
        prompt_pb2.RenderPromptRequest(role=prompt.role, inputs=inputs(**values))
    )
    assert all(value in rendered.text for value in values.values())
    assert "{{" not in rendered.text
    assert (rendered.prompt.role, rendered.prompt.name) == (prompt.role, prompt.name)
    assert rendered.prompt.version == prompt.version


@pytest.mark.req("PR-01", "VI-04")
async def test_a_value_that_looks_like_a_place_stays_text(running: Running) -> None:
    values = {
        "original_query": "{{allowed_material}}",
        "verdict": "PASS",
        "allowed_material": "facts",
        "language": "English",
    }
    asked = prompt_pb2.RenderPromptRequest(role=prompt_pb2.PROMPT_ROLE_COMPOSER, inputs=inputs(**values))
    rendered = await prompts(running).RenderPrompt(asked)
    assert "{{allowed_material}}" in rendered.text


COMPOSER_INPUTS = ("original_query", "verdict", "allowed_material", "language")
PROMPT_MISTAKES: dict[str, tuple[int, list[prompt_pb2.PromptInput], list[str]]] = {
    "no role": (0, [], ["role"]),
    "an unknown role": (99, [], ["role"]),
    "an unknown input": (
        4,
        inputs(**dict.fromkeys(COMPOSER_INPUTS, "x"), history="y"),
        ["inputs[4].name"],
    ),
    "an input twice": (4, inputs(**dict.fromkeys(COMPOSER_INPUTS, "x")) + inputs(verdict="z"), ["inputs[4].name"]),
    "a missing input": (4, inputs(**dict.fromkeys(COMPOSER_INPUTS[:3], "x")), ["inputs"]),
    "everything missing": (4, [], ["inputs"] * 4),
    "several at once": (4, inputs(histroy="y", verdict="z"), ["inputs", "inputs", "inputs", "inputs[0].name"]),
}


@pytest.mark.req("PR-01", "IO-05")
@pytest.mark.parametrize("mistake", PROMPT_MISTAKES)
async def test_each_mistake_in_a_request_to_render_is_named(running: Running, mistake: str) -> None:
    role, given, places = PROMPT_MISTAKES[mistake]
    asked = prompt_pb2.RenderPromptRequest(role=role, inputs=given)  # type: ignore[arg-type]
    assert sorted(await violated(prompts(running).RenderPrompt(asked))) == places
