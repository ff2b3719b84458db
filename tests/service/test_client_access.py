"""Proves the Python client against a server that asks who calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
import trustme
from evidencegate_client import (
    AccessError,
    AsyncEvidenceGateClient,
    ClientConfig,
    RetryPolicy,
    Tls,
    UnavailableError,
    trace_context,
)
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.service.tokens import line_of

from tests.certificates import authority, authority_file, caller_certificate, files_of, server_certificate, trusting
from tests.service.builders import validate_request
from tests.service.conftest import Running, serving
from tests.service.test_origin import SPAN, TRACE, TRACEPARENT


@asynccontextmanager
async def guarded(catalog: Catalog, folder: Path, issued: trustme.LeafCert | None = None) -> AsyncIterator[Running]:
    """A server with mutual TLS and tokens; its files lie in the folder."""
    files = files_of(issued or server_certificate(), folder)
    files_of(caller_certificate(), folder, "caller")
    (folder / "tokens").write_text(line_of("chat", "eg_token"), encoding="ascii")
    settings = ServerSettings(
        tls_cert=files.cert, tls_key=files.key, tls_client_ca=authority_file(folder), tokens=folder / "tokens"
    )
    async with serving(catalog, settings, credentials=trusting(caller=caller_certificate())) as server:
        yield server


def mutual(folder: Path) -> Tls:
    """How a caller with a certificate calls it."""
    return Tls(ca_file=folder / "own-ca.pem", cert_file=folder / "caller.pem", key_file=folder / "caller.key")


async def test_a_client_with_certificate_and_token_is_answered(catalog: Catalog, tmp_path: Path) -> None:
    async with guarded(catalog, tmp_path) as server:
        config = ClientConfig(tls=mutual(tmp_path), token="eg_token")
        with trace_context(TRACEPARENT):
            async with AsyncEvidenceGateClient(f"localhost:{server.port}", config) as client:
                await client.validate(validate_request())
        line = server.log_lines()[-1]
    assert (line["caller"], line["trace_id"], line["span_id"]) == ("chat", TRACE, SPAN)


async def test_the_name_in_the_certificate_may_be_another_than_the_address(catalog: Catalog, tmp_path: Path) -> None:
    issued = authority("own").issue_cert("gate.internal")
    async with guarded(catalog, tmp_path, issued) as server:
        target = f"127.0.0.1:{server.port}"
        for name, answers in (("gate.internal", True), (None, False)):
            tls = replace(mutual(tmp_path), server_name=name)
            config = ClientConfig(tls=tls, token="eg_token", retry=RetryPolicy(max_attempts=1))
            async with AsyncEvidenceGateClient(target, config) as client:
                outcome = await client.validate_or_fall_back(validate_request())
            assert (outcome.failure is None) is answers


async def test_a_wrong_token_raises_and_is_never_a_silent_fallback(
    catalog: Catalog,
    tmp_path: Path,
) -> None:
    async with guarded(catalog, tmp_path) as server:
        for token, reason in (("eg_wrong", "TOKEN_INVALID"), (None, "TOKEN_MISSING")):
            config = ClientConfig(tls=mutual(tmp_path), token=token)
            async with AsyncEvidenceGateClient(f"localhost:{server.port}", config) as client:
                with pytest.raises(AccessError) as refused:
                    await client.validate_or_fall_back(validate_request())
            assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason)


async def test_a_server_that_is_not_trusted_gets_neither_token_nor_evidence(
    catalog: Catalog,
    tmp_path: Path,
) -> None:
    async with guarded(catalog, tmp_path) as server:
        untrusting = Tls(ca_file=authority_file(tmp_path, "another"))
        config = ClientConfig(tls=untrusting, token="eg_token", retry=RetryPolicy(max_attempts=1))
        async with AsyncEvidenceGateClient(f"localhost:{server.port}", config) as client:
            with pytest.raises(UnavailableError):
                await client.validate(validate_request())
        assert server.log_lines() == []
