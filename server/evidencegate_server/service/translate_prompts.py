"""Turns the prompts of the catalog into messages, and values for one of them into its text."""

from __future__ import annotations

from evidencegate.v1 import prompt_pb2

from evidencegate_server.catalog.prompts import PromptCatalog, PromptRole
from evidencegate_server.service.enum_words import PROMPT_ROLE, enum_fault
from evidencegate_server.service.translate_request import Violations
from evidencegate_server.service.translate_result import prompt_version
from evidencegate_server.verdict.model import PromptVersion


def list_prompts_response(prompts: PromptCatalog) -> prompt_pb2.ListPromptsResponse:
    """Returns the response of ListPrompts."""
    return prompt_pb2.ListPromptsResponse(
        version=prompts.version,
        prompts=[
            prompt_pb2.Prompt(
                role=PROMPT_ROLE.number[prompt.role.value],
                name=prompt.name,
                version=prompt.version,
                inputs=prompt.inputs,
                text=prompt.text,
            )
            for prompt in prompts.prompts
        ],
    )


def render_prompt_response(
    message: prompt_pb2.RenderPromptRequest, prompts: PromptCatalog
) -> prompt_pb2.RenderPromptResponse:
    """Returns the response of RenderPrompt; raises InvalidRequestError where the inputs are not just the prompt's."""
    violations = Violations()
    role = PROMPT_ROLE.word.get(message.role)
    if role is None:
        violations.add("role", enum_fault(message.role))
        violations.raise_if_any()
    assert role is not None
    prompt = prompts.of(PromptRole(role))
    values: dict[str, str] = {}
    for index, given in enumerate(message.inputs):
        if given.name not in prompt.inputs:
            known = ", ".join(prompt.inputs)
            violations.add(f"inputs[{index}].name", f"{given.name[:80]!r} is no input of this prompt; it has {known}")
        elif given.name in values:
            violations.add(f"inputs[{index}].name", f"{given.name!r} is given twice")
        else:
            values[given.name] = given.value
    for name in prompt.inputs:
        if name not in values:
            violations.add("inputs", f"{name!r} is missing; give an empty value where there is nothing to say")
    violations.raise_if_any()
    version = PromptVersion(prompt.role.value, prompt.name, prompt.version)
    return prompt_pb2.RenderPromptResponse(text=prompt.fill(**values), prompt=prompt_version(version))
