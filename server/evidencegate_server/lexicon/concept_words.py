"""Holds what the judge's words mean: concepts in both languages, and what tools' columns and idioms stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, model_validator

from evidencegate_server.lexicon.written import word, words

NOT: Final = "not"
"""Stands among the concepts of a compound, column or link for the denial of those behind it."""

TRAITS: Final = (
    "light",
    "free",
    "neutral",
    "generic",
    "resource",
    "setting",
    "directed",
    "identifying",
    "lasting",
    "titling",
    "allotted",
    "naming",
    "gradual",
    "telling",
)
"""How a concept counts for the judge beside its kind.

- `light` words say little (verbs like occur, nouns like pod), so that leaving them unwitnessed costs little; `free`
  ones (current, measured) cost nothing.
- A figure may be of a `neutral` statistic without the claim's saying so (total, last).
- A `generic` attribute goes with any other (ratio, count); a `resource` is what is mixed up most easily (memory, disk).
- A `setting` is set and not measured (timeout); a `lasting` figure says for how long something has been so (age).
- A `directed` word holds one way: A waits for B is not B waits for A.
- The figure of an `identifying` concept is a name (process ID, port).
- A field with a `naming` key (a variable, a metric) says what the field called value beside it is.
- A `telling` word says that something is given (known, recorded): where it is denied, what is not given is.
- A `gradual` state behind a share is what the share is of, and no state (96% full).
- An `allotted` statistic is one of a resource (256Mi requested); elsewhere its word means something else (a request).
- A field with a `titling` key says what the figures beside it are of (the name of an alert).
"""

_MAX_FAULTS: Final = 20  # more are not read


def _written(item: str, joint: str, words: str) -> Callable[[object], tuple[str, ...]]:
    """Returns a validator for texts that match the pattern `item`, in one text with `joint` between them."""
    whole = re.compile(f"(?:{item})(?:{re.escape(joint)}(?:{item}))*")

    def read(value: object) -> tuple[str, ...]:
        text = joint.join(value) if isinstance(value, tuple) else value
        if not isinstance(text, str):
            raise ValueError(f"must be {words}")
        if whole.fullmatch(text) is None:
            raise ValueError(f'must be {words}, not "{text}"')
        return tuple(text.split(joint))

    return read


_NAME: Final = "[a-z][a-z0-9_]*"
_ENGLISH: Final = "[a-z0-9.]+(?: [a-z0-9.]+)*"
_CHINESE: Final = "[\u3400-\u9fff]{1,8}"

# In a file several names or terms stand in one text: as lists, they take twice the time to load.
Name = Annotated[str, word(f"^{_NAME}$", longest=40)]
Names = Annotated[tuple[str, ...], PlainValidator(_written(_NAME, " ", "names with one space between"))]
EnglishTerms = Annotated[
    tuple[str, ...],
    PlainValidator(_written(_ENGLISH, " | ", 'terms in lower case, without hyphens, with " | " between')),
]
ChineseTerms = Annotated[
    tuple[str, ...],
    PlainValidator(_written(_CHINESE, " | ", 'terms of one to eight Chinese characters, with " | " between')),
]
Traits = Annotated[
    tuple[str, ...],
    PlainValidator(_written("|".join(TRAITS), " ", f"some of {', '.join(TRAITS)} with one space between")),
]
_TEXT = word(r"^\S(?:.*\S)?$")
Text = Annotated[str, _TEXT]
Texts = Annotated[tuple[str, ...], words(_TEXT)]

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

    `en` in lower case, words with single spaces, no need for plurals and forms on -ed and -ing; `zh` has Chinese
    characters only. `opposite` are concepts that cannot hold of the same thing at the same time, `excludes` those
    that are another kind of the same quantity, `akin` those that tools call by each other's names (limit and quota),
    `implies` those that hold wherever this one does. All but `implies` hold both ways, whichever side names them.
    `traits` are some of TRAITS.
    """

    model_config = _STRICT

    kind: ConceptKind
    en: EnglishTerms = ()
    zh: ChineseTerms = ()
    opposite: Names = ()
    excludes: Names = ()
    akin: Names = ()
    implies: Names = ()
    traits: Traits = ()


class Columns(BaseModel):
    """What the columns and fields of one tool mean, as concepts; `names` keep the tool's letter case.

    The meanings hold only beside `beside` of the tool's other names (`id` is idle time only near `us` and `sy`): that
    many further names of the list must head the same table or stand in the same record.
    """

    model_config = _STRICT

    beside: int = Field(ge=0, le=5)
    names: Mapping[Text, Names]


LinkLabel = Literal["stated", "usual"]
"""How strong a convention is: `stated` is fixed by the format, `usual` is what it mostly means."""

LinkForm = Literal["fewer", "equal", "zero", "positive", "empty", "beyond"]
"""A shape of a value instead of its words.

`fewer` is x/y with x below y, `equal` x/y with x equal to y and neither 0, `empty` nothing, `-`, `<none>`, `(none)` or
`[]`; `beyond` has a share of more than 100 % in brackets: `2600m (130%)`.
"""


class Link(BaseModel):
    """An idiom of a tool and what a claim may call it.

    A record is witness of all concepts of `claim` where one of `texts` stands in it, and one of `near` as well unless
    that is empty. `texts` and `near` keep their letter case and begin and end at a word's edge. With `form` it is the
    value of one of the `columns` that must have that form; a column's letter case does not matter.
    """

    model_config = _STRICT

    claim: Names
    texts: Texts = ()
    near: Texts = ()
    columns: Texts = ()
    form: LinkForm | None = None
    cells: tuple[Text, ...] = ()
    label: LinkLabel

    @model_validator(mode="after")
    def _has_one_witness(self) -> Link:
        if bool(self.texts) == bool(self.columns) or bool(self.columns) != (
            bool(self.cells) != (self.form is not None)
        ):
            raise ValueError("must have either texts, or columns with a form or cells")
        if self.near and not self.texts:
            raise ValueError("near belongs to texts")
        return self


class Bond(BaseModel):
    """How a tool shows that one thing depends on another: a replica on its source, a waiter on who holds its lock.

    `lower` are the concepts of a clause whose subject depends on the other, `upper` those whose subject is depended on.
    One of `keys` names the upper end, for the record that it stands in or, with `of`, for what those fields name. With
    `same` the upper end is the record that has the same ID in one of those fields. With `label` a record of that label
    is the upper end of those that it stands in; `named` is the field that names them.
    A `causal` one is told by words of cause as well.
    """

    model_config = _STRICT

    lower: Names
    upper: Names
    keys: tuple[Text, ...] = ()
    of: tuple[Text, ...] = ()
    same: tuple[Text, ...] = ()
    label: str = Field(default="", max_length=64)
    named: str = Field(default="", max_length=64)
    causal: bool = False

    @model_validator(mode="after")
    def _has_one_way(self) -> Bond:
        if bool(self.keys) == bool(self.label):
            raise ValueError("must have either keys or a label")
        if (self.of or self.same) and not self.keys:
            raise ValueError("of and same belong to keys")
        return self


class Outcome(BaseModel):
    """What usually follows from what: where one of `shown` is shown, a hedged claim may conclude on any of `likely`.

    NOT denies the one behind it (not ready). Neither is proof of the other: a claim without a hedge needs a witness.
    """

    model_config = _STRICT

    shown: Names
    likely: Names


class ConceptWords(BaseModel):
    """The concepts by name, and what stands for several at once.

    `compounds` are terms of either language that stand for several concepts (使用率: usage and ratio); NOT among them
    denies those behind it. A term belongs to one concept of a kind, or is a compound, and never both.
    """

    model_config = _STRICT

    version: int = Field(ge=1)
    concepts: Mapping[Name, Concept]
    compounds: Mapping[Text, Names]
    columns: Mapping[Name, Columns]
    links: tuple[Link, ...]
    bonds: tuple[Bond, ...] = ()
    outcomes: tuple[Outcome, ...] = ()

    def having(self, trait: str) -> frozenset[str]:
        """Returns the names of the concepts that have a trait."""
        return frozenset(name for name, concept in self.concepts.items() if trait in concept.traits)

    @model_validator(mode="after")
    def _fits_together(self) -> ConceptWords:
        faults = [
            *self._unknown_names(),
            *self._torn_concepts(),
            *self._repeated_terms(),
            *self._unreadable_compounds(),
        ]
        if faults:
            raise ValueError("; ".join(faults[:_MAX_FAULTS]))
        return self

    def _unknown_names(self) -> Iterator[str]:
        known = {*self.concepts}
        for name, concept in self.concepts.items():
            for key, others in _references(concept):
                yield from _unknown(f"concepts.{name}.{key}", others, known)
                if name in others:
                    yield f"concepts.{name}.{key}: names the concept itself"
        known.add(NOT)
        for term, parts in self.compounds.items():
            yield from _unknown(f"compounds.{term}", parts, known)
        for tool, columns in self.columns.items():
            for column, parts in columns.names.items():
                if not known.issuperset(parts):
                    yield from _unknown(f"columns.{tool}.names.{column}", parts, known)
        for at, link in enumerate(self.links):
            yield from _unknown(f"links[{at}].claim", link.claim, known)
        for at, bond in enumerate(self.bonds):
            yield from _unknown(f"bonds[{at}].lower", bond.lower, known)
            yield from _unknown(f"bonds[{at}].upper", bond.upper, known)
        yield from self._unknown_outcomes(known)

    def _unknown_outcomes(self, known: set[str]) -> Iterator[str]:
        for at, outcome in enumerate(self.outcomes):
            yield from _unknown(f"outcomes[{at}].shown", outcome.shown, known)
            yield from _unknown(f"outcomes[{at}].likely", outcome.likely, known)

    def _torn_concepts(self) -> Iterator[str]:
        for name, concept in self.concepts.items():
            for other in concept.akin:
                excluded = self.concepts[other].excludes if other in self.concepts else ()
                if other in concept.excludes or name in excluded:
                    yield f'concepts.{name}.akin: "{other}" is excluded as well'
            if len({*concept.traits}) < len(concept.traits):
                yield f"concepts.{name}.traits: one stands there twice"

    def _repeated_terms(self) -> Iterator[str]:
        if NOT in self.concepts:
            yield f"concepts.{NOT}: the name is kept for denial"
        owners: dict[str, dict[str, str]] = {}
        compounds = self.compounds.keys()
        for name, concept in self.concepts.items():
            of_kind = owners.setdefault(concept.kind, {})
            for key, terms in (("en", concept.en), ("zh", concept.zh)):
                for term in terms:
                    owner = of_kind.get(term)
                    if owner is not None:
                        yield f'concepts.{name}.{key}: "{term}" is a term of concepts.{owner} already'
                    of_kind[term] = name
                if not compounds.isdisjoint(terms):
                    yield f"concepts.{name}.{key}: one of the terms stands under compounds already"

    def _unreadable_compounds(self) -> Iterator[str]:
        for term in self.compounds:
            if re.fullmatch(f"{_ENGLISH}|{_CHINESE}", term) is None:
                yield f"compounds.{term}: must be lower-case words without hyphens, or one to eight Chinese characters"


def _references(concept: Concept) -> Iterator[tuple[str, tuple[str, ...]]]:
    if concept.opposite:
        yield "opposite", concept.opposite
    if concept.excludes:
        yield "excludes", concept.excludes
    if concept.akin:
        yield "akin", concept.akin
    if concept.implies:
        yield "implies", concept.implies


def _unknown(path: str, names: tuple[str, ...], known: set[str]) -> list[str]:
    if known.issuperset(names):
        return []
    return [f'{path}: there is no concept "{name}"' for name in names if name not in known]
