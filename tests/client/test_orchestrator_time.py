"""The deadline of a run and its cancellation reach every call and every function."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from evidencegate.v1.composer_pb2 import ComposeResponse, ComposerOutput
from evidencegate.v1.evaluation_pb2 import Evaluation, RetryContext
from evidencegate.v1.verifier_pb2 import JudgeResponse
from evidencegate_client import (
    AsyncEvidenceGateClient,
    AsyncOrchestrator,
    Budget,
    Cancellation,
    ChatCancelledError,
    ChatConfig,
    ChatUsageError,
    EvidenceGateClient,
    ExecutorRun,
    Orchestrator,
    safe_text,
)

from tests.client.chat_support import ONCE, Chat, Script, Store, chat_blocking, step, steps
from tests.client.fake_service import FakeService

WEAK_FIRST = JudgeResponse(
    evaluation=Evaluation(verdict=2, route=3, source=1),  # type: ignore[arg-type]  # LOW_CONFID, RETRY, server
    retry_context=RetryContext(verdict=2),  # type: ignore[arg-type]
)
TOLD = ComposeResponse(composer_output=ComposerOutput(text="told", writer=1, requested_writer=1))  # type: ignore[arg-type]
RESERVE = {"config": ChatConfig(reserve_seconds=5.0)}


class Clock:
    """A clock that the test turns."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Returns the time, in seconds."""
        return self.now


class Slow(Script):
    """Functions that take their time on the test's clock."""

    clock: Clock
    seconds: dict[str, float]
    left: list[float | None]

    def planner(self, given: Any) -> Any:
        """Plans, slowly."""
        self.left.append(given.budget.seconds_left())
        return self._take("planner", given.round, super().planner(given))

    def executor(self, given: Any) -> Any:
        """Executes, slowly."""
        self.left.append(given.budget.seconds_left())
        return self._take("executor", given.round, super().executor(given))

    def _take(self, name: str, round_number: int, value: Any) -> Any:
        self.clock.now += self.seconds.get(f"{name} {round_number}", 0.0)
        return value


def slow(**seconds: float) -> Slow:
    script = Slow(outputs=["{}", "{}"])
    script.clock, script.left = Clock(), []
    script.seconds = {name.replace("_", " "): value for name, value in seconds.items()}
    return script


def test_every_function_is_told_what_is_left_of_the_run(chat: Chat, fake: FakeService) -> None:
    fake.scripts |= {"Judge": [WEAK_FIRST], "Compose": [TOLD]}
    script = slow(planner_1=10, executor_1=20, planner_2=5)
    chat(fake.target, script, made=RESERVE | {"clock": script.clock}, deadline_seconds=60)
    assert script.left == [55.0, 45.0, 25.0, 20.0]


def test_without_a_deadline_nothing_is_counted(chat: Chat, fake: FakeService) -> None:
    script = slow(executor_1=1e9)
    chat(fake.target, script)
    assert script.left == [None, None]


def test_a_run_whose_time_is_up_in_round_1_gives_the_safe_text(chat: Chat, fake: FakeService) -> None:
    script = slow(executor_1=56)
    store = Store()
    made = RESERVE | {"clock": script.clock, "store": store}
    answer = chat(fake.target, script, made=made, deadline_seconds=60, session_id="s")
    assert (fake.calls, answer.text) == ([], safe_text())
    assert [(fault.name, fault.fault) for fault in answer.faults] == [
        ("validate", "DeadlineError"),
        ("judge", "DeadlineError"),
    ]
    assert answer.stored


def test_a_run_whose_time_is_up_before_a_function_does_not_call_it(chat: Chat, fake: FakeService) -> None:
    script = slow(planner_1=56)
    answer = chat(fake.target, script, made=RESERVE | {"clock": script.clock}, deadline_seconds=60)
    assert script.executor_inputs == []
    assert step(answer, "executor", 1).fault == "ChatDeadlineError"
    assert answer.text == safe_text("zh", "diagnosis")


def test_the_reserve_is_kept_for_telling_what_was_judged_before_the_time_was_up(chat: Chat, fake: FakeService) -> None:
    fake.scripts |= {"Judge": [WEAK_FIRST], "Compose": [TOLD]}
    script = slow(executor_1=20, executor_2=36)
    answer = chat(fake.target, script, made=RESERVE | {"clock": script.clock}, deadline_seconds=60)
    assert [name for name, _ in fake.calls] == ["Validate", "Judge", "Compose"]
    assert (answer.text, answer.verdict) == ("told", "LOW_CONFID")
    assert step(answer, "judge", 2).fault == "DeadlineError"


def test_after_the_reserve_nothing_is_called_any_more(chat: Chat, fake: FakeService) -> None:
    fake.scripts |= {"Judge": [WEAK_FIRST], "Compose": [TOLD]}
    script = slow(executor_1=20, executor_2=61)
    store = Store()
    made = RESERVE | {"clock": script.clock, "store": store}
    answer = chat(fake.target, script, made=made, deadline_seconds=60, session_id="s")
    assert [name for name, _ in fake.calls] == ["Validate", "Judge"]
    assert (answer.text, answer.stored) == (safe_text(), False)
    assert [write.request_id.split(":")[1] for write in store.writes] == ["round-1"]


def test_a_call_gets_no_more_time_than_the_run_has(chat: Chat, fake: FakeService) -> None:
    """The service never answers, and the client's own deadline for Validate is five seconds."""
    fake.release = threading.Event()
    answer = chat(
        fake.target, Script(outputs=["{}"]), made={"config": ChatConfig(reserve_seconds=0)}, deadline_seconds=0.3
    )
    assert (answer.text, fake.count("Judge")) == (safe_text(), 0)
    assert step(answer, "validate", 1).fault == "DeadlineError"


@pytest.mark.parametrize("seconds", [0, -1, 2.0, float("nan")])
def test_a_deadline_within_the_reserve_is_refused(chat: Chat, fake: FakeService, seconds: float) -> None:
    with pytest.raises(ChatUsageError, match=r"it must be more than the 2\.0 s that are kept for the answer"):
        chat(fake.target, Script(), deadline_seconds=seconds)


async def test_a_coroutine_that_overruns_the_deadline_is_cancelled(fake: FakeService) -> None:
    ended: list[str] = []

    async def executor(_given: Any) -> ExecutorRun:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        raise AssertionError

    async with AsyncEvidenceGateClient(fake.target, ONCE) as client:
        config = ChatConfig(reserve_seconds=0.1)
        chat = AsyncOrchestrator(client, planner=lambda _: None, executor=executor, config=config)
        answer = await chat.run("why?", deadline_seconds=0.2)
    assert ended == ["cancelled"]
    assert step(answer, "executor", 1).fault == "ChatDeadlineError"


async def test_a_coroutines_own_timeout_is_its_own_fault(fake: FakeService) -> None:
    async def executor(_given: Any) -> ExecutorRun:
        raise TimeoutError

    async with AsyncEvidenceGateClient(fake.target, ONCE) as client:
        answer = await AsyncOrchestrator(client, planner=lambda _: None, executor=executor).run(
            "why?", deadline_seconds=60
        )
    assert step(answer, "executor", 1).fault == "TimeoutError"


async def test_cancelling_the_task_ends_the_call_in_flight(fake: FakeService) -> None:
    fake.release = threading.Event()
    store = Store()
    async with AsyncEvidenceGateClient(fake.target, ONCE) as client:
        chat = AsyncOrchestrator(client, **Script(outputs=["{}"]).functions(), store=store)
        task = asyncio.ensure_future(chat.run("why?", session_id="s"))
        assert await asyncio.to_thread(fake.arrived.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (fake.count("Judge"), store.writes) == (0, [])


async def test_cancelling_the_task_ends_a_function(fake: FakeService) -> None:
    entered = asyncio.Event()

    async def executor(_given: Any) -> ExecutorRun:
        entered.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with AsyncEvidenceGateClient(fake.target, ONCE) as client:
        chat = AsyncOrchestrator(client, planner=lambda _: None, executor=executor)
        task = asyncio.ensure_future(chat.run("why?"))
        await entered.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert fake.calls == []


def test_a_cancellation_from_another_thread_ends_the_call_in_flight(fake: FakeService) -> None:
    fake.release = threading.Event()
    cancellation = Cancellation()
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(chat_blocking, fake.target, Script(outputs=["{}"]), cancellation=cancellation)
        assert fake.arrived.wait(30)
        cancellation.cancel()
        with pytest.raises(ChatCancelledError):
            run.result(30)
    assert [name for name, _ in fake.calls] == ["Validate"]


def test_a_cancellation_while_a_function_is_at_work_ends_the_run_behind_it(fake: FakeService) -> None:
    cancellation = Cancellation()
    seen: list[bool] = []

    def planner(given: Any) -> None:
        seen.append(given.budget.cancelled)
        cancellation.cancel()
        seen.append(given.budget.cancelled)

    script = Script()
    with EvidenceGateClient(fake.target, ONCE) as client, pytest.raises(ChatCancelledError):
        Orchestrator(client, planner=planner, executor=script.executor).run("why?", cancellation=cancellation)
    assert (seen, script.executor_inputs, fake.calls) == ([False, True], [], [])


def test_a_run_that_is_cancelled_before_it_begins_calls_nothing(fake: FakeService) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    cancellation.cancel()
    script = Script()
    with pytest.raises(ChatCancelledError):
        chat_blocking(fake.target, script, cancellation=cancellation)
    assert (script.planner_inputs, fake.calls) == ([], [])


def test_a_cancellation_that_nobody_uses_changes_nothing(fake: FakeService) -> None:
    fake.scripts |= {"Judge": [WEAK_FIRST], "Compose": [TOLD]}
    with_one = chat_blocking(fake.target, Script(outputs=["{}", "{}"]), cancellation=Cancellation())
    fake.scripts |= {"Judge": [WEAK_FIRST], "Compose": [TOLD]}
    assert steps(with_one) == steps(chat_blocking(fake.target, Script(outputs=["{}", "{}"])))


def test_a_service_that_is_gone_is_no_cancellation(dead_target: str) -> None:
    answer = chat_blocking(dead_target, Script(), cancellation=Cancellation())
    assert [fault.fault for fault in answer.faults] == ["UnavailableError", "UnavailableError"]
    assert answer.text == safe_text()


def test_a_call_that_starts_after_the_cancellation_is_ended_at_once() -> None:
    """The run may be cancelled between the question whether it is and the start of its call."""
    cancellation = Cancellation()
    cancellation.cancel()
    ended: list[str] = []
    cancellation.started(lambda: ended.append("ended"))
    assert ended == ["ended"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_function_is_no_fault_of_it(fake: FakeService, error: type[BaseException]) -> None:
    with pytest.raises(error):
        chat_blocking(fake.target, Script(plans=[error()]))


def test_a_budget_counts_down_to_nothing() -> None:
    clock = Clock()
    budget = Budget(10, 2, None, clock)
    assert (budget.seconds_left(), budget.left(last=True)) == (8, 10)
    clock.now += 9
    assert (budget.seconds_left(), budget.left(last=True)) == (0, 1)
    assert Budget().seconds_left() is None
    assert not Budget().cancelled
