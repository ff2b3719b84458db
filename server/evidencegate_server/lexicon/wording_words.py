"""Holds the words that change what a claim says of a fact: denial, doubt, cause, order, quantity, time, comparison."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from evidencegate_server.lexicon.written import word, words

_Listed = Annotated[tuple[str, ...], words(word(r"^[^\sA-Z](?:[^A-Z\n\t]*[^\sA-Z])?$", longest=40))]

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


class Terms(BaseModel):
    """English terms in lower case, matched as whole words, and Chinese terms. The longest term at a place counts."""

    model_config = _STRICT

    en: _Listed = ()
    zh: _Listed = ()


class Negation(BaseModel):
    """What denies.

    `before` deny what follows in their clause, `after` what stands right before them (`errors: none`). `verbs` deny an
    outcome and are verbs themselves (failed to). `affirming` are two denials that affirm. `exceptions` hold a negator's
    letters and deny nothing. Words on n't are always negators.
    """

    model_config = _STRICT

    before: Terms
    after: Terms
    verbs: Terms
    affirming: Terms
    exceptions: Terms


class Cause(BaseModel):
    """What joins a cause with its effect.

    The cause stands before `forward` words (A led to B) and behind `backward` ones (B because of A). `openers` begin
    a clause that is the cause of a later one or of the one before (由于 A，B). `related` words claim no more than
    a connection. `heads` name the cause itself (the root cause is A).
    """

    model_config = _STRICT

    forward: Terms
    backward: Terms
    openers: Terms
    related: Terms
    heads: Terms


class Order(BaseModel):
    """What puts events in order.

    English `after` and `before` govern what follows them, Chinese ones what stands before them. `then` words stand
    before the later of two events, `first` words before the earlier; `initially` is where a series begins. `precedes`
    and `follows` words stand between two, of which the first was the earlier, or the later. `during` words put one
    inside the other, and `together` words claim the same time.
    """

    model_config = _STRICT

    after: Terms
    before: Terms
    then: Terms
    first: Terms
    initially: Terms
    precedes: Terms
    follows: Terms
    during: Terms
    together: Terms


class Quantifiers(BaseModel):
    """How many of a set, how often. `exceptions` hold such a word's letters and count nothing (平均 is no 均)."""

    model_config = _STRICT

    all: Terms
    each: Terms
    both: Terms
    any: Terms
    none: Terms
    some: Terms
    most: Terms
    few: Terms
    half: Terms
    only: Terms
    other: Terms
    always: Terms
    never: Terms
    sometimes: Terms
    once: Terms
    whole: Terms
    at_same_rank: Terms
    exceptions: Terms


class Comparison(BaseModel):
    """What compares two things, or one with all others.

    `highest` and `lowest` claim the extreme of a set; `greater`, `less`, `equal` compare with what follows;
    `than` is the joint. `extreme_pairs` are both at once.
    """

    model_config = _STRICT

    highest: Terms
    lowest: Terms
    first: Terms
    last: Terms
    greater: Terms
    less: Terms
    equal: Terms
    different: Terms
    than: Terms


class Trend(BaseModel):
    """What claims more than two points: `steady` (any direction), `leak`, `accelerating`, `flat`, `swinging`."""

    model_config = _STRICT

    steady: Terms
    accelerating: Terms
    leak: Terms
    flat: Terms
    swinging: Terms


class TimeScope(BaseModel):
    """How far in time a claim reaches.

    `since` reaches until now or to a stated end, `window` over a stated length that ends there, `latest` is where a
    series ends, `until` reaches up to a point, `whole` over a whole stretch, `still` from before until now, `again`
    claims a second time, `earlier` some time before, `other_day` on another day, `now` the time of the look, `later`
    one after it.
    """

    model_config = _STRICT

    since: Terms
    window: Terms
    latest: Terms
    until: Terms
    whole: Terms
    still: Terms
    already: Terms
    again: Terms
    earlier: Terms
    other_day: Terms
    now: Terms
    later: Terms


class Change(BaseModel):
    """What moves a value or a role from one state to another.

    `source` stands before the old value, `target` before the new one; `up`, `down` and `turn` are verbs that a new
    value follows (升到, 降到, 变为). `by` stands before a difference; `by_up` and `by_down` say which way it goes.
    """

    model_config = _STRICT

    source: Terms
    target: Terms
    up: Terms
    down: Terms
    turn: Terms
    by: Terms
    by_up: Terms
    by_down: Terms
    exceptions: Terms


class Frames(BaseModel):
    """What takes the force from what stands beside or below it.

    `wanted` words tell what is expected or planned, `told` ones an example, a drill or a thought, `denied` ones that
    something was looked at and found not to be so.
    """

    model_config = _STRICT

    wanted: Terms
    told: Terms
    denied: Terms


class WordingWords(BaseModel):
    """The words around facts. All in lower case.

    `zero` are words for none as a number. `hedges` make a claim a guess, `firm` ones stress that it is none.
    `conditions` make it no fact, `advice` no observation, `purpose` a wish, `risk` a thing that has not happened.
    `judgements` rate a fact that figures may or may not bear out, `near` say that a bound is nearly reached.
    `frames` make what stands below or beside them no observation. `reported` open what another said. `joins` end a
    clause and keep its subject, `contrasts` do so with a turn, `relatives` begin a clause on the noun before.
    `empty_results` are the words in which tools tell that a query ran and found nothing.
    """

    model_config = _STRICT

    version: int = Field(ge=1)
    negation: Negation
    zero: Terms
    hedges: Terms
    firm: Terms
    cause: Cause
    order: Order
    quantifiers: Quantifiers
    comparison: Comparison
    trend: Trend
    time_scope: TimeScope
    change: Change
    conditions: Terms
    advice: Terms
    purpose: Terms
    risk: Terms
    judgements: Terms
    near: Terms
    frames: Frames
    reported: Terms
    joins: Terms
    contrasts: Terms
    relatives: Terms
    empty_results: Terms
