"""Starts the command line, or says what to install where the server's extra is missing."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs `evidencegate`; exits 3 with a hint where only the client is installed."""
    try:
        from evidencegate_server.cli.main import cli
    except ModuleNotFoundError as error:
        sys.exit(f"evidencegate: {error.name} is missing; install the server: pip install 'evidencegate[server]'")
    cli()


if __name__ == "__main__":
    main()
