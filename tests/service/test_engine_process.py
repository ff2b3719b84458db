"""Proves that a second process works on calls as the server would, and that its death costs at most those it had."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from evidencegate.v1 import verifier_pb2
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service import engine_wire
from evidencegate_server.service.engine_connection import PLACES
from evidencegate_server.service.engine_process import EngineProcess, is_wanted
from evidencegate_server.service.engine_wire import EngineOrder
from evidencegate_server.service.lanes import Lanes
from evidencegate_server.service.logs import make_logger
from evidencegate_server.service.servicers import Answer, Methods
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.use_cases.errors import DependencyFailedError

from tests.service.builders import invocation, judge_request, ref, validate_request
from tests.service.conftest import Running, serving

VALIDATE = "Gatekeeper/Validate"
ALL_HEAVY = ServerSettings(heavy_request_bytes=0, memo_bytes=0)


@asynccontextmanager
async def engine_of(catalog: Catalog, log: io.BytesIO | None = None, digest: str = "") -> AsyncIterator[EngineProcess]:
    """An engine process that has loaded its catalog, or was refused."""
    order = EngineOrder(str(find_rules()), digest or catalog.digest, 0)
    engine = EngineProcess(order, make_logger("info", log or io.BytesIO()))
    try:
        await engine.decided()
        yield engine
    finally:
        await engine.close()


@asynccontextmanager
async def serving_with_engine(catalog: Catalog) -> AsyncIterator[tuple[Running, EngineProcess]]:
    """A server for which every call is a heavy one, and its engine process."""
    async with serving(catalog, ALL_HEAVY) as server, engine_of(catalog, server.log) as engine:
        server.assembly.lanes.engine = engine
        yield server, engine


def _unused(_request: bytes) -> Answer:
    raise AssertionError("the server has worked on it itself")


async def test_each_method_gives_there_what_it_gives_here(catalog: Catalog) -> None:
    here = Methods(catalog)
    judged = judge_request().SerializeToString()
    summarized = verifier_pb2.JudgeRequest(tool_invocations=[invocation("1", ref("a", "b"))]).SerializeToString()
    requests = (validate_request().SerializeToString(), judged, summarized)
    lanes = Lanes(heavy_bytes=0)
    async with engine_of(catalog) as lanes.engine:
        for method, work, request in zip(engine_wire.METHODS, engine_wire.works_of(here), requests, strict=True):
            assert await lanes.answer(method, _unused, request) == work(request)
    lanes.close()


@pytest.mark.req("IO-05")
async def test_a_callers_mistake_is_told_as_without_it(catalog: Catalog) -> None:
    async with serving_with_engine(catalog) as (server, _), serving(catalog) as plain:
        told = []
        for running in (server, plain):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await running.gatekeeper.Validate(validate_request(None, invocation("")))
            told.append((refused.value.code(), refused.value.details(), refused.value.trailing_metadata()))
    assert told[0] == told[1]


async def test_a_light_call_stays_on_the_loop(catalog: Catalog) -> None:
    lanes = Lanes(heavy_bytes=1_000_000)
    async with engine_of(catalog) as lanes.engine:
        made: list[bytes] = []
        await lanes.answer(VALIDATE, lambda request: made.append(request) or Answer(b"", None), b"light")  # type: ignore[arg-type, func-returns-value]
    assert made == [b"light"]
    lanes.close()


@pytest.mark.req("IO-03")
async def test_a_process_that_dies_is_replaced_and_its_call_told_to_try_again(catalog: Catalog) -> None:
    async with serving_with_engine(catalog) as (server, engine):
        first = engine.pid
        assert first is not None
        os.kill(first, signal.SIGSTOP)  # it has the call, and will not answer
        call = asyncio.ensure_future(server.gatekeeper.Validate(validate_request()))
        await _until(engine._turn.locked)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(grpc.aio.AioRpcError) as lost:
            await call
        assert lost.value.code() is grpc.StatusCode.UNAVAILABLE
        assert "try again" in str(lost.value.details())
        # In between the server works on calls itself.
        await server.gatekeeper.Validate(validate_request())
        await _until(lambda: engine.takes(VALIDATE))
        assert engine.pid not in (None, first)
        await server.gatekeeper.Validate(validate_request())
        died = [line for line in server.log_lines() if line["event"] == "engine_process_died"]
    assert [line["ended"] for line in died] == ["by SIGKILL"]


async def test_a_call_that_comes_just_after_the_death_stays_in_the_server(catalog: Catalog) -> None:
    """Between the end of the connection and what is made of it."""
    async with engine_of(catalog) as engine:
        connection = engine._connection
        assert connection is not None
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGKILL)
        await connection.lost
        assert await connection.ask(0, b"") is None


async def test_a_call_that_is_taken_back_before_its_turn_never_reaches_it(catalog: Catalog) -> None:
    async with engine_of(catalog) as engine:
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGSTOP)
        request = validate_request().SerializeToString()
        first, second, third = (asyncio.ensure_future(engine.answer(VALIDATE, request)) for _ in range(3))
        await _until(engine._turn.locked)
        second.cancel()
        first.cancel()  # it is there already, and the third waits until it is done
        await asyncio.gather(first, second, return_exceptions=True)
        assert engine._turn.locked()
        os.kill(engine.pid, signal.SIGCONT)
        answer = await third
    assert answer == Methods(catalog).validate(request)


async def test_light_calls_lie_ready_there_and_are_answered_in_their_order(catalog: Catalog) -> None:
    requests = [validate_request(None, invocation(str(number))).SerializeToString() for number in range(PLACES + 1)]
    async with engine_of(catalog) as engine:
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGSTOP)
        given = [engine.hand_over(VALIDATE, request) for request in requests]
        assert engine.light_calls == PLACES
        assert given.pop() is None  # there are enough
        assert given[1] is not None
        given[1].cancel()
        os.kill(engine.pid, signal.SIGCONT)
        answers = await asyncio.gather(*(one for one in given if one is not None), return_exceptions=True)
        assert engine.light_calls == 0
        later = engine.hand_over(VALIDATE, requests[-1])
        assert later is not None
        answers.append(await later)
    here = Methods(catalog)
    assert isinstance(answers.pop(1), asyncio.CancelledError)
    assert answers == [here.validate(request) for request in (requests[0], *requests[2:])]


@pytest.mark.parametrize("first", ["a heavy call", "a light Judge"])
async def test_no_light_call_waits_there_behind_one_that_may_take_long(catalog: Catalog, first: str) -> None:
    async with engine_of(catalog) as engine:
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGSTOP)
        if first == "a heavy call":
            call: Any = asyncio.ensure_future(engine.answer(VALIDATE, validate_request().SerializeToString()))
            await _until(engine._turn.locked)
        else:
            call = engine.hand_over("Verifier/Judge", judge_request().SerializeToString())
        request = validate_request().SerializeToString()
        assert engine.hand_over(VALIDATE, request) is None
        os.kill(engine.pid, signal.SIGCONT)
        assert await call is not None
        behind = engine.hand_over(VALIDATE, request)
        assert behind is not None
        await behind


@pytest.mark.req("IO-03")
async def test_all_calls_that_it_had_when_it_died_are_told_to_try_again(catalog: Catalog) -> None:
    request = validate_request().SerializeToString()
    async with engine_of(catalog) as engine:
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGSTOP)
        light = [engine.hand_over(VALIDATE, request) for _ in range(3)]
        heavy = asyncio.ensure_future(engine.answer(VALIDATE, request))
        await _until(engine._turn.locked)
        os.kill(engine.pid, signal.SIGKILL)
        told = await asyncio.gather(*(one for one in light if one is not None), heavy, return_exceptions=True)
        await _until(lambda: engine._connection is None)
        assert engine.hand_over(VALIDATE, request) is None
    assert [type(one) for one in told] == [DependencyFailedError] * 4


async def test_a_light_call_that_was_handed_over_is_remembered(catalog: Catalog) -> None:
    """And has the bytes that a server without an engine process gives."""
    request = validate_request()
    async with serving(catalog) as server, engine_of(catalog) as engine, serving(catalog) as plain:
        lanes, handed_over = server.assembly.lanes, []

        def hand_over(method: str, sent: bytes) -> Any:
            handed_over.append(method)
            return EngineProcess.hand_over(engine, method, sent)

        engine.hand_over = hand_over  # type: ignore[method-assign]
        lanes.engine = engine
        lanes._crowded_for = 2
        answers = [await server.gatekeeper.Validate(request) for _ in range(2)]
        answers.append(await plain.gatekeeper.Validate(request))
        assert handed_over == [VALIDATE]
        assert server.metric("evidencegate_memo_total", result="hit") == 1
    first, second, without = (answer.SerializeToString(deterministic=True) for answer in answers)
    assert first == second == without


async def test_one_with_another_catalog_is_not_used(catalog: Catalog) -> None:
    """As where the rules were edited since the server loaded them."""
    log = io.BytesIO()
    async with engine_of(catalog, log, digest="0" * 64) as engine:
        assert not engine.takes(VALIDATE)
    assert b'"event":"engine_process_refused"' in log.getvalue()
    assert b"restart the server" in log.getvalue()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="whether a process lives is looked up in /proc")
async def test_it_ends_with_a_server_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(
        "import asyncio\n"
        "from evidencegate_server.catalog.load import load_catalog\n"
        "from evidencegate_server.catalog.locate import find_rules\n"
        "from evidencegate_server.service.engine_process import EngineProcess\n"
        "from evidencegate_server.service.engine_wire import EngineOrder\n"
        "from evidencegate_server.service.logs import make_logger\n"
        "async def main():\n"
        "    rules = find_rules()\n"
        "    order = EngineOrder(str(rules), load_catalog(rules).digest, 0)\n"
        "    engine = EngineProcess(order, make_logger('info'))\n"
        "    await engine.decided()\n"
        "    print(engine.pid, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n",
        encoding="ascii",
    )
    server = await asyncio.create_subprocess_exec(sys.executable, script, stdout=asyncio.subprocess.PIPE)
    assert server.stdout is not None
    pid = int(await server.stdout.readline())
    server.kill()
    await server.wait()
    await _until(lambda: not _is_alive(pid))


@pytest.mark.parametrize(
    ("cores", "setting", "wanted"), [(1, None, False), (2, None, True), (1, True, True), (2, False, False)]
)
def test_it_is_there_where_it_has_a_core_or_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, cores: int, setting: bool | None, wanted: bool
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(cores)), raising=False)
    assert is_wanted(ServerSettings(engine_process=setting)) == wanted


async def _until(is_so: Any) -> None:
    """Returns when something is so; the test's own time limit ends what never is."""
    while not is_so():  # noqa: ASYNC110  # of another process, which tells nobody
        await asyncio.sleep(0.01)


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:  # noqa: PTH123  # a line of the system
            return stat.read().rsplit(") ", 1)[1][0] != "Z"
    except FileNotFoundError:
        return False
