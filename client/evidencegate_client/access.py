"""Says who the client is and whom it trusts: TLS from files, and a bearer token from a file or the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import grpc

from evidencegate_client.errors import ConfigError

TokenSource: TypeAlias = Callable[[], str]

TOKEN_VARIABLE = "EVIDENCEGATE_TOKEN"

# A header of this length is already more than other servers take.
_MAX_TOKEN_CHARS = 4_096


@dataclass(frozen=True, slots=True)
class Tls:
    """Calls over TLS. The files are PEM and are read when a client is made.

    `ca_file` has the authorities that may have signed the server's certificate; without it those that gRPC brings.
    `cert_file` and `key_file` are the client's own, for a server that asks for them. `server_name` is the name in the
    server's certificate where it is not the host of the address, as it is behind a port forward.
    """

    ca_file: str | Path | None = None
    cert_file: str | Path | None = None
    key_file: str | Path | None = None
    server_name: str | None = None

    def __post_init__(self) -> None:
        """Refuses half a certificate."""
        if (self.cert_file is None) != (self.key_file is None):
            raise ConfigError("cert_file and key_file belong together: name both, or none")

    def credentials(self) -> grpc.ChannelCredentials:
        """Returns what a channel is made with; raises ConfigError where a file cannot be read."""
        authorities, key, chain = (
            None if path is None else _read(Path(path)) for path in (self.ca_file, self.key_file, self.cert_file)
        )
        return grpc.ssl_channel_credentials(root_certificates=authorities, private_key=key, certificate_chain=chain)


def token_from_environment(name: str = TOKEN_VARIABLE, environment: Mapping[str, str] | None = None) -> str:
    """Returns the token in a variable of the environment; raises ConfigError where there is none."""
    found = (os.environ if environment is None else environment).get(name, "").strip()
    if not found:
        raise ConfigError(f"the environment has no variable {name}, or an empty one")
    return checked_token(found, name)


def token_from_file(path: str | Path) -> TokenSource:
    """Returns what gives the token in a file, read again when the file changes: so a token can be replaced.

    Raises ConfigError where there is no token in it now. Later, one that cannot be read leaves the last one in use.
    """
    return _TokenFile(Path(path))


def checked_token(token: str, place: str) -> str:
    """Returns the token; raises ConfigError, which does not quote it, where it cannot be sent as a header."""
    if not token or len(token) > _MAX_TOKEN_CHARS or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(f"{place}: no token: one line of visible ASCII characters is wanted")
    return token


class _TokenFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._state = self._look()
        self._token = self._read()

    def __call__(self) -> str:
        """Returns the token."""
        state = self._look()
        if state != self._state:
            try:
                self._token = self._read()
            except ConfigError:  # it is just being written, or is gone; the server says when the last one is over
                return self._token
            self._state = state
        return self._token

    def __repr__(self) -> str:
        return f"token_from_file({str(self._path)!r})"

    def _read(self) -> str:
        try:
            text = _read(self._path).decode("ascii").strip()
        except UnicodeDecodeError:
            text = ""
        return checked_token(text, str(self._path))

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
