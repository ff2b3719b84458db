"""Reads evidence texts into records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from evidencegate_server.judge.plain import level
from evidencegate_server.judge.records.blocks import BlockRules, TextReader
from evidencegate_server.judge.records.builder import Builder, Full, ValueSource
from evidencegate_server.judge.records.contexts import ContextSource, UnitContexts
from evidencegate_server.judge.records.messages import KnownMessages
from evidencegate_server.judge.records.model import Evidence
from evidencegate_server.judge.records.source import Source
from evidencegate_server.lexicon.format_words import FormatWords

# What one claim's evidence is read up to. An excerpt is a few kilobytes; these bound a whole tool output.
MOST_RECORDS: Final = 20_000
MOST_CHARACTERS: Final = 2_000_000


class Values(ValueSource, ContextSource, Protocol):
    """What reads typed values, and what surroundings fix of them."""


class RecordReader:
    """Turns what tools printed into records of cells, whatever mix of formats it is. Pure, and linear in its input."""

    def __init__(self, values: Values, formats: FormatWords) -> None:
        self._values = values
        self._rules = BlockRules(formats)
        self._connectors = frozenset(formats.connectors)
        self._messages = KnownMessages(formats)

    def evidence(self, texts: Sequence[str]) -> Evidence:
        """Returns the records of all texts, in reading order. `cut_short` where a bound was reached."""
        builder = Builder(self._values, self._connectors, self._messages, MOST_RECORDS)
        left = MOST_CHARACTERS
        cut_short = False
        texts = [level(text) for text in texts]
        for number, text in enumerate(texts):
            source = Source(text, left)
            cut_short = cut_short or len(source.view) < len(text)
            left -= len(source.view)
            builder.begin(number, text, source.view)
            try:
                TextReader(builder, self._rules, source.lines).read()
            except Full:
                cut_short = True
                texts[number] = builder.flowing()
                builder.finish()
                break
            texts[number] = builder.flowing()
            builder.finish()
        records = UnitContexts(self._values, texts).read(builder.records())
        return Evidence(tuple(texts), records, cut_short)
