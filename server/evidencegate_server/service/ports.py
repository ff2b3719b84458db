"""Finds out before the start whether a port is free.

gRPC by default shares a taken port with whoever else shares it (SO_REUSEPORT) and says nothing: half of the calls would
go to a forgotten server. A plain bind tells.
"""

from __future__ import annotations

import errno
import socket


class StartError(Exception):
    """Occurs where the server cannot start; the message is for the operator."""


def check_port(host: str, port: int, what: str, flag: str) -> None:
    """Raises StartError where the port is taken or may not be used. Port 0 is always free."""
    if port == 0:
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # Connections of a server that has just stopped linger; they hold no port against a listener.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise StartError(_explanation(error, host, port, what, flag)) from error


def reserve_port(host: str, port: int, what: str, flag: str) -> socket.socket:
    """Returns a socket that keeps a port for workers which share it; its number is in `getsockname()`.

    Port 0 takes a free one. Nobody is connected to the socket, since it does not listen. Raises StartError where the
    port is taken or may not be used.
    """
    check_port(host, port, what, flag)
    keeper = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        keeper.bind((host, port))
    except OSError as error:
        keeper.close()
        raise StartError(_explanation(error, host, port, what, flag)) from error
    return keeper


def _explanation(error: OSError, host: str, port: int, what: str, flag: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"{what} {port} on {host} is taken by another program; stop it or choose another with {flag}"
    if error.errno == errno.EACCES:
        return f"{what} {port} on {host} needs more rights than this user has; choose one above 1023 with {flag}"
    return f"{what} {port} on {host} cannot be used: {error.strerror}"
