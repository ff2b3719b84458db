"""Proves the port that answers health alone, to everybody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service import health
from evidencegate_server.service.servicers import GATEKEEPER
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.service.tokens import line_of
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.certificates import authority_file, caller_certificate, files_of, server_certificate, trusting
from tests.service.builders import validate_request
from tests.service.conftest import Running, serving

STATES = health_pb2.HealthCheckResponse
VALIDATE = f"/{GATEKEEPER}/Validate"


def settings_of(folder: Path) -> ServerSettings:
    """Mutual TLS and tokens, and a health port."""
    files = files_of(server_certificate(), folder)
    tokens = folder / "tokens"
    tokens.write_text(line_of("chat", "eg_token"), encoding="ascii")
    return ServerSettings(
        tls_cert=files.cert,
        tls_key=files.key,
        tls_client_ca=authority_file(folder),
        tokens=tokens,
        health_address="127.0.0.1:0",
    )


@pytest.mark.req("IO-03")
async def test_it_answers_in_plain_text_without_token_and_nothing_but_health(catalog: Catalog, tmp_path: Path) -> None:
    credentials = trusting(caller=caller_certificate())
    async with serving(catalog, settings_of(tmp_path), credentials=credentials) as server:
        request = validate_request().SerializeToString()
        metadata = (("authorization", "Bearer eg_token"),)
        assert await server.channel.unary_unary(VALIDATE)(request, metadata=metadata)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.health_port}") as channel:
            health = health_pb2_grpc.HealthStub(channel)
            for service in ("", GATEKEEPER):
                answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
                assert answer.status == STATES.SERVING
            # What the other port has just served, with everything that it wants.
            for method in (VALIDATE, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"):
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await channel.unary_unary(method)(request, metadata=metadata)
                assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


@asynccontextmanager
async def health_port(catalog: Catalog) -> AsyncIterator[tuple[Running, grpc.aio.Channel]]:
    """A server, and a channel to its health port."""
    async with (
        serving(catalog, ServerSettings(health_address="127.0.0.1:0")) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.health_port}") as channel,
    ):
        yield server, channel


@pytest.mark.req("IO-03")
async def test_who_watches_is_told_of_the_drain_and_does_not_hold_it_up(catalog: Catalog) -> None:
    async with health_port(catalog) as (server, channel):
        watching = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await watching.read()).status == STATES.SERVING
        told = asyncio.Event()

        async def until_it_is_told() -> None:
            assert (await watching.read()).status == STATES.NOT_SERVING
            told.set()

        await server.assembly.drain(until_it_is_told, 30)
        assert told.is_set()
        assert await watching.read() is grpc.aio.EOF


async def test_a_request_of_a_probe_is_small(catalog: Catalog) -> None:
    async with health_port(catalog) as (_, channel):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await channel.unary_unary("/grpc.health.v1.Health/Check")(b"x" * 5_000)
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_streams_are_bounded_and_leave_room_for_asking(catalog: Catalog) -> None:
    async with health_port(catalog) as (_, channel):
        stub = health_pb2_grpc.HealthStub(channel)
        watching = [stub.Watch(health_pb2.HealthCheckRequest()) for _ in range(health.MAX_PROBES // 2)]
        for each in watching:
            await each.read()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Watch(health_pb2.HealthCheckRequest()).read()
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await stub.Check(health_pb2.HealthCheckRequest())).status == STATES.SERVING
