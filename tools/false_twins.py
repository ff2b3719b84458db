"""Counts how many false variants of true claims the judge accepts.

    python -m tools.false_twins FILE.jsonl... [--json] [--show] [--write TWINS.jsonl]

reads rows as `evidencegate judge-pairs` does. Each mutator makes a few false twins of each claim that is labelled
supported; what may stay true is left out. A judge that accepts a claim for its words rather than for what they say
together accepts its twins as well. The rate that counts is over the twins of claims that the judge accepts: it looks at
their evidence and finds enough. No model, no randomness: the same rows give the same twins.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.problems import CatalogError
from evidencegate_server.cli.pairs import Pair, read_pairs
from evidencegate_server.cli.sessions import FileProblemError
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.use_cases.pair_session import PairText
from evidencegate_server.words import Verification

from tools.twin_mutators import names, states, times, values, words
from tools.twin_mutators.model import Mutator, TrueClaim
from tools.twin_mutators.rows import tokens

_SUPPORTED: Final = frozenset({Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE})
_HEDGE_TESTED: Final = frozenset({Verification.CONTRADICTED, Verification.EXTERNAL_UNKNOWN})

# The order of the report.
MUTATORS: Final[dict[str, Mutator]] = {
    "other identifier": names.other_identifier,
    "invented identifier": names.invented_identifier,
    "swapped roles": names.swapped_roles,
    "opposite state": states.opposite_state,
    "other comparator": values.other_comparator,
    "other number": values.other_number,
    "swapped numbers": values.swapped_numbers,
    "changed digit": values.changed_digit,
    "ten times": values.ten_times,
    "other unit": values.other_unit,
    "shifted time": times.shifted_time,
    "other time": times.other_time,
    "stronger quantifier": words.stronger_quantifier,
    "dropped negation": words.dropped_negation,
    "inserted negation": words.inserted_negation,
    "foreign cause": words.foreign_cause,
    "other statistic": states.other_statistic,
}
OTHER_EVIDENCE: Final = "other evidence"
HEDGE: Final = "hedge"
_KINDS: Final = (*MUTATORS, OTHER_EVIDENCE)

# So many evidences of other cases are put beside a claim: more would make the easiest kind the largest.
_MOST_SWAPS: Final = 1


@dataclass(frozen=True, slots=True)
class Twin:
    """A false claim made of the row `of`."""

    kind: str
    of: Pair
    claim: str
    evidence: tuple[PairText, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A twin, whether the judge accepts it, and whether it accepts the claim that it is made of."""

    twin: Twin
    accepted: bool
    origin_accepted: bool


@dataclass(frozen=True, slots=True)
class Rate:
    """How many twins were made and how many of them accepted."""

    made: int
    accepted: int

    @property
    def rate(self) -> float | None:
        """The share that was accepted, None for no twin at all."""
        return round(self.accepted / self.made, 4) if self.made else None


def twins_of(pair: Pair, others: Sequence[Pair]) -> Iterator[Twin]:
    """Returns the false twins of a supported row; `others` lend their evidence."""
    case = TrueClaim(pair.id, pair.claim, tuple(item.text for item in pair.evidence))
    for kind, mutate in MUTATORS.items():
        for claim in mutate(case):
            yield Twin(kind, pair, claim, pair.evidence)
    for other in _strangers(pair, others):
        yield Twin(OTHER_EVIDENCE, pair, pair.claim, other.evidence)


def hedged_twins_of(pair: Pair) -> Iterator[Twin]:
    """Returns a row that is no more true for the hedge in front of it: one labelled contradicted or external."""
    if not pair.right or _SUPPORTED & pair.right or Verification(pair.expected[0]) not in _HEDGE_TESTED:
        return
    case = TrueClaim(pair.id, pair.claim, tuple(item.text for item in pair.evidence))
    for claim in words.hedged(case):
        yield Twin(HEDGE, pair, claim, pair.evidence)


def _strangers(pair: Pair, others: Sequence[Pair]) -> list[Pair]:
    """Returns rows whose evidence has no text in common with the row's, nor every number and name of its claim."""
    own = {item.text for item in pair.evidence}
    facts = {token for token in tokens(pair.claim) if any(map(str.isdigit, token))} or tokens(pair.claim)

    def fits(other: Pair) -> bool:
        texts = [item.text for item in other.evidence]
        return (
            bool(texts)
            and own.isdisjoint(texts)
            and (not facts or not facts <= tokens("\n".join(texts)))
            # A claim without any name or number says too little of what it is told of.
            and bool(facts)
        )

    # Of the same family and language first: a stranger that is told of in the same words is the harder test.
    near = [one for one in others if (one.family, one.lang) == (pair.family, pair.lang) and fits(one)]
    ranked = sorted(near, key=lambda one: hashlib.sha256(f"{pair.id}\0{one.id}".encode()).digest())
    chosen: dict[tuple[PairText, ...], Pair] = {}
    for one in ranked:
        chosen.setdefault(one.evidence, one)
    return list(chosen.values())[:_MOST_SWAPS]


def judge_all(judge: PairJudge, pairs: Sequence[Pair]) -> Iterator[Judged]:
    """Returns every twin with what the judge says of it."""

    def accepts(pair: Pair, claim: str, evidence: Sequence[PairText]) -> bool:
        return judge.label(claim, pair.claim_type, evidence).verification in _SUPPORTED

    for pair in pairs:
        if not pair.right:
            continue  # a side alone does not say how true a claim is
        supported = Verification(pair.expected[0]) in _SUPPORTED
        twins = list(twins_of(pair, pairs) if supported else hedged_twins_of(pair))
        if twins:
            origin = accepts(pair, pair.claim, pair.evidence)
            for twin in twins:
                yield Judged(twin, accepts(pair, twin.claim, twin.evidence), origin)


def count(judged: Iterable[Judged]) -> Rate:
    """Returns the rate over these twins."""
    found = [one.accepted for one in judged]
    return Rate(len(found), sum(found))


def report(judged: Sequence[Judged]) -> dict[str, Any]:
    """Returns the figures that `--json` prints.

    `headline` is the rate of all twins, `mean_of_kinds` the mean of the kinds' rates, whatever their size. These and
    `kinds` are over the twins of accepted claims, the keys on `all_` over those of every supported claim. `hedge`
    stands apart: its twins are made of false claims. `leaked` are those that are refused without it.
    """
    false_twins = [one for one in judged if one.twin.kind != HEDGE]
    hedged = [one for one in judged if one.twin.kind == HEDGE]
    kinds = {}
    for kind in _KINDS:
        own = [one for one in false_twins if one.twin.kind == kind]
        kinds[kind] = _rates(own)
    rates = [kind["rate"] for kind in kinds.values() if kind["rate"] is not None]
    return {
        "headline": _rates(false_twins),
        "mean_of_kinds": round(sum(rates) / len(rates), 4) if rates else None,
        "kinds": kinds,
        "hedge": {**_rate(count(hedged)), "leaked": sum(one.accepted and not one.origin_accepted for one in hedged)},
    }


def _rates(judged: Sequence[Judged]) -> dict[str, Any]:
    of_accepted = _rate(count(one for one in judged if one.origin_accepted))
    return of_accepted | {f"all_{name}": value for name, value in _rate(count(judged)).items()}


def _rate(rate: Rate) -> dict[str, Any]:
    return {"made": rate.made, "accepted": rate.accepted, "rate": rate.rate}


def _row(number: int, one: Judged) -> dict[str, Any]:
    """Returns a twin as a row for `evidencegate judge-pairs`."""
    pair = one.twin.of
    return {
        "id": f"{pair.id}~{number}",
        "twin_of": pair.id,
        "lang": pair.lang,
        "aspect": one.twin.kind,
        "family": pair.family,
        "claim": one.twin.claim,
        "claim_type": pair.claim_type,
        "evidence": [{"text": item.text, "kind": item.kind.value} for item in one.twin.evidence],
        "label": "unsupported",
        "origin": pair.claim,
    }


def _print_table(figures: dict[str, Any]) -> None:
    click.echo(f"{'':<22}{'of accepted claims':>27}{'of all':>27}")
    click.echo(f"{'mutation':<22}" + f"{'made':>9}{'accepted':>9}{'rate':>9}" * 2)
    for name, kind in (*figures["kinds"].items(), ("all", figures["headline"])):
        cells = [kind[f"{prefix}{key}"] for prefix in ("", "all_") for key in ("made", "accepted", "rate")]
        click.echo(f"{name:<22}" + "".join(f"{_cell(cell):>9}" for cell in cells))
    click.echo(f"{'mean of the kinds':<22}{_cell(figures['mean_of_kinds']):>27}")
    hedge = figures["hedge"]
    click.echo(
        f"{'hedge before false':<22}{'':>27}"
        + "".join(f"{_cell(hedge[key]):>9}" for key in ("made", "accepted", "rate"))
        + f"   ({hedge['leaked']} refused without it)"
    )


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}" if isinstance(value, float) else str(value)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Prints the figures as one JSON object.")
@click.option("--show", is_flag=True, help="Prints the accepted twins, those of accepted claims first.")
@click.option("--write", "written", type=click.Path(path_type=Path), help="Writes all twins as rows for judge-pairs.")
@click.option("--rules", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of the catalog.")
def main(files: tuple[Path, ...], as_json: bool, show: bool, written: Path | None, rules: Path | None) -> None:
    """Prints for each kind of mutation how many false twins the judge accepts."""
    pairs: list[Pair] = []
    for file in files:
        for pair in read_pairs(file):
            if isinstance(pair, FileProblemError):
                raise click.ClickException(str(pair))
            pairs.append(pair)
    try:
        catalog = load_catalog(find_rules(rules))
    except CatalogError as error:
        raise click.ClickException(f"the catalog does not load:\n{error}") from error
    judged = list(judge_all(PairJudge(catalog), pairs))
    figures = report(judged)
    accepted = sorted((one for one in judged if one.accepted), key=lambda one: not one.origin_accepted)
    if written is not None:
        rows = (json.dumps(_row(number, one), ensure_ascii=False) for number, one in enumerate(judged))
        written.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    if as_json:
        shown = [{"kind": one.twin.kind, "of": one.twin.of.id, "claim": one.twin.claim} for one in accepted]
        click.echo(json.dumps(figures | ({"shown": shown} if show else {}), ensure_ascii=False))
        return
    _print_table(figures)
    if show:
        for one in accepted:
            mark = "" if one.origin_accepted else " (its origin is refused)"
            click.echo(f"\n{one.twin.kind}, {one.twin.of.id}{mark}\n  {one.twin.of.claim}\n  {one.twin.claim}")


if __name__ == "__main__":
    main()
