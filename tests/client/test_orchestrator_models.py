"""The route for every verdict, round and side of the score where the server's model writes, in both languages.

Each answer is searched for what is neither allowed material nor a fixed sentence of the catalog.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from evidencegate.v1.composer_pb2 import ComposerWriter, FallbackReason
from evidencegate_client import ChatConfig, vocabulary
from evidencegate_server.cli.own_server import own_server
from evidencegate_server.words import Language

from tests.client.chat_support import Chat, Script, output
from tests.client.test_orchestrator_routes import TABLE
from tests.models.endpoint import FakeEndpoint, running_endpoint
from tests.models.endpoint import Script as Said
from tests.trace.helpers import shipped

LANGUAGES = {"zh": Language.ZH, "en": Language.EN}
LEAK = "db-9 has 4711 open transactions."


def between(prompt: str, mark: str) -> str:
    """Returns what stands in a prompt between two marks."""
    return prompt.partition(f"<{mark}>\n")[2].partition(f"\n</{mark}>")[0]


def honest(prompt: str) -> str:
    """Writes what the material says, in the parts that the verdict asks for."""
    language = "zh" if "in the language Chinese" in prompt else "en"
    sentences = shipped().composer.languages.of(LANGUAGES[language])
    parts: dict[str, list[str]] = {heading: [] for heading in sentences.sections.model_dump().values()}
    heading = ""
    for line in between(prompt, "allowed_material").splitlines():
        heading = line if line in parts else heading
        if line not in parts:
            parts[heading].append(line.removeprefix("- "))
    if between(prompt, "verdict") == "PASS":
        return "\n".join(parts[sentences.sections.confirmed])
    empty = sentences.nothing.model_dump().values()
    return "\n\n".join(
        "\n".join([heading, *(f"- {line}" for line in lines or [nothing])])
        for (heading, lines), nothing in zip(parts.items(), empty, strict=True)
    )


WRITERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "model": (honest, ""),
    "model that leaks": (lambda prompt: f"{honest(prompt)}\n- {LEAK}", "leak"),
    "model that fails": (lambda _prompt: Said(status=500, body=b"{}"), "unavailable"),
    "model that writes JSON": (lambda prompt: json.dumps({"text": honest(prompt)}), "unreadable"),
}


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeEndpoint]:
    """The endpoint of the server's model."""
    with running_endpoint() as running:
        yield running


@pytest.fixture(scope="module")
def target(fake: FakeEndpoint) -> Iterator[str]:
    """HOST:PORT of the real service with that model."""
    profile = {"name": "a", "base_url": fake.base_url, "model": "m", "retry_wait_seconds": 0}
    with own_server(models=json.dumps({"default": "a", "profiles": [profile]})) as address:
        yield address


@pytest.mark.req("RT-02", "RT-03", "RT-04", "RT-05", "RT-06", "CP-01", "CP-04", "CP-05", "CP-07")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("case", TABLE)
def test_each_combination_with_the_servers_model_ends_in_the_route_of_the_rules(
    chat: Chat, target: str, fake: FakeEndpoint, case: str, writer: str, language: str
) -> None:
    claims, rounds, route = TABLE[case]
    fake.model, reason = WRITERS[writer]
    made = {"config": ChatConfig(writer="model")}
    answer = chat(target, Script(outputs=[output(*one) for one in claims]), made=made, language=language)
    seen = [(one.result.verdict, one.result.score >= 0.5, one.result.route) for one in answer.rounds if one.result]
    assert (seen, answer.route) == (rounds, route)
    told = answer.composer_output
    spoke = (vocabulary.word(ComposerWriter, told.writer), vocabulary.word(FallbackReason, told.fallback_reason))
    if answer.verdict == "REJECT":
        assert spoke == ("template", "verdict")
    else:
        assert spoke == (("template", reason) if reason else ("model", "unspecified"))
    assert left_over(answer.text, answer.evaluation.allowed_material, language) == ""


def left_over(text: str, material: Any, language: str) -> str:
    """Returns the letters and digits of an answer that are neither allowed material nor the catalog's words."""
    number = {"zh": 1, "en": 2}[language]
    parts = (material.confirmed, material.inferred, material.directions, material.next_steps)
    said = [item.text for part in parts for item in part]
    said += [one.text for gap in material.gaps for one in gap.sentences if one.language == number]
    sentences = shipped().composer.languages.of(LANGUAGES[language])
    fixed = [part for sentence in strings(sentences.model_dump()) for part in re.split(r"\{[a-z]+\}", sentence)]
    for known in sorted({*said, *fixed} - {""}, key=len, reverse=True):
        text = text.replace(known, "")
    return re.sub(r"[\W_]+", "", text)


def strings(value: Any) -> Iterator[str]:
    """Returns all texts of a nested value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from strings(one)


@pytest.mark.req("CP-07")
def test_the_search_finds_what_is_not_allowed() -> None:
    class Nothing:
        confirmed = inferred = directions = next_steps = gaps = ()

    assert left_over(f"Confirmed facts\n- {LEAK}", Nothing, "en") == "db9has4711opentransactions"
