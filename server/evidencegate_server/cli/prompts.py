"""The command `evidencegate prompts`: the prompts of a catalog, as a list or one with its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.problems import CatalogError, did_you_mean
from evidencegate_server.catalog.prompts import Prompt, PromptCatalog
from evidencegate_server.cli.tables import print_figures


@click.command()
@click.argument("name", required=False)
@click.option("--rules", type=click.Path(path_type=Path, file_okay=False), help="The catalog's folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, texts included.")
def prompts(name: str | None, rules: Path | None, as_json: bool) -> None:
    """List the prompts of the catalog, or print the text of one.

    NAME is the name of a prompt. Without it all are listed with role, version and inputs.
    """
    try:
        catalog = load_catalog(find_rules(rules)).prompts
    except CatalogError as error:
        raise click.ClickException(str(error)) from error
    if name is None:
        _list(catalog, as_json)
        return
    prompt = next((one for one in catalog.prompts if one.name == name), None)
    if prompt is None:
        names = [one.name for one in catalog.prompts]
        raise click.UsageError(f"no prompt is called {name!r}{did_you_mean(name, names)}; there is {', '.join(names)}")
    click.echo(json.dumps(_plain(prompt), ensure_ascii=False) if as_json else prompt.text, nl=as_json)


def _list(catalog: PromptCatalog, as_json: bool) -> None:
    if as_json:
        whole = {"version": catalog.version, "prompts": [_plain(prompt) for prompt in catalog.prompts]}
        click.echo(json.dumps(whole, ensure_ascii=False))
        return
    rows = [(prompt.name, prompt.role.value, prompt.version, ", ".join(prompt.inputs)) for prompt in catalog.prompts]
    print_figures(("prompt", "role", "version", "inputs"), rows)


def _plain(prompt: Prompt) -> dict[str, Any]:
    return {
        "role": prompt.role.value,
        "name": prompt.name,
        "version": prompt.version,
        "inputs": list(prompt.inputs),
        "text": prompt.text,
    }
