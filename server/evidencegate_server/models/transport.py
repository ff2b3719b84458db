"""Sends what is to be sent and nothing else, and reads no more than it must.

The client library adds headers of its own and reads several variables of the environment (keys, organizations, custom
headers). What leaves is decided here: a few plain headers and the profile's key. Redirects are not followed and no
proxy is taken from the environment, so that evidence goes to the configured address alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import httpx2

# What a request needs; everything else that the library adds stays here.
_SENT_HEADERS: Final = frozenset({b"host", b"content-type", b"content-length", b"transfer-encoding", b"accept"})
_AGENT: Final = "evidencegate"


class TooLongError(httpx2.TransportError):
    """Occurs where an endpoint answers more than the profile's bound, or compressed, which was not asked for."""


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error where it is longer than it may be."""

    def __init__(self, inner: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._inner = inner
        self._left = max_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            self._left -= len(part)
            if self._left < 0:
                raise TooLongError("the answer is longer than its bound")
            yield part

    async def aclose(self) -> None:
        """Closes the connection's side of it."""
        await self._inner.aclose()


class BoundedTransport(httpx2.AsyncBaseTransport):
    """A transport for one endpoint with its key."""

    def __init__(self, key: str | None, max_answer_bytes: int) -> None:
        self._authorization = None if key is None else f"Bearer {key}"
        self._max_bytes = max_answer_bytes
        self._inner = httpx2.AsyncHTTPTransport(retries=0)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Returns the endpoint's response with a bounded body."""
        headers = [(name, value) for name, value in request.headers.raw if name.lower() in _SENT_HEADERS]
        request.headers = httpx2.Headers(headers)
        request.headers["User-Agent"] = _AGENT
        request.headers["Accept-Encoding"] = "identity"
        if self._authorization is not None:
            request.headers["Authorization"] = self._authorization
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise TooLongError("the answer is compressed, so that its length is not known")
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        response.stream = _Bounded(stream, self._max_bytes)
        return response

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._inner.aclose()
