"""Gives the command line's tests a server and a way to run a command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from evidencegate_server.cli.main import cli
from evidencegate_server.cli.own_server import own_server

from tests.support import ROOT

EXAMPLES = ROOT / "examples" / "sessions"


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """HOST:PORT of a server that runs for all tests."""
    with own_server() as target:
        yield target


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """The JSON objects on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: str | Path, columns: int | None = None) -> Ran:
    """Runs `evidencegate` in this process; `columns` is how wide the output is said to be."""
    environment = {"COLUMNS": None if columns is None else str(columns)}
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], env=environment)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)
