"""Counts where the judge is right and where not: by label, by kind of claim, by language and by family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evidencegate_server.cli.pairs import Pair, Summary, share, summarize
from evidencegate_server.words import Verification

Labelled = tuple[Pair, Verification]

# More kinds than somebody reads; the rest have fewer mistakes than these.
_MOST_KINDS: Final = 15

# The order in which the spec of the labels has them: best first.
LABELS: Final = tuple(Verification)


@dataclass(frozen=True, slots=True)
class Kind:
    """What came of the rows of one `aspect`."""

    aspect: str
    n: int
    right: int
    false_acceptances: int
    false_rejections: int

    def as_dict(self) -> dict[str, Any]:
        """Returns the object that `--json` prints."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The figures behind the summary, over the rows whose right label or side is known.

    `six_label_accuracy` and `confusion` count the rows with `expect` alone. `confusion` has for each expected label how
    often each label was given; one of `also` counts as the expected one. `worst` holds the kinds with a mistake, most
    false acceptances first.
    """

    six_label_accuracy: float | None
    confusion: Mapping[Verification, Mapping[Verification, int]]
    worst: tuple[Kind, ...]
    by_lang: Mapping[str, Summary]
    by_family: Mapping[str, Summary]

    def as_dict(self) -> dict[str, Any]:
        """Returns the keys that `--json` adds to the summary."""
        return {
            "six_label_accuracy": self.six_label_accuracy,
            "confusion": {
                expected.value: {given.value: count for given, count in row.items()}
                for expected, row in self.confusion.items()
            },
            "worst_aspects": [kind.as_dict() for kind in self.worst],
            "by_lang": {name: _shares(summary) for name, summary in self.by_lang.items()},
            "by_family": {name: _shares(summary) for name, summary in self.by_family.items()},
        }


def break_down(labelled: Sequence[Labelled]) -> Breakdown:
    """Returns the figures of each group; rows without `aspect` or `lang` are in none of that key's groups."""
    known = [(pair, label) for pair, label in labelled if pair.supported is not None]
    exact = [(pair, label) for pair, label in known if pair.right]
    right = share(pair.is_right(label) for pair, label in exact)
    kinds = [_kind(aspect, rows) for aspect, rows in _grouped(known, lambda pair: pair.aspect).items()]
    worst = sorted(
        (kind for kind in kinds if kind.right < kind.n),
        key=lambda kind: (-kind.false_acceptances, kind.right - kind.n, kind.aspect),
    )
    return Breakdown(
        six_label_accuracy=None if right is None else round(right, 4),
        confusion=_confusion(exact),
        worst=tuple(worst[:_MOST_KINDS]),
        by_lang=_summaries(known, lambda pair: pair.lang),
        by_family=_summaries(known, lambda pair: pair.family),
    )


def _confusion(exact: Iterable[Labelled]) -> dict[Verification, dict[Verification, int]]:
    table = {expected: dict.fromkeys(LABELS, 0) for expected in LABELS}
    for pair, label in exact:
        expected = Verification(pair.expected[0])
        table[expected][expected if pair.is_right(label) else label] += 1
    return table


def _kind(aspect: str, rows: Sequence[Labelled]) -> Kind:
    wrong_side = [pair.supported for pair, label in rows if not pair.on_its_side(label)]
    right = sum(pair.is_right(label) for pair, label in rows)
    return Kind(aspect, len(rows), right, wrong_side.count(False), wrong_side.count(True))


def _summaries(known: Iterable[Labelled], name: Callable[[Pair], str]) -> dict[str, Summary]:
    # Sorted, so that files named in another order give the same output.
    return {group: summarize(rows, 0.0) for group, rows in sorted(_grouped(known, name).items())}


def _grouped(known: Iterable[Labelled], name: Callable[[Pair], str]) -> dict[str, list[Labelled]]:
    groups: dict[str, list[Labelled]] = {}
    for pair, label in known:
        if name(pair):
            groups.setdefault(name(pair), []).append((pair, label))
    return groups


def _shares(summary: Summary) -> dict[str, Any]:
    return {name: value for name, value in summary.as_dict().items() if name != "cpu_us_per_claim"}
