"""Holds the server's settings: flags first, then the environment (`EVIDENCEGATE_*`), then the defaults here."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

LogLevel = Literal["debug", "info", "warning", "error"]


ENVIRONMENT_PREFIX = "EVIDENCEGATE_"


class ServerSettings(BaseModel):
    """What an operator sets. Each field can come from the environment as EVIDENCEGATE_ and its name in upper case."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = "127.0.0.1"
    """A loopback address: there is no TLS, and evidence is not for the open network."""
    port: int = Field(default=50051, ge=0, le=65535)
    """0 takes a free one."""
    port_file: Path | None = None
    """Where the port is written once the server serves, for programs that start it with port 0."""
    rules: Path | None = None
    """The catalog's folder; without it the packaged one or the source tree's."""
    models: Path | None = None
    """The models file; without it there are no model engines and no model writer."""
    max_in_flight: int = Field(default=256, ge=1, le=100_000)
    """Calls at work at once, over which a further one is UNAVAILABLE. Health and reflection are not counted."""
    metrics: bool = True
    metrics_port: int = Field(default=9464, ge=0, le=65535)
    """Where Prometheus reads, on the same loopback address."""
    log_level: LogLevel = "info"
    grace_seconds: float = Field(default=10.0, ge=0, le=600)
    """How long calls in flight may take to finish after a signal to stop."""
    drain_pause_seconds: float = Field(default=0.3, ge=0, le=60)
    """How long the server says NOT_SERVING and still answers, so that callers can turn away before it refuses."""
    heavy_request_bytes: int = Field(default=65_536, ge=0)
    """Requests over this size are worked on in a thread of their own; see lanes."""
    memo_bytes: int = Field(default=33_554_432, ge=0)
    """What recent requests and their answers may hold, and a quarter of it beside that for recent validations that a
    Judge may need; 0 remembers nothing; see memo."""

    store: str | None = Field(default=None, repr=False)  # may hold a password
    """The database of the evaluation store: sqlite:///FILE, postgresql://... or mysql://...; none without it."""
    store_table: str | None = Field(default=None, min_length=1, max_length=200)
    """A table that is somebody else's, whose one column is written; without it the product's own."""
    store_column: str | None = Field(default=None, min_length=1, max_length=200)
    store_key: str | None = Field(default=None, min_length=1, max_length=200)
    store_keep_input: bool = True
    """Whether what was judged is kept with an evaluation where the caller hands it in."""
    store_connections: int = Field(default=8, ge=1, le=200)
    """Connections to the store, and threads that wait for it."""
    store_timeout_seconds: float = Field(default=5.0, ge=0.1, le=60)
    """How long a connection, a lock or a statement of the store may take."""

    @model_validator(mode="after")
    def _columns_of_a_table(self) -> ServerSettings:
        if self.store is None and self.store_table is not None:
            raise ValueError("--store-table names a table of the database at --store, which is not given")
        if self.store_table is None and (self.store_column or self.store_key):
            raise ValueError("--store-column and --store-key are columns of --store-table, which is not given")
        return self

    @field_validator("host")
    @classmethod
    def _loopback_only(cls, host: str) -> str:
        if host == "localhost":
            return "127.0.0.1"
        try:
            is_loopback = ipaddress.ip_address(host).is_loopback
        except ValueError:
            raise ValueError(f"{host!r} is no IP address; use 127.0.0.1, ::1 or localhost") from None
        if not is_loopback:
            raise ValueError(
                f"{host} is not a loopback address; without TLS only 127.0.0.1, ::1 or localhost is served"
            )
        return host

    @property
    def address(self) -> str:
        """The address as gRPC wants it, without the port."""
        return f"[{self.host}]" if ":" in self.host else self.host


def read_settings(given: Mapping[str, object], environment: Mapping[str, str]) -> ServerSettings:
    """Returns the settings: what is given, else what the environment says, else the defaults.

    Raises pydantic's ValidationError for a value out of its range. Done by hand in three lines, since pydantic-settings
    takes a quarter of a second to import, a quarter of what a start may take.
    """
    named = {name: environment.get(ENVIRONMENT_PREFIX + name.upper()) for name in ServerSettings.model_fields}
    return ServerSettings.model_validate({name: value for name, value in named.items() if value} | dict(given))
