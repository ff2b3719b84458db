"""Prints what came of labelling claims beside their evidence, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from evidencegate_server.cli.breakdown import LABELS, Breakdown, break_down
from evidencegate_server.cli.pair_asking import AskingFigures
from evidencegate_server.cli.pairs import Pair, Summary, mistake, summarize
from evidencegate_server.cli.tables import print_confusion, print_figures, print_wrong_pairs, without_controls
from evidencegate_server.words import Verification

# The six labels as heads of columns, which have room for one word each.
_SHORT = {
    Verification.DIRECT_OBSERVATION: "direct",
    Verification.REASONABLE_INFERENCE: "inferred",
    Verification.OVERSTATED: "overst.",
    Verification.UNSUPPORTED: "unsupp.",
    Verification.EXTERNAL_UNKNOWN: "external",
    Verification.CONTRADICTED: "contrad.",
}


def print_report(
    labelled: Sequence[tuple[Pair, Verification]],
    cpu_seconds: float,
    as_json: bool,
    asking: AskingFigures | None = None,
) -> None:
    """Prints what came of the rows: one object, or for people tables and figures where right labels are given.

    `asking` is what asking a model came to, which people see in any case.
    """
    summary, parts = summarize(labelled, cpu_seconds), break_down(labelled)
    if as_json:
        model = {} if asking is None else {"model": asking.as_dict()}
        print_line({"summary": {**summary.as_dict(), **parts.as_dict(), **model}})
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
    if asking is not None:
        _print_rows(asking.rows())


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


def print_line(value: Mapping[str, Any]) -> None:
    """Prints one object as a line of JSON."""
    # UTF-8 whatever the terminal's encoding; a lone surrogate of the input must not end the run.
    click.echo((json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace"), nl=False)


def _print_summary(summary: Summary, parts: Breakdown, known: int) -> None:
    rows = (
        ("claims", str(summary.n)),
        ("with expect or label", str(known)),
        ("accuracy", _percent(summary.accuracy)),
        ("six-label accuracy", _percent(parts.six_label_accuracy)),
        ("balanced accuracy", _percent(summary.balanced_accuracy)),
        ("false acceptance", _percent(summary.false_acceptance)),
        ("false rejection", _percent(summary.false_rejection)),
        ("twins right", _percent(summary.twins_right)),
        ("CPU per claim", "-" if summary.cpu_us_per_claim is None else f"{summary.cpu_us_per_claim:.0f} µs"),
    )
    _print_rows(rows)


def _print_rows(rows: Iterable[tuple[str, str]]) -> None:
    click.echo()
    for name, value in rows:
        click.echo(without_controls(f"{name:<20}{value:>10}"))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
