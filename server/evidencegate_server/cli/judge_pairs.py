"""Holds `evidencegate judge-pairs`: claims beside their evidence in, labels and the judge's accuracy out."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.problems import CatalogError
from evidencegate_server.cli.breakdown import LABELS, Breakdown, break_down
from evidencegate_server.cli.pairs import Pair, Summary, mistake, read_pairs, summarize
from evidencegate_server.cli.sessions import FileProblemError
from evidencegate_server.cli.tables import print_confusion, print_figures, print_wrong_pairs, without_controls
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.words import Verification

_EXIT_UNUSABLE = 2

# After so many lines that are none, the file is not what the command takes.
_MOST_PROBLEMS = 5

# The six labels as heads of columns, which have room for one word each.
_SHORT = {
    Verification.DIRECT_OBSERVATION: "direct",
    Verification.REASONABLE_INFERENCE: "inferred",
    Verification.OVERSTATED: "overst.",
    Verification.UNSUPPORTED: "unsupp.",
    Verification.EXTERNAL_UNKNOWN: "external",
    Verification.CONTRADICTED: "contrad.",
}


@click.command()
@click.argument("files", metavar="FILE.jsonl...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Prints JSON alone; the last line is the summary.")
@click.option(
    "--explain", "explained", metavar="ID", help="Judges this row alone, and prints how it came to its label."
)
@click.option(
    "--rules",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the catalog to judge with.  [default: the packaged one]",
)
@click.pass_context
def judge_pairs(
    ctx: click.Context, files: tuple[Path, ...], as_json: bool, explained: str | None, rules: Path | None
) -> None:
    """Labels claims beside their evidence, and counts how often the judge is right.

    Each text of the evidence counts as verified and as a tool call of its own. One JSON object a line is wanted:

    \b
      id          text or whole number, each only once in a file
      claim       text
      evidence    text, {"text", "kind"} or a list of these; kind is
                  observation (the default) or guidance
      claim_type  observation (the default), root_cause, symptom, knowledge ...
      expect      the right label, one of the six; and
      also        a list of further labels that count as right
      label       where only the side is known: supported, unsupported or
                  contradicted
      twin_of     the id of the row that this one is a false variant of
      lang        a text that groups the figures, as do
      aspect      the kind of claim, and
      family      where the claim is from; where it is absent, the part of the
                  ID before a slash, else the file's name

    The first three are needed; further keys are passed over. Each row gives a line with id, verification and detail.
    Where right labels are given, these follow: the rows that came out wrong, expected by given labels, the kinds of
    claim with the most mistakes, the figures of each language and family, and those of all rows:

    \b
      accuracy           share of labels that are right
      six-label accuracy the same over the rows with `expect`
      balanced accuracy  mean of the shares of supported and of not supported
                         claims that are on their side
      false acceptance   share of the claims that are not supported, yet are
                         labelled direct_observation or reasonable_inference
      false rejection    share of the supported claims without such a label
      twins right        share of pairs of twins with both on their side

    Exit status: 0 where all lines ran, 2 where a line or a file was unusable or no row has the ID to explain.
    """  # noqa: D301  click leaves lines alone after the character that stands here
    try:
        catalog = load_catalog(find_rules(rules))
    except CatalogError as error:
        raise click.UsageError(f"the catalog does not load:\n{error}") from error
    judge = PairJudge(catalog)
    run = _Run(ctx)
    labelled: list[tuple[Pair, Verification]] = []
    cpu_seconds = 0.0
    for pair in run.pairs(files):
        if explained is not None:
            if pair.id == explained:
                labelled.append((pair, _explain(judge, pair, as_json)))
            continue
        started = time.process_time()
        label = judge.label(pair.claim, pair.claim_type, pair.evidence)
        cpu_seconds += time.process_time() - started
        labelled.append((pair, label.verification))
        _print_line({"id": pair.id, "verification": label.verification.value, "detail": label.detail})
    if explained is None:
        _report(labelled, cpu_seconds, as_json)
    elif not labelled:
        run.complain(f"no row has the id {explained!r}")
    ctx.exit(_EXIT_UNUSABLE if run.problems else 0)


class _Run:
    """The rows of all files, and how many problems there were."""

    def __init__(self, ctx: click.Context) -> None:
        self._ctx = ctx
        self.problems = 0

    def complain(self, problem: object) -> None:
        self.problems += 1
        click.echo(f"evidencegate: {problem}", err=True)

    def pairs(self, files: Iterable[Path]) -> Iterator[Pair]:
        """Returns each file's rows, each file once; ends the command where a file is of another form."""
        for file in _each_once(files):
            yield from self._pairs_of(file)

    def _pairs_of(self, file: Path) -> Iterator[Pair]:
        problems = 0
        is_empty = True
        for pair in read_pairs(file):
            is_empty = False
            if not isinstance(pair, FileProblemError):
                yield pair
                continue
            problems += 1
            self.complain(pair)
            if problems == _MOST_PROBLEMS:
                click.echo(f"evidencegate: {file}: one JSON object a line is wanted; see --help. Stopped.", err=True)
                self._ctx.exit(_EXIT_UNUSABLE)
        if is_empty:
            self.complain(f"{file}: there is no claim in this file")


def _each_once(files: Iterable[Path]) -> list[Path]:
    first: dict[Path, Path] = {}
    for file in files:
        first.setdefault(file.resolve(), file)
    return list(first.values())


def _explain(judge: PairJudge, pair: Pair, as_json: bool) -> Verification:
    label = judge.label(pair.claim, pair.claim_type, pair.evidence)
    told = judge.explain(pair.claim, pair.claim_type, pair.evidence)
    line = {"id": pair.id, "verification": label.verification.value, "detail": label.detail}
    if as_json:
        _print_line({**line, "explanation": told})
    else:
        _print_line(line)
        # The explanation quotes evidence, and evidence can hold what steers a terminal.
        click.echo(f"\n{without_controls(told)}\n".encode("utf-8", "replace"), nl=False)
    return label.verification


def _report(labelled: list[tuple[Pair, Verification]], cpu_seconds: float, as_json: bool) -> None:
    summary, parts = summarize(labelled, cpu_seconds), break_down(labelled)
    if as_json:
        _print_line({"summary": {**summary.as_dict(), **parts.as_dict()}})
        return
    known = [(pair, label) for pair, label in labelled if pair.supported is not None]
    wrong = [(pair, label) for pair, label in known if not pair.is_right(label)]
    if wrong:
        click.echo()
        print_wrong_pairs(
            [(pair.id, mistake(pair, label), label.value, ", ".join(pair.expected)) for pair, label in wrong]
        )
    if known:
        _print_parts(parts)
        _print_summary(summary, parts, len(known))


def _print_parts(parts: Breakdown) -> None:
    if parts.six_label_accuracy is not None:
        click.echo()
        print_confusion(
            [label.value for label in LABELS],
            [_SHORT[label] for label in LABELS],
            [[row[given] for given in LABELS] for row in parts.confusion.values()],
        )
    if parts.worst:
        click.echo()
        print_figures(
            ("worst aspects", "claims", "right", "falsely accepted", "falsely rejected"),
            [
                (one.aspect, str(one.n), str(one.right), str(one.false_acceptances), str(one.false_rejections))
                for one in parts.worst
            ],
        )
    for title, groups in (("lang", parts.by_lang), ("family", parts.by_family)):
        if len(groups) > 1:  # one group alone has the figures of the whole
            click.echo()
            print_figures(
                (title, "claims", "accuracy", "balanced accuracy", "false acceptance", "false rejection"),
                [
                    (
                        name,
                        str(one.n),
                        *map(_percent, (one.accuracy, one.balanced_accuracy)),
                        *map(_percent, (one.false_acceptance, one.false_rejection)),
                    )
                    for name, one in groups.items()
                ],
            )


def _print_line(value: dict[str, Any]) -> None:
    # UTF-8 whatever the terminal's encoding; a lone surrogate of the input must not end the run.
    click.echo((json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace"), nl=False)


def _print_summary(summary: Summary, parts: Breakdown, known: int) -> None:
    rows = (
        ("claims", str(summary.n)),
        ("with a right label", str(known)),
        ("accuracy", _percent(summary.accuracy)),
        ("six-label accuracy", _percent(parts.six_label_accuracy)),
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
