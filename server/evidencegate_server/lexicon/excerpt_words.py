"""Holds the words that decide whether a quotation is whole: what negates, compares, measures, or says nothing."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from evidencegate_server.lexicon.written import word, words

Phrases = Annotated[tuple[str, ...], words(word(r"^\S(?:.*\S)?$"), at_least=1)]
"""Words, or several with one space between them as one."""

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


class EnglishPolarity(BaseModel):
    """English words, in lower case.

    `negators` turn what follows round; words on `n't` are always among them. `line_negators` do so only inside one
    line, since at a line's end they are values (`Full_scan: No`). `openers` hold off what follows when it is a verb on
    -ing (`failed connecting`). Between `absences` and what they deny one further word may stand, none of the `bars`.
    `carriers` may stand between a negator and what it negates; words on -ly always may, words on -ing unless one of
    `reasons` follows, `steps` only right behind it. A negator before one of `alternatives` denies what stands behind
    that one too. `inversions` are conditions where a clause begins with them.
    `conditions` make their whole clause conditional. `auxiliaries` have a following `not` inside their verb.
    `double_negations` are no negation. A 0 behind one of `count_cues` counts what follows. `near` words say that
    something was nearly so.
    """

    model_config = _STRICT

    negators: Phrases
    line_negators: Phrases
    openers: Phrases
    absences: Phrases
    bars: Phrases
    carriers: Phrases
    steps: Phrases
    reasons: Phrases
    alternatives: Phrases
    inversions: Phrases
    conditions: Phrases
    auxiliaries: Phrases
    double_negations: Phrases
    count_cues: Phrases
    near: Phrases


class ChinesePolarity(BaseModel):
    """Chinese words, longest match first.

    `exceptions` hold a negator's character and negate nothing. `carriers` may stand between a negator and what it
    negates, behind one of `prefixes` only `prefix_carriers`; between `absences` and what they deny two characters of
    any kind may. `conditions` come before what they make conditional, `conditions_after` behind it,
    `leading_conditions` right before it where their clause begins. `after` stand behind what they deny (磁盘写入失败),
    `after_closed` only where their clause ends.
    """

    model_config = _STRICT

    negators: Phrases
    exceptions: Phrases
    absences: Phrases
    carriers: Phrases
    prefixes: Phrases
    prefix_carriers: Phrases
    conditions: Phrases
    leading_conditions: Phrases
    condition_exceptions: Phrases
    conditions_after: Phrases
    after: Phrases
    after_closed: Phrases


class DenyingValues(BaseModel):
    """Values that deny their key.

    `words` deny it with or without a separator between, `separated` only behind one, `closed` only behind one and
    where nothing follows (`connect: no route to host` denies nothing). `chinese` deny it behind a separator,
    `chinese_bare` without one as well. `separators` are words that stand for a colon. `json_keys` name JSON values that
    do not hold, and where one of `json_flags` is false, the value behind it does not.
    """

    model_config = _STRICT

    words: Phrases
    separated: Phrases
    closed: Phrases
    chinese: Phrases
    chinese_bare: Phrases
    separators: Phrases
    json_keys: Phrases
    json_flags: Phrases


class PolarityWords(BaseModel):
    """What turns a statement round or makes it conditional."""

    model_config = _STRICT

    version: int = Field(ge=1)
    english: EnglishPolarity
    chinese: ChinesePolarity
    values: DenyingValues


class UnitWords(BaseModel):
    """What measures a number.

    `symbols` differ by letter case (m and M) and may lose the space before them. `words` are read in any case.
    `chinese` units stand right behind the number, unless they begin one of `chinese_exceptions` (日志 is no day).
    `magnitudes` multiply the number. `signs` are signs such as the percent sign.
    `currencies` stand before or behind the number. `durations` follow each other in one length of time
    (1h 30m), `dates` in one date (5月1日).
    """

    model_config = _STRICT

    version: int = Field(ge=1)
    symbols: Phrases
    words: Phrases
    chinese: Phrases
    chinese_exceptions: Phrases
    magnitudes: Phrases
    signs: Phrases
    currencies: Phrases
    durations: Phrases
    dates: Phrases


class ComparatorWords(BaseModel):
    """What makes a number a bound.

    `before` and `chinese_before` stand before the number, `after` and `chinese_after` behind it, `symbols` are signs
    before it, `ranges` stand between the two ends of a range. `gap` words compare wherever an omission hides them,
    with a number beside them or not. `numbers` are numbers in words; behind `connectives` a clause goes on with the
    subject of the one before.
    """

    model_config = _STRICT

    version: int = Field(ge=1)
    symbols: Phrases
    before: Phrases
    after: Phrases
    chinese_before: Phrases
    chinese_after: Phrases
    ranges: Phrases
    gap: Phrases
    numbers: Phrases
    connectives: Phrases


class FunctionWords(BaseModel):
    """Words that any text has: alone they prove nothing. `chinese` are taken out longest first."""

    model_config = _STRICT

    version: int = Field(ge=1)
    english: Phrases
    chinese: Phrases
