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
from evidencegate_server.cli.pairs import Pair, Summary, mistake, read_pairs, summarize
from evidencegate_server.cli.sessions import FileProblemError
from evidencegate_server.cli.tables import print_wrong_pairs
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.words import Verification

_EXIT_UNUSABLE = 2

# After so many lines that are none, the file is not what the command takes.
_MOST_PROBLEMS = 5


@click.command()
@click.argument("file", metavar="FILE.jsonl", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Prints JSON alone; the last line is the summary.")
@click.option(
    "--rules",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the catalog to judge with.  [default: the packaged one]",
)
@click.pass_context
def judge_pairs(ctx: click.Context, file: Path, as_json: bool, rules: Path | None) -> None:
    """Labels claims beside their evidence, and counts how often the judge is right.

    Each text of the evidence counts as verified and as a tool call of its own. One JSON object a line is wanted:

    \b
      id          text or whole number, each only once
      claim       text
      evidence    text, {"text", "kind"} or a list of these; kind is
                  observation (the default) or guidance
      claim_type  observation (the default), root_cause, symptom, knowledge ...
      expect      the right label, one of the six; and
      also        a list of further labels that count as right
      label       where only the side is known: supported, unsupported or
                  contradicted
      twin_of     the id of the row that this one is a false variant of

    The first three are needed; further keys are passed over. Each row gives a line with id, verification and detail.
    Where right labels are given, the rows that came out wrong and these figures follow:

    \b
      accuracy           share of labels that are right
      balanced accuracy  mean of the shares of supported and of not supported
                         claims that are on their side
      false acceptance   share of the claims that are not supported, yet are
                         labelled direct_observation or reasonable_inference
      false rejection    share of the supported claims without such a label
      twins right        share of pairs of twins with both on their side

    Exit status: 0 where all lines ran, 2 where a line or the file was unusable.
    """  # noqa: D301  click leaves lines alone after the character that stands here
    try:
        catalog = load_catalog(find_rules(rules))
    except CatalogError as error:
        raise click.UsageError(f"the catalog does not load:\n{error}") from error
    judge = PairJudge(catalog)
    problems = 0
    labelled: list[tuple[Pair, Verification]] = []
    cpu_seconds = 0.0
    for pair in read_pairs(file):
        if isinstance(pair, FileProblemError):
            problems += 1
            click.echo(f"evidencegate: {pair}", err=True)
            if problems == _MOST_PROBLEMS:
                click.echo(f"evidencegate: {file}: one JSON object a line is wanted; see --help. Stopped.", err=True)
                ctx.exit(_EXIT_UNUSABLE)
            continue
        started = time.process_time()
        label = judge.label(pair.claim, pair.claim_type, pair.evidence)
        cpu_seconds += time.process_time() - started
        labelled.append((pair, label.verification))
        _print_line({"id": pair.id, "verification": label.verification.value, "detail": label.detail})
    if not labelled and not problems:
        problems += 1
        click.echo(f"evidencegate: {file}: there is no claim in this file", err=True)
    _report(labelled, summarize(labelled, cpu_seconds), as_json)
    ctx.exit(_EXIT_UNUSABLE if problems else 0)


def _report(labelled: list[tuple[Pair, Verification]], summary: Summary, as_json: bool) -> None:
    if as_json:
        _print_line({"summary": summary.as_dict()})
        return
    known = [(pair, label) for pair, label in labelled if pair.supported is not None]
    wrong = [(pair, label) for pair, label in known if not pair.is_right(label)]
    if wrong:
        click.echo()
        print_wrong_pairs(
            [(pair.id, mistake(pair, label), label.value, ", ".join(pair.expected)) for pair, label in wrong]
        )
    if known:
        _print_summary(summary, len(known))


def _print_line(value: dict[str, Any]) -> None:
    # UTF-8 whatever the terminal's encoding; a lone surrogate of the input must not end the run.
    click.echo((json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace"), nl=False)


def _print_summary(summary: Summary, known: int) -> None:
    rows = (
        ("claims", str(summary.n)),
        ("with a right label", str(known)),
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
