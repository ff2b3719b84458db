"""Holds the words that take the ground from a claim which would else stand."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from evidencegate_server.lexicon.wording_words import Terms
from evidencegate_server.lexicon.written import word, words

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)
_Lines = Annotated[tuple[str, ...], words(word(r"^[^\sA-Z](?:[^A-Z\n\t]*[^\sA-Z])?$", longest=400))]


class DoubtWords(BaseModel):
    """Words that are looked for as written, beside what bears out a claim.

    What stands behind `undone` words did not come about, unless the claim tells of one of the `verbs` among them, nor
    what stands right before `unfinished` ones; what stands beside `ahead` words lies ahead or is supposed. `said`
    words bring in what somebody says, `unsaid` ones hold their signs and do not. `heads` begin a line that tells no
    observation. A line of `asides` is one remark in several words, with " | " between, and behind " => " words that
    only the evidence has for it; `plain_adverbs` are none. `modal` words tell what something is about to do or tries
    to do. `met` and `bounds` say that a bound is met, `unrelated` that something is no cause. `until` words say that
    something went on to a time, `ends` that it ended there. `old` and `new` tell the sides of a change. `prepositions`
    stand before what neither does an event nor suffers it. `other_ends` are keys for what a record is not of.
    `plain_figures` are concepts that do not tell what a figure is of. A length of time with one of `when_before` right
    before it, or of `when_behind` right behind, only says when.
    """

    model_config = _STRICT

    version: int = Field(ge=1)
    undone: Terms
    verbs: Terms
    unfinished: Terms
    ahead: Terms
    said: Terms
    unsaid: Terms
    heads: Terms
    asides: _Lines
    modal: Terms
    plain_adverbs: _Lines
    met: Terms
    bounds: Terms
    unrelated: Terms
    until: Terms
    ends: Terms
    old: Terms
    new: Terms
    prepositions: Terms
    other_ends: _Lines
    plain_figures: _Lines
    when_before: Terms
    when_behind: Terms
