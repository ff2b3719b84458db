"""Holds `evidencegate judge-pairs`: claims beside their evidence in, labels and the judge's accuracy out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.catalog.problems import CatalogError
from evidencegate_server.cli.judge_pairs_by_model import Asking, prices_of, run_by_model
from evidencegate_server.cli.model_options import MODEL_ENGINES, ModelOptions, model_options
from evidencegate_server.cli.pair_report import print_line, print_report
from evidencegate_server.cli.pairs import Pair, read_pairs
from evidencegate_server.cli.sessions import FileProblemError
from evidencegate_server.cli.tables import without_controls
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.words import Engine, Verification

_EXIT_UNANSWERED = 1
_EXIT_UNUSABLE = 2

# After so many lines that are none, the file is not what the command takes.
_MOST_PROBLEMS = 5
_MOST_REQUESTS = 64
_CONCURRENCY = 4


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
@click.option(
    "--engine",
    type=click.Choice(["deterministic", *MODEL_ENGINES]),
    default="deterministic",
    help="Engine that labels the claims.  [default: deterministic]",
)
@model_options
@click.option(
    "--concurrency",
    type=click.IntRange(1, _MOST_REQUESTS),
    help="Requests to the model at once.  [default: 4]",
)
@click.option("--prompt-price", type=click.FloatRange(min=0), help="Price of a million tokens of prompt, for the cost.")
@click.option("--completion-price", type=click.FloatRange(min=0), help="And of what the model writes.")
@click.pass_context
def judge_pairs(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    as_json: bool,
    explained: str | None,
    rules: Path | None,
    engine: str,
    concurrency: int | None,
    prompt_price: float | None,
    completion_price: float | None,
    **model: Any,
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

    With --engine llm or hybrid a model is asked as a server would ask it. A row's line then has `engine`, which gave
    the label, and `failure` where the model gave nothing that can be used: such a claim is accepted only where code
    accepts it. Requests, tokens, time and, with prices, the cost follow.

    Exit status: 0 where all lines ran, 1 where the model gave nothing usable for one, 2 where a line, a file or the
    endpoint was unusable or no row has the ID to explain.
    """  # noqa: D301  click leaves lines alone after the character that stands here
    asking = _asking(engine, ModelOptions(**model), concurrency, prices_of(prompt_price, completion_price), explained)
    try:
        catalog = load_catalog(find_rules(rules))
    except CatalogError as error:
        raise click.UsageError(f"the catalog does not load:\n{error}") from error
    run = _Run(ctx)
    failed = False
    if asking is None:
        _by_code(run, files, catalog, explained, as_json)
    else:
        # All of them first: a file of another form must cost nothing.
        outcome = run_by_model(list(run.pairs(files)), catalog, asking)
        if outcome.problem:
            run.complain(outcome.problem)
        print_report(outcome.labelled, outcome.cpu_seconds, as_json, outcome.figures)
        failed = bool(outcome.figures.failures)
    ctx.exit(_EXIT_UNUSABLE if run.problems else _EXIT_UNANSWERED if failed else 0)


def _asking(
    engine: str,
    options: ModelOptions,
    concurrency: int | None,
    prices: tuple[float, float] | None,
    explained: str | None,
) -> Asking | None:
    """Returns how a model is asked, None for code alone; raises UsageError where the options do not go together."""
    if engine not in MODEL_ENGINES:
        options.models_file(engine)  # which complains about what is for a model
        if prices is not None or concurrency is not None:
            raise click.UsageError("--concurrency and prices are for --engine llm or hybrid.")
        return None
    if explained is not None:
        raise click.UsageError("--explain tells how code decided; leave out --engine.")
    return Asking(Engine(engine), options.keyed_profile(engine), concurrency or _CONCURRENCY, prices)


def _by_code(run: _Run, files: tuple[Path, ...], catalog: Catalog, explained: str | None, as_json: bool) -> None:
    judge = PairJudge(catalog)
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
        print_line({"id": pair.id, "verification": label.verification.value, "detail": label.detail})
    if explained is None:
        print_report(labelled, cpu_seconds, as_json)
    elif not labelled:
        run.complain(f"no row has the id {explained!r}")


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
        print_line({**line, "explanation": told})
    else:
        print_line(line)
        # The explanation quotes evidence, and evidence can hold what steers a terminal.
        click.echo(f"\n{without_controls(told)}\n".encode("utf-8", "replace"), nl=False)
    return label.verification
