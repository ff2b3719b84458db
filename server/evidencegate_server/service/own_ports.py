"""Looks at the ports of the settings before anything is loaded, and opens the one for metrics."""

from __future__ import annotations

from collections.abc import Callable

from evidencegate_server.service.metrics_endpoint import Readable, start_endpoint
from evidencegate_server.service.ports import StartError, check_port
from evidencegate_server.service.settings import ServerSettings


def check_ports(settings: ServerSettings) -> None:
    """Raises StartError where one of the ports is not to be had."""
    check_port(settings.host, settings.port, "port", "--port")
    if settings.metrics:
        check_port(settings.metrics_at, settings.metrics_port, "metrics port", "--metrics-port or --no-metrics")
    if settings.health_at is not None:
        check_port(*settings.health_at, "health port", "--health-address")


def open_metrics(settings: ServerSettings, metrics: Readable) -> tuple[Callable[[], None], int]:
    """Starts the metrics endpoint; returns what closes it, and its port. Raises StartError."""
    try:
        return start_endpoint(settings.metrics_at, settings.metrics_port, metrics)
    except OSError as error:
        place = f"metrics port {settings.metrics_port} on {settings.metrics_at}"
        raise StartError(f"{place}: {error.strerror}") from error
