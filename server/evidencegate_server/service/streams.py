"""Lets streams be ended by the server: those of health and reflection last as long as their callers like."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, TypeAlias

import grpc

# Generic in the stubs alone, so it cannot be written with its arguments here.
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

# A stream costs some kB. Probes and balancers hold a few.
MAX_OPEN_STREAMS: Final = 1_000


class EndableStreams:
    """The open streams of one server."""

    def __init__(self, most: int = MAX_OPEN_STREAMS) -> None:
        self._most = most
        self._open = 0
        self._over = asyncio.Event()

    def end(self) -> None:
        """Ends the open streams, which would otherwise hold up a shutdown until its grace."""
        self._over.set()

    def wrap(self, handler: Handler) -> Handler | None:
        """Returns the handler whose streams can be ended, None where it has no stream of answers."""
        codecs = handler.request_deserializer, handler.response_serializer
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(self._endable(handler.unary_stream), *codecs)
        if handler.stream_stream is not None:
            return grpc.stream_stream_rpc_method_handler(self._endable(handler.stream_stream), *codecs)
        return None

    def _endable(self, behaviour: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """Lets a stream run until it ends by itself or the server is told to end its streams."""
        if inspect.isasyncgenfunction(behaviour):

            async def generating(request: Any, context: Any) -> AsyncIterator[Any]:
                async with self._counted(context):
                    responses = behaviour(request, context)
                    with contextlib.suppress(_StreamsEnd, StopAsyncIteration):
                        while True:
                            yield await self._before_the_end(anext(responses))

            return generating

        async def writing(request: Any, context: Any) -> None:
            async with self._counted(context):
                with contextlib.suppress(_StreamsEnd):
                    await self._before_the_end(behaviour(request, context))

        return writing

    @contextlib.asynccontextmanager
    async def _counted(self, context: Any) -> AsyncIterator[None]:
        if self._open >= self._most:
            message = f"the server already has {self._most} open streams; close some, or ask again later"
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, message)
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    async def _before_the_end(self, step: Awaitable[Any]) -> Any:
        """Returns what `step` gives; raises _StreamsEnd where the streams are to end first."""
        work: asyncio.Future[Any] = asyncio.ensure_future(step)
        end = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait((work, end), return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            raise _StreamsEnd
        finally:
            work.cancel()
            end.cancel()


class _StreamsEnd(Exception):  # noqa: N818  # no error: the server shuts down
    """Occurs inside a stream that the server ends."""
