"""Proves TLS and mutual TLS through real connections, and that a certificate is replaced without a restart."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.ports import StartError
from evidencegate_server.service.server import assemble
from evidencegate_server.service.settings import ServerSettings

from tests.certificates import (
    Files,
    authority_file,
    caller_certificate,
    files_of,
    server_certificate,
    trusting,
)
from tests.service.builders import validate_request
from tests.service.conftest import Running, serving


@asynccontextmanager
async def encrypted(
    catalog: Catalog, folder: Path, *, mutual: bool = False, **settings: Any
) -> AsyncIterator[tuple[Running, Files]]:
    """Serves over TLS with a certificate named `first`; with `mutual` to callers with a certificate alone."""
    files = files_of(server_certificate("first"), folder)
    if mutual:
        settings["tls_client_ca"] = authority_file(folder)
    settings |= {"tls_cert": files.cert, "tls_key": files.key}
    async with serving(catalog, ServerSettings(**settings), credentials=trusting()) as server:
        yield server, files


async def validated(server: Running, credentials: grpc.ChannelCredentials | None, **options: Any) -> Any:
    """Calls Validate over a connection of its own."""
    target, alone = f"localhost:{server.port}", (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
    opened = (
        grpc.aio.insecure_channel(target, options=alone)
        if credentials is None
        else grpc.aio.secure_channel(target, credentials, options=alone)
    )
    async with opened as channel:
        call = channel.unary_unary("/evidencegate.v1.Gatekeeper/Validate")
        return await call(validate_request().SerializeToString(), timeout=20, **options)


async def refused(server: Running, credentials: grpc.ChannelCredentials | None) -> grpc.StatusCode:
    """Returns how a call over such a connection fails."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await validated(server, credentials)
    code = failed.value.code()
    assert isinstance(code, grpc.StatusCode)
    return code


def shown_name(port: int) -> str:
    """Returns the common name in the certificate that the server shows to a new connection."""
    certificate = x509.load_pem_x509_certificate(ssl.get_server_certificate(("127.0.0.1", port)).encode())
    return str(certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)[0].value)


async def shown(server: Running) -> str:
    """Asks for it in a thread: the server runs in this one."""
    return await asyncio.to_thread(shown_name, server.port)


def look(server: Running) -> None:
    """Makes the server look at its files now."""
    for looker in server.assembly.guards.lookers:
        looker.look(server.assembly.logger, at_once=True)


async def test_who_trusts_the_authority_is_answered_and_others_get_no_connection(
    catalog: Catalog, tmp_path: Path
) -> None:
    async with encrypted(catalog, tmp_path) as (server, _):
        assert await validated(server, trusting())
        assert await refused(server, trusting("another")) is grpc.StatusCode.UNAVAILABLE
        assert await refused(server, None) is grpc.StatusCode.UNAVAILABLE


async def test_mutual_tls_answers_callers_with_a_certificate_of_the_authority_alone_and_knows_their_name(
    catalog: Catalog, tmp_path: Path
) -> None:
    async with encrypted(catalog, tmp_path, mutual=True) as (server, _):
        assert await validated(server, trusting(caller=caller_certificate("chat-service")))
        assert await refused(server, trusting()) is grpc.StatusCode.UNAVAILABLE
        stranger = caller_certificate("chat-service", ca="another")
        assert await refused(server, trusting(caller=stranger)) is grpc.StatusCode.UNAVAILABLE
        lines = server.log_lines()
        counted = server.metric("evidencegate_caller_calls_total", caller="chat-service", code="OK")
    assert [line["caller"] for line in lines] == ["chat-service"]
    assert counted == 1


async def test_a_new_certificate_is_shown_to_new_connections(catalog: Catalog, tmp_path: Path) -> None:
    async with encrypted(catalog, tmp_path) as (server, files):
        before = await shown(server)
        files.write(server_certificate("second"))
        look(server)
        assert (before, await shown(server)) == ("first", "second")
        assert await validated(server, trusting())
    assert [line["event"] for line in server.log_lines()] == ["files_read_again", "call"]


@pytest.mark.parametrize("broken", ["empty", "text", "key of another", "no key", "encrypted key"])
async def test_a_broken_new_certificate_leaves_the_old_one_in_use(
    catalog: Catalog, tmp_path: Path, broken: str
) -> None:
    async with encrypted(catalog, tmp_path) as (server, files):
        if broken == "empty":
            files.cert.write_bytes(b"")
        elif broken == "text":
            files.cert.write_text("no certificate", encoding="ascii")
        elif broken == "key of another":
            files.key.write_bytes(server_certificate("second").private_key_pem.bytes())
        elif broken == "no key":
            files.key.unlink()
        else:
            files.key.write_bytes(encrypted_key(files.key.read_bytes()))
        look(server)
        assert await shown(server) == "first"
        assert await validated(server, trusting())
        line = server.log_lines()[0]
    assert (line["event"], line["level"], line["what"]) == ("files_refused", "error", "TLS")
    assert str(files.key) in line["problem"] or str(files.cert) in line["problem"]
    assert "PRIVATE" not in line["problem"]


async def test_a_broken_new_authority_leaves_the_old_one_in_use(catalog: Catalog, tmp_path: Path) -> None:
    async with encrypted(catalog, tmp_path, mutual=True) as (server, _):
        (tmp_path / "own-ca.pem").write_text("no certificate", encoding="ascii")
        look(server)
        assert await validated(server, trusting(caller=caller_certificate()))
        (tmp_path / "own-ca.pem").write_bytes(authority_file(tmp_path, "another").read_bytes())
        look(server)
        assert await refused(server, trusting(caller=caller_certificate())) is grpc.StatusCode.UNAVAILABLE
        assert await validated(server, trusting(caller=caller_certificate(ca="another")))
    assert [line["event"] for line in server.log_lines()] == ["files_refused", "call", "files_read_again", "call"]


async def test_a_server_does_not_start_with_files_that_are_none(catalog: Catalog, tmp_path: Path) -> None:
    files = files_of(server_certificate(), tmp_path)
    for path in (files.cert, files.key):
        kept = path.read_bytes()
        path.write_text("nothing", encoding="ascii")
        with pytest.raises(StartError, match=str(path)):
            assemble(catalog, ServerSettings(tls_cert=files.cert, tls_key=files.key))
        path.write_bytes(kept)
    with pytest.raises(StartError, match="client CA file cannot be read"):
        assemble(
            catalog,
            ServerSettings(tls_cert=files.cert, tls_key=files.key, tls_client_ca=tmp_path / "none"),
        )


def encrypted_key(pem: bytes) -> bytes:
    """Returns the key under a password."""
    key = load_pem_private_key(pem, password=None)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
