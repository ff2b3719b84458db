"""Holds how tools lay out what they print: the columns of rows without a header, and words that mark a line's kind."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from evidencegate_server.lexicon.written import word, words

_NAME = word(r"^\S(?:.*\S)?$")

Name = Annotated[str, _NAME]
LowerWords = Annotated[tuple[str, ...], words(word(r"^[^\sA-Z]+$"))]
LowerPhrases = Annotated[tuple[str, ...], words(word(r"^[^\sA-Z](?:[^A-Z\n\t]*[^\sA-Z])?$"))]
Shape = Annotated[str, Field(min_length=1, max_length=200)]

# What is taken out of a regular expression before its repetitions are looked at: escaped signs, and sets of signs.
_NO_REPETITION = re.compile(r"\\.|\[\^?\]?[^\]]*\]")
# A repetition without an upper bound, which makes a search over a long line quadratic.
_UNBOUNDED = re.compile(r"[*+]|\{\d*,\}")
_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


def _compiled(shape: str) -> re.Pattern[str]:
    try:
        return re.compile(shape)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from error


class Separation(StrEnum):
    """What stands between the columns of a row."""

    GAP = "gap"  # two blanks or a tab; a value may hold single blanks
    BLANK = "blank"  # any blanks, except inside quotes and brackets


class RowColumn(BaseModel):
    """A column: its name, and a regular expression for the whole value where the format fixes one."""

    model_config = _STRICT

    name: Name
    shape: Shape = ""
    optional: bool = False

    @field_validator("shape")
    @classmethod
    def _compiles(cls, shape: str) -> str:
        pattern = _compiled(shape)
        if pattern.groups:
            raise ValueError("has a capturing group; write (?:...)")
        return shape


class RowFormat(BaseModel):
    """A row that a tool prints without a header. `rest` is the column that takes what is left of the line."""

    model_config = _STRICT

    name: Name
    separation: Annotated[Separation, Field(strict=False)]
    columns: Annotated[tuple[RowColumn, ...], Field(min_length=2)]
    rest: str = ""


class SplitColumn(BaseModel):
    """A header whose values are several, joined by slashes: what each of them is."""

    model_config = _STRICT

    header: Name
    parts: Annotated[tuple[str, ...], words(_NAME, at_least=2)]


class MessageFormat(BaseModel):
    """A message that a tool always words alike, with the values in it under names of their own.

    `has` is a stretch that each such message has. `shape` is a regular expression for the part with the values: each
    named group is a value, and its name is what the value goes by, unit and all (`_ms`, `_bytes`).
    """

    model_config = _STRICT

    tool: Name
    has: Annotated[str, word(r"^[^\n]*\S[^\n]*$", shortest=2)]
    shape: Annotated[str, Field(min_length=1, max_length=400)]

    @field_validator("shape")
    @classmethod
    def _is_bounded(cls, shape: str) -> str:
        pattern = _compiled(shape)
        if not pattern.groupindex or len(pattern.groupindex) != pattern.groups:
            raise ValueError("names each group that captures, and has one at least: (?P<key>...)")
        if _UNBOUNDED.search(_NO_REPETITION.sub("_", shape)) is not None:
            raise ValueError("may run on without an end; write how often at most: {1,40} for + and {0,40} for *")
        return shape


class FormatWords(BaseModel):
    """The layouts that records are read by.

    `commands` are programs whose call on a line of its own is a heading for what they print. `rest_columns` are last
    headers, in lower case, whose values may hold blanks. `speakers` stand before a colon and make no key of what
    follows (`error: ...`). `connectors` beside a value name nothing. `rows` are tried in order. Of `messages` all are
    looked for, and of two values that share a character the one that begins first counts.
    """

    model_config = _STRICT

    version: int = Field(ge=1)
    commands: LowerWords
    rest_columns: LowerWords
    speakers: LowerPhrases
    connectors: LowerWords
    levels: LowerWords
    split_columns: tuple[SplitColumn, ...]
    rows: tuple[RowFormat, ...]
    messages: tuple[MessageFormat, ...]
