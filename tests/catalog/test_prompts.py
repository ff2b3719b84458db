"""The four prompts have names, versions and texts that fit their inputs."""

from __future__ import annotations

from pathlib import Path

import pytest
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.prompts import PromptFile, PromptRole, read_prompt
from evidencegate_server.verdict.model import PromptVersion

from tests.catalog.support import RULES, copy_rules, edit


@pytest.mark.req("SE-03")
def test_the_prompts_of_the_four_roles_have_names_and_versions() -> None:
    prompts = load_catalog(RULES).prompts

    assert prompts.version == "1.0.0"
    assert prompts.versions() == (
        PromptVersion("planner", "planner", "1.0.0"),
        PromptVersion("executor", "executor", "1.0.0"),
        PromptVersion("verifier", "verifier", "1.0.0"),
        PromptVersion("composer", "composer", "1.0.0"),
    )
    assert [prompts.of(role).role for role in PromptRole] == list(PromptRole)


@pytest.mark.req("SE-03")
def test_a_raised_version_shows_on_the_next_load(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    edit(rules, "prompts/verifier.md", "version: 1.0.0", "version: 1.2.0")

    assert PromptVersion("verifier", "verifier", "1.2.0") in load_catalog(rules).prompts.versions()


def test_the_verifier_prompt_has_exactly_what_an_engine_may_see() -> None:
    assert set(load_catalog(RULES).prompts.of(PromptRole.VERIFIER).inputs) == {
        "original_query",
        "executor_final_answer",
        "executor_structured_output",
        "executor_output_parse_status",
        "tool_trace_summary",
        "gatekeeper_result",
        "retry_context",
    }


def test_a_value_is_put_in_as_it_is() -> None:
    text = "---\nname: p\nversion: 1.0.0\nrole: planner\ninputs: [a, b]\n---\n{{a}} and {{b}}\n"
    read = read_prompt(text, "p.md", "p")
    assert isinstance(read, PromptFile)

    assert read.prompt.fill(a="{{b}} \\1", b="2") == "{{b}} \\1 and 2\n"
    with pytest.raises(KeyError):
        read.prompt.fill(a="1")


def test_json_in_a_prompt_is_no_input() -> None:
    text = '---\nname: p\nversion: 1.0.0\nrole: planner\ninputs: []\n---\n{"a": {"b": {}}}\n'

    assert isinstance(read_prompt(text, "p.md", "p"), PromptFile)
