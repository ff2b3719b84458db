"""Starts the command line, or says what to install where the server's extra is missing."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs `evidencegate`; exits 3 with a hint where only the client is installed."""
    try:
        from evidencegate_server.cli.main import cli
    except ModuleNotFoundError as error:
        sys.exit(
            f"evidencegate: {error.name} is missing; install the server: pip install 'evidencegate[server]', "
            "from a checkout: pip install '/path/to/the/checkout[server]'"
        )
    # What gRPC notes, each caller's failed handshake for one, is no line of the log. Faults of its own are.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    cli()


if __name__ == "__main__":
    main()
