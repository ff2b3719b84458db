"""Holds the options that say how a command calls a running server: TLS and token."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from evidencegate_client import (
    AccessError,
    ClientConfig,
    ConfigError,
    Tls,
    TokenSource,
    token_from_environment,
    token_from_file,
)
from evidencegate_client.access import TOKEN_VARIABLE
from evidencegate_client.target import is_on_this_machine

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path, dir_okay=False)
_OPTIONS = (
    click.option("--tls", is_flag=True, help="Calls the server over TLS, with the usual authorities."),
    click.option("--tls-ca", type=_FILE, help="The same, with the authorities (PEM) in this file."),
    click.option("--tls-cert", type=_FILE, help="Certificate (PEM) of the caller, for mutual TLS."),
    click.option("--tls-key", type=_FILE, help="Its key (PEM)."),
    click.option("--tls-name", metavar="NAME", help="Name in the server's certificate.  [default: its host]"),
    click.option("--token-file", type=_FILE, help=f"File with the caller's token.  [default: {TOKEN_VARIABLE}]"),
    click.option("--token-in-plain-text", is_flag=True, help="Sends the token to another machine without TLS."),
)


def calls_a_server(command: CommandT) -> CommandT:
    """Gives a command the options; it takes them as keywords and hands them to `client_config`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def client_config(server: str | None, options: Mapping[str, Any]) -> ClientConfig:
    """Returns how the command calls; raises UsageError where the options do not fit. None is a server of its own."""
    given = [name for name, value in options.items() if value]
    if server is None:
        if given:
            raise click.UsageError(f"--{given[0].replace('_', '-')} is for a server that runs already; give --server")
        return ClientConfig(use_http_proxy=False)
    try:
        config = ClientConfig(
            use_http_proxy=not is_on_this_machine(server),
            tls=_tls(options),
            token=_token(options["token_file"]),
            token_in_plain_text=options["token_in_plain_text"],
        )
        config.channel_credentials(server)  # what is wrong is told before anything is read or sent
    except ConfigError as error:
        raise click.UsageError(str(error)) from error
    return config


def why_nobody_answers(config: ClientConfig) -> str:
    """Returns what to look at, apart from a server that does not run: gRPC tells of all of these alike."""
    if config.tls is None:
        return "where it serves TLS, give --tls-ca FILE (and --tls-cert and --tls-key for mutual TLS)"
    return (
        "look whether it serves TLS, whether --tls-ca vouches for its certificate, "
        "and, where it wants callers' certificates, at --tls-cert and --tls-key"
    )


def access_hint(error: AccessError) -> str:
    """Returns the failure of a call that was not let in, with the options to look at."""
    return f"{error}; give the token with --token-file FILE or in {TOKEN_VARIABLE}"


def _tls(options: Mapping[str, Any]) -> Tls | None:
    ca, cert, key, name = (options[f"tls_{part}"] for part in ("ca", "cert", "key", "name"))
    if not (options["tls"] or ca or cert or key or name):
        return None
    return Tls(ca_file=ca, cert_file=cert, key_file=key, server_name=name)


def _token(file: Path | None) -> str | TokenSource | None:
    if file is not None:
        return token_from_file(file)
    return token_from_environment() if os.environ.get(TOKEN_VARIABLE, "").strip() else None
