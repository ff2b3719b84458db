"""A service whose answers a test decides, on a real port, so that the client is tested through a real channel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from evidencegate.v1 import (
    composer_pb2,
    composer_pb2_grpc,
    gatekeeper_pb2,
    gatekeeper_pb2_grpc,
    trace_pb2,
    verifier_pb2,
    verifier_pb2_grpc,
)
from evidencegate.v1.catalog_pb2 import GetRuleCatalogResponse
from evidencegate_client import AsyncEvidenceGateClient, ClientConfig, EvidenceGateClient
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import status_pb2
from grpc_status import rpc_status

LARGE = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


@dataclass(frozen=True)
class Failure:
    """A status to answer with, and the details beside it."""

    code: grpc.StatusCode
    message: str = "no"
    details: tuple[Message, ...] = ()


@dataclass
class FakeService:
    """Answers each method with the first item of its script that is left, then with an empty message."""

    scripts: dict[str, list[Message | Failure]] = field(default_factory=dict)
    calls: list[tuple[str, Any]] = field(default_factory=list)
    metadata: list[tuple[str, str]] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    release: threading.Event | None = None
    target: str = ""

    def answer(self, method: str, request: Message, context: grpc.ServicerContext, otherwise: Message) -> Message:
        """Answers one call by the script, and keeps what was asked."""
        self.calls.append((method, request))
        self.metadata = [(key, value) for key, value in context.invocation_metadata()]
        self.arrived.set()
        if self.release is not None:
            self.release.wait(20)
        script = self.scripts.get(method, [])
        step = script.pop(0) if script else otherwise
        if isinstance(step, Failure):
            status = status_pb2.Status(code=step.code.value[0], message=step.message)
            for detail in step.details:
                packed = AnyMessage()
                packed.Pack(detail)
                status.details.append(packed)
            context.abort_with_status(rpc_status.to_status(status))
        assert isinstance(step, Message)
        return step

    def count(self, method: str) -> int:
        """Returns how often a method was called."""
        return sum(1 for name, _ in self.calls if name == method)


class _Gatekeeper(gatekeeper_pb2_grpc.GatekeeperServicer):
    def __init__(self, fake: FakeService) -> None:
        self._fake = fake

    def Validate(self, request: Any, context: Any) -> Any:  # noqa: N802  generated name
        return self._fake.answer("Validate", request, context, gatekeeper_pb2.ValidateResponse())

    def GetRuleCatalog(self, request: Any, context: Any) -> Any:  # noqa: N802
        return self._fake.answer("GetRuleCatalog", request, context, GetRuleCatalogResponse())


class _Verifier(verifier_pb2_grpc.VerifierServicer):
    def __init__(self, fake: FakeService) -> None:
        self._fake = fake

    def Judge(self, request: Any, context: Any) -> Any:  # noqa: N802
        return self._fake.answer("Judge", request, context, verifier_pb2.JudgeResponse())

    def SummarizeTrace(self, request: Any, context: Any) -> Any:  # noqa: N802
        return self._fake.answer("SummarizeTrace", request, context, trace_pb2.SummarizeTraceResponse())


class _Composer(composer_pb2_grpc.ComposerServicer):
    def __init__(self, fake: FakeService) -> None:
        self._fake = fake

    def Compose(self, request: Any, context: Any) -> Any:  # noqa: N802
        return self._fake.answer("Compose", request, context, composer_pb2.ComposeResponse())


@contextmanager
def serving(fake: FakeService) -> Iterator[FakeService]:
    """Serves on a free loopback port."""
    server = grpc.server(ThreadPoolExecutor(4), options=LARGE)
    gatekeeper_pb2_grpc.add_GatekeeperServicer_to_server(_Gatekeeper(fake), server)
    verifier_pb2_grpc.add_VerifierServicer_to_server(_Verifier(fake), server)
    composer_pb2_grpc.add_ComposerServicer_to_server(_Composer(fake), server)
    fake.target = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield fake
    finally:
        if fake.release is not None:
            fake.release.set()
        server.stop(None).wait()


Caller = Callable[..., Any]


def call_blocking(target: str, method: str, *arguments: Any, config: ClientConfig | None = None, **named: Any) -> Any:
    """Calls one method with the blocking client."""
    with EvidenceGateClient(target, config) as client:
        return getattr(client, method)(*arguments, **named)


def call_in_loop(target: str, method: str, *arguments: Any, config: ClientConfig | None = None, **named: Any) -> Any:
    """Calls one method with the asynchronous client."""

    async def call() -> Any:
        async with AsyncEvidenceGateClient(target, config) as client:
            return await getattr(client, method)(*arguments, **named)

    return asyncio.run(call())
