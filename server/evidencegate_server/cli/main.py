"""Holds the command `evidencegate` and finds its subcommands without importing them."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

# Name to module and the one line of the help. The function in the module has the command's name, with `_` for `-`.
# A server that starts must not load what only the other commands need, and the other way round.
COMMANDS: Final = {
    "serve": ("evidencegate_server.cli.serve", "Serve the Gatekeeper and the Verifier over gRPC."),
    "evaluate": ("evidencegate_server.cli.evaluate", "Send session files through the service and print what came."),
    "judge-pairs": ("evidencegate_server.cli.judge_pairs", "Label claims beside their evidence and measure the judge."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports and returns one command; None for a name that there is not."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command = getattr(import_module(module), cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands from the table, so that help imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="evidencegate")
def cli() -> None:
    """Decides whether what an LLM says about an incident is grounded in what its tools returned."""
