"""Holds what a run yields, what it works with, and the trace that it leaves."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from evidencegate_client.budget import Budget
from evidencegate_client.calls import Call
from evidencegate_client.chat import ChatConfig, ComposerInput, ExecutorInput, PlannerInput, Step, VerifierInput
from evidencegate_client.config import ClientConfig
from evidencegate_client.errors import ServiceError

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Ask:
    """A function of the caller's to call. `last` says that it may use the time that is kept for the answer."""

    name: str
    function: Callable[[Any], Any]
    argument: Any
    last: bool = False


Flow = Generator[Call | Ask, Any, ResultT]


@dataclass(frozen=True, slots=True)
class Parts:
    """The functions of an orchestrator; `store` is a ServerStore or has the two methods of an EvaluationStore."""

    planner: Callable[[PlannerInput], Any]
    executor: Callable[[ExecutorInput], Any]
    verifier: Callable[[VerifierInput], Any] | None
    composer: Callable[[ComposerInput], Any] | None
    store: Any | None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in one run."""

    original_query: str
    session_id: str
    request_id: str
    language: str
    narrow_question: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that a run works with and does not change."""

    question: Question
    parts: Parts
    chat: ChatConfig
    client: ClientConfig
    budget: Budget


@dataclass(frozen=True, slots=True)
class Returned:
    """What a function gave; a function that failed gave none of these."""

    value: Any


class Recorder:
    """Puts every step on record, in the order in which they ended."""

    def __init__(self) -> None:
        self.trace: list[Step] = []

    def ask(
        self, name: str, round_number: int, function: Callable[[Any], Any], argument: Any, *, last: bool = False
    ) -> Flow[Returned | None]:
        """Returns what a function of the caller's gave, None where it failed: then the trace has what it raised."""
        try:
            value = yield Ask(name, function, argument, last)
        except Exception as error:  # noqa: BLE001  no failure of a function may lose the answer
            self.trace.append(Step(name, round_number, "failed", "it raised", type(error).__name__))
            return None
        self.trace.append(Step(name, round_number, "ok"))
        return Returned(value)

    def call(self, name: str, round_number: int, failure: ServiceError | None, stands_in: str) -> None:
        """Records a call of the service, and what stands in where it failed."""
        if failure is None:
            self.trace.append(Step(name, round_number, "ok"))
        else:
            detail = f"{failure.code.name}; {stands_in}"
            self.trace.append(Step(name, round_number, "fallback", detail, type(failure).__name__))

    def failed_call(self, name: str, round_number: int, failure: ServiceError) -> None:
        """Records a call of the service that failed and that nothing stands in for."""
        detail = f"{failure.code.name} {failure.reason}".strip()
        self.trace.append(Step(name, round_number, "failed", detail, type(failure).__name__))

    def fall_back(self, name: str, round_number: int, why: str) -> None:
        """Records a step that ended and whose result was not taken."""
        self.trace.append(Step(name, round_number, "fallback", why))

    def skip(self, name: str, round_number: int, why: str) -> None:
        """Records a step that was not run."""
        self.trace.append(Step(name, round_number, "skipped", why))
