"""Says where a server is to be reached: in one line on stdout, and in the port file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from evidencegate_server.service.settings import ServerSettings, bracketed

if TYPE_CHECKING:
    from evidencegate_server.catalog.model import Catalog


def rule_set_of(catalog: Catalog) -> str:
    """Returns what the line says of the rules."""
    return f"rule set {catalog.rule_set.rule_set_version}, {sum(e.enabled for e in catalog.rule_set.entries)} rules"


def announce(
    settings: ServerSettings, port: int, health_port: int | None, metrics_port: int | None, rule_set: str
) -> None:
    """Writes the port file and the line, in this order: who has read the line finds the file."""
    metrics = "no metrics"
    if metrics_port is not None:
        metrics = f"metrics http://{bracketed(settings.metrics_at)}:{metrics_port}/metrics"
    parts = [rule_set, metrics]
    if settings.health_at is not None and health_port is not None:
        parts.append(f"health {bracketed(settings.health_at[0])}:{health_port}")
    if settings.workers > 1:
        parts.append(f"{settings.workers} workers")
    if settings.port_file is not None:
        _write_port_file(settings.port_file, port)
    sys.stdout.write(f"evidencegate serves on {settings.address}:{port} ({', '.join(parts)})\n")
    sys.stdout.flush()


def _write_port_file(path: Path, port: int) -> None:
    """Writes the port so that a reader sees either nothing or all of it."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(f"{port}\n", encoding="ascii")
    partial.replace(path)
