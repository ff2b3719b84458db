"""Holds what evidence says, as records of cells. Offsets are code points of the text that was read."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.values.model import Mention

TIMES: Final = "times"
"""The key of how often the event of a row was seen."""


class RecordKind(StrEnum):
    """How a record was written, which decides how far its words reach."""

    OBJECT = "object"  # a JSON or YAML object, or a block of `key: value` lines
    ROW = "row"  # one row of a table
    LINE = "line"  # one line of a log
    SENTENCE = "sentence"  # one sentence or clause of prose
    HEADING = "heading"  # a title, a command, or whatever others stand under


class CellKind(StrEnum):
    """What a cell is in its record."""

    FIELD = "field"  # a key or header with its value
    TEXT = "text"  # a stretch of prose: a message, a sentence
    IN_TEXT = "in_text"  # a value within such a stretch; its key is the words beside it


@record
class Cell:
    """One value with what names it.

    `key` is the key, header or (for IN_TEXT) the words close by, as written; parts of a path are not in it. `text` is
    the value as written, at `start` to `end`. `values` are the typed values in it with offsets into the whole text,
    those with a unit from the key or header included (`durationMillis: 120` is 0.12 s).
    """

    kind: CellKind
    key: str
    text: str
    start: int
    end: int
    values: tuple[Mention, ...] = ()


@record
class Record:
    """One thing that the evidence tells of.

    `index` is its place in the evidence, `parent` the index of the record that it stands in or under, -1 for none.
    `label` is what names the record from outside: the key that holds it, a block's title, a row's section. `group`
    joins the siblings that can be counted and compared: the rows of one table, the objects of one array, the lines of
    one log; -1 where it has none. `source` is the index of the evidence text.
    """

    index: int
    parent: int
    kind: RecordKind
    label: str
    group: int
    source: int
    start: int
    end: int
    cells: tuple[Cell, ...]


@record
class Evidence:
    """Everything that counts for one claim. `texts` are the originals, `records` come in reading order.

    `cut_short` says that a bound was reached and something was not read.
    """

    texts: tuple[str, ...]
    records: tuple[Record, ...]
    cut_short: bool = False
