"""Reads the versioned prompts: a front matter that names them, and a text that no check depends on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from evidencegate_server.catalog.problems import Problem, did_you_mean
from evidencegate_server.catalog.strict_yaml import Lines, YamlError, read_yaml
from evidencegate_server.catalog.validate import fit, written_as
from evidencegate_server.verdict.model import PromptVersion

_FENCE: Final = "---"
_MARK = re.compile(r"<([a-z_]+)>")
_PLACEHOLDER = re.compile(r"\{\{([^{}\n]*)\}\}")


class PromptRole(StrEnum):
    """What a prompt is for."""

    PLANNER = "planner"
    EXECUTOR = "executor"
    VERIFIER = "verifier"
    COMPOSER = "composer"
    SEMANTIC_GUARD = "semantic_guard"
    EVIDENCE_REPAIR = "evidence_repair"


# What the flow of a chat uses; the others are for draft reports.
_OF_A_CHAT: Final = frozenset({PromptRole.PLANNER, PromptRole.EXECUTOR, PromptRole.VERIFIER, PromptRole.COMPOSER})

_NAME = written_as(r"[a-z][a-z0-9_]{0,63}", "be lower-case letters, digits and _")
Name = Annotated[str, AfterValidator(_NAME)]
PromptNumber = Annotated[
    str, AfterValidator(written_as(r"\d{1,6}\.\d{1,6}\.\d{1,6}", "be three numbers such as 1.0.0"))
]


class PromptHead(BaseModel):
    """The front matter of a prompt. `inputs` are the values that its text has a place for, as `{{name}}`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Name
    version: PromptNumber
    role: PromptRole
    inputs: tuple[Name, ...] = Field(max_length=20)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt with its text."""

    name: str
    version: str
    role: PromptRole
    inputs: tuple[str, ...]
    text: str

    def fill(self, **values: str) -> str:
        """Returns the text with every input in its place; raises KeyError for one that was not given.

        What looks like a place inside of a value stays text, and no value can close the marks that it stands between:
        their angle brackets become other signs inside of it.
        """
        marks = "|".join(sorted(set(_MARK.findall(self.text))))
        if not marks:
            return _PLACEHOLDER.sub(lambda found: values[found[1]], self.text)
        inside = re.compile(rf"<(\s*/?\s*(?:{marks})\b[^<>]{{0,40}})>", re.IGNORECASE)
        return _PLACEHOLDER.sub(lambda found: inside.sub(r"‹\1›", values[found[1]]), self.text)


class VerifierChars(BaseModel):
    """How many code points of each input the server's own verifier model is given."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    query: int = Field(default=4_000, ge=100, le=100_000)
    final_answer: int = Field(default=8_000, ge=0, le=1_000_000)
    structured_output: int = Field(default=40_000, ge=1_000, le=1_000_000)
    trace_summary: int = Field(default=40_000, ge=1_000, le=1_000_000)
    gatekeeper_result: int = Field(default=40_000, ge=1_000, le=1_000_000)
    retry_context: int = Field(default=8_000, ge=100, le=100_000)


@dataclass(frozen=True, slots=True)
class PromptCatalog:
    """One prompt for each role, in the order of the roles."""

    version: str
    prompts: tuple[Prompt, ...]
    verifier_chars: VerifierChars

    def of(self, role: PromptRole) -> Prompt:
        """Returns the prompt of a role."""
        return next(prompt for prompt in self.prompts if prompt.role is role)

    def versions(self) -> tuple[PromptVersion, ...]:
        """Returns what an evaluation says of the prompts of a chat: role, name and version, no text."""
        return tuple(
            PromptVersion(prompt.role.value, prompt.name, prompt.version)
            for prompt in self.prompts
            if prompt.role in _OF_A_CHAT
        )


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A prompt with what the digest covers and where its name and role stand in the file."""

    prompt: Prompt
    content: dict[str, Any]
    role_line: int


def read_prompt(text: str, file: str, stem: str) -> PromptFile | list[Problem]:
    """Returns the prompt of a file whose name without ending is `stem`, or what is wrong with it."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if not lines or lines[0].rstrip() != _FENCE:
        return [Problem(file, 1, "", f"the file must begin with its front matter, between two lines {_FENCE}")]
    end = next((at for at in range(1, len(lines)) if lines[at].rstrip() == _FENCE), None)
    if end is None:
        return [Problem(file, 1, "", f"the front matter has no closing line {_FENCE}")]
    head_text = "\n".join(lines[1:end]) + "\n"

    def lines_of_head() -> Lines:
        found = Lines(first_line=2)
        read_yaml(head_text, file, first_line=2, lines=found)
        return found

    try:
        data = read_yaml(head_text, file, first_line=2)
    except YamlError as error:
        return error.problems
    head = fit(PromptHead, data, file, lines_of_head)
    if isinstance(head, list):
        return head
    problems = _check(head, lines, end, file, stem, lines_of_head)
    if problems:
        return problems
    body = "\n".join(lines[end + 1 :]).strip() + "\n"
    prompt = Prompt(head.name, head.version, head.role, head.inputs, body)
    return PromptFile(prompt, {**data, "text": body}, lines_of_head().of(("role",)))


def _check(
    head: PromptHead, lines: list[str], end: int, file: str, stem: str, lines_of_head: Callable[[], Lines]
) -> list[Problem]:
    """Returns what the front matter alone does not show: the name against the file, the inputs against the text."""
    problems: list[Problem] = []
    if head.name != stem:
        message = f'must be "{stem}", as the file is named, not "{head.name}"'
        problems.append(Problem(file, lines_of_head().of(("name",)), "name", message))
    used: set[str] = set()
    blank = True
    for at in range(end + 1, len(lines)):
        blank = blank and not lines[at].strip()
        for found in _PLACEHOLDER.finditer(lines[at]):
            used.add(found[1])
            if found[1] not in head.inputs:
                message = f"{found[0]} is no input of this prompt{did_you_mean(found[1], head.inputs)}"
                problems.append(Problem(file, at + 1, "", message))
    if blank:
        problems.append(Problem(file, end + 1, "", "the prompt has no text"))
    for at, name in enumerate(head.inputs):
        if name in head.inputs[:at]:
            problems.append(Problem(file, lines_of_head().of(("inputs", at)), f"inputs[{at}]", f"{name} stands twice"))
        elif name not in used and not blank:
            message = f"the text has no place {{{{{name}}}}}"
            problems.append(Problem(file, lines_of_head().of(("inputs", at)), f"inputs[{at}]", message))
    return problems
