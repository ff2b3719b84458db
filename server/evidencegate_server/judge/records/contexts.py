"""Gives the bare numbers of records the units that their command, heading and neighbouring fields fix."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, Protocol

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.records.model import Cell, CellKind, Record, RecordKind
from evidencegate_server.judge.values.contexts import Context
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity

_UNIT: Final = frozenset({"unit", "units"})
_METRIC: Final = frozenset({"__name__", "metric", "metricname", "query", "expr", "promql"})
_MOST_ABOVE: Final = 6  # records that one stands in, from the inside out
_LONGEST_WORDS: Final = 200


class ContextSource(Protocol):
    """What knows which surroundings fix a unit."""

    def cell(self, key: str, text: str, offset: int = 0) -> tuple[Mention, ...]:
        """Returns the values of a cell, whose key or header can carry the unit."""
        ...

    @property
    def context_keys(self) -> frozenset[str]:
        """Returns the lower-case keys whose unit surroundings can fix."""
        ...

    def context(self, words: str, keys: Collection[str] = (), unit: str = "", metric: str = "") -> Context | None:
        """Returns what surroundings fix, None for nothing."""
        ...

    def in_context(self, key: str, mention: Mention, context: Context) -> Mention:
        """Returns a mention with the unit that its context fixes."""
        ...


# What a first column is called whose cells name figures.
_FIGURES: Final = frozenset(
    {
        "metric",
        "variable",
        "variable_name",
        "parameter",
        "stat",
        "statistic",
        "counter",
        "measure",
        "resource",
        "指标",
        "变量",
        "资源",
    }
)
_MILLI: Final = re.compile(r"\d+m")
_BRACKETED: Final = re.compile(r"[(\[（][^()\[\]（）]{1,12}[)\]）]$")


class UnitContexts:
    """Reads the surroundings of records. Rows of one table share theirs."""

    def __init__(self, source: ContextSource, texts: Sequence[str]) -> None:
        self._source = source
        self._texts = texts
        self._keys = source.context_keys
        self._known: dict[tuple[str, frozenset[str], str, str], Context | None] = {}

    def read(self, records: Sequence[Record]) -> tuple[Record, ...]:
        """Returns the records with their bare numbers in the units that their surroundings fix."""
        return tuple(
            self._record(one, records) if self._may_change(one) else one for one in map(self._by_label, records)
        )

    def _by_label(self, one: Record) -> Record:
        """Returns a row with its bare numbers in the unit of the figure that its first cell names."""
        label = one.cells[0] if one.kind is RecordKind.ROW and one.cells else None
        if label is None or label.values or label.kind is not CellKind.FIELD:
            return one
        if _BRACKETED.search(label.text) is None and label.key.lower() not in _FIGURES:
            return one
        return replace(one, cells=(label, *(self._in_unit_of(label.text, cell) for cell in one.cells[1:])))

    def _in_unit_of(self, label: str, cell: Cell) -> Cell:
        is_milli = _MILLI.fullmatch(cell.text) is not None  # of a core, where the label says so
        if cell.kind is not CellKind.FIELD or len(cell.values) != 1 or not (_is_bare(cell) or is_milli):
            return cell
        values = self._source.cell(label, cell.text, cell.start)
        return replace(cell, values=values) if len(values) == 1 and not _is_bare(replace(cell, values=values)) else cell

    def _may_change(self, one: Record) -> bool:
        return any(self._is_open(cell) for cell in one.cells)

    def _is_open(self, cell: Cell) -> bool:
        return (
            cell.kind is CellKind.FIELD and len(cell.values) == 1 and cell.key.lower() in self._keys and _is_bare(cell)
        )

    def _record(self, one: Record, records: Sequence[Record]) -> Record:
        above = [one]
        while above[-1].parent >= 0 and len(above) < _MOST_ABOVE:
            above.append(records[above[-1].parent])
        words = " ".join(filter(None, (self._words(each) for each in above)))
        keys = frozenset(cell.key for cell in one.cells if cell.kind is CellKind.FIELD)
        known = (words, keys, _said(above, _UNIT), _said(above, _METRIC))
        if known not in self._known:
            self._known[known] = self._source.context(*known)
        context = self._known[known]
        if context is None:
            return one
        cells = tuple(
            replace(cell, values=(self._source.in_context(cell.key, cell.values[0], context),))
            if self._is_open(cell)
            else cell
            for cell in one.cells
        )
        return replace(one, cells=cells)

    def _words(self, one: Record) -> str:
        if one.kind is RecordKind.HEADING:
            return self._texts[one.source][one.start : one.end][:_LONGEST_WORDS]
        return one.label


def _is_bare(cell: Cell) -> bool:
    """Returns whether the value of a cell is a number without a unit."""
    value = cell.values[0].value
    return isinstance(value, Quantity) and value.measure == COUNT and not value.unit


def _said(above: Sequence[Record], keys: frozenset[str]) -> str:
    return next((cell.text for one in above for cell in one.cells if cell.key.lower() in keys and cell.text), "")
