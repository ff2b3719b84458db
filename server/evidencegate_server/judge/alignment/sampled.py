"""Says what a metric's figure says of its name and labels: what has the figure 0 is not so (phase="Failed" is 0).

A metric names a state by its name (`probe_success`) or by a label (`phase="Failed"`); whether it is so, its figure
tells, and which of its samples are meant. The same holds for a row that counts what is in a state (`failed  0`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.records.model import Cell, CellKind, Record, RecordKind
from evidencegate_server.judge.values.model import COUNT, Quantity
from evidencegate_server.judge.vocabulary import Vocabulary

Span = tuple[int, int]

_NAME: Final = "__name__"
_TIME: Final = "time"
_VALUE: Final = "value"
_VALUES: Final = "values"
_OF_SAMPLE: Final = 2  # cells
# The label that kube-state-metrics gives the status of a condition: each condition has a series for all three.
_CONDITION: Final = frozenset({"condition", "status"})
_UNTRUE: Final = frozenset({"false", "unknown"})
_SAYING: Final = frozenset({"status", "reason", "status_code", "result", "severity", "mode"})
"""What a label is of that says something of what the others name."""


@record
class Sampled:
    """What one metric's labels say: the cells that its name and its labels are in, and by sample whether it is so.

    `names` are the states that its labels name. `samples` are the figures with their records; None stands for one
    that tells neither.
    """

    name: Span | None
    labels: tuple[Cell, ...]
    samples: tuple[tuple[int, Cell, bool | None], ...]
    names: frozenset[str]

    @property
    def says(self) -> bool | None:
        """Returns whether what the labels name is so; None where the samples differ, or where one does not tell."""
        told = {holds for _, _, holds in self.samples}
        return told.pop() if len(told) == 1 else None


def read_sampled(
    records: Sequence[Record], children: Sequence[Sequence[int]], texts: Sequence[str], vocabulary: Vocabulary
) -> dict[int, Sampled]:
    """Returns by record the metrics of an evidence, and the rows that count what is in one state."""
    found: dict[int, Sampled] = {}
    for one in records:
        if one.kind is RecordKind.OBJECT or one.kind is RecordKind.ROW:
            figures = _figures(one, records, children[one.index], texts[one.source])
            if figures:
                found[one.index] = _sampled(one, figures, vocabulary)
            elif (counted := _counted(one, vocabulary)) is not None:
                found[one.index] = counted
    return found


def _figures(one: Record, records: Sequence[Record], children: Sequence[int], text: str) -> list[tuple[int, Cell]]:
    """Returns the samples of a metric, none for any other record."""
    cells = one.cells
    if one.kind is RecordKind.ROW and text.startswith(one.label + "{", one.start):
        return [(one.index, cell) for cell in cells if cell.key == (one.label or _VALUE)][-1:]
    named = next((cell.text for cell in cells if cell.key == _NAME), "")
    if len(cells) > _OF_SAMPLE and cells[-2].key == _TIME and cells[-1].key == (named or _VALUE):
        return [(one.index, cells[-1])]
    if not (one.kind is RecordKind.OBJECT and children):
        return []
    rows = (records[child] for child in children)
    return [
        (row.index, row.cells[-1])
        for row in rows
        if row.label == _VALUES
        and len(row.cells) == _OF_SAMPLE
        and row.cells[0].key == _TIME
        and row.cells[1].key == (named or _VALUE)
    ]


def _sampled(one: Record, figures: Sequence[tuple[int, Cell]], vocabulary: Vocabulary) -> Sampled:
    own = {cell.start for index, cell in figures if index == one.index}
    labels = [cell for cell in one.cells if cell.start not in own and cell.key not in (_TIME, _NAME)]
    name = next(((cell.start, cell.end) for cell in one.cells if cell.key == _NAME), None)
    if name is None and one.kind is RecordKind.ROW and one.label:
        name = one.start, one.start + len(one.label)
    condition = next(
        (
            cell.text.strip('"').lower()
            for cell in labels
            if cell.key.lower() in _CONDITION and cell.text.strip('"').lower() in _UNTRUE
        ),
        "",
    )
    return Sampled(
        name,
        tuple(labels),
        tuple((index, cell, _told(cell, condition)) for index, cell in figures),
        frozenset(_states(labels, vocabulary)),
    )


def _told(cell: Cell, condition: str) -> bool | None:
    """Returns whether a figure says that what its labels name is so, where they name the status of a condition too."""
    amount = _amount(cell)
    if amount is None:
        return None
    if not condition:
        return amount
    # A 0 beside one status leaves the two others.
    return False if amount and condition == "false" else None


def _amount(cell: Cell) -> bool | None:
    """Returns whether a figure is another one than 0."""
    number = _number(cell)
    return None if number is None else number != 0


def _number(cell: Cell) -> Decimal | None:
    value = cell.values[0].value if len(cell.values) == 1 else None
    if not isinstance(value, Quantity) or value.low != value.high:
        return None
    return value.low


def _states(labels: Sequence[Cell], vocabulary: Vocabulary) -> Iterator[str]:
    """Returns the states that labels name."""
    for cell in labels:
        if not cell.values:
            for term in vocabulary.terms(cell.text):
                if term.names[0][0] not in "=+":
                    yield from vocabulary.verbs.intersection(term.names)


def _counted(one: Record, vocabulary: Vocabulary) -> Sampled | None:
    """Returns a record that is a state with how many there are of it, and nothing else; None for any other."""
    if len(one.cells) != _OF_SAMPLE:
        return None
    state, figure = one.cells
    if state.values or not state.text or state.kind is not CellKind.FIELD or figure.kind is not CellKind.FIELD:
        return None
    value = figure.values[0].value if len(figure.values) == 1 else None
    if not isinstance(value, Quantity) or value.measure != COUNT:
        return None
    terms = vocabulary.terms(state.text)
    if len(terms) != 1 or terms[0].end - terms[0].start != len(state.text):
        return None
    names = frozenset(_states([state], vocabulary))
    return Sampled(None, (state,), ((one.index, figure, _amount(figure)),), names) if names else None


def _extremes(one: Sampled) -> Iterator[tuple[int, str]]:
    """Yields the samples that have the most and the least of a metric."""
    amounts = [(amount, row) for row, cell, _ in one.samples if (amount := _number(cell)) is not None]
    for name, find in (("maximum", max), ("minimum", min)):
        end = find((amount for amount, _ in amounts), default=None)
        yield from ((row, name) for amount, row in amounts if amount == end)


class SampledFigures:
    """What the figures of an evidence say of states that stand beside them."""

    def __init__(self, sampled: Mapping[int, Sampled], vocabulary: Vocabulary) -> None:
        self._sampled = sampled
        self._vocabulary = vocabulary
        self._rows = {
            index: tuple(row for row, _, _ in one.samples)
            for index, one in sampled.items()
            if one.samples[0][0] != index
        }
        self._figures = {
            (index, cell.start): (one, holds) for one in sampled.values() for index, cell, holds in one.samples
        }
        self._figures |= {(of, sampled[of].samples[-1][1].start): (sampled[of], sampled[of].says) for of in self._rows}
        self._extremes = {
            (row, name) for one in sampled.values() for row, name in _extremes(one) if len(one.samples) > 1
        }

    def __bool__(self) -> bool:
        return bool(self._sampled)

    @property
    def metrics(self) -> Collection[int]:
        """The records that are metrics, or rows that count what is in a state."""
        return self._sampled.keys()

    def told(self, index: int, cell: Cell) -> tuple[frozenset[str], bool | None] | None:
        """Returns for a sample which states its labels name, and whether they are so; None for any other cell."""
        known = self._figures.get((index, cell.start))
        return None if known is None else (known[0].names, known[1])

    def unsaid(self) -> Iterator[tuple[int, list[Span]]]:
        """Yields by record the metrics' names, and the labels of those whose samples do not say that they are so."""
        for index, one in self._sampled.items():
            spans = [] if one.name is None else [one.name]
            if one.says is not True:
                spans += ((cell.start, cell.end) for cell in one.labels)
            if spans:
                yield index, spans

    def doubted(self, index: int, start: int) -> Cell | None:
        """Returns the label at a place that says something of its metric, where the figure does not say that it is."""
        one = self._sampled.get(index)
        if one is None or one.says is True:
            return None
        cell = next((cell for cell in one.labels if cell.start <= start < cell.end), None)
        return cell if cell is not None and self._is_saying(cell) else None

    def _is_saying(self, cell: Cell) -> bool:
        key = self._vocabulary.key_names(cell.key)
        if cell.key.lower() == "code" or not _SAYING.isdisjoint(key):
            return True
        return next(_states([cell], self._vocabulary), None) is not None

    def alike(self, index: int) -> Cell | None:
        """Returns the last of a metric's samples in rows of their own where all of them say the same."""
        one = self._sampled.get(index)
        return None if one is None or index not in self._rows or one.says is None else one.samples[-1][1]

    def rows_of(self, index: int) -> tuple[int, ...]:
        """Returns the samples of a metric that are rows of their own, in the order of time; none for others."""
        return self._rows.get(index, ())

    def is_extreme(self, index: int, name: str) -> bool:
        """Returns whether a sample is the `maximum`, or the `minimum`, of its metric."""
        return (index, name) in self._extremes

    def figures_of(self, index: int) -> tuple[tuple[int, Cell, bool | None], ...]:
        """Returns the samples of a metric."""
        one = self._sampled.get(index)
        return () if one is None else one.samples
