"""Proves who may call: tokens on the wire, what needs none, and what is told and logged of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from evidencegate.v1 import catalog_pb2
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.access import name_in_certificate
from evidencegate_server.service.metrics import MAX_CALLERS, OTHER_CALLERS, Metrics
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.service.tokens import line_of
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.service.builders import validate_request
from tests.service.conftest import Running, serving
from tests.service.test_guard import details

OLD, NEW = "eg_old-token", "eg_new-token"
EVERY_ADDRESS = "0.0.0.0"


@asynccontextmanager
async def guarded(catalog: Catalog, folder: Path, **settings: Any) -> AsyncIterator[Running]:
    """Serves with a tokens file that has two tokens of the caller `chat`."""
    tokens = folder / "tokens"
    tokens.write_text(f"{line_of('chat', OLD)}\n{line_of('chat', NEW)}\n", encoding="ascii")
    async with serving(catalog, ServerSettings(tokens=tokens, **settings)) as server:
        yield server


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Returns the metadata with a token."""
    return (("authorization", f"Bearer {token}"),)


async def reflects(server: Running, metadata: Any = None) -> int:
    """Returns how many services reflection lists."""
    stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    call = stub.ServerReflectionInfo(
        iter([reflection_pb2.ServerReflectionRequest(list_services="")]), metadata=metadata
    )
    response = await call.read()
    if response is grpc.aio.EOF or response is None:
        raise AssertionError("no answer")
    return len(response.list_services_response.service)


async def test_each_valid_token_of_a_caller_opens_every_method(catalog: Catalog, tmp_path: Path) -> None:
    async with guarded(catalog, tmp_path) as server:
        for token in (OLD, NEW):
            await server.gatekeeper.Validate(validate_request(), metadata=bearer(token))
        await server.gatekeeper.Validate(validate_request(), metadata=(("authorization", f"bearer  {OLD}"),))
        lines = server.log_lines()
        counted = server.metric("evidencegate_caller_calls_total", caller="chat", code="OK")
    assert [line["caller"] for line in lines] == ["chat"] * 3
    assert counted == 3


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ((), "TOKEN_MISSING"),
        ((("token", OLD),), "TOKEN_MISSING"),
        (bearer("eg_wrong"), "TOKEN_INVALID"),
        (bearer(""), "TOKEN_INVALID"),
        (bearer(OLD[:-1]), "TOKEN_INVALID"),
        (bearer(OLD + "x"), "TOKEN_INVALID"),
        ((("authorization", OLD),), "TOKEN_INVALID"),
        ((("authorization", f"Basic {OLD}"),), "TOKEN_INVALID"),
        ((*bearer(OLD), *bearer(NEW)), "TOKEN_INVALID"),
        ((*bearer("eg_wrong"), *bearer(OLD)), "TOKEN_INVALID"),
    ],
)
async def test_without_a_valid_token_no_method_answers(
    catalog: Catalog, tmp_path: Path, metadata: Any, reason: str
) -> None:
    async with guarded(catalog, tmp_path) as server:
        for method, request in (
            (server.gatekeeper.Validate, validate_request()),
            (server.gatekeeper.GetRuleCatalog, catalog_pb2.GetRuleCatalogRequest()),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await method(request, metadata=metadata)
            assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
            info = details(refused.value, error_details_pb2.ErrorInfo)
            assert (info.reason, info.domain) == (reason, "evidencegate")
            assert "Bearer TOKEN" in (refused.value.details() or "")
        log = server.log.getvalue().decode()
        refusals = server.metric("evidencegate_calls_total", method="Gatekeeper/Validate", code="UNAUTHENTICATED")
    assert [line["code"] for line in server.log_lines()] == ["UNAUTHENTICATED"] * 2
    assert refusals == 1
    for secret in (OLD, NEW, "eg_wrong"):
        assert secret not in log


async def test_a_refused_call_is_refused_before_its_request_is_read(catalog: Catalog, tmp_path: Path) -> None:
    """A request over every limit would get RESOURCE_EXHAUSTED if it were read first."""
    too_large = b"x" * (catalog.limits.max_message_bytes + 1)
    options = (("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1))
    async with (
        guarded(catalog, tmp_path) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=options) as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await channel.unary_unary("/evidencegate.v1.Gatekeeper/Validate")(too_large)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_health_needs_no_token(catalog: Catalog, tmp_path: Path) -> None:
    async with guarded(catalog, tmp_path, host=EVERY_ADDRESS, insecure=True) as server:
        answer = await server.health.Check(health_pb2.HealthCheckRequest())
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_reflection_needs_a_token_off_loopback(catalog: Catalog, tmp_path: Path) -> None:
    async with guarded(catalog, tmp_path, host=EVERY_ADDRESS, insecure=True) as server:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await reflects(server)
        assert await reflects(server, bearer(OLD)) == 7
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "TOKEN_MISSING"


async def test_reflection_on_loopback_needs_none(catalog: Catalog, tmp_path: Path) -> None:
    async with guarded(catalog, tmp_path) as server:
        assert await reflects(server) == 7


async def test_a_method_that_nobody_serves_makes_no_metric(catalog: Catalog, tmp_path: Path) -> None:
    async with guarded(catalog, tmp_path) as server:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.channel.unary_unary("/made.up.Service/Method")(b"")
        assert server.assembly.metrics.latencies == {}
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_token_that_is_taken_out_is_refused_and_a_new_one_taken_while_the_connection_stays(
    catalog: Catalog, tmp_path: Path
) -> None:
    async with guarded(catalog, tmp_path) as server:
        await server.gatekeeper.Validate(validate_request(), metadata=bearer(OLD))
        (tmp_path / "tokens").write_text(f"{line_of('batch', 'eg_third')}\n", encoding="ascii")
        for looker in server.assembly.guards.lookers:
            looker.look(server.assembly.logger, at_once=True)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.gatekeeper.Validate(validate_request(), metadata=bearer(OLD))
        await server.gatekeeper.Validate(validate_request(), metadata=bearer("eg_third"))
        (tmp_path / "tokens").write_text("chat eg_plain-token\n", encoding="ascii")
        for looker in server.assembly.guards.lookers:
            looker.look(server.assembly.logger, at_once=True)
        await server.gatekeeper.Validate(validate_request(), metadata=bearer("eg_third"))
        lines = server.log_lines()
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert [line["event"] for line in lines] == ["call", "files_read_again", "call", "call", "files_refused", "call"]
    assert "eg_plain-token" not in server.log.getvalue().decode()


def test_callers_over_the_bound_are_counted_together() -> None:
    metrics = Metrics()
    for number in range(MAX_CALLERS + 5):
        metrics.count_caller(f"caller-{number}", "OK")
    metrics.count_caller("caller-0", "OK")
    read = metrics.registry().get_sample_value
    assert read("evidencegate_caller_calls_total", {"caller": OTHER_CALLERS, "code": "OK"}) == 5
    assert read("evidencegate_caller_calls_total", {"caller": "caller-0", "code": "OK"}) == 2


@pytest.mark.parametrize(
    ("identities", "name"),
    [(None, ""), ([], ""), ([b"chat", b"other"], "chat"), ([b"a\nb\xff"], "a\ufffdb\ufffd"), ([b"x" * 300], "x" * 128)],
)
def test_the_name_in_a_certificate_is_short_and_printable(identities: list[bytes] | None, name: str) -> None:
    assert name_in_certificate(identities) == name
