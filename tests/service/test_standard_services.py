"""Proves health and reflection as probes and grpcurl use them."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.contract import methods as contract
from tests.service.conftest import Running

SERVICES = sorted(contract.SERVICES)
METHODS = [method.replace("/", ".") for method in contract.METHODS]  # as ghz asks for them


async def reflect(server: Running, **request: Any) -> Any:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    call = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(**request)]))
    responses = [response async for response in call]
    return responses[0]


@pytest.mark.req("IO-03")
@pytest.mark.parametrize(
    "service", ["", *(name for name in SERVICES if "SelfEval" not in name), "grpc.health.v1.Health"]
)
async def test_each_service_is_reported_by_name(running: Running, service: str) -> None:
    response = await running.health.Check(health_pb2.HealthCheckRequest(service=service))
    assert response.status == health_pb2.HealthCheckResponse.SERVING


@pytest.mark.req("IO-03")
async def test_an_unknown_service_is_not_found(running: Running) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as unknown:
        await running.health.Check(health_pb2.HealthCheckRequest(service="evidencegate.v1.Nothing"))
    assert unknown.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.req("IO-02")
async def test_reflection_lists_our_services_health_and_itself(running: Running) -> None:
    response = await reflect(running, list_services="")
    names = {service.name for service in response.list_services_response.service}
    assert names == {*SERVICES, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}


@pytest.mark.req("IO-02")
@pytest.mark.parametrize("symbol", [*SERVICES, *METHODS, "evidencegate.v1.ValidateRequest", "grpc.health.v1.Health"])
async def test_reflection_describes_services_methods_and_messages(running: Running, symbol: str) -> None:
    response = await reflect(running, file_containing_symbol=symbol)
    files = [
        descriptor_pb2.FileDescriptorProto.FromString(file)
        for file in response.file_descriptor_response.file_descriptor_proto
    ]
    known = {f"{file.package}.{service.name}" for file in files for service in file.service}
    known |= {f"{file.package}.{s.name}.{method.name}" for file in files for s in file.service for method in s.method}
    known |= {f"{file.package}.{message.name}" for file in files for message in file.message_type}
    assert symbol in known


@pytest.mark.req("IO-02")
@pytest.mark.parametrize("symbol", ["evidencegate.v1.Gatekeeper.Nothing", "evidencegate.v1.Nothing", "nothing", ""])
async def test_reflection_says_that_a_symbol_is_unknown(running: Running, symbol: str) -> None:
    response = await reflect(running, file_containing_symbol=symbol)
    assert response.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]


@pytest.mark.req("IO-02")
async def test_reflection_serves_every_file_that_the_services_need(running: Running) -> None:
    wanted, seen = [file.name for file in contract.FILES], set[str]()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        response = await reflect(running, file_by_filename=name)
        for file in response.file_descriptor_response.file_descriptor_proto:
            wanted.extend(descriptor_pb2.FileDescriptorProto.FromString(file).dependency)
    assert "google/protobuf/struct.proto" in seen
