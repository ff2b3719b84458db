"""The requests for grpcurl are what their tool writes, and each is answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidencegate.v1 import composer_pb2, composer_pb2_grpc, prompt_pb2, prompt_pb2_grpc, trace_pb2
from google.protobuf import json_format

from tests.service.conftest import Running
from tests.support import ROOT
from tools.make_grpcurl_requests import FOLDER, requests, written


def _read(name: str, message: Any) -> Any:
    return json_format.ParseDict(json.loads((Path(FOLDER) / name).read_text("utf-8")), message)


@pytest.mark.req("IO-02")
def test_the_requests_that_follow_from_others_are_as_the_tool_writes_them() -> None:
    for name, request in requests().items():
        path = ROOT / "examples" / "grpcurl" / name
        assert path.read_text("utf-8") == written(request), "run python -m tools.make_grpcurl_requests"


@pytest.mark.req("IO-02", "CP-01")
async def test_compose_answers_from_the_evaluation_of_an_example(running: Running) -> None:
    composer = composer_pb2_grpc.ComposerStub(running.channel)
    answer = await composer.Compose(_read("compose.json", composer_pb2.ComposeRequest()))
    assert "thumbnailer" in answer.composer_output.text


@pytest.mark.req("IO-02", "TS-01")
async def test_summarize_trace_takes_question_and_output(running: Running) -> None:
    answer = await running.verifier.SummarizeTrace(_read("summarize_trace.json", trace_pb2.SummarizeTraceRequest()))
    assert "ImagePullBackOff" in str(answer)


@pytest.mark.req("IO-02", "PR-01")
async def test_prompts_are_listed_and_rendered(running: Running) -> None:
    prompts = prompt_pb2_grpc.PromptsStub(running.channel)
    listed = await prompts.ListPrompts(_read("list_prompts.json", prompt_pb2.ListPromptsRequest()))
    assert len(listed.prompts) == 6
    rendered = await prompts.RenderPrompt(_read("render_prompt.json", prompt_pb2.RenderPromptRequest()))
    assert "Describe the pod." in rendered.text
