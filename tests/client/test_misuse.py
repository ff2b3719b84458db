"""Mistakes of the program that holds a client: each has an error of its own in the package's tree."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from evidencegate.v1.gatekeeper_pb2 import ValidateRequest
from evidencegate.v1.verifier_pb2 import JudgeRequest
from evidencegate_client import (
    AsyncEvidenceGateClient,
    ClosedClientError,
    EvidenceGateClient,
    EvidenceGateError,
    RequestTypeError,
    TargetError,
    judge_request,
)
from evidencegate_client.target import check_target

from tests.client.fake_service import Caller, FakeService

REQUEST = judge_request(executor_output="{}", tool_invocations=())


@pytest.mark.parametrize("client", [EvidenceGateClient, AsyncEvidenceGateClient])
def test_the_constructor_refuses_an_address_that_no_server_has(client: Callable[[str], object]) -> None:
    with pytest.raises(TargetError, match=r"'http://127\.0\.0\.1:50051' .* HOST:PORT is wanted"):
        client("http://127.0.0.1:50051")


@pytest.mark.parametrize(
    "target",
    [
        "",
        "localhost",
        "127.0.0.1",
        "127.0.0.1:",
        ":50051",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:5005x",
        "127.0.0.1:٥٠",
        "https://gate.internal:443/",
        "gate.internal:50051/path",
        "user@gate:50051",
        "two words:50051",
        "::1:50051",
        "::1",
        "dns:",
        "dns:///",
        "127.0.0.1:50051\n",
        None,
        50051,
    ],
)
def test_what_is_no_target_is_refused(target: object) -> None:
    with pytest.raises(EvidenceGateError, match="HOST:PORT is wanted"):
        check_target(target)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "target",
    [
        "127.0.0.1:50051",
        "localhost:1",
        "gate.team-a.svc.cluster.local:65535",
        "[::1]:50051",
        "[fe80::1%eth0]:50051",
        "dns:///gate.internal:50051",
        "dns:gate.internal",
        "unix:/run/gate.sock",
        "unix:///run/gate.sock",
        "ipv4:10.0.0.1:50051,10.0.0.2:50051",
        "ipv6:[::1]:50051",
    ],
)
def test_hosts_with_a_port_and_grpcs_own_forms_are_taken(target: str) -> None:
    assert check_target(target) == target


@pytest.mark.parametrize("method", ["validate", "validate_or_fall_back", "judge", "judge_or_fall_back", "evaluate"])
def test_a_request_of_another_type_is_refused_before_it_is_sent(call: Caller, fake: FakeService, method: str) -> None:
    wanted = "ValidateRequest" if method.startswith("validate") else "JudgeRequest"
    for wrong in ("{}", None, {}, JudgeRequest() if wanted == "ValidateRequest" else ValidateRequest()):
        with pytest.raises(RequestTypeError, match=f"a {wanted} message is wanted, not "):
            call(fake.target, method, wrong)
    assert fake.calls == []


def test_a_closed_client_says_so(fake: FakeService) -> None:
    client = EvidenceGateClient(fake.target)
    client.close()
    client.close()
    with pytest.raises(ClosedClientError, match="this client was closed"):
        client.evaluate(REQUEST)


async def test_a_closed_client_of_the_loop_says_so(fake: FakeService) -> None:
    client = AsyncEvidenceGateClient(fake.target)
    await client.close()
    with pytest.raises(ClosedClientError, match="this client was closed"):
        await client.evaluate(REQUEST)


async def _waiting(client: AsyncEvidenceGateClient, fake: FakeService) -> asyncio.Task[object]:
    """Returns a task whose call has reached the service, which does not answer it."""
    fake.release = threading.Event()
    task: asyncio.Task[object] = asyncio.ensure_future(client.judge(REQUEST))
    assert await asyncio.to_thread(fake.arrived.wait, 30)
    return task


async def test_closing_ends_what_waits_in_the_loop_without_cancelling_its_task(fake: FakeService) -> None:
    client = AsyncEvidenceGateClient(fake.target)
    task = await _waiting(client, fake)
    await client.close()
    with pytest.raises(ClosedClientError):
        await task
    assert not task.cancelled()


async def test_a_task_that_is_cancelled_stays_cancelled(fake: FakeService) -> None:
    async with AsyncEvidenceGateClient(fake.target) as client:
        task = await _waiting(client, fake)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
