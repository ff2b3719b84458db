"""Holds `evidencegate show`: a stored evaluation as a person reads it."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from evidencegate_client import ClientConfig

from evidencegate_server.cli.server_options import access_hint, calls_a_server, client_config, why_nobody_answers
from evidencegate_server.cli.show_text import lines_of
from evidencegate_server.cli.store import opened
from evidencegate_server.cli.store_options import StoreTable, store_table_options

if TYPE_CHECKING:
    from evidencegate_server.store.model import ForeignColumn


@click.command()
@click.argument("session")
@click.option("--store", "url", metavar="URL", envvar="EVIDENCEGATE_STORE", help="Database, as for `serve`.")
@partial(store_table_options, from_environment=True)
@click.option("--server", metavar="HOST:PORT", help="Address of a running server with a store.")
@click.option("--json", "as_json", is_flag=True, help="Prints what is stored, as it is stored.")
@calls_a_server
def show(session: str, url: str | None, server: str | None, as_json: bool, **given: Any) -> None:
    """Prints what is stored of a SESSION: what was asked, each claim and why, the verdict, and what the user was told.

    Exit status: 0 where something is stored, 1 where nothing is or the store cannot be opened, 2 where the server does
    not answer or what is stored cannot be read.
    """
    table = StoreTable.among(given)
    config = client_config(server, given)
    if server is not None:
        source = click.get_current_context().get_parameter_source
        if any(source(name) is _FROM_COMMAND_LINE for name in ("url", *StoreTable.__slots__)):
            raise click.UsageError("--store and --server are two places to look; name one of them")
        text, query = _from_server(server, config, session)
    elif url is None:
        raise click.UsageError("--store URL or --server HOST:PORT is wanted")
    else:
        text, query = _from_store(url, table.foreign(url), session)
    if as_json:
        click.echo((text + "\n").encode(), nl=False)  # UTF-8 whatever the terminal's encoding
        return
    for line in lines_of(session, _read(text), query):
        click.echo(line)


_FROM_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE


def _from_store(url: str, foreign: ForeignColumn | None, session: str) -> tuple[str, str | None]:
    from evidencegate.v1.verifier_pb2 import JudgeRequest

    from evidencegate_server.use_cases.errors import NotFoundError

    with opened(url, foreign, must_exist=True) as store:
        try:
            stored = store.get(session, with_input=True)
        except NotFoundError as error:
            raise click.ClickException(f"{session}: {error.message}") from error
    if stored.judge_input is None:
        return stored.text, None
    return stored.text, JudgeRequest.FromString(stored.judge_input).original_query


def _from_server(server: str, config: ClientConfig, session: str) -> tuple[str, str | None]:
    from evidencegate_client import (
        AccessError,
        EvidenceGateClient,
        NotFoundError,
        ServiceError,
        TargetError,
        UnavailableError,
    )

    try:
        with EvidenceGateClient(server, config) as client:
            stored = client.get_session(session, include_input=True)
    except NotFoundError as error:
        raise click.ClickException(f"{session}: {error.message}") from error
    except AccessError as error:
        raise _UnreadableError(access_hint(error)) from error
    except UnavailableError as error:
        # A server that is busy or stopping gives a reason; the network gives none.
        hint = "" if error.reason else f"; {why_nobody_answers(config)}"
        raise _UnreadableError(f"{error}{hint}") from error
    except (ServiceError, TargetError) as error:
        raise _UnreadableError(str(error)) from error
    query = stored.judge_request.original_query if stored.HasField("judge_request") else None
    return stored.self_evaluation_json, query


class _UnreadableError(click.ClickException):
    """Occurs where the store or the server cannot be read."""

    exit_code = 2


def _read(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _UnreadableError(f"what is stored is no JSON that can be shown: {error}; see --json") from error
    if not isinstance(value, dict):
        raise _UnreadableError("what is stored is no JSON object; see --json")
    return value
