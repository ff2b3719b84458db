"""Holds all word lists of the catalog: one attribute for each file of `rules/lexicon`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from evidencegate_server.lexicon.concept_words import ConceptWords
from evidencegate_server.lexicon.doubt_words import DoubtWords
from evidencegate_server.lexicon.excerpt_words import ComparatorWords, FunctionWords, PolarityWords, UnitWords
from evidencegate_server.lexicon.format_words import FormatWords
from evidencegate_server.lexicon.judge_words import IdentifierWords, StatementWords
from evidencegate_server.lexicon.measure_words import MeasureWords
from evidencegate_server.lexicon.wording_words import WordingWords


class Lexicon(BaseModel):
    """The words that rules and engines know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    polarity: PolarityWords
    units: UnitWords
    comparators: ComparatorWords
    function_words: FunctionWords
    identifiers: IdentifierWords
    statements: StatementWords
    measures: MeasureWords
    concepts: ConceptWords
    wording: WordingWords
    formats: FormatWords
    doubts: DoubtWords
