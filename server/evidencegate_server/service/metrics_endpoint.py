"""Answers Prometheus over HTTP, in threads beside the event loop.

The socket is bound at the start, so that a taken port is told then. What writes HTTP and Prometheus' format is imported
by the first read: that takes as long as a tenth of the whole start.
"""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable

from evidencegate_server.service.metrics import Metrics


class _Listener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 32


def start_endpoint(host: str, port: int, metrics: Metrics) -> tuple[Callable[[], None], int]:
    """Serves `/metrics` from now on; returns what closes it, and its port. Raises OSError where it cannot bind."""

    def answer(request: socket.socket, address: tuple[str, int], server: socketserver.BaseServer) -> None:
        from prometheus_client import MetricsHandler

        MetricsHandler.factory(metrics.registry())(request, address, server)

    listener_class = type("_Listener6", (_Listener,), {"address_family": socket.AF_INET6}) if ":" in host else _Listener
    listener = listener_class((host, port), answer)  # the class may be any callable
    thread = threading.Thread(target=listener.serve_forever, name="evidencegate-metrics", daemon=True)
    thread.start()

    def close() -> None:
        listener.shutdown()
        listener.server_close()
        thread.join()

    return close, listener.server_address[1]
