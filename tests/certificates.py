"""Makes certificates for tests: an authority, servers and callers that it signed, and their files."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import grpc
import trustme


@dataclass(frozen=True)
class Files:
    """Where the PEM files of one certificate lie."""

    cert: Path
    key: Path

    def write(self, issued: trustme.LeafCert) -> None:
        """Puts another certificate in their place."""
        self.cert.write_bytes(chain_of(issued))
        self.key.write_bytes(issued.private_key_pem.bytes())


@functools.cache
def authority(name: str) -> trustme.CA:
    """Returns an authority; that of another name has signed nothing of this one's."""
    return trustme.CA(organization_name=name)


@functools.cache
def server_certificate(name: str = "first", ca: str = "own") -> trustme.LeafCert:
    """Returns a certificate for this machine; those of two names differ."""
    return authority(ca).issue_cert("localhost", "127.0.0.1", common_name=name)


@functools.cache
def caller_certificate(name: str = "chat-service", ca: str = "own") -> trustme.LeafCert:
    """Returns the certificate of a caller."""
    return authority(ca).issue_cert(name, common_name=name)


def chain_of(issued: trustme.LeafCert) -> bytes:
    """Returns the chain in PEM."""
    return b"".join(part.bytes() for part in issued.cert_chain_pems)


def files_of(issued: trustme.LeafCert, folder: Path, name: str = "server") -> Files:
    """Writes certificate and key into a folder."""
    files = Files(folder / f"{name}.pem", folder / f"{name}.key")
    files.write(issued)
    return files


def authority_file(folder: Path, name: str = "own") -> Path:
    """Writes an authority's certificate into a folder."""
    path = folder / f"{name}-ca.pem"
    path.write_bytes(authority(name).cert_pem.bytes())
    return path


def trusting(ca: str = "own", caller: trustme.LeafCert | None = None) -> grpc.ChannelCredentials:
    """Returns the credentials of a caller that trusts an authority, and shows its own certificate if it has one."""
    if caller is None:
        return grpc.ssl_channel_credentials(authority(ca).cert_pem.bytes())
    return grpc.ssl_channel_credentials(
        authority(ca).cert_pem.bytes(), caller.private_key_pem.bytes(), chain_of(caller)
    )
