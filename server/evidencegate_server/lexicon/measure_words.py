"""Holds the words of written values: units, number words, words of comparison, months, zones, and units in keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from evidencegate_server.lexicon.written import word, words

_PHRASE = word(r"^\S(?:[^\n\t]*\S)?$")
Phrase = Annotated[str, _PHRASE]
Number = Annotated[str, word(r"^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$", longest=24)]
"""A decimal, written as text: no number of a file is ever a float."""

Phrases = Annotated[tuple[str, ...], words(_PHRASE)]
SomePhrases = Annotated[tuple[str, ...], words(_PHRASE, at_least=1)]
Numbers = Annotated[dict[Phrase, Number], Field(min_length=1)]
_Loc = tuple[str | int, ...]

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


class Unit(BaseModel):
    """One unit with its spellings.

    `factor` turns it into the base unit of its `measure`. `symbols` are read in their letter case, `words` in any,
    `chinese` right behind the number, `before` right before it (currencies). `loose` is how many prefix steps may be
    meant by 1000 or by 1024 each. A `rough` unit has no fixed length (month).
    """

    model_config = _STRICT

    measure: Phrase
    factor: Number
    symbols: Phrases = ()
    words: Phrases = ()
    chinese: Phrases = ()
    before: Phrases = ()
    loose: int = Field(default=0, ge=0, le=6)
    rough: bool = False


class Comparator(BaseModel):
    """Words that make a bound of a number, by where they stand.

    `least` and `most` hold the number itself, `more` and `less` do not, `about` makes it rough, and behind one of
    `over` it is somewhat more (30 多). `other` ones are all but the value (!= 5).
    """

    model_config = _STRICT

    kind: Literal["least", "most", "more", "less", "about", "over", "other"]
    before: Phrases
    after: Phrases


class InstantBound(BaseModel):
    """Words that relate what happened to an instant, by where they stand."""

    model_config = _STRICT

    kind: Literal["before", "after", "since", "until"]
    before: Phrases
    after: Phrases


class RangeWords(BaseModel):
    """What joins the ends of a range: `between` a `and` b, a `to` b `closers`; behind `from` it is a change instead."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    between: Phrases
    conjunctions: Phrases = Field(alias="and")
    to: Phrases
    origins: Phrases = Field(alias="from")
    closers: Phrases


class RateWords(BaseModel):
    """What makes a rate of a number.

    A `per` word and one of the time `units` stand behind it, with no more than two words and none of the `barriers`
    between. `chinese` stand before the number and give the seconds of their time.
    """

    model_config = _STRICT

    per: Phrases
    barriers: Phrases
    units: Phrases
    chinese: Numbers


class ChineseDate(BaseModel):
    """The characters behind the parts of a Chinese date and clock time."""

    model_config = _STRICT

    year: Phrases
    month: Phrases
    day: Phrases
    hour: Phrases
    minute: Phrases
    second: Phrases
    half: Phrases
    sharp: Phrases


class DayHalves(BaseModel):
    """What tells 3 from 15 o'clock."""

    model_config = _STRICT

    morning: Phrases
    afternoon: Phrases


class KeyContext(BaseModel):
    """The units of keys that mean other things elsewhere: one choice of `when` has all its words around them."""

    model_config = _STRICT

    when: SomePhrases
    units: Annotated[dict[Phrase, Phrase], Field(min_length=1)]


class MeasureWords(BaseModel):
    """What turns written values into comparable ones; the file says beside each list what it holds."""

    model_config = _STRICT

    version: int = Field(ge=1)
    measures: SomePhrases
    units: Annotated[tuple[Unit, ...], Field(min_length=1)]
    unit_exceptions: Phrases
    classifiers: Phrases
    countables: Phrases
    english_digits: Numbers
    english_magnitudes: Numbers
    letter_magnitudes: Numbers
    english_parts: Numbers
    english_vague: dict[Phrase, tuple[Number, Number]]
    pronoun_barriers: Phrases
    articles: Phrases
    pronoun_ends: Phrases
    halves: Phrases
    and_words: Phrases
    article_units: Phrases
    chinese_digits: Numbers
    chinese_magnitudes: Numbers
    chinese_halves: Phrases
    chinese_vague: Phrases
    numeral_exceptions: Phrases
    one_before: Phrases
    counted_ends: Phrases
    percent_before: Numbers
    fraction_word: Phrase
    half_share: Phrases
    share_before: Phrases
    comparators: tuple[Comparator, ...]
    negators: Phrases
    comparator_exceptions: Phrases
    fillers: Phrases
    references: Phrases
    ranges: RangeWords
    rates: RateWords
    months: dict[Phrase, Annotated[int, Field(ge=1, le=12)]]
    chinese_date: ChineseDate
    day_halves: DayHalves
    day_parts: dict[Phrase, tuple[Annotated[int, Field(ge=0, le=24)], Annotated[int, Field(ge=1, le=36)]]]
    zones: dict[Phrase, Annotated[int, Field(ge=-840, le=840)]]
    shared_zones: Phrases
    date_joiners: Phrases
    instant_bounds: tuple[InstantBound, ...]
    key_units: dict[Phrase, Phrase]
    key_whole: dict[Phrase, Phrase]
    key_decimal: dict[Phrase, Phrase]
    key_last: dict[Phrase, Phrase]
    key_parallel: Phrases
    key_plain: Phrases
    key_contexts: tuple[KeyContext, ...]
    sample_keys: Phrases
    key_counts: Phrases
    key_ratios: Phrases
    key_fractions: Phrases
    key_instants: Phrases
    key_durations: Phrases
    key_cpu: Phrases
    key_memory: Phrases

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Refuses what a reader could only guess at: a spelling of two units, a measure or unit that is not listed."""
        problems = [*_unit_problems(self.measures, self.units)]
        problems += _side_problems("comparators", self.comparators)
        problems += _side_problems("instant_bounds", self.instant_bounds)
        spellings = {spelling for unit in self.units for _, spelling in _spellings(unit)}
        for name in ("key_units", "key_whole", "key_decimal", "key_last"):
            for key, unit in getattr(self, name).items():
                if unit not in spellings:
                    problems.append(_problem((name, key), f'"{unit}" is no spelling of any unit', unit))
        for at, context in enumerate(self.key_contexts):
            for key, unit in context.units.items():
                if unit not in spellings:
                    problems.append(_problem(("key_contexts", at, key), f'"{unit}" is no spelling of any unit', unit))
        if problems:
            raise ValidationError.from_exception_data(type(self).__name__, problems)
        return self


def _problem(loc: _Loc, message: str, value: str) -> InitErrorDetails:
    return {"type": PydanticCustomError("value_error", "{error}", {"error": message}), "loc": loc, "input": value}


def _spellings(unit: Unit) -> Iterable[tuple[_Loc, str]]:
    for name in ("symbols", "words", "chinese", "before"):
        for at, spelling in enumerate(getattr(unit, name)):
            yield (name, at), spelling


def _unit_problems(measures: Sequence[str], units: Sequence[Unit]) -> Iterable[InitErrorDetails]:
    seen: dict[str, str] = {}
    for at, unit in enumerate(units):
        if unit.measure not in measures:
            yield _problem(("units", at, "measure"), f'"{unit.measure}" is none of measures', unit.measure)
        if not Decimal(unit.factor):
            yield _problem(("units", at, "factor"), "must not be 0", unit.factor)
        for loc, spelling in _spellings(unit):
            if spelling in seen:
                yield _problem(("units", at, *loc), f'"{spelling}" is a spelling of {seen[spelling]} already', spelling)
            seen.setdefault(spelling, f"a unit of {unit.measure}")


def _side_problems(name: str, groups: Sequence[Comparator | InstantBound]) -> Iterable[InitErrorDetails]:
    for side in ("before", "after"):
        seen: dict[str, str] = {}
        for at, group in enumerate(groups):
            for place, phrase in enumerate(getattr(group, side)):
                if phrase in seen:
                    message = f'"{phrase}" is one of {seen[phrase]} already'
                    yield _problem((name, at, side, place), message, phrase)
                seen.setdefault(phrase, group.kind)
