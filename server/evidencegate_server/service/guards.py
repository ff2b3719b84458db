"""Puts together what the settings say about who may call: TLS, and tokens. What is not asked for is not imported."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evidencegate_server.contract.records import record
from evidencegate_server.service.access import Access
from evidencegate_server.service.ports import StartError
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.service.watched import FilesError, Looker, Watched

if TYPE_CHECKING:
    from evidencegate_server.service.tls import TlsFiles
    from evidencegate_server.service.tokens import Tokens


@record
class Guards:
    """What a server asks of its callers, and what has to be looked at again for it."""

    access: Access
    tls: TlsFiles | None
    lookers: tuple[Looker, ...]


def open_guards(settings: ServerSettings) -> Guards:
    """Returns the guards that the settings name; raises StartError where a file cannot be used."""
    lookers: list[Looker] = []
    tls = None
    tokens = None
    try:
        if settings.tls_cert is not None and settings.tls_key is not None:
            from evidencegate_server.service.tls import TlsFiles

            tls = TlsFiles(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
            lookers.append(tls.watched)
        if settings.tokens is not None:
            tokens = _watched_tokens(settings.tokens)
            lookers.append(tokens)
    except FilesError as error:
        raise StartError(str(error)) from error
    access = Access(
        None if tokens is None else partial(_value_of, tokens),
        open_reflection=settings.is_loopback,
        by_certificate=settings.tls_client_ca is not None,
    )
    return Guards(access, tls, tuple(lookers))


def _watched_tokens(path: Path) -> Watched[Tokens]:
    from evidencegate_server.service.tokens import read_tokens

    return Watched("tokens", (path,), lambda: read_tokens(path))


def _value_of(tokens: Watched[Tokens]) -> Tokens:
    return tokens.value
