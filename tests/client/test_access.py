"""Proves what the client sends to say who it is, over which channels, and what it refuses to send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
from evidencegate_client import (
    AsyncEvidenceGateClient,
    ClientConfig,
    ConfigError,
    EvidenceGateClient,
    Tls,
    token_from_environment,
    token_from_file,
    trace_context,
)
from evidencegate_client.target import is_on_this_machine

from tests.client.fake_service import Caller, FakeService
from tests.service.builders import validate_request

TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def sent(fake: FakeService, name: str) -> list[str]:
    """Returns the values of a key that the last call carried."""
    return [value for key, value in fake.metadata if key == name]


def test_a_token_goes_with_every_call_as_a_bearer_token(fake: FakeService, call: Caller) -> None:
    call(fake.target, "validate", validate_request(), config=ClientConfig(token="eg_secret", metadata=(("x", "y"),)))
    assert sent(fake, "authorization") == ["Bearer eg_secret"]
    assert sent(fake, "x") == ["y"]


def test_a_token_in_a_file_is_read_again_when_it_changes(fake: FakeService, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("eg_first\n", encoding="ascii")
    seen = []
    with EvidenceGateClient(fake.target, ClientConfig(token=token_from_file(path))) as client:
        for text in (None, "eg_the_second\n", "two words\n", None, "eg_third"):
            if text is not None:
                path.write_text(text, encoding="ascii")
            client.validate(validate_request())
            seen += sent(fake, "authorization")
        path.unlink()
        client.validate(validate_request())
        seen += sent(fake, "authorization")
    tokens = ["eg_first", "eg_the_second", "eg_the_second", "eg_the_second", "eg_third", "eg_third"]
    assert seen == [f"Bearer {token}" for token in tokens]


def test_a_token_is_in_no_listing_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("eg_secret", encoding="ascii")
    source = token_from_file(tmp_path / "token")
    assert "eg_secret" not in repr(ClientConfig(token="eg_secret")) + repr(ClientConfig(token=source)) + repr(source)


@pytest.mark.parametrize("text", ["", "two words", "line\nbreak", "ü", "x" * 5_000])
def test_what_is_no_token_is_refused_and_not_quoted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "token"
    path.write_text(text, encoding="utf-8")
    for make in (lambda: ClientConfig(token=text), lambda: token_from_file(path)):
        with pytest.raises(ConfigError, match="one line of visible ASCII") as refused:
            make()
        assert not text or text not in str(refused.value)


def test_the_environment_has_a_token_or_that_is_told() -> None:
    assert token_from_environment(environment={"EVIDENCEGATE_TOKEN": " eg_secret\n"}) == "eg_secret"
    for environment in ({}, {"OTHER": ""}):
        with pytest.raises(ConfigError, match="no variable OTHER"):
            token_from_environment("OTHER", environment)


def test_two_answers_to_one_question_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="both name the caller"):
        ClientConfig(token="eg_secret", metadata=(("authorization", "Bearer other"),))
    with pytest.raises(ConfigError, match="give one of them"):
        ClientConfig(tls=Tls(), credentials=grpc.ssl_channel_credentials())
    with pytest.raises(ConfigError, match="belong together"):
        Tls(cert_file=tmp_path / "cert")
    with pytest.raises(ConfigError, match="cannot be read"):
        EvidenceGateClient("127.0.0.1:1", ClientConfig(tls=Tls(ca_file=tmp_path / "none")))


@pytest.mark.parametrize("client", [EvidenceGateClient, AsyncEvidenceGateClient])
async def test_a_token_goes_to_no_other_machine_in_plain_text_unless_that_is_said(client: Any) -> None:
    with pytest.raises(ConfigError, match="in plain text") as refused:
        client("gate.example.com:50051", ClientConfig(token="eg_secret"))
    assert "eg_secret" not in str(refused.value)
    for config in (
        ClientConfig(token="eg_secret", token_in_plain_text=True),
        ClientConfig(token="eg_secret", tls=Tls()),
        ClientConfig(token="eg_secret", credentials=grpc.ssl_channel_credentials()),
    ):
        made = client("gate.example.com:50051", config)
        closing = made.close()
        if closing is not None:
            await closing


@pytest.mark.parametrize(
    ("target", "own"),
    [
        ("127.0.0.1:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("unix:/run/gate", True),
        ("dns:///localhost:1", True),
        ("ipv4:127.0.0.1:1", True),
        ("ipv4:127.0.0.1:1,10.0.0.1:1", False),
        ("127.0.0.1.example.com:1", False),
        ("localhost.example.com:1", False),
        ("dns://127.0.0.1/gate:1", False),
        ("10.0.0.1:1", False),
    ],
)
def test_what_stays_on_this_machine_is_known_by_its_address(target: str, own: bool) -> None:
    assert is_on_this_machine(target) is own


@pytest.mark.parametrize("given", [TRACEPARENT, TRACEPARENT.replace("00-", "01-", 1) + "-later"])
def test_a_trace_context_goes_with_the_calls_inside_it(fake: FakeService, call: Caller, given: str) -> None:
    with trace_context(given):
        call(fake.target, "validate", validate_request())
        assert sent(fake, "traceparent") == [given]
    call(fake.target, "validate", validate_request())
    assert sent(fake, "traceparent") == []


@pytest.mark.parametrize("given", [None, "", "nonsense", TRACEPARENT + "\n", TRACEPARENT + "-ü", "x" * 5_000])
def test_what_is_no_trace_context_is_not_sent(fake: FakeService, call: Caller, given: str | None) -> None:
    with trace_context(TRACEPARENT), trace_context(given):
        call(fake.target, "validate", validate_request())
    assert sent(fake, "traceparent") == []


def test_a_client_looks_for_a_server_that_is_back_every_two_seconds() -> None:
    """Two minutes, as gRPC has it, would let calls fall back for that long beside a server that is back."""
    assert dict(ClientConfig().channel_options())["grpc.max_reconnect_backoff_ms"] == 2_000
