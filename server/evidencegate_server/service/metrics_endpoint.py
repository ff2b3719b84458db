"""Answers Prometheus over HTTP, in threads beside the event loop.

The socket is bound at the start, so that a taken port is told then. What writes HTTP and Prometheus' format is imported
by the first read: that takes as long as a tenth of the whole start.
"""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

# Prometheus is one reader, or two.
MAX_READERS: Final = 16

# Who says nothing for so long holds a thread no longer.
_SILENCE_SECONDS = 10.0


class Readable(Protocol):
    """What has metrics to read."""

    def registry(self) -> CollectorRegistry:
        """Returns a registry that gives the present values."""
        ...


class _Listener(socketserver.ThreadingTCPServer):
    """Has a thread for each reader, and hangs up on those that are too many."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 32

    def __init__(self, *arguments: Any) -> None:
        self._places = threading.BoundedSemaphore(MAX_READERS)
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Starts a thread where there is a place."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answers, and gives the place back."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()


def start_endpoint(host: str, port: int, metrics: Readable) -> tuple[Callable[[], None], int]:
    """Serves `/metrics` from now on; returns what closes it, and its port. Raises OSError where it cannot bind."""

    def answer(request: socket.socket, address: tuple[str, int], server: socketserver.BaseServer) -> None:
        from prometheus_client import MetricsHandler

        handler: Any = MetricsHandler.factory(metrics.registry())
        handler.timeout = _SILENCE_SECONDS
        handler(request, address, server)

    listener_class = type("_Listener6", (_Listener,), {"address_family": socket.AF_INET6}) if ":" in host else _Listener
    listener = listener_class((host, port), answer)  # the class may be any callable
    thread = threading.Thread(target=listener.serve_forever, name="evidencegate-metrics", daemon=True)
    thread.start()

    def close() -> None:
        listener.shutdown()
        listener.server_close()
        thread.join()

    return close, listener.server_address[1]
