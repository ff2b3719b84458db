"""The command `evidencegate`.

Commands are imported when they are asked for: `serve` starts without the client, and the client's commands without
gRPC's server side.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final

import click

from evidencegate_server.service.process import loading

# Name of the command to `module:attribute`.
COMMANDS: Final[Mapping[str, str]] = {
    "evaluate": "evidencegate_server.cli.evaluate:evaluate",
    "health": "evidencegate_server.cli.health:health",
    "judge-pairs": "evidencegate_server.cli.judge_pairs:judge_pairs",
    "prompts": "evidencegate_server.cli.prompts:prompts",
    "serve": "evidencegate_server.cli.serve:serve",
    "show": "evidencegate_server.cli.show:show",
    "store": "evidencegate_server.cli.store:store",
    "token": "evidencegate_server.cli.token:token",
}


class LazyGroup(click.Group):
    """A group whose commands are imported one by one, when they run or are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Returns the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Returns the command of a name, None where there is none."""
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        with loading():
            command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="evidencegate")
def cli() -> None:
    """Decides whether what an LLM says about an incident is grounded in what its tools returned."""
