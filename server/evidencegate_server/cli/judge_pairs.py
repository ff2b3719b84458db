"""Holds `evidencegate judge-pairs`: claims beside their evidence in, labels and the judge's accuracy out."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.problems import CatalogError
from evidencegate_server.cli.pairs import Pair, Summary, read_pairs, summarize
from evidencegate_server.cli.sessions import FileProblemError
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.words import Verification

_EXIT_UNUSABLE = 2


@click.command()
@click.argument("file", metavar="FILE.jsonl", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON alone; the last line is the summary.")
@click.option("--rules", type=click.Path(path_type=Path), help="The catalog to judge with.")
@click.pass_context
def judge_pairs(ctx: click.Context, file: Path, as_json: bool, rules: Path | None) -> None:
    """Label each claim of a file with the deterministic engine, as if the evidence beside it were verified.

    A line is {"id", "claim", "evidence"} and, where the right label is known, "expect" (one of the six labels) with
    "also", or "label" (supported, unsupported, contradicted). Exit codes: 0 all lines ran, 2 a line was none.
    """
    try:
        catalog = load_catalog(find_rules(rules))
    except CatalogError as error:
        raise click.UsageError(str(error)) from error
    judge = PairJudge(catalog)
    unusable = False
    labelled: list[tuple[Pair, Verification]] = []
    cpu_seconds = 0.0
    for pair in read_pairs(file):
        if isinstance(pair, FileProblemError):
            unusable = True
            click.echo(f"evidencegate: {pair}", err=True)
            continue
        started = time.process_time()
        label = judge.label(pair.claim, pair.claim_type, pair.evidence)
        cpu_seconds += time.process_time() - started
        labelled.append((pair, label.verification))
        _print_line({"id": pair.id, "verification": label.verification.value, "detail": label.detail})
    summary = summarize(labelled, cpu_seconds)
    if as_json:
        _print_line({"summary": summary.as_dict()})
    elif any(pair.supported is not None for pair, _ in labelled):
        _print_summary(summary)
    ctx.exit(_EXIT_UNUSABLE if unusable else 0)


def _print_line(value: dict[str, Any]) -> None:
    # UTF-8 whatever the terminal's encoding; a lone surrogate of the input must not end the run.
    click.echo((json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace"), nl=False)


def _print_summary(summary: Summary) -> None:
    rows = (
        ("claims", str(summary.n)),
        ("accuracy", _percent(summary.accuracy)),
        ("balanced accuracy", _percent(summary.balanced_accuracy)),
        ("false acceptance", _percent(summary.false_acceptance)),
        ("false rejection", _percent(summary.false_rejection)),
        ("twins right", _percent(summary.twins_right)),
        ("CPU per claim", "-" if summary.cpu_us_per_claim is None else f"{summary.cpu_us_per_claim:.0f} µs"),
    )
    click.echo()
    for name, value in rows:
        click.echo(f"{name:<20}{value:>10}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
