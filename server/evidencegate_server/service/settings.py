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
    """An IP address. One that is not loopback wants TLS and a way to know callers; see `insecure`."""
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
    metrics_host: str | None = None
    """Where Prometheus reads, in plain text; without it `host` where that is loopback, else 127.0.0.1."""
    metrics_port: int = Field(default=9464, ge=0, le=65535)
    health_address: str | None = None
    """HOST:PORT where health alone is answered as well, in plain text and to everybody; port 0 takes a free one."""
    workers: int = Field(default=1, ge=1, le=64)
    """Processes that serve on the one port. What is said of calls, memory and connections holds for each of them."""

    tls_cert: Path | None = None
    """The certificate chain in PEM, the server's own first. Read again when it changes, as is all that follows."""
    tls_key: Path | None = None
    tls_client_ca: Path | None = None
    """With it, a caller needs a certificate that one of these signed (mutual TLS)."""
    tokens: Path | None = None
    """The file of the callers and the digests of their bearer tokens; with it, a call needs one of these tokens."""
    insecure: bool = False
    """Whether an address that is not loopback is served without TLS, or to callers whom nothing tells apart."""
    max_connection_age_seconds: float = Field(default=0, ge=0, le=86_400)
    """How long a caller keeps one connection, a tenth more or less, before it is asked to make another; calls on it
    finish first. 0 is for ever."""
    log_level: LogLevel = "info"
    grace_seconds: float = Field(default=10.0, ge=0, le=600)
    """How long calls in flight may take to finish after a signal to stop."""
    drain_pause_seconds: float = Field(default=0.3, ge=0, le=60)
    """How long the server says NOT_SERVING and still answers, so that callers can turn away before it refuses."""
    heavy_request_bytes: int = Field(default=65_536, ge=0)
    """Requests over this size are worked on beside the loop; see lanes."""
    engine_process: bool | None = None
    """Whether a second process works on heavy requests, and on light ones that overlap; not set, it does where the
    server is one process and may run on two cores or more. It holds a catalog of its own."""
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

    @model_validator(mode="after")
    def _both_halves_of_a_certificate(self) -> ServerSettings:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("--tls-cert and --tls-key belong together: name both files, or none")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise ValueError("--tls-client-ca is for TLS, which wants --tls-cert and --tls-key")
        return self

    @model_validator(mode="after")
    def _guarded_off_loopback(self) -> ServerSettings:
        missing = self.missing_guards
        if missing and not self.insecure:
            raise ValueError(
                f"--host (EVIDENCEGATE_HOST): {self.host} is not a loopback address, and there is no"
                f" {' and no '.join(missing)}; --insecure serves all the same, --host 127.0.0.1 this machine alone"
            )
        return self

    @field_validator("host", "metrics_host")
    @classmethod
    def _ip_address(cls, host: str | None) -> str | None:
        return None if host is None else _ip_address(host)

    @field_validator("health_address")
    @classmethod
    def _host_and_port(cls, address: str | None) -> str | None:
        if address is None:
            return None
        host, colon, port = address.rpartition(":")
        if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
            raise ValueError(f"{address!r} is no HOST:PORT, for example 127.0.0.1:50052 or [::]:50052")
        return f"{bracketed(_ip_address(host.removeprefix('[').removesuffix(']')))}:{port}"

    @property
    def validations_bytes(self) -> int:
        """What the memo of recent validations may hold."""
        return self.memo_bytes // 4

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        return ipaddress.ip_address(self.host).is_loopback

    @property
    def missing_guards(self) -> tuple[str, ...]:
        """What a server that others reach should have and this one has not; nothing on a loopback address."""
        if self.is_loopback:
            return ()
        tls = () if self.tls_cert is not None else ("TLS (--tls-cert, --tls-key)",)
        known = self.tokens is not None or self.tls_client_ca is not None
        return tls if known else (*tls, "way to know callers (--tokens or --tls-client-ca)")

    @property
    def metrics_at(self) -> str:
        """The address, without the port, where Prometheus reads."""
        return self.metrics_host or (self.host if self.is_loopback else "127.0.0.1")

    @property
    def health_at(self) -> tuple[str, int] | None:
        """The address and port where health alone is answered."""
        if self.health_address is None:
            return None
        host, _, port = self.health_address.rpartition(":")
        return host.removeprefix("[").removesuffix("]"), int(port)

    @property
    def address(self) -> str:
        """The address as gRPC wants it, without the port."""
        return bracketed(self.host)


def bracketed(host: str) -> str:
    """Returns an IP address as it stands before a port."""
    return f"[{host}]" if ":" in host else host


def _ip_address(host: str) -> str:
    if host == "localhost":
        return "127.0.0.1"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise ValueError(f"{host!r} is no IP address; use 127.0.0.1, ::1, localhost or another") from None
    return host


def read_settings(given: Mapping[str, object], environment: Mapping[str, str]) -> ServerSettings:
    """Returns the settings: what is given, else what the environment says, else the defaults.

    Raises pydantic's ValidationError for a value out of its range. Done by hand in three lines, since pydantic-settings
    takes a quarter of a second to import, a quarter of what a start may take.
    """
    named = {name: environment.get(ENVIRONMENT_PREFIX + name.upper()) for name in ServerSettings.model_fields}
    return ServerSettings.model_validate({name: value for name, value in named.items() if value} | dict(given))
