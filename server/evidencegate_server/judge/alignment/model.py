"""Holds how the facts of a claim stand beside the evidence."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import Clause

BY_CONTRARY: Final = "its contrary is denied"
"""Why a state stands where the evidence denies what cannot be so beside it (insufficient: not enough)."""
BY_OUTCOME: Final = "what came of it is said there"
"""Why an event stands that a state tells: what is started did start."""
BY_FIELD: Final = "its field says so"
"""Why a state or a denial stands that a yes, a no or a count tells."""
BY_OPPOSITE: Final = "the opposite is stated"
"""Why a denial stands where the evidence has the opposite of what is denied."""
NAMED: Final = "named there"
"""Why a machine's name stands, in contrast to a word that is the value of a field."""

NUMBERED: Final = "numbered there"
"""The same for a number that something goes by."""


ELSEWHERE: Final = "named elsewhere"
"""Why a machine's name does not stand that the evidence has of something else."""

IN_SERIES: Final = "in the series"
"""Why a figure stands that a change goes from or to; its place is that of the change."""

ANOTHER_LINE: Final = "on another line"
"""Why what a clause names together is doubted: the evidence has it in two rows or lines."""


class Standing(StrEnum):
    """How one fact of a claim stands beside the evidence."""

    STATED = "stated"
    DERIVABLE = "derivable"
    PART = "part"  # a smaller or weaker fact is there
    SILENT = "silent"  # the evidence has what is spoken of, and does not say this of it
    FOREIGN = "foreign"  # the evidence lacks it altogether
    IN_CONFLICT = "in_conflict"


HELD: Final = frozenset({Standing.STATED, Standing.DERIVABLE})
"""How a fact stands that the evidence bears out."""


class FactKind(StrEnum):
    """What a fact is about, which decides how much it weighs."""

    NAME = "name"
    VALUE = "value"
    STATE = "state"
    WORD = "word"  # what a record may show without a word for it
    DENIAL = "denial"
    SCOPE = "scope"  # all, only, always, since, the highest: what reaches beyond one record
    CAUSE = "cause"
    ORDER = "order"  # who did it to whom, what came first


@record
class Fact:
    """One fact of a claim: `start` to `end` of its text, how it stands, and the place that decides.

    `why` is for people. `weight` is what a word that nothing witnesses counts against its claim.
    """

    kind: FactKind
    standing: Standing
    start: int
    end: int
    why: str
    place: Place | None = None
    weight: float = 1.0


LIGHT: Final = 0.25
"""What a word that says little counts against its claim where nothing witnesses it."""

FIGURE: Final = 0.4
"""What a word for a figure (latency, rate) counts against its claim: a figure beside it makes up for it."""


@record
class ClauseAlignment:
    """A clause with the record that it tells of (-1 for none) and its facts."""

    clause: Clause
    anchor: int
    facts: tuple[Fact, ...]
