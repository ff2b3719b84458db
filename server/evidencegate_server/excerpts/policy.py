"""Holds the words and bounds of comparing, compiled once for a catalog."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from evidencegate_server.contract.records import record
from evidencegate_server.excerpts.boundaries import Boundaries
from evidencegate_server.excerpts.informative import Informative
from evidencegate_server.excerpts.polarity import Polarity
from evidencegate_server.excerpts.quick import QuickLook
from evidencegate_server.lexicon.model import Lexicon
from evidencegate_server.text.fold import Folder
from evidencegate_server.text.words_regex import alternation


class ExcerptParameters(BaseModel):
    """The numbers of comparing.

    An excerpt is informative from `min_weight` on (a letter or digit weighs 1, a CJK character 2) when it also has
    `min_tokens` tokens, or `min_cjk` CJK characters, or one token of `min_single_token` characters. An ellipsis joins
    at most `max_parts` parts, each at most `max_gap` characters after the one before. `max_occurrences` bounds how
    many places of one excerpt are looked at, `max_json_characters` the evidence in which JSON objects are looked for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    min_weight: int = Field(default=5, ge=1, le=50)
    min_tokens: int = Field(default=2, ge=1, le=10)
    min_cjk: int = Field(default=3, ge=1, le=20)
    min_single_token: int = Field(default=8, ge=1, le=50)
    max_parts: int = Field(default=4, ge=1, le=8)
    max_gap: int = Field(default=200, ge=0, le=200)
    max_occurrences: int = Field(default=500, ge=10, le=10_000)
    max_json_characters: int = Field(default=131_072, ge=0, le=1_048_576)


@record
class ExcerptPolicy:
    """Everything that comparing needs to know. Frozen, and safe to share between threads."""

    parameters: ExcerptParameters
    folder: Folder
    boundaries: Boundaries
    polarity: Polarity
    quick: QuickLook
    informative: Informative

    @classmethod
    def from_lexicon(cls, lexicon: Lexicon, parameters: ExcerptParameters | None = None) -> ExcerptPolicy:
        """Returns the policy of a lexicon; the default parameters are the documented ones."""
        numbers = parameters or ExcerptParameters()
        return cls(
            parameters=numbers,
            folder=Folder(alternation((*lexicon.units.symbols, *lexicon.units.signs))),
            boundaries=Boundaries(lexicon.units, lexicon.comparators),
            polarity=Polarity(lexicon.polarity, lexicon.comparators),
            quick=QuickLook(lexicon.polarity, lexicon.units, lexicon.comparators),
            informative=Informative(
                lexicon.function_words,
                min_weight=numbers.min_weight,
                min_tokens=numbers.min_tokens,
                min_cjk=numbers.min_cjk,
                min_single_token=numbers.min_single_token,
            ),
        )
