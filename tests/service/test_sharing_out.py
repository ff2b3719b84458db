"""Proves which small calls the loop works on itself, and which it hands over to the engine process."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from evidencegate_server.service.engine_process import EngineProcess
from evidencegate_server.service.lanes import _CROWDED_FOR_CALLS, Lanes
from evidencegate_server.service.metrics import NO_FACTS
from evidencegate_server.service.servicers import Answer

VALIDATE = "Gatekeeper/Validate"
HERE, THERE = Answer(b"here", NO_FACTS), Answer(b"there", NO_FACTS)


class _Engine:
    """Stands for the engine process: has room or not, and answers when it is told."""

    def __init__(self) -> None:
        self.has_room = True
        self.given: list[asyncio.Future[Answer | None]] = []

    @property
    def light_calls(self) -> int:
        return sum(not one.done() for one in self.given)

    def takes(self, method: str) -> bool:
        return method == VALIDATE

    def hand_over(self, _method: str, _request: bytes) -> asyncio.Future[Answer | None] | None:
        if not self.has_room:
            return None
        self.given.append(asyncio.get_running_loop().create_future())
        return self.given[-1]


class _Calls:
    """Calls as gRPC makes them: each is a task, which ends when the answer is sent."""

    def __init__(self) -> None:
        self.engine = _Engine()
        self.lanes = Lanes(heavy_bytes=100)
        self.lanes.engine = cast("EngineProcess", self.engine)
        self.begun: list[asyncio.Task[Any]] = []

    async def begin(self, method: str = VALIDATE, sent: asyncio.Event | None = None) -> asyncio.Task[Any]:
        """Begins a call, whose answer is on its way until `sent`."""

        async def call() -> Any:
            answer = await self.lanes.answer(method, lambda _: HERE, b"small")
            if sent is not None:
                await sent.wait()
            return answer

        task = asyncio.ensure_future(call())
        for _ in range(3):  # it begins, ends where it can, and is told of
            await asyncio.sleep(0)
        return task


@pytest.fixture
async def calls() -> Any:
    """An engine process with room and nothing to do."""
    calls = _Calls()
    yield calls
    calls.lanes.close()


async def test_calls_that_come_one_after_the_other_stay_here(calls: _Calls) -> None:
    assert [await (await calls.begin()) for _ in range(5)] == [HERE] * 5
    assert calls.engine.given == []


async def test_a_call_that_comes_before_anothers_answer_is_sent_is_handed_over(calls: _Calls) -> None:
    sent = asyncio.Event()
    first = await calls.begin(sent=sent)
    second = await calls.begin()
    calls.engine.given[0].set_result(THERE)
    sent.set()
    assert (await first, await second) == (HERE, THERE)


async def test_a_call_that_comes_while_another_is_worked_on_there_follows_it(calls: _Calls) -> None:
    calls.lanes._crowded_for = 2
    first = await calls.begin()
    calls.lanes._crowded_for = 0
    second = await calls.begin()
    for given in calls.engine.given:
        given.set_result(THERE)
    assert [await first, await second] == [THERE, THERE]


async def test_what_finds_no_room_there_stays_here(calls: _Calls) -> None:
    calls.lanes._crowded_for = 2
    calls.engine.has_room = False
    assert await (await calls.begin()) == HERE


async def test_what_is_left_to_the_server_is_worked_on_here(calls: _Calls) -> None:
    calls.lanes._crowded_for = 2
    call = await calls.begin()
    calls.engine.given[0].set_result(None)
    assert await call == HERE


async def test_methods_that_are_not_worked_on_there_stay_here(calls: _Calls) -> None:
    calls.lanes._crowded_for = 2
    assert await (await calls.begin("Composer/Compose")) == HERE


async def test_calls_stay_here_again_a_few_calls_after_they_have_ceased_to_overlap(calls: _Calls) -> None:
    sent = asyncio.Event()
    first = await calls.begin(sent=sent)
    overlapping = await calls.begin()
    calls.engine.given[0].set_result(THERE)
    sent.set()
    await asyncio.gather(first, overlapping)
    where = []
    for _ in range(_CROWDED_FOR_CALLS + 1):
        call = await calls.begin()
        if calls.engine.light_calls:
            calls.engine.given[-1].set_result(THERE)
        where.append(await call)
    assert where == [THERE] * (_CROWDED_FOR_CALLS - 1) + [HERE] * 2


async def test_a_call_that_is_taken_back_there_is_no_longer_waited_for(calls: _Calls) -> None:
    calls.lanes._crowded_for = 2
    call = await calls.begin()
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    assert calls.engine.given[0].cancelled()
