"""Holds the words that the judge knows: which tokens name a machine's things, and which only look so."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from evidencegate_server.lexicon.written import word, words

_LOWER = word(r"^[^\sA-Z]+$")

Words = Annotated[tuple[str, ...], words(word(r"^\S+$"))]
Phrases = Annotated[tuple[str, ...], words(word(r"^[^\sA-Z](?:[^A-Z\n\t]*[^\sA-Z])?$"))]
LowerWord = Annotated[str, _LOWER]
LowerWords = Annotated[tuple[str, ...], words(_LOWER)]


class IdentifierAlias(BaseModel):
    """The phrases that say the same as an identifier: where one of them occurs, the identifier is not made up."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: LowerWord
    phrases: Phrases


class IdentifierWords(BaseModel):
    """The words by which machine identifiers are told from ordinary terms. All but `errno_names` in lower case.

    `common_terms` are names of products, formats and conventions that a claim may use without the evidence having them.
    `errno_names` are error names that are identifiers though they are plain capital words. `counted_nouns` make no
    identifier with a number after them (`tier-1`). `name_endings` end the hyphenated name of a component
    (`order-service`), unless one of `ordinary_openers` is before them (`self-service`). `type_endings` end the name of
    a class or event in camel case. `code_cues` stand before a bare code (`SQLSTATE 42P01`). `file_endings` end a file
    name. `aliases` are other ways in which tools write an identifier.

    A hyphenated name that begins with one of the `environments` is a component (`prod-mail`), unless one of the
    `compound_endings` ends it (`prod-like`). `resource_kinds` stand with a slash before a name (`ns/prod-mail`). A long
    number before one of the `measured_nouns` is a quantity and no ID. `field_words` are what the path of a field or a
    name in camel case adds to the words of the evidence (`spec`, `count`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int = Field(ge=1)
    common_terms: LowerWords
    errno_names: Words
    counted_nouns: LowerWords
    name_endings: LowerWords
    ordinary_openers: LowerWords
    type_endings: LowerWords
    code_cues: LowerWords
    file_endings: LowerWords
    environments: LowerWords
    compound_endings: LowerWords
    resource_kinds: LowerWords
    measured_nouns: LowerWords
    field_words: LowerWords
    aliases: tuple[IdentifierAlias, ...]


class StatementWords(BaseModel):
    """The words that carry no fact, and those that change one. All but `units` in lower case.

    `framing` opens a claim without adding to it (`the log shows that`). `copulas` join an attribute with its value
    (`is`, `为`). `levels` are the severities of log lines. A number with one of the `units` after it is a quantity,
    which another number contradicts; letter case tells units apart. `ordinal_nouns` are followed by a number that
    names one of many (`attempt 3`), which no other number contradicts. `qualifiers` make a value another claim than the
    bare one: hedges, comparators, negations, quantifiers. A point after one of the `abbreviations` ends no sentence.

    `doubts` and `expectations` beside or above a clause can turn it round or make it no observation; the latter do so
    as the value of a field too (`mode: dry-run`). `neutral_headings` add nothing to the lines below them, and the
    children of `member_headings` are names.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int = Field(ge=1)
    framing: Phrases
    copulas: LowerWords
    levels: LowerWords
    units: Words
    ordinal_nouns: LowerWords
    qualifiers: Phrases
    abbreviations: LowerWords
    doubts: Phrases
    expectations: Phrases
    neutral_headings: Phrases
    member_headings: Phrases
