"""Says at which end of a series a clause tells of it: at first, in the last sample, or as it is now."""

from __future__ import annotations

from enum import Enum
from typing import Final

from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.model import Instant
from evidencegate_server.judge.vocabulary import Term, Vocabulary

_FIRST: Final = "@order.initially"
_LAST: Final = ("@time_scope.latest", "@comparison.last")
_NOW: Final = "@time_scope.now"
_BE: Final = "be"
_SAMPLE: Final = "sample"
_PRESENT: Final = frozenset({"is", "are", "'s", "'re", "has", "have"})
# What tells of another sample than the last one, or of none alone.
_OTHERWISE: Final = (
    *("@order", "@change", "@trend", "@comparison.highest", "@comparison.lowest", "@time_scope.earlier"),
    *("@time_scope.window", "@time_scope.since", "@time_scope.whole", "@time_scope.again", "@quantifiers"),
)
_NEUTRAL: Final = frozenset({"current", "last", "measured", "used"})


class Moment(Enum):
    """The end of a series that a clause tells of."""

    FIRST = "first"
    LAST = "last"
    NOW = "now"  # without a word for it: it is so


def moment_of(clause: Clause, text: str, vocabulary: Vocabulary) -> tuple[Moment, Term] | None:
    """Returns which end of a series a clause tells of, and the word that says so; None for neither."""
    first = clause.marked(_FIRST)
    if first is not None:
        return Moment.FIRST, first
    last = clause.marked(*_LAST) or next((term for term in clause.terms if _is_last(term)), None)
    if last is not None:
        return Moment.LAST, last
    if clause.marked(*_OTHERWISE) or any(isinstance(value.value, Instant) for value in clause.values):
        return None
    now = clause.marked(_NOW)
    if now is not None:
        return Moment.LAST, now
    if any(_is_statistic(term, vocabulary) or _SAMPLE in term.names for term in clause.terms):
        return None  # a figure over several samples, or a sample that other words say which it is
    be = next((term for term in clause.terms if _BE in term.names), None)
    if be is not None and (clause.is_chinese or text[be.start : be.end].lower() in _PRESENT):
        return Moment.NOW, be
    return None


def _is_last(term: Term) -> bool:
    return "last" in term.names and term.names[0][0] not in "=+"


def _is_statistic(term: Term, vocabulary: Vocabulary) -> bool:
    """Returns whether a word is one for a figure over several samples (average, peak)."""
    return term.names[0][0] not in "=+" and any(
        vocabulary.kind(name) == "statistic" and name not in _NEUTRAL for name in term.names
    )
