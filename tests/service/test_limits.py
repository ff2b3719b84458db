"""Proves each limit just inside and just outside, with both numbers in the status."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import grpc
import pytest
from evidencegate_server.catalog.model import Catalog, Limits
from evidencegate_server.service.settings import ServerSettings
from google.rpc import error_details_pb2

from tests.service.builders import invocation, judge_request, ref, validate_request
from tests.service.conftest import Running, probe_handler, serving
from tests.service.test_guard import details

LIMITS = Limits(max_message_bytes=65_536, max_invocations=3, max_refs=4, max_evidence_bytes=2_000)


@pytest.fixture
async def small(catalog: Catalog) -> AsyncIterator[Running]:
    """A server with small limits."""
    async with serving(replace(catalog, limits=LIMITS)) as server:
        yield server


def evidence(total: int, fill: str = "x") -> Any:
    """One invocation whose texts have so many UTF-8 bytes in all, a quarter of them in each place."""
    part = fill * (total // 4 // len(fill.encode()))
    rest = "x" * (total - 3 * len(part.encode()))
    return invocation("394", ref(text=part), input=part, output=part, error=rest)


@pytest.mark.req("IO-05")
@pytest.mark.parametrize(
    ("what", "inside", "outside", "limit", "actual"),
    [
        (
            "tool_invocations",
            [invocation(str(n)) for n in range(3)],
            [invocation(str(n)) for n in range(4)],
            3,
            4,
        ),
        (
            "evidence_refs",
            [invocation("1", ref("a"), ref("b")), invocation("2", ref("a"), ref("b"))],
            [invocation("1", ref("a"), ref("b")), invocation("2", ref("a"), ref("b"), ref("c"))],
            4,
            5,
        ),
        ("evidence_bytes", [evidence(2_000)], [evidence(2_001)], 2_000, 2_001),
        ("evidence_bytes", [evidence(2_000, "因")], [evidence(2_001, "因")], 2_000, 2_001),
    ],
    ids=["invocations", "refs", "evidence", "evidence that is not ASCII"],
)
async def test_a_request_over_a_limit_is_told_both_numbers(
    small: Running, what: str, inside: list[Any], outside: list[Any], limit: int, actual: int
) -> None:
    await small.gatekeeper.Validate(validate_request(None, *inside))
    await small.verifier.Judge(judge_request(None, *inside))
    for call in (
        small.gatekeeper.Validate(validate_request(None, *outside)),
        small.verifier.Judge(judge_request(None, *outside)),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        info = details(refused.value, error_details_pb2.ErrorInfo)
        assert (info.reason, info.metadata["what"]) == ("LIMIT_EXCEEDED", what)
        assert (info.metadata["limit"], info.metadata["actual"]) == (str(limit), str(actual))
        assert str(limit) in (refused.value.details() or "")
        assert str(actual) in (refused.value.details() or "")


@pytest.mark.req("IO-05")
async def test_a_message_over_its_limit_is_told_both_numbers(small: Running) -> None:
    request = validate_request("x" * 70_000)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await small.gatekeeper.Validate(request)
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    message = refused.value.details() or ""
    assert str(LIMITS.max_message_bytes) in message
    assert str(request.ByteSize()) in message


@pytest.mark.req("IO-05")
async def test_a_message_just_under_its_limit_is_answered(small: Running) -> None:
    request = validate_request("")
    request.session_id = "s" * (LIMITS.max_message_bytes - request.ByteSize() + len(request.session_id) - 2)
    assert LIMITS.max_message_bytes - 2 <= request.ByteSize() <= LIMITS.max_message_bytes
    await small.gatekeeper.Validate(request)


def test_the_catalog_allows_messages_of_32_mebibytes(catalog: Catalog) -> None:
    assert catalog.limits.max_message_bytes == 32 * 1024 * 1024


@pytest.mark.req("IO-05")
@pytest.mark.parametrize(
    ("what", "inside", "outside", "limit", "actual"),
    [
        ("tool_invocations[0].id bytes", {"identity": "x" * 1_024}, {"identity": "x" * 1_025}, 1_024, 1_025),
        ("tool_invocations[0].id bytes", {"identity": "因" * 341}, {"identity": "因" * 342}, 1_024, 1_026),
        ("tool_invocations[0].tool_name bytes", {"tool_name": "x" * 1_024}, {"tool_name": "x" * 1_025}, 1_024, 1_025),
    ],
)
async def test_a_name_over_its_limit_is_told_both_numbers(
    running: Running, what: str, inside: dict[str, Any], outside: dict[str, Any], limit: int, actual: int
) -> None:
    await running.gatekeeper.Validate(validate_request(None, invocation(**inside)))
    await refused_with(running.gatekeeper.Validate(validate_request(None, invocation(**outside))), what, limit, actual)


@pytest.mark.req("IO-05")
async def test_a_question_over_its_limit_is_told_both_numbers(running: Running) -> None:
    await running.verifier.Judge(judge_request(original_query="q" * 65_536))
    call = running.verifier.Judge(judge_request(original_query="q" * 65_533 + "因因"))
    await refused_with(call, "original_query bytes", 65_536, 65_539)


async def refused_with(call: Any, what: str, limit: int, actual: int) -> None:
    """Checks that a call is refused for this limit."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    metadata = details(refused.value, error_details_pb2.ErrorInfo).metadata
    assert (metadata["what"], metadata["limit"], metadata["actual"]) == (what, str(limit), str(actual))


async def test_an_old_connection_is_renewed_without_a_call_that_fails(catalog: Catalog) -> None:
    async def peer(_request: bytes, context: Any) -> bytes:
        return str(context.peer()).encode()

    settings = ServerSettings(max_connection_age_seconds=0.2)
    async with serving(catalog, settings, [probe_handler(Peer=peer)]) as server:
        peers = set()
        while len(peers) < 3:  # each connection has a port of its own; the test's timeout bounds it
            peers.add(await server.probe("Peer"))
