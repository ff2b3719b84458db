"""Runs the whole chat turn over the caller's planner and executor, blocking or in an event loop."""

from __future__ import annotations

import asyncio
import inspect
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import grpc
from evidencegate.v1.composer_pb2 import ComposerWriter
from evidencegate.v1.evaluation_pb2 import JudgeEngine

from evidencegate_client.aio import AsyncEvidenceGateClient
from evidencegate_client.budget import Budget, Cancellation, Clock
from evidencegate_client.calls import COMPOSE, WRITE_CHANNEL, Call
from evidencegate_client.chat import (
    AsyncComposer,
    AsyncExecutor,
    AsyncPlanner,
    AsyncVerifier,
    ChatAnswer,
    ChatConfig,
    Composer,
    Executor,
    Planner,
    Verifier,
)
from evidencegate_client.chat_run import ChatRun
from evidencegate_client.chat_steps import Ask, Flow, Parts, Question, Setting
from evidencegate_client.client import EvidenceGateClient
from evidencegate_client.errors import (
    ChatCancelledError,
    ChatDeadlineError,
    ChatResultError,
    ChatUsageError,
    run_deadline_error,
    service_error,
)
from evidencegate_client.fallback import LANGUAGES
from evidencegate_client.reader import clean
from evidencegate_client.store import AsyncEvaluationStore, EvaluationStore, ServerStore
from evidencegate_client.vocabulary import words

# A write to the store has an ID of at most 200 bytes: this one with the name of the write behind it.
_MAX_REQUEST_ID_BYTES = 180


class Orchestrator:
    """Runs chat turns, one after another or from several threads at once: it keeps nothing between them.

    Planner and executor are the caller's functions, verifier and composer functions around models of the caller's
    own. A function that raises, a service that cannot be reached and a store that is down are no exceptions of `run`:
    the user gets a safe answer and the trace says what failed. Raised are the caller's mistakes: ChatUsageError,
    ChatResultError, and each ServiceError after which a client must not go on (a wrong token, a request that is
    refused).
    """

    def __init__(
        self,
        client: EvidenceGateClient,
        *,
        planner: Planner,
        executor: Executor,
        verifier: Verifier | None = None,
        composer: Composer | None = None,
        store: EvaluationStore | ServerStore | None = None,
        config: ChatConfig | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._client = client
        self._parts = _parts(Parts(planner, executor, verifier, composer, store))
        self._config = _checked(config or ChatConfig(), self._parts)
        self._clock = clock
        for name in ("planner", "executor", "verifier", "composer"):
            if inspect.iscoroutinefunction(getattr(self._parts, name)):
                raise ChatUsageError(f"the {name} is a coroutine function: use AsyncOrchestrator")

    def run(
        self,
        original_query: str,
        *,
        session_id: str = "",
        language: str = "zh",
        narrow_question: bool = False,
        deadline_seconds: float | None = None,
        request_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> ChatAnswer:
        """Answers one question, in Chinese (`zh`) or English (`en`).

        `deadline_seconds` is for everything: each call of the service ends by then, and each function of the caller's
        can ask its budget what is left. A function that takes longer is not interrupted. `request_id` makes the
        writes to the store repeatable: no other run has the same; a new one is made where none is given. Raises
        ChatCancelledError where `cancellation` ended the run.
        """
        question = _question(original_query, session_id, language, narrow_question, request_id, self._parts)
        budget = Budget(deadline_seconds, self._config.reserve_seconds, cancellation, self._clock)
        flow = ChatRun(Setting(question, self._parts, self._config, self._client.config, budget)).steps()
        try:
            step = next(flow)
            while True:
                if cancellation is not None:
                    cancellation.raise_if_cancelled()
                step = self._perform(step, budget, cancellation).resume(flow)
        except StopIteration as stop:
            answer: ChatAnswer = stop.value
            return answer
        finally:
            flow.close()

    def _perform(self, step: Call | Ask, budget: Budget, cancellation: Cancellation | None) -> _Outcome:
        if isinstance(step, Ask):
            return _asked(step, budget)
        limited = _limited(step, budget)
        if limited is None:
            return _Outcome(error=run_deadline_error())
        try:
            return _Outcome(self._client.invoke(limited, None if cancellation is None else cancellation.started))
        except grpc.FutureCancelledError as error:
            raise ChatCancelledError from error
        except grpc.RpcError as error:
            return _Outcome(error=service_error(error))


class AsyncOrchestrator:
    """The same for asyncio, over AsyncEvidenceGateClient. The functions are coroutine functions.

    A plain function is called as well, and holds up the event loop as long as it takes. Cancelling the task ends the
    call or function that is at work.
    """

    def __init__(
        self,
        client: AsyncEvidenceGateClient,
        *,
        planner: AsyncPlanner | Planner,
        executor: AsyncExecutor | Executor,
        verifier: AsyncVerifier | Verifier | None = None,
        composer: AsyncComposer | Composer | None = None,
        store: AsyncEvaluationStore | EvaluationStore | ServerStore | None = None,
        config: ChatConfig | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._client = client
        self._parts = _parts(Parts(planner, executor, verifier, composer, store))
        self._config = _checked(config or ChatConfig(), self._parts)
        self._clock = clock

    async def run(
        self,
        original_query: str,
        *,
        session_id: str = "",
        language: str = "zh",
        narrow_question: bool = False,
        deadline_seconds: float | None = None,
        request_id: str | None = None,
    ) -> ChatAnswer:
        """Answers one question, as `Orchestrator.run` does; a function that overruns the deadline is cancelled."""
        question = _question(original_query, session_id, language, narrow_question, request_id, self._parts)
        budget = Budget(deadline_seconds, self._config.reserve_seconds, None, self._clock)
        flow = ChatRun(Setting(question, self._parts, self._config, self._client.config, budget)).steps()
        try:
            step = next(flow)
            while True:
                step = (await self._perform(step, budget)).resume(flow)
        except StopIteration as stop:
            answer: ChatAnswer = stop.value
            return answer
        finally:
            flow.close()

    async def _perform(self, step: Call | Ask, budget: Budget) -> _Outcome:
        if isinstance(step, Ask):
            try:
                return _Outcome(await _awaited(step, budget))
            except Exception as error:  # noqa: BLE001  the flow decides what it means
                return _Outcome(error=error)
        limited = _limited(step, budget)
        if limited is None:
            return _Outcome(error=run_deadline_error())
        try:
            return _Outcome(await self._client.invoke(limited))
        except grpc.RpcError as error:
            return _Outcome(error=service_error(error))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one step gave, or what it raised."""

    value: Any = None
    error: Exception | None = None

    def resume(self, flow: Flow[ChatAnswer]) -> Call | Ask:
        """Hands it to the flow and returns the next step; StopIteration carries the answer."""
        return flow.send(self.value) if self.error is None else flow.throw(self.error)


def _asked(step: Ask, budget: Budget) -> _Outcome:
    """Returns what a function gave; one whose time is up before it begins is not called."""
    if budget.left(last=step.last) == 0:
        return _Outcome(error=ChatDeadlineError())
    try:
        value = step.function(step.argument)
    except Exception as error:  # noqa: BLE001  the flow decides what it means
        return _Outcome(error=error)
    if inspect.isawaitable(value):
        _refuse_awaitable(step.name, value)
    return _Outcome(value)


async def _awaited(step: Ask, budget: Budget) -> Any:
    """Returns what a function gives, within its time."""
    seconds = budget.left(last=step.last)
    if seconds == 0:
        raise ChatDeadlineError
    value = step.function(step.argument)
    if not inspect.isawaitable(value):
        return value
    try:
        async with asyncio.timeout(seconds) as limit:
            return await value
    except TimeoutError:
        if limit.expired():
            raise ChatDeadlineError from None
        raise


def _limited(call: Call, budget: Budget) -> Call | None:
    """Returns the call with no more time than the run has, None where there is none left."""
    left = budget.left(last=call.method in (COMPOSE, WRITE_CHANNEL))
    if left is None:
        return call
    return replace(call, timeout_seconds=min(call.timeout_seconds, left)) if left > 0 else None


def _parts(parts: Parts) -> Parts:
    needed: list[tuple[str, Callable[..., Any] | None]] = [("planner", parts.planner), ("executor", parts.executor)]
    optional = [("verifier", parts.verifier), ("composer", parts.composer)]
    for name, function in needed + [(name, function) for name, function in optional if function is not None]:
        if not callable(function):
            raise ChatUsageError(f"the {name} must be a function")
    for method in ("write_evaluation", "write_composer_output"):
        if not isinstance(parts.store, ServerStore | None) and not callable(getattr(parts.store, method, None)):
            raise ChatUsageError(f"the store must have the method {method}")
    return parts


def _checked(config: ChatConfig, parts: Parts) -> ChatConfig:
    """Returns the configuration with engine and writer settled by the functions that are there."""
    engine = config.engine or ("supplied" if parts.verifier is not None else None)
    writer = config.writer or ("supplied" if parts.composer is not None else "template")
    if engine is not None and engine not in words(JudgeEngine):
        raise ChatUsageError(f"the engine {engine!r} is none of {', '.join(words(JudgeEngine))}")
    if writer not in words(ComposerWriter):
        raise ChatUsageError(f"the writer {writer!r} is none of {', '.join(words(ComposerWriter))}")
    if (engine == "supplied") != (parts.verifier is not None):
        raise ChatUsageError("a verifier function and the engine `supplied` belong together")
    if (writer == "supplied") != (parts.composer is not None):
        raise ChatUsageError("a composer function and the writer `supplied` belong together")
    if config.composer_model_profile and writer != "model":
        raise ChatUsageError("composer_model_profile belongs to the writer `model`")
    if config.reserve_seconds < 0:
        raise ChatUsageError(f"reserve_seconds is {config.reserve_seconds}; it must be at least 0")
    return replace(config, engine=engine, writer=writer)


def _question(
    original_query: str, session_id: str, language: str, narrow_question: bool, request_id: str | None, parts: Parts
) -> Question:
    if not isinstance(original_query, str) or not isinstance(session_id, str):
        raise ChatUsageError("original_query and session_id must be texts")
    if language not in LANGUAGES:
        raise ChatUsageError(f"the language {language!r} is none of {', '.join(LANGUAGES)}")
    if parts.store is not None and not session_id.strip():
        raise ChatUsageError("a store needs a session_id")
    if request_id is not None and not request_id.strip():
        raise ChatUsageError("request_id is blank: leave it out, and one is made")
    if request_id is not None and len(request_id.encode("utf-8", "replace")) > _MAX_REQUEST_ID_BYTES:
        raise ChatUsageError(f"request_id has more than {_MAX_REQUEST_ID_BYTES} bytes")
    return Question(clean(original_query), clean(session_id), request_id or uuid.uuid4().hex, language, narrow_question)


def _refuse_awaitable(name: str, value: Any) -> NoReturn:
    if inspect.iscoroutine(value):
        value.close()
    raise ChatResultError(f"{name} returned something to await: use AsyncOrchestrator")
