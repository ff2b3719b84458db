"""Holds what goes into a chat turn and what comes out: the caller's functions, their inputs, the answer, the trace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidencegate.v1.composer_pb2 import ComposerOutput
from evidencegate.v1.evaluation_pb2 import Evaluation, RetryContext
from evidencegate.v1.gatekeeper_pb2 import GatekeeperResult
from evidencegate.v1.invocation_pb2 import ToolInvocation
from evidencegate.v1.material_pb2 import AllowedMaterial
from evidencegate.v1.prompt_pb2 import PromptVersion
from evidencegate.v1.text_pb2 import ParseReport
from evidencegate.v1.trace_pb2 import ToolTraceSummary
from evidencegate.v1.verifier_pb2 import JudgeRequest

from evidencegate_client.budget import Budget
from evidencegate_client.result import EvaluationResult

ModelWritten = str | bytes | None
"""What a model wrote, to the letter; None where nothing came."""


@dataclass(frozen=True, slots=True)
class PlannerInput:
    """What the planner is given. `retry_context` is set in round 2: what was weak, never what the first answer said."""

    original_query: str
    session_id: str
    language: str
    narrow_question: bool
    round: int
    retry_context: RetryContext | None
    budget: Budget


@dataclass(frozen=True, slots=True)
class ExecutorInput:
    """What the executor is given. `plan` is what the planner of this round returned, untouched."""

    original_query: str
    session_id: str
    language: str
    narrow_question: bool
    round: int
    plan: Any
    retry_context: RetryContext | None
    budget: Budget


@dataclass(frozen=True, slots=True)
class ExecutorRun:
    """What the executor returns: the model's final text to the letter, and every tool call that it made in this round.

    The calls are messages, or mappings with the names of the session format. Calls of an earlier round need not be
    there; they are added.
    """

    output: str | bytes | Mapping[str, Any] | None
    tool_invocations: Iterable[ToolInvocation | Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class VerifierInput:
    """What a verifier model may see: the final output without its reasoning block, and what the service made of it."""

    original_query: str
    round: int
    executor_final_answer: str
    parse_report: ParseReport | None
    gatekeeper_result: GatekeeperResult
    tool_trace_summary: ToolTraceSummary
    retry_context: RetryContext | None
    budget: Budget


@dataclass(frozen=True, slots=True)
class ComposerInput:
    """What a composer model may see: the allowed material, and nothing else of the evaluation."""

    original_query: str
    verdict: str
    allowed_material: AllowedMaterial
    language: str
    budget: Budget


Planner = Callable[[PlannerInput], Any]
Executor = Callable[[ExecutorInput], ExecutorRun]
Verifier = Callable[[VerifierInput], ModelWritten]
Composer = Callable[[ComposerInput], ModelWritten]

AsyncPlanner = Callable[[PlannerInput], Awaitable[Any]]
AsyncExecutor = Callable[[ExecutorInput], Awaitable[ExecutorRun]]
AsyncVerifier = Callable[[VerifierInput], Awaitable[ModelWritten]]
AsyncComposer = Callable[[ComposerInput], Awaitable[ModelWritten]]


@dataclass(frozen=True, slots=True)
class ChatConfig:
    """How an orchestrator judges and composes.

    `engine` is a word (`deterministic`, `llm`, `hybrid`, `supplied`), None for the service's default; with a verifier
    of the caller's it is `supplied`. `writer` is `template`, `model` or `supplied`, None for the template; with a
    composer of the caller's it is `supplied`. The two profiles name models of the server's configuration.
    `reserve_seconds` of a run's deadline are kept for telling and storing what was judged.
    """

    engine: str | None = None
    model_profile: str = ""
    writer: str | None = None
    composer_model_profile: str = ""
    prompts_used: tuple[PromptVersion, ...] = ()
    expected_rule_set_version: str = ""
    reserve_seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run.

    `name` is `planner`, `executor`, `validate`, `summarize_trace`, `verifier`, `judge`, `composer`, `compose`,
    `store_evaluation` or `store_composer_output`. `round` is 1 or 2, 0 for what belongs to the whole run. `outcome`
    is `ok`; `fallback` (something marked stands in for what did not come); `failed`; or `skipped`. `detail` says
    which fallback or why, in fixed words. `fault` is the type of the exception and never its text, empty where there
    was none.
    """

    name: str
    round: int
    outcome: str
    detail: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: what Judge was asked and what came of it; both None where planner or executor failed."""

    number: int
    request: JudgeRequest | None = field(default=None, repr=False)
    result: EvaluationResult | None = None


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a run came to. `text` is what the user reads.

    `evaluation` is the one that the text rests on, with a warning (`chat...`) for each step of a later round that
    failed; `verdict`, `route` and `score` are its own, read on the safe side. `stored` says whether evaluation and
    composer output are in the store; False where there is none.
    """

    text: str
    verdict: str
    route: str
    score: float
    evaluation: Evaluation = field(repr=False)
    composer_output: ComposerOutput = field(repr=False)
    rounds: Sequence[Round]
    trace: Sequence[Step]
    stored: bool

    @property
    def faults(self) -> tuple[Step, ...]:
        """The steps that did not end as they should."""
        return tuple(step for step in self.trace if step.fault)

    @property
    def is_fallback(self) -> bool:
        """Whether nothing was judged, so that the text is the client's own."""
        return all(one.result is None or one.result.is_fallback for one in self.rounds)
