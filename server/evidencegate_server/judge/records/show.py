"""Prints records as a listing that people can read."""

from __future__ import annotations

from evidencegate_server.judge.records.model import Cell, Evidence
from evidencegate_server.judge.values.model import Instant, Mention

_LONGEST_TEXT = 100


def show(evidence: Evidence) -> str:
    """Returns one line for each record and each cell, indented by parents, with spans and values."""
    depths: list[int] = []
    lines: list[str] = []
    source = -1
    for record in evidence.records:
        if record.source != source:
            source = record.source
            lines.append(f"text {source} ({len(evidence.texts[source])} characters)")
        depth = depths[record.parent] + 1 if record.parent >= 0 else 1
        depths.append(depth)
        indent = "  " * depth
        group = f" group {record.group}" if record.group >= 0 else ""
        label = f" {_short(record.label)!r}" if record.label else ""
        lines.append(f"{indent}#{record.index} {record.kind}{label}{group} [{record.start}:{record.end}]")
        lines += [f"{indent}    {_cell(cell)}" for cell in record.cells]
    if evidence.cut_short:
        lines.append("cut short: a bound was reached")
    return "\n".join(lines) + "\n"


def _cell(cell: Cell) -> str:
    values = "".join(f"  <{_value(mention)}>" for mention in cell.values)
    return f"{cell.kind} {cell.key!r} = {_short(cell.text)!r} [{cell.start}:{cell.end}]{values}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _value(mention: Mention) -> str:
    value = mention.value
    if isinstance(value, Instant):
        date = "-".join("?" if part is None else str(part) for part in (value.year, value.month, value.day))
        zone = "" if value.offset is None else f" {value.offset:+d} min"
        return f"{date} {value.seconds} s{zone}"
    if value.low == value.high:
        return f"{value.low} {value.measure}".rstrip()
    return f"{value.low}..{value.high} {value.measure}".rstrip()
