"""Makes a models file of a command's options."""

from __future__ import annotations

import json

import click

_MODEL_ENGINES = ("llm", "hybrid")


def model_profile(
    engine: str | None, server: str | None, base_url: str | None, model: str | None, key_env: str | None
) -> str | None:
    """Returns the text of a models file, None where no model is asked for; raises UsageError where options clash."""
    given = [
        name
        for name, value in (("--base-url", base_url), ("--model", model), ("--key-env", key_env))
        if value is not None
    ]
    if given and server is not None:
        raise click.UsageError(f"{given[0]} is for the server that this command starts; that at --server has its own.")
    if given and engine not in _MODEL_ENGINES:
        raise click.UsageError(f"{given[0]} needs --engine llm or hybrid.")
    if engine not in _MODEL_ENGINES or server is not None:
        return None
    if base_url is None or model is None:
        raise click.UsageError(f"--engine {engine} needs --base-url and --model, or --server with a model of its own.")
    profile = {"name": "default", "base_url": base_url, "model": model}
    if key_env is not None:
        profile["key_env"] = key_env
    # JSON is YAML, and quotes whatever a name holds.
    return json.dumps({"default": "default", "profiles": [profile]})
