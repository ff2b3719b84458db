"""Proves where settings come from and what is refused."""

from __future__ import annotations

import socket

import pytest
from evidencegate_server.service.ports import StartError, check_port
from evidencegate_server.service.settings import ServerSettings, read_settings
from pydantic import ValidationError


def test_the_environment_sets_what_no_flag_does() -> None:
    environment = {"EVIDENCEGATE_PORT": "6001", "EVIDENCEGATE_MAX_IN_FLIGHT": "7", "EVIDENCEGATE_HOST": "", "PORT": "1"}
    settings = read_settings({"port": 6002}, environment)
    assert (settings.port, settings.max_in_flight, settings.host) == (6002, 7, "127.0.0.1")


def test_a_wrong_value_of_the_environment_is_refused() -> None:
    with pytest.raises(ValidationError, match="max_in_flight"):
        read_settings({}, {"EVIDENCEGATE_MAX_IN_FLIGHT": "many"})


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("localhost", "127.0.0.1"), ("::1", "[::1]")],
)
def test_loopback_addresses_are_served(host: str, address: str) -> None:
    assert ServerSettings(host=host).address == address


TLS = {"tls_cert": "server.pem", "tls_key": "server.key"}
OTHERS = ["0.0.0.0", "10.0.0.1", "::"]


@pytest.mark.parametrize("host", ["example.com", "", "127.0.0.1:50051"])
def test_what_is_no_address_is_refused(host: str) -> None:
    with pytest.raises(ValidationError, match="is no IP address"):
        ServerSettings(host=host)


@pytest.mark.parametrize("host", OTHERS)
@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, r"no TLS .* and no way to know callers"),
        (TLS, "no way to know callers"),
        ({"tokens": "tokens"}, "no TLS"),
        ({"insecure": False}, "no TLS"),
    ],
)
def test_an_address_that_others_reach_is_refused_without_tls_or_known_callers(
    host: str, given: dict[str, object], missing: str
) -> None:
    with pytest.raises(ValidationError, match=rf"{missing}.*--insecure"):
        ServerSettings(host=host, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("host", OTHERS)
@pytest.mark.parametrize("given", [{"insecure": True}, {**TLS, "tokens": "tokens"}, {**TLS, "tls_client_ca": "ca.pem"}])
def test_it_is_served_with_both_or_where_that_is_said(host: str, given: dict[str, object]) -> None:
    assert ServerSettings(host=host, **given).host == host  # type: ignore[arg-type]


def test_half_of_tls_is_refused() -> None:
    for given in ({"tls_cert": "x"}, {"tls_key": "x"}):
        with pytest.raises(ValidationError, match="belong together"):
            ServerSettings(**given)  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="wants --tls-cert"):
        ServerSettings(tls_client_ca="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("address", "parts"),
    [("127.0.0.1:0", ("127.0.0.1", 0)), ("localhost:80", ("127.0.0.1", 80)), ("[::]:8080", ("::", 8080))],
)
def test_a_health_address_is_host_and_port(address: str, parts: tuple[str, int]) -> None:
    assert ServerSettings(health_address=address).health_at == parts


@pytest.mark.parametrize("address", ["8080", ":8080", "host:8080", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:-1"])
def test_another_health_address_is_refused(address: str) -> None:
    with pytest.raises(ValidationError, match="health_address"):
        ServerSettings(health_address=address)


@pytest.mark.parametrize(
    ("given", "host"),
    [
        ({}, "127.0.0.1"),
        ({"host": "::1"}, "::1"),
        ({"host": "0.0.0.0", "insecure": True}, "127.0.0.1"),
        ({"metrics_host": "0.0.0.0"}, "0.0.0.0"),
    ],
)
def test_metrics_leave_the_machine_only_where_that_is_said(given: dict[str, object], host: str) -> None:
    assert ServerSettings(**given).metrics_at == host  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"), [("port", 65_536), ("port", -1), ("max_in_flight", 0), ("grace_seconds", -1), ("log_level", "x")]
)
def test_values_out_of_range_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        ServerSettings(**{name: value})


def test_a_taken_port_is_an_error_even_where_its_owner_would_share_it() -> None:
    with socket.socket() as owner:
        owner.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        owner.bind(("127.0.0.1", 0))
        owner.listen()
        port = owner.getsockname()[1]
        with pytest.raises(StartError, match=f"port {port} on 127.0.0.1 is taken"):
            check_port("127.0.0.1", port, "port", "--port")


def test_a_free_port_and_port_zero_are_fine() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    check_port("127.0.0.1", port, "port", "--port")
    check_port("127.0.0.1", 0, "port", "--port")
