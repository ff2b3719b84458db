"""Holds what the judge's words mean: concepts in both languages, and what tools' columns and idioms stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Name = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[a-z][a-z0-9_]*$")]
EnglishTerm = Annotated[str, StringConstraints(max_length=40, pattern=r"^[a-z0-9.]+(?: [a-z0-9.]+)*$")]
ChineseTerm = Annotated[str, StringConstraints(max_length=8, pattern=r"^[\u3400-\u9fff]+$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^\S(?:.*\S)?$")]

NOT: Final = "not"
"""Stands among the concepts of a compound or link for the denial of those behind it."""

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


ConceptKind = Literal["thing", "attribute", "statistic", "state", "event", "side", "name", "soft"]
"""What a concept is in a statement.

A `thing` is what something is told of (pod, queue), an `attribute` what is measured or set (memory, latency), a
`statistic` which value of it (maximum, limit), a `state` how something is (running, full), an `event` what happened
(restart, write), a `side` one of two ends that must not be swapped (source and target, user and system), a `name` a
product or protocol; `soft` words add no fact.
"""


class Concept(BaseModel):
    """One meaning and the terms for it.

    `en` in lower case, words with single spaces, no need for plurals and forms on -ed and -ing; `zh` as written, Latin
    letters in lower case. `opposite` are concepts that cannot hold of the same thing at the same time, `excludes` those
    that are another kind of the same quantity, `implies` those that hold wherever this one does. `opposite` and
    `excludes` hold both ways, whichever side names them.
    """

    model_config = _STRICT

    kind: ConceptKind
    en: tuple[EnglishTerm, ...] = ()
    zh: tuple[ChineseTerm, ...] = ()
    opposite: tuple[Name, ...] = ()
    excludes: tuple[Name, ...] = ()
    implies: tuple[Name, ...] = ()


class Columns(BaseModel):
    """What the columns and fields of one tool mean, as concepts; `names` keep the tool's letter case.

    The meanings hold only beside `beside` of the tool's other names (`id` is idle time only near `us` and `sy`): that
    many further names of the list must head the same table or stand in the same record.
    """

    model_config = _STRICT

    beside: int = Field(ge=0, le=5)
    names: Mapping[Text, tuple[Name, ...]]


LinkLabel = Literal["stated", "usual"]
"""How strong a convention is: `stated` is fixed by the format, `usual` is what it mostly means."""

LinkForm = Literal["fewer", "equal", "zero", "positive", "empty"]
"""A shape of a value instead of its words.

`fewer` is x/y with x below y, `equal` x/y with x equal to y and neither 0, `empty` nothing, `-`, `<none>`, `(none)` or
`[]`.
"""


class Link(BaseModel):
    """An idiom of a tool and what a claim may call it.

    A record is witness of all concepts of `claim` where one of `texts` stands in it, and one of `near` as well unless
    that is empty. `texts` and `near` keep their letter case and begin and end at a word's edge. With `form` it is the
    value of one of the `columns` that must have that form; a column's letter case does not matter.
    """

    model_config = _STRICT

    claim: tuple[Name, ...] = Field(min_length=1)
    texts: tuple[Text, ...] = ()
    near: tuple[Text, ...] = ()
    columns: tuple[Text, ...] = ()
    form: LinkForm | None = None
    label: LinkLabel

    @model_validator(mode="after")
    def _has_one_witness(self) -> Link:
        if bool(self.texts) == bool(self.columns) or bool(self.columns) != (self.form is not None):
            raise ValueError("must have either texts, or columns with a form")
        return self


class ConceptWords(BaseModel):
    """The concepts by name, and what stands for several at once.

    `compounds` are terms of either language that stand for several concepts (使用率: usage and ratio); NOT among them
    denies those behind it. A term belongs to one concept of a kind, or is a compound, and never both.
    """

    model_config = _STRICT

    version: int = Field(ge=1)
    concepts: Mapping[Name, Concept]
    compounds: Mapping[Text, tuple[Name, ...]]
    columns: Mapping[Name, Columns]
    links: tuple[Link, ...]

    @model_validator(mode="after")
    def _fits_together(self) -> ConceptWords:
        faults = [*self._unknown_names(), *self._repeated_terms()]
        if faults:
            raise ValueError("; ".join(faults[:_MAX_FAULTS]))
        return self

    def _unknown_names(self) -> Iterator[str]:
        known = {*self.concepts}
        for name, concept in self.concepts.items():
            for key in ("opposite", "excludes", "implies"):
                yield from _unknown(f"concepts.{name}.{key}", getattr(concept, key), known)
                if name in getattr(concept, key):
                    yield f"concepts.{name}.{key}: names the concept itself"
        known.add(NOT)
        for term, parts in self.compounds.items():
            yield from _unknown(f"compounds.{term}", parts, known)
        for tool, columns in self.columns.items():
            for column, parts in columns.names.items():
                yield from _unknown(f"columns.{tool}.names.{column}", parts, known)
        for at, link in enumerate(self.links):
            yield from _unknown(f"links[{at}].claim", link.claim, known)

    def _repeated_terms(self) -> Iterator[str]:
        if NOT in self.concepts:
            yield f"concepts.{NOT}: the name is kept for denial"
        owners: dict[tuple[ConceptKind, str], str] = {}
        for name, concept in self.concepts.items():
            for language in ("en", "zh"):
                for term in getattr(concept, language):
                    owner = owners.setdefault((concept.kind, term), name)
                    if owner != name:
                        yield f'concepts.{name}.{language}: "{term}" is a term of concepts.{owner} already'
                    if term in self.compounds:
                        yield f'concepts.{name}.{language}: "{term}" is one of compounds already'


_MAX_FAULTS: Final = 20  # more are not read


def _unknown(path: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in known:
            yield f'{path}: there is no concept "{name}"'
