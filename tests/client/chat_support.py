"""Runs either orchestrator over scripted functions, and makes executor outputs whose verdict is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidencegate.v1.material_pb2 import AllowedMaterial
from evidencegate_client import (
    AsyncEvidenceGateClient,
    AsyncOrchestrator,
    ChatAnswer,
    ClientConfig,
    ComposerInput,
    ComposerOutputWrite,
    EvaluationWrite,
    EvidenceGateClient,
    ExecutorInput,
    ExecutorRun,
    Orchestrator,
    PlannerInput,
    RetryPolicy,
    VerifierInput,
)

ONCE = ClientConfig(retry=RetryPolicy(max_attempts=1), use_http_proxy=False)
Chat = Callable[..., ChatAnswer]

LINES = [
    "2026-03-02T06:36:10Z ERROR payment-api: connection pool exhausted after 30 s (active=50, max=50)",
    "2026-03-02T06:36:12Z WARN payment-api: 214 requests timed out",
]
CALL: dict[str, Any] = {
    "id": "394",
    "tool_name": "query_logs",
    "status": "SUCCESS",
    "input": '{"service": "payment-api"}',
    "output": "\n".join(LINES),
    "retrieval_details": {
        "evidence_refs": [{"raw_path": f"lines[{index}]", "text": line} for index, line in enumerate(LINES)]
    },
}


def claim(text: str, claim_type: str = "symptom", **binding: Any) -> dict[str, Any]:
    """Returns a claim; by default it is bound to the first log line."""
    bound = {
        "tool_name": "query_logs",
        "source_invocation_id": "394",
        "raw_path": "lines[0]",
        "evidence_excerpt": "connection pool exhausted after 30 s",
    }
    return {
        "claim_type": claim_type,
        "claim_text": text,
        "support_level": "direct",
        "evidence_bindings": [bound | binding],
    }


GOOD = claim("payment-api: connection pool exhausted after 30 s (active=50, max=50)")
WEAK = claim("The connection pool was exhausted because of a slow database", "root_cause")
ABSENT_CALL = claim("payment-api: 214 requests timed out", "observation", source_invocation_id="999")
MADE_UP = claim("payment-api-7d9f is the pod that fails with ERR_POOL_4711", "root_cause")


def output(*claims: dict[str, Any], **fields: Any) -> str:
    """Returns an executor's output with these claims."""
    numbered = [{"claim_id": f"c{index}", **one} for index, one in enumerate(claims, start=1)]
    values: dict[str, Any] = {
        "answer_version": "executor_evidence_v2",
        "claims": numbered,
        "hypotheses": ["The database may be slow"],
        "recommended_actions": ["Look at the slow queries of the database"],
        "missing_info": ["Query times of the database"],
    } | fields
    return json.dumps(values, ensure_ascii=False)


@dataclass
class Script:
    """Functions of a caller that follow a script, and what they were given. An exception in a script is raised."""

    outputs: Sequence[Any] = (output(GOOD),)
    plans: Sequence[Any] = ("plan 1", "plan 2")
    verified: Any = None
    composed: Any = None
    calls: Sequence[Sequence[Any]] = ((CALL,), ())
    planner_inputs: list[PlannerInput] = field(default_factory=list)
    executor_inputs: list[ExecutorInput] = field(default_factory=list)
    verifier_inputs: list[VerifierInput] = field(default_factory=list)
    composer_inputs: list[ComposerInput] = field(default_factory=list)

    def planner(self, given: PlannerInput) -> Any:
        """Plans."""
        self.planner_inputs.append(given)
        return _given(self.plans[given.round - 1])

    def executor(self, given: ExecutorInput) -> Any:
        """Writes the output of its round."""
        self.executor_inputs.append(given)
        written = _given(self.outputs[given.round - 1])
        return written.value if isinstance(written, Wrong) else ExecutorRun(written, self.calls[given.round - 1])

    def verifier(self, given: VerifierInput) -> Any:
        """Is the caller's verifier model."""
        self.verifier_inputs.append(given)
        return _given(self.verified(given) if callable(self.verified) else self.verified)

    def composer(self, given: ComposerInput) -> Any:
        """Is the caller's composer model."""
        self.composer_inputs.append(given)
        return _given(self.composed(given) if callable(self.composed) else self.composed)

    def functions(self) -> dict[str, Any]:
        """Returns what an orchestrator takes."""
        named: dict[str, Any] = {"planner": self.planner, "executor": self.executor}
        if self.verified is not None:
            named["verifier"] = self.verifier
        if self.composed is not None:
            named["composer"] = self.composer
        return named


@dataclass(frozen=True)
class Wrong:
    """What an executor returns in place of an ExecutorRun."""

    value: Any


def _given(value: Any) -> Any:
    if isinstance(value, BaseException):
        raise value
    return value


@dataclass
class Store:
    """A store in memory, which fails where its script has an exception."""

    script: list[Exception | None] = field(default_factory=list)
    writes: list[EvaluationWrite | ComposerOutputWrite] = field(default_factory=list)

    def write_evaluation(self, write: EvaluationWrite, /) -> None:
        """Keeps it."""
        self._write(write)

    def write_composer_output(self, write: ComposerOutputWrite, /) -> None:
        """Keeps it."""
        self._write(write)

    def _write(self, write: EvaluationWrite | ComposerOutputWrite) -> None:
        failure = self.script.pop(0) if self.script else None
        if failure is not None:
            raise failure
        self.writes.append(write)

    @property
    def evaluations(self) -> list[EvaluationWrite]:
        """What was written of evaluations."""
        return [write for write in self.writes if isinstance(write, EvaluationWrite)]

    @property
    def composer_outputs(self) -> list[ComposerOutputWrite]:
        """What was written of composer outputs."""
        return [write for write in self.writes if isinstance(write, ComposerOutputWrite)]


def chat_blocking(target: str, script: Script, *, query: str = "why?", made: Any = None, **run: Any) -> ChatAnswer:
    """Runs one chat turn with the blocking orchestrator; `made` are further arguments of the constructor."""
    with EvidenceGateClient(target, ONCE) as client:
        return Orchestrator(client, **script.functions(), **(made or {})).run(query, **run)


def chat_in_loop(target: str, script: Script, *, query: str = "why?", made: Any = None, **run: Any) -> ChatAnswer:
    """Runs one chat turn with the asynchronous orchestrator, over coroutine functions."""

    async def chat() -> ChatAnswer:
        functions = {name: _coroutine(function) for name, function in script.functions().items()}
        async with AsyncEvidenceGateClient(target, ONCE) as client:
            return await AsyncOrchestrator(client, **functions, **(made or {})).run(query, **run)

    return asyncio.run(chat())


def _coroutine(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    async def call(given: Any) -> Any:
        await asyncio.sleep(0)
        return function(given)

    return call


def steps(answer: ChatAnswer) -> list[str]:
    """Returns the trace in short."""
    return [f"{step.name} {step.round} {step.outcome}" for step in answer.trace]


def step(answer: ChatAnswer, name: str, round_number: int = 0) -> Any:
    """Returns one step of the trace."""
    (found,) = [one for one in answer.trace if (one.name, one.round) == (name, round_number)]
    return found


def sections(material: AllowedMaterial) -> str:
    """Returns a composer model's text with the four parts, in English, from the material alone."""
    parts = {
        "Confirmed facts": [item.text for item in material.confirmed],
        "Possible directions": [f"Hypothesis (not confirmed): {item.text}" for item in material.directions],
        "Evidence gaps": [one.text for gap in material.gaps for one in gap.sentences if one.language == 2],
        "Next steps": [item.text for item in material.next_steps],
    }
    empty = {
        "Confirmed facts": "Nothing can be confirmed so far.",
        "Possible directions": "There is no direction to name so far.",
        "Evidence gaps": "No further gap was found.",
        "Next steps": "Supply logs, metrics or states that bear on the question and try again.",
    }
    return "\n\n".join(
        "\n".join([heading, *(f"- {line}" for line in lines or [empty[heading]])]) for heading, lines in parts.items()
    )


def honest(given: ComposerInput) -> str:
    """Is a composer model that keeps to the material."""
    if given.verdict == "PASS":
        return "\n".join(item.text for item in given.allowed_material.confirmed)
    return sections(given.allowed_material)
