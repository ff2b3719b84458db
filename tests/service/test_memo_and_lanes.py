"""Proves that the memory is bounded and that a heavy request leaves the loop free."""

from __future__ import annotations

import asyncio
import threading

import pytest
from evidencegate_server.service.lanes import Lanes
from evidencegate_server.service.memo import Memo


def test_the_least_recently_used_value_goes_first() -> None:
    memo: Memo[str, int] = Memo(160)
    for number in range(16):
        memo.put(str(number), number, 10)
    assert memo.get("0") == 0
    memo.put("16", 16, 10)
    assert memo.get("1") is None
    assert memo.get("0") == 0
    assert (len(memo), memo.size_bytes) == (16, 160)


@pytest.mark.parametrize(("cost", "kept"), [(10, 1), (11, 0)])
def test_one_value_takes_at_most_a_sixteenth_of_the_room(cost: int, kept: int) -> None:
    memo: Memo[str, int] = Memo(160)
    memo.put("a", 1, cost)
    assert len(memo) == kept


def test_a_memo_without_room_remembers_nothing() -> None:
    memo: Memo[str, int] = Memo(0)
    memo.put("a", 1, 1)
    assert memo.get("a") is None


def test_putting_twice_counts_once() -> None:
    memo: Memo[str, int] = Memo(160)
    memo.put("a", 1, 10)
    memo.put("a", 2, 10)
    assert (memo.get("a"), memo.size_bytes) == (1, 10)


async def test_light_work_runs_on_the_loop_and_heavy_work_beside_it() -> None:
    lanes = Lanes(heavy_bytes=10)

    def where(_request: bytes) -> int:
        return threading.get_ident()

    here = threading.get_ident()
    assert await lanes.run(10, where, b"") == here
    assert await lanes.run(11, where, b"") != here
    lanes.close()


async def test_work_that_goes_on_for_nobody_is_known() -> None:
    lanes = Lanes(heavy_bytes=0)
    begun, go_on = threading.Event(), threading.Event()

    def heavy(_request: bytes) -> None:
        begun.set()
        go_on.wait(20)

    assert not lanes.is_at_work
    call = asyncio.ensure_future(lanes.run(1, heavy, b""))
    await asyncio.to_thread(begun.wait, 20)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    assert lanes.is_at_work
    go_on.set()
    lanes.close()


async def test_the_loop_is_free_while_heavy_work_runs() -> None:
    lanes = Lanes(heavy_bytes=0)
    begun, go_on = threading.Event(), threading.Event()

    def heavy(request: bytes) -> bytes:
        begun.set()
        assert go_on.wait(30)
        return request

    running = asyncio.ensure_future(lanes.run(1, heavy, b"x"))
    await asyncio.to_thread(begun.wait, 30)
    assert await lanes.run(0, bytes, b"light") == b"light"
    go_on.set()
    assert await running == b"x"
    lanes.close()


async def test_heavy_work_that_is_cancelled_before_its_turn_never_runs() -> None:
    lanes = Lanes(heavy_bytes=0)
    begun, go_on = threading.Event(), threading.Event()
    ran: list[bytes] = []

    def heavy(request: bytes) -> bytes:
        begun.set()
        assert go_on.wait(30)
        ran.append(request)
        return request

    first = asyncio.ensure_future(lanes.run(1, heavy, b"first"))
    await asyncio.to_thread(begun.wait, 30)
    second = asyncio.ensure_future(lanes.run(1, heavy, b"second"))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    third = asyncio.ensure_future(lanes.run(1, heavy, b"third"))
    go_on.set()
    assert (await first, await third) == (b"first", b"third")
    assert ran == [b"first", b"third"]
    lanes.close()


async def test_a_fault_in_heavy_work_reaches_the_caller() -> None:
    lanes = Lanes(heavy_bytes=0)

    def fails(_request: bytes) -> bytes:
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        await lanes.run(1, fails, b"")
    lanes.close()
