"""Holds how the client calls: deadlines, retries, sizes and keepalive."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import grpc

from evidencegate_client.access import Tls, TokenSource, checked_token
from evidencegate_client.errors import ConfigError
from evidencegate_client.fallback import DEFAULT_RULE_SET_VERSION
from evidencegate_client.target import is_on_this_machine
from evidencegate_client.tracing import trace_metadata

# The service accepts requests of this size, and so must the channel in both directions: an answer carries quotations.
MAX_MESSAGE_BYTES = 32 * 1024 * 1024

# gRPC takes no more attempts than this, whatever a policy says.
_MOST_ATTEMPTS = 5

# With a pause that its jitter can bring below one millisecond, gRPC 1.85 loses the second attempt in half of all calls
# and waits until the deadline.
_SHORTEST_BACKOFF_SECONDS = 0.01

# gRPC's own two minutes would let calls fall back for that long beside a server that is back.
_LONGEST_RECONNECT_MS = 2_000

_AUTHORIZATION = "authorization"


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long each method may take in all, retries included, in seconds.

    A check by rules takes milliseconds, so that five seconds mean a server in trouble. A judge that asks a model takes
    as long as the model.
    """

    validate_seconds: float = 5.0
    judge_seconds: float = 10.0
    judge_by_model_seconds: float = 120.0
    rule_catalog_seconds: float = 5.0
    summarize_trace_seconds: float = 5.0
    compose_seconds: float = 5.0
    compose_by_model_seconds: float = 120.0
    prompts_seconds: float = 5.0
    store_seconds: float = 15.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a call is sent again: on UNAVAILABLE alone, with growing pauses, inside the call's deadline.

    RESOURCE_EXHAUSTED is never among the codes: the same request is too large the next time as well.
    """

    max_attempts: int = 4
    initial_backoff_seconds: float = 0.1
    max_backoff_seconds: float = 2.0
    backoff_multiplier: float = 2.0

    def __post_init__(self) -> None:
        """Refuses what gRPC would ignore, or fail at, without a word."""
        if not 1 <= self.max_attempts <= _MOST_ATTEMPTS:
            raise ValueError(f"max_attempts is {self.max_attempts}; it must be from 1 to {_MOST_ATTEMPTS}")
        if not _SHORTEST_BACKOFF_SECONDS <= self.initial_backoff_seconds <= self.max_backoff_seconds:
            raise ValueError(
                f"initial_backoff_seconds must be at least {_SHORTEST_BACKOFF_SECONDS} and at most max_backoff_seconds"
            )
        if self.backoff_multiplier < 1:
            raise ValueError(f"backoff_multiplier is {self.backoff_multiplier}; it must be at least 1")


@dataclass(frozen=True, slots=True)
class ClientConfig:
    """How the client calls. The defaults suit a service in the same data centre.

    `tls` makes the channel a TLS one, and so do `credentials`, which are gRPC's own. `token` goes with every call as a
    bearer token: a text, or what gives one each time (`token_from_file`). It is not sent in plain text to another
    machine unless `token_in_plain_text` says so, for a network that encrypts by itself. `metadata` goes with every call
    as it is; its keys are lower case. `default_rule_set_version` is what a fallback result carries, since no server has
    said which rules are in use.
    """

    deadlines: Deadlines = field(default_factory=Deadlines)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    max_message_bytes: int = MAX_MESSAGE_BYTES
    keepalive_seconds: float = 60.0
    keepalive_timeout_seconds: float = 10.0
    credentials: grpc.ChannelCredentials | None = None
    tls: Tls | None = None
    token: str | TokenSource | None = field(default=None, repr=False)
    token_in_plain_text: bool = False
    metadata: tuple[tuple[str, str | bytes], ...] = field(default=(), repr=False)  # may hold a secret
    use_http_proxy: bool = True
    default_rule_set_version: str = DEFAULT_RULE_SET_VERSION

    def __post_init__(self) -> None:
        """Refuses two answers to one question, and what is no token."""
        if self.credentials is not None and self.tls is not None:
            raise ConfigError("tls and credentials both say how the channel is encrypted: give one of them")
        if self.token is None:
            return
        if isinstance(self.token, str):
            checked_token(self.token, "token")
        if any(key == _AUTHORIZATION for key, _ in self.metadata):
            raise ConfigError("token and the metadata `authorization` both name the caller: give one of them")

    def channel_credentials(self, target: str) -> grpc.ChannelCredentials | None:
        """Returns what encrypts the channel to a target, None for plain text.

        Raises ConfigError where a file cannot be used, or the token would go unencrypted to another machine.
        """
        if self.tls is not None:
            return self.tls.credentials()
        exposed = self.credentials is None and self.token is not None and not self.token_in_plain_text
        if exposed and not is_on_this_machine(target):
            raise ConfigError(
                f"the token would go to {target} in plain text: give tls, or token_in_plain_text=True where the"
                " network encrypts by itself"
            )
        return self.credentials

    def call_metadata(self) -> tuple[tuple[str, str | bytes], ...] | None:
        """Returns what goes with the next call, None where that is nothing."""
        token: tuple[tuple[str, str], ...] = ()
        if self.token is not None:
            value = self.token if isinstance(self.token, str) else self.token()
            token = ((_AUTHORIZATION, f"Bearer {value}"),)
        return (*self.metadata, *token, *trace_metadata()) or None

    def channel_options(self) -> tuple[tuple[str, int | str], ...]:
        """Returns the channel's options in gRPC's own words."""
        name = self.tls.server_name if self.tls is not None else None
        return (
            *((("grpc.ssl_target_name_override", name),) if name is not None else ()),
            ("grpc.max_send_message_length", self.max_message_bytes),
            ("grpc.max_receive_message_length", self.max_message_bytes),
            ("grpc.enable_retries", 1),
            ("grpc.service_config", service_config(self.retry)),
            # A request over this buffer is sent once and never again; gRPC's own 256 KiB would switch retries off for
            # every session with much evidence.
            ("grpc.per_rpc_retry_buffer_size", self.max_message_bytes),
            # Pings go only while a call waits, so an idle client is no load; and seldom, since a server closes the
            # connection of a client that pings more than twice too often while it has nothing to send.
            ("grpc.keepalive_time_ms", round(self.keepalive_seconds * 1000)),
            ("grpc.keepalive_timeout_ms", round(self.keepalive_timeout_seconds * 1000)),
            ("grpc.keepalive_permit_without_calls", 0),
            ("grpc.enable_http_proxy", int(self.use_http_proxy)),
            ("grpc.max_reconnect_backoff_ms", _LONGEST_RECONNECT_MS),
        )


def service_config(retry: RetryPolicy) -> str:
    """Returns the gRPC service config that holds the retry policy for every method."""
    # One empty name means every method; an empty list of names would switch the policy off without a word.
    method: dict[str, object] = {"name": [{}]}
    if retry.max_attempts > 1:  # gRPC refuses a policy with a single attempt
        method["retryPolicy"] = {
            "maxAttempts": retry.max_attempts,
            "initialBackoff": _seconds(retry.initial_backoff_seconds),
            "maxBackoff": _seconds(retry.max_backoff_seconds),
            "backoffMultiplier": retry.backoff_multiplier,
            "retryableStatusCodes": ["UNAVAILABLE"],
        }
    return json.dumps({"methodConfig": [method]})


def _seconds(value: float) -> str:
    """Returns a duration as protobuf's JSON writes it; at most nine digits after the point, never an exponent."""
    return f"{value:.9f}".rstrip("0").rstrip(".") + "s"
