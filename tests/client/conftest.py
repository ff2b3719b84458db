"""Gives the client's tests a service that they decide, and both clients under one name."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.client.chat_support import Chat, chat_blocking, chat_in_loop
from tests.client.fake_service import Caller, FakeService, call_blocking, call_in_loop, serving


@pytest.fixture
def fake() -> Iterator[FakeService]:
    """A service whose answers the test decides."""
    with serving(FakeService()) as service:
        yield service


@pytest.fixture(params=["blocking", "asyncio"])
def call(request: pytest.FixtureRequest) -> Caller:
    """Calls one method of either client: what one promises the other keeps."""
    return call_blocking if request.param == "blocking" else call_in_loop


@pytest.fixture(params=["blocking", "asyncio"])
def chat(request: pytest.FixtureRequest) -> Chat:
    """Runs one chat turn with either orchestrator: what one promises the other keeps."""
    return chat_blocking if request.param == "blocking" else chat_in_loop


@pytest.fixture
def dead_target() -> Iterator[str]:
    """An address that nobody listens at: it is bound, so that no other program takes it meanwhile."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{holder.getsockname()[1]}"
