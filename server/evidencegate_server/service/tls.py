"""Gives the server's port its certificate, and takes a new one while connections go on.

Imported only where there is TLS.
"""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any, Final, NoReturn

import grpc

from evidencegate_server.service.watched import FilesError, Watched, content_of

_MAX_PEM_BYTES: Final = 1_048_576


class TlsFiles:
    """The files of one port's TLS: certificate chain, key, and the authorities of callers' certificates if any."""

    def __init__(self, cert: Path, key: Path, client_ca: Path | None) -> None:
        self._cert = cert
        self._key = key
        self._client_ca = client_ca
        paths = [path for path in (cert, key, client_ca) if path is not None]
        self.watched: Watched[Any] = Watched("TLS", paths, self._read)
        self._given = self.watched.generation
        # gRPC asks them for as long as the server lives, and grpc.aio does not keep them.
        self._credentials = grpc.dynamic_ssl_server_credentials(
            self.watched.value, self._newer, require_client_authentication=client_ca is not None
        )

    def credentials(self) -> grpc.ServerCredentials:
        """Returns what a port is opened with. Each new connection gets the certificate that is in use by then."""
        return self._credentials

    def _newer(self) -> Any:
        """Returns the configuration where it is another than gRPC has, else None; called in threads of gRPC's own."""
        generation, value = self.watched.generation, self.watched.value
        if generation == self._given:
            return None
        self._given = generation
        return value

    def _read(self) -> Any:
        """Returns the certificate configuration; raises FilesError where gRPC would not take it."""
        chain, key = content_of(self._cert, "certificate", _MAX_PEM_BYTES), content_of(self._key, "key", _MAX_PEM_BYTES)
        client_ca = None if self._client_ca is None else content_of(self._client_ca, "client CA", _MAX_PEM_BYTES)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self._cert, self._key, password=_no_password)
        except (ssl.SSLError, OSError, ValueError) as error:
            raise FilesError(
                f"{self._cert} and {self._key}: no PEM certificate with its PEM key ({_reason(error)})"
            ) from error
        if client_ca is not None:
            try:
                context.load_verify_locations(self._client_ca)
            except (ssl.SSLError, OSError) as error:
                raise FilesError(f"{self._client_ca}: no PEM certificates of authorities ({_reason(error)})") from error
        return grpc.ssl_server_certificate_configuration([(key, chain)], root_certificates=client_ca)


def _no_password() -> NoReturn:
    """Keeps OpenSSL from asking at the terminal."""
    raise ValueError("the key is encrypted; a server that starts by itself needs one that is not")


def _reason(error: Exception) -> str:
    """Returns OpenSSL's own word for it, such as KEY_VALUES_MISMATCH."""
    if isinstance(error, ssl.SSLError):
        return error.reason or "not readable as PEM"
    return str(error)
