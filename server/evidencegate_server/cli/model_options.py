"""Holds the options with which a command is told which model to ask."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from evidencegate_server.models.profiles import KeyedProfile

MODEL_ENGINES: Final = ("llm", "hybrid")
_Command = TypeVar("_Command", bound=Callable[..., object])
_OPTIONS: Final = (
    click.option("--base-url", metavar="URL", help="Endpoint of the model for --engine llm or hybrid."),
    click.option("--model", metavar="NAME", help="Its model."),
    click.option("--key-env", metavar="VAR", help="Environment variable that holds its key.  [default: no key]"),
    click.option(
        "--models",
        metavar="FILE",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Models file, instead of --base-url and --model.",
    ),
    click.option("--profile", metavar="NAME", help="Profile of the models file.  [default: its default]"),
)


def model_options(command: _Command) -> _Command:
    """Adds the options, which arrive as the fields of ModelOptions."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model to ask: a profile of a models file, or one made of an address and a name."""

    base_url: str | None = None
    model: str | None = None
    key_env: str | None = None
    models: Path | None = None
    profile: str | None = None

    @classmethod
    def among(cls, options: dict[str, Any]) -> ModelOptions:
        """Takes its own options out of those of a command."""
        return cls(**{field.name: options.pop(field.name) for field in fields(cls)})

    def models_file(self, engine: str | None, server: str | None = None) -> Path | str | None:
        """Returns a models file or the text of one, None where no model is asked or the server at `server` asks it.

        Raises UsageError where options are missing or clash.
        """
        own = [name for name, value in self._own() if value is not None]
        given = [*own, *(["--profile"] if self.profile is not None else [])]
        if own and server is not None:
            raise click.UsageError(
                f"{own[0]} is for the server that this command starts; that at --server has its own."
            )
        if given and engine not in MODEL_ENGINES:
            raise click.UsageError(f"{given[0]} needs --engine llm or hybrid.")
        if engine not in MODEL_ENGINES or server is not None:
            return None
        if self.models is not None:
            if len(own) > 1:
                raise click.UsageError(f"{own[0]} and --models both say which model to ask; name one of them.")
            return self.models
        if self.base_url is None or self.model is None:
            raise click.UsageError(
                f"--engine {engine} needs --base-url and --model, or --models FILE, or a --server with a model of its "
                "own where the command has that option."
            )
        if self.profile is not None:
            raise click.UsageError("--profile names a profile of a models file; add --models FILE.")
        profile = {"name": "default", "base_url": self.base_url, "model": self.model}
        if self.key_env is not None:
            profile["key_env"] = self.key_env
        # JSON is YAML, and quotes whatever a name holds.
        return json.dumps({"default": "default", "profiles": [profile]})

    def keyed_profile(self, engine: str) -> KeyedProfile:
        """Returns the profile with its key, for a command that asks the model itself.

        Raises UsageError where the options, the models file or the client library do not give one.
        """
        from evidencegate_server.models.pool import check_library
        from evidencegate_server.models.profiles import ModelsError, parse_profiles, read_profiles

        file = self.models_file(engine)
        try:
            check_library()
            if isinstance(file, Path):
                profiles = read_profiles(file, os.environ)
            else:
                profiles = parse_profiles(file or "", Path("options"), os.environ)
        except ModelsError as error:
            raise click.UsageError(str(error)) from error
        if self.profile is None:
            return profiles.keyed[0]
        names = [keyed.profile.name for keyed in profiles.keyed]
        if self.profile not in names:
            raise click.UsageError(f"{self.models} has no profile {self.profile!r}; there is {', '.join(names)}.")
        return profiles.keyed[names.index(self.profile)]

    def _own(self) -> tuple[tuple[str, object], ...]:
        return (
            ("--base-url", self.base_url),
            ("--model", self.model),
            ("--key-env", self.key_env),
            ("--models", self.models),
        )
