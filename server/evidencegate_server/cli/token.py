"""Holds `evidencegate token`: makes a caller's token, and its line for the server's tokens file."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import click

from evidencegate_server.service.tokens import is_caller_name, line_of

# 256 bits: nobody guesses it, so a plain digest of it is as good as a slow one.
_RANDOM_BYTES = 32


@click.command()
@click.argument("name")
@click.option(
    "--add-to",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Tokens file that gets the line; a new one is made.  [default: the line goes to stderr]",
)
def token(name: str, file: Path | None) -> None:
    """Makes a token for the caller NAME and prints it; it is kept nowhere else.

    The server knows its digest alone: add the line to the file of `serve --tokens`. A caller may have several lines;
    to replace a token, add the new one, give it to the caller, and take the old line out.

    Exit status: 0 where the token was printed, 1 where the file cannot be written, 2 for a name that is none.
    """
    if not is_caller_name(name):
        raise click.UsageError(f"{name!r} is no name of a caller: letters, digits and _.- are wanted, at most 64")
    made = f"eg_{secrets.token_urlsafe(_RANDOM_BYTES)}"
    line = line_of(name, made)
    if file is None:
        click.echo(f"line for the tokens file: {line}", err=True)
    else:
        try:
            _append(file, line)
        except OSError as error:
            raise click.ClickException(f"{file}: cannot be written ({error.strerror})") from error
    click.echo(made)


def _append(file: Path, line: str) -> None:
    """Adds a line in one write; a new file is the owner's alone."""
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "a+b") as stream:
        end = stream.seek(0, os.SEEK_END)
        starts_anew = True
        if end:
            stream.seek(end - 1)
            starts_anew = stream.read(1) == b"\n"
        stream.write((line if starts_anew else f"\n{line}").encode() + b"\n")
