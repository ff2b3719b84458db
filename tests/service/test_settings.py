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


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.1", "::", "example.com", ""])  # is refused
def test_other_addresses_are_refused(host: str) -> None:
    with pytest.raises(ValidationError, match=r"127\.0\.0\.1, ::1 or localhost"):
        ServerSettings(host=host)


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
