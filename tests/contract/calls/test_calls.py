"""Proves by the table of calls what each method answers to a good and to every wrong call, and how calls end early."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.store.model import StoreOptions
from evidencegate_server.store.store import Store
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from tests.contract.calls.table import Row, at, load, request, told
from tests.contract.methods import METHODS
from tests.docs.running import started
from tests.service.conftest import Running, serving
from tests.service.test_guard import is_free_again

TABLE = load()
STORE = "evidencegate.v1.SelfEvaluations/"

# A field that no request has, of one byte: it makes the shortest request heavy enough for the lane that a test holds.
UNKNOWN_FIELD = b"\xfa\xff\xff\xff\x0f\x01x"


@pytest.fixture
async def server(catalog: Catalog, tmp_path: Path) -> AsyncIterator[Running]:
    """A server with an empty store and no model."""
    store = Store(StoreOptions(f"sqlite:///{tmp_path}/evaluations.db", pool_size=1))
    settings = ServerSettings(store_connections=1, heavy_request_bytes=0)
    async with serving(catalog, settings, store=store) as running:
        yield running
        running.assembly.store.close()


def call(server: Running, method: str, message: Message, **options: Any) -> Any:
    """Calls a method; the answer is its response."""
    unary = server.channel.unary_unary(
        f"/{method}",
        request_serializer=lambda given: given.SerializeToString() + UNKNOWN_FIELD,
        response_deserializer=GetMessageClass(METHODS[method].output_type).FromString,
    )
    return unary(message, **options)


async def refused(call: Any) -> grpc.aio.AioRpcError:
    """Returns the error with which a call ends."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value


def details(error: grpc.aio.AioRpcError) -> tuple[str, dict[str, str], tuple[tuple[str, str], ...]]:
    """Returns reason, metadata and field violations of a status."""
    status = rpc_status.from_call(error)
    assert status is not None
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for packed in status.details:
        packed.Unpack(info)
        packed.Unpack(bad)
    assert info.domain == "evidencegate"
    violations = tuple((violation.field, violation.description) for violation in bad.field_violations)
    return info.reason, dict(info.metadata), violations


@pytest.mark.req("IO-01", "IO-05")
def test_every_method_of_the_protos_has_a_row() -> None:
    assert sorted(TABLE) == sorted(METHODS), (
        "add the method to tests/contract/calls and its request to examples/grpcurl"
    )


def test_every_row_says_something_of_the_answer_and_its_names_are_unique() -> None:
    for row in TABLE.values():
        assert row.good
        names = [one.name for one in row.refused]
        assert len(names) == len(set(names)), row.method


def test_what_can_be_wrong_with_the_calls_of_a_session_is_asked_of_every_method_that_takes_them() -> None:
    takers = [name for name, method in METHODS.items() if "tool_invocations" in method.input_type.fields_by_name]
    asked = [{one.name for one in TABLE[name].refused if "/tool_invocations" in str(one.changes)} for name in takers]
    assert len(takers) == 3
    assert len(set.intersection(*asked)) >= 20


@pytest.mark.req("IO-01")
@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
async def test_a_good_call_is_answered(server: Running, row: Row) -> None:
    for method, changes in row.before:
        await call(server, method, request(method, changes))
    answer = told(await call(server, row.method, request(row.method)))
    assert {pointer: at(answer, pointer) for pointer in row.good} == dict(row.good)


@pytest.mark.req("IO-05", "IO-07")
@pytest.mark.parametrize("row", [row for row in TABLE.values() if row.refused], ids=lambda row: row.method)
async def test_a_wrong_call_is_refused_with_exactly_this(server: Running, row: Row) -> None:
    for one in row.refused:
        for method, changes in one.before:
            await call(server, method, request(method, changes))
        error = await refused(call(server, row.method, request(row.method, one.changes)))
        reason, metadata, violations = details(error)
        assert (error.code().name, reason, violations) == (one.code, one.reason, one.violations), one.name
        assert one.metadata is None or metadata == one.metadata, one.name


@pytest.mark.req("IO-05")
@pytest.mark.parametrize("method", METHODS)
async def test_a_request_over_the_servers_limit_is_refused_with_both_numbers(catalog: Catalog, method: str) -> None:
    limit = 65_536
    small = replace(catalog, limits=catalog.limits.model_copy(update={"max_message_bytes": limit}))
    async with serving(small) as server:
        padding = b"\xfa\xff\xff\xff\x0f" + b"\x80\x80\x04" + b"x" * limit
        error = await refused(server.channel.unary_unary(f"/{method}")(padding))
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert re.findall(r"\d+", error.details() or "") == [str(len(padding)), str(limit)]


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("method", METHODS)
async def test_bytes_that_are_no_request_are_refused(server: Running, method: str) -> None:
    error = await refused(server.channel.unary_unary(f"/{method}")(b"\x0a\xff"))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert details(error) == ("UNDECODABLE_REQUEST", {"message": METHODS[method].input_type.full_name}, ())


@pytest.mark.req("SE-01")
@pytest.mark.parametrize("method", [method for method in METHODS if method.startswith(STORE)])
async def test_without_a_store_its_methods_say_so(running: Running, method: str) -> None:
    error = await refused(call(running, method, request(method)))
    assert (error.code(), details(error)[0]) == (grpc.StatusCode.FAILED_PRECONDITION, "STORE_UNAVAILABLE")


@contextmanager
def held(server: Running) -> Iterator[None]:
    """Keeps both threads that work for calls busy, so that no call gets its turn."""
    gate = threading.Event()
    lanes, store = server.assembly.lanes, server.assembly.store
    busy = [lanes._worker.submit(gate.wait), store._threads.submit(gate.wait)]
    try:
        yield
    finally:
        gate.set()
        for one in busy:
            one.result()


@pytest.mark.parametrize("method", METHODS)
async def test_a_deadline_that_passes_ends_the_call_and_frees_its_place(server: Running, method: str) -> None:
    with held(server):
        lines: list[dict[str, Any]] = []
        while not lines:  # a machine under load may let the time pass before the call is there
            error = await refused(call(server, method, request(method), timeout=0.1))
            assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            await is_free_again(server)
            lines = [line for line in server.log_lines() if line["event"] == "call"]
    assert lines[0]["method"] == method.rpartition(".")[2]
    assert lines[0]["code"] in ("DEADLINE_EXCEEDED", "CANCELLED")


@pytest.mark.parametrize("method", METHODS)
async def test_a_cancelled_call_ends_and_frees_its_place(server: Running, method: str) -> None:
    with held(server):
        pending = call(server, method, request(method))
        waiting = asyncio.ensure_future(pending.code())
        while not server.assembly.guard.in_flight:  # noqa: ASYNC110  # what it waits for is seen from outside alone
            await asyncio.sleep(0)
        pending.cancel()
        assert await waiting is grpc.StatusCode.CANCELLED
        await is_free_again(server)
    assert server.metric("evidencegate_calls_total", method=method.rpartition(".")[2], code="CANCELLED") == 1


@pytest.mark.parametrize("method", METHODS)
async def test_a_server_that_is_not_there_is_unavailable(method: str) -> None:
    # Nobody can listen on port 0.
    async with grpc.aio.insecure_channel("127.0.0.1:0") as channel:
        error = await refused(channel.unary_unary(f"/{method}")(b"", timeout=20))
    assert error.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_server_that_is_killed_ends_every_call_at_work_as_unavailable(tmp_path: Path) -> None:
    with started("--store", f"sqlite:///{tmp_path}/evaluations.db") as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            await channel.channel_ready()
            os.kill(process.pid, signal.SIGSTOP)  # it takes calls in and answers none
            pending = {
                method: channel.unary_unary(f"/{method}")(request(method).SerializeToString(), timeout=60)
                for method in METHODS
            }
            sent = [asyncio.ensure_future(one.code()) for one in pending.values()]
            await asyncio.sleep(0)
            os.kill(process.pid, signal.SIGKILL)
            codes = await asyncio.gather(*sent)
    assert dict(zip(pending, codes, strict=True)) == dict.fromkeys(METHODS, grpc.StatusCode.UNAVAILABLE)
