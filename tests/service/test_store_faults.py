"""A full disk and a read-only store: the user is answered, nothing is half written, reply and log name the fault."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import sqlalchemy as sa
from evidencegate.v1 import evaluation_pb2, self_evaluation_pb2, self_evaluation_pb2_grpc
from evidencegate_client import ServerStore
from evidencegate_client.errors import service_error
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.store.model import Channel, StoreOptions, Write
from evidencegate_server.store.store import Store
from grpc_health.v1 import health_pb2

from tests.client.chat_support import GOOD, WEAK, Chat, Script, chat_blocking, chat_in_loop, output, step
from tests.service.conftest import Running, serving

SERVICE = "evidencegate.v1.SelfEvaluations"
Faulty = tuple[Running, str]
FAULTS = {"full": "SQLITE_FULL", "read_only": "SQLITE_READONLY"}


@contextmanager
def full_disk(path: Path) -> Iterator[None]:
    """Lets no connection make the database larger than it is, as a disk without room does."""
    with sqlite3.connect(path) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()

    def bound(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")

    sa.event.listen(sa.pool.Pool, "connect", bound)
    try:
        yield
    finally:
        sa.event.remove(sa.pool.Pool, "connect", bound)


@pytest.fixture(params=sorted(FAULTS))
async def faulty(request: pytest.FixtureRequest, catalog: Catalog, tmp_path: Path) -> AsyncIterator[Faulty]:
    """A server whose store holds one session and takes no more, and the name of its fault."""
    path = tmp_path / "e.db"
    with Store(StoreOptions(f"sqlite:///{path}")) as store:
        store.write(Write("before", "r0", Channel.RULE_EVALUATION, '{"a":1}', "d"))
    query = "?mode=ro&uri=true" if request.param == "read_only" else ""
    url = f"sqlite:///file:{path}{query}" if query else f"sqlite:///{path}"
    with full_disk(path):
        store = Store(StoreOptions(url, pool_size=2, timeout_seconds=0.5))
        async with serving(catalog, ServerSettings(store_connections=2), store=store) as server:
            yield server, FAULTS[request.param]
            server.assembly.store.close()


def write(number: int, text: str) -> self_evaluation_pb2.WriteChannelRequest:
    """A write of the rules' channel."""
    return self_evaluation_pb2.WriteChannelRequest(
        session_id=f"session-{number}",
        request_id=f"r{number}",
        channel=self_evaluation_pb2.CHANNEL_RULE_EVALUATION,
        rule_evaluation_json=text,
    )


@pytest.mark.req("SE-01")
async def test_a_write_fails_with_the_faults_name_and_writes_nothing(faulty: Faulty) -> None:
    server, fault = faulty
    store: Any = self_evaluation_pb2_grpc.SelfEvaluationsStub(server.channel)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await store.WriteChannel(write(1, f'{{"a":"{"x" * 100_000}"}}'))
    error: Any = service_error(caught.value)
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_FAILED")
    assert fault in error.message
    assert error.retry_delay_seconds is not None
    line = next(line for line in server.log_lines() if line["event"] == "store_failed")
    assert (line["level"], fault in line["failure"]) == ("error", True)
    if fault == "SQLITE_READONLY":  # a full one has room for what is small
        health = await server.health.Check(health_pb2.HealthCheckRequest(service=SERVICE))
        assert health.status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert "store_is_back" not in [line["event"] for line in server.log_lines()]
    kept = await store.ListSessions(self_evaluation_pb2.ListSessionsRequest())
    assert [session.session_id for session in kept.sessions] == ["before"]
    before = await store.GetSession(self_evaluation_pb2.GetSessionRequest(session_id="before"))
    assert before.session.self_evaluation_json == '{"rule_evaluation":{"a":1}}'


@pytest.mark.req("SE-01", "SE-04", "RT-01")
@pytest.mark.parametrize("chat", [chat_blocking, chat_in_loop], ids=["blocking", "asyncio"])
@pytest.mark.parametrize(("claim", "verdict"), [(GOOD, "PASS"), (WEAK, "LOW_CONFID")])
async def test_the_user_is_answered_and_the_trace_says_that_nothing_is_kept(
    faulty: Faulty, chat: Chat, claim: dict[str, Any], verdict: str
) -> None:
    server, fault = faulty
    script = Script(outputs=[output(claim)] * 2)
    made = {"store": ServerStore()}
    answer = await asyncio.to_thread(chat, f"127.0.0.1:{server.port}", script, made=made, session_id="s")
    assert (answer.verdict, answer.stored) == (verdict, False)
    assert answer.text
    assert answer.evaluation.source != evaluation_pb2.EVALUATION_SOURCE_CLIENT_FALLBACK
    failed = step(answer, "store_evaluation", 1)
    assert (failed.outcome, failed.detail) == ("failed", "UNAVAILABLE STORE_FAILED")
    assert any(fault in line.get("failure", "") for line in server.log_lines())
