"""Reads samples into records, with a reader of values that knows numbers and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from decimal import Decimal
from functools import cache

import yaml
from evidencegate_server.judge.records.model import CellKind, Evidence, Record
from evidencegate_server.judge.records.reader import RecordReader
from evidencegate_server.judge.values.contexts import Context
from evidencegate_server.judge.values.model import Mention, Quantity
from evidencegate_server.lexicon.format_words import FormatWords

from tests.support import ROOT

_NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)?(?: ?(?:%|ms|s|GiB|MB))?(?![\w.-]*\w)")


class Numbers:
    """Finds numbers with a few units."""

    def mentions(self, text: str, offset: int = 0) -> tuple[Mention, ...]:
        """Returns each number of the text."""
        return tuple(
            Mention(
                Quantity(value := Decimal(re.split(r"[ %a-zA-Z]", found[0])[0]), value, "", Decimal(1), 1),
                *(place := (found.start() + offset, found.end() + offset)),
                *place,
            )
            for found in _NUMBER.finditer(text)
        )

    def cell(self, key: str, text: str, offset: int = 0) -> tuple[Mention, ...]:
        """Returns the numbers of a cell, whatever its key."""
        del key
        return self.mentions(text, offset)

    context_keys: frozenset[str] = frozenset()

    def context(self, words: str, keys: Collection[str] = (), unit: str = "", metric: str = "") -> Context | None:
        """Returns that surroundings fix nothing."""
        del words, keys, unit, metric

    def in_context(self, key: str, mention: Mention, context: Context) -> Mention:
        """Returns a mention as it is."""
        del key, context
        return mention


@cache
def format_words() -> FormatWords:
    """Returns the formats of the source tree."""
    text = (ROOT / "rules" / "lexicon" / "formats.yaml").read_text(encoding="utf-8")
    return FormatWords.model_validate_json(json.dumps(yaml.safe_load(text)))


@cache
def reader() -> RecordReader:
    """Returns a reader with the formats of the source tree."""
    return RecordReader(Numbers(), format_words())


def read(*texts: str) -> Evidence:
    """Returns the records of the texts."""
    return reader().evidence(texts)


def fields(record: Record) -> dict[str, str]:
    """Returns the fields of a record; of two with one key the last."""
    return {cell.key: cell.text for cell in record.cells if cell.kind is CellKind.FIELD}


def all_fields(text: str) -> list[dict[str, str]]:
    """Returns the fields of each record that has some."""
    return [found for record in read(text).records if (found := fields(record))]


def near(text: str) -> dict[str, str]:
    """Returns the values in prose with the words that name them: value to words."""
    return {
        cell.text: cell.key for record in read(text).records for cell in record.cells if cell.kind is CellKind.IN_TEXT
    }


def chain(evidence: Evidence, index: int) -> list[str]:
    """Returns the labels from a record up to the top."""
    labels = []
    while index >= 0:
        labels.append(evidence.records[index].label)
        index = evidence.records[index].parent
    return labels
