"""Writes what `evidencegate evaluate` gets into a store."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click
from evidencegate.v1.evaluation_pb2 import Evaluation
from evidencegate.v1.self_evaluation_pb2 import CHANNEL_VERIFIER_EVALUATION, WriteChannelRequest

from evidencegate_server.cli.sessions import Session
from evidencegate_server.cli.store import opened

if TYPE_CHECKING:
    from evidencegate_server.store.model import ForeignColumn

Keep: TypeAlias = Callable[[Session, Evaluation], None]


class NotKeptError(Exception):
    """Occurs where an evaluation could not be written; `is_over` says that the store takes no further one either."""

    def __init__(self, message: str, *, is_over: bool) -> None:
        super().__init__(message)
        self.is_over = is_over


@contextmanager
def keeping(url: str, foreign: ForeignColumn | None, rules: Path | None) -> Iterator[Keep]:
    """Gives what writes one evaluation, with its input; ends the command where store or catalog cannot be used."""
    from evidencegate_server.catalog.load import load_catalog
    from evidencegate_server.catalog.locate import find_rules
    from evidencegate_server.catalog.problems import CatalogError
    from evidencegate_server.text.masking import Masker
    from evidencegate_server.use_cases.errors import CallerError, DependencyFailedError

    try:
        catalog = load_catalog(find_rules(rules))
    except CatalogError as error:
        raise click.ClickException(str(error)) from error
    with opened(url, foreign) as store:
        from evidencegate_server.store.translate import read_write

        masker = Masker(catalog.masking)

        def keep(session: Session, evaluation: Evaluation) -> None:
            request = WriteChannelRequest(
                session_id=session.session_id,
                request_id=f"evaluate-{secrets.token_hex(16)}",
                channel=CHANNEL_VERIFIER_EVALUATION,
                evaluation=evaluation,
                judge_request=session.request,
            )
            try:
                store.write(read_write(request, catalog.limits.store, masker, keep_input=store.keeps_input))
            except CallerError as error:
                raise NotKeptError(error.message, is_over=isinstance(error, DependencyFailedError)) from error

        yield keep
