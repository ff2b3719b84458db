"""A local server that speaks the protocol of chat completions, and does what a test tells it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from evidencegate_server.models.chat import ChatEndpoint
from evidencegate_server.models.client import ModelClient
from evidencegate_server.models.pool import Models
from evidencegate_server.models.profiles import KeyedProfile, ModelProfile
from evidencegate_server.text.masking import Masker

from tests.trace.helpers import shipped

KEY = "sk-" + "k" * 30


@dataclass
class Script:
    """What one request gets. `text` is the model's; `body` replaces the protocol's frame around it."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    finish: str | None = "stop"
    hang: bool = False
    drop_after: int | None = None
    """Closes the connection after so many bytes of the body."""
    refusal: str | None = None
    usage: bool = True


@dataclass
class Received:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """What the model was told."""
        return str(self.body["messages"][0]["content"])


class FakeEndpoint:
    """Answers each request with the next script, the last one for all further ones; or with what a function says."""

    def __init__(self) -> None:
        self.scripts: list[Script] = [Script("ok")]
        self.model: Callable[[str], str | Script] | None = None
        self.requests: list[Received] = []
        self.arrived = asyncio.Event()
        self.hung_up = asyncio.Event()
        self.port = 0

    @property
    def base_url(self) -> str:
        """The address for a profile."""
        return f"http://127.0.0.1:{self.port}/v1"

    def say(self, *scripts: Script | str) -> None:
        """Sets what comes next."""
        self.scripts = [script if isinstance(script, Script) else Script(script) for script in scripts]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection with one request."""
        try:
            received = await _read(reader)
            if received is None:
                return
            self.requests.append(received)
            script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
            if self.model is not None:
                said = self.model(received.prompt)
                script = said if isinstance(said, Script) else Script(said)
            self.arrived.set()
            if script.hang:
                await reader.read()  # until the other side goes
                self.hung_up.set()
                return
            streams = bool(received.body.get("stream")) and script.body is None and script.status == 200
            body = _events(script) if streams else script.body if script.body is not None else _message(script)
            kind = "text/event-stream" if streams else script.content_type
            head = f"HTTP/1.1 {script.status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
            head += "Connection: close\r\n" + "".join(f"{name}: {value}\r\n" for name, value in script.headers.items())
            writer.write(head.encode() + b"\r\n" + body[: script.drop_after])
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Received | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(first.split()[1], headers, json.loads(body))


def _message(script: Script) -> bytes:
    message = {"role": "assistant", "content": script.text, "refusal": script.refusal}
    body = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": script.finish}],
    }
    usage = {"usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}} if script.usage else {}
    return json.dumps(body | usage).encode()


def _events(script: Script) -> bytes:
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    middle = len(script.text) // 2
    chunks: list[dict[str, Any]] = [
        {**base, "choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}]}
        for part in (script.text[:middle], script.text[middle:])
    ]
    if script.finish is not None:
        chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": script.finish}]})
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        chunks.append({**base, "choices": [], "usage": usage})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n" if script.finish is not None else ""]).encode()


@asynccontextmanager
async def endpoint() -> AsyncIterator[FakeEndpoint]:
    """Runs one on a free port of this machine."""
    fake = FakeEndpoint()
    server = await asyncio.start_server(fake.serve, "127.0.0.1", 0)
    fake.port = server.sockets[0].getsockname()[1]
    async with server:
        yield fake


@contextmanager
def running_endpoint() -> Iterator[FakeEndpoint]:
    """Runs one in a thread, for what has an event loop of its own."""
    loop = asyncio.new_event_loop()
    fake = FakeEndpoint()
    server = loop.run_until_complete(asyncio.start_server(fake.serve, "127.0.0.1", 0))
    fake.port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield fake
    finally:
        asyncio.run_coroutine_threadsafe(_stopped(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _stopped(server: asyncio.Server) -> None:
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Pauses:
    """Stands for waiting: remembers how long, and takes no time."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        """Notes a pause."""
        self.seconds.append(seconds)


def profile(fake: FakeEndpoint, **fields: Any) -> ModelProfile:
    """Returns a profile for the endpoint."""
    return ModelProfile(name=fields.pop("name", "test"), base_url=fake.base_url, model="m", **fields)


@asynccontextmanager
async def asking(fake: FakeEndpoint, pauses: Pauses | None = None, **fields: Any) -> AsyncIterator[ModelClient]:
    """Gives a client of the endpoint."""
    keyed = KeyedProfile(profile(fake, **fields), KEY)
    masker = Masker(shipped().masking)
    client = ModelClient(keyed.profile, ChatEndpoint(keyed), masker, pauses or Pauses())
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def models_of(fake: FakeEndpoint, names: Sequence[str] = ("test",), **fields: Any) -> AsyncIterator[Models]:
    """Gives a server's models, all of them behind the endpoint."""
    masker = Masker(shipped().masking)
    clients = [
        ModelClient(one, ChatEndpoint(KeyedProfile(one, KEY)), masker, Pauses())
        for one in (profile(fake, name=name, **fields) for name in names)
    ]
    models = Models(tuple(clients))
    try:
        yield models
    finally:
        await models.close()
