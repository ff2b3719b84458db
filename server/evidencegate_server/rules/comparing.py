"""Compares excerpts with their evidence, at a bounded cost for the request as a whole."""

from __future__ import annotations

from typing import Final

from evidencegate_server.excerpts.match import match_excerpt, match_verbatim
from evidencegate_server.excerpts.model import ExcerptMatch, ExcerptTier
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.rules.base import NOT_APPLICABLE, BindingCase, Checked, CheckNotRunError
from evidencegate_server.rules.model import RuleParameters
from evidencegate_server.words import ExcerptStatus

# What the parts of a comparison cost, as measured: preparing a text once costs as much a character as sixteen later
# searches through it; an excerpt goes through every tier; looking for an object in JSON reads all of it each time; a
# plain search costs next to nothing.
_SEARCHES_PER_PREPARATION: Final = 16
_TIERS_OF_AN_EXCERPT: Final = 16
_PREPARATIONS_PER_JSON_SEARCH: Final = 8
_CHARACTERS_AT_AN_EDGE: Final = 200
_PLAIN_SEARCHES_PER_PREPARATION: Final = 512
_FORMS_OF_A_TEXT: Final = 3  # as it is, and with each kind of escaping undone
_DEAREST_CHARACTER: Final = _FORMS_OF_A_TEXT * (1 + _PREPARATIONS_PER_JSON_SEARCH)  # of a text, before any search


class Comparer:
    """Makes the comparisons of one request and counts what they cost, in characters of prepared text.

    The count depends on texts and results alone, so the same request always stops at the same binding.
    """

    __slots__ = ("_left", "_limit", "_policy", "_prepared")

    def __init__(self, policy: ExcerptPolicy, max_compared_characters: int) -> None:
        self._policy = policy
        self._limit = max_compared_characters
        self._left = max_compared_characters
        self._prepared: set[tuple[str, str]] = set()

    def compare(self, case: BindingCase) -> ExcerptMatch | None:
        """Returns how the excerpt stands in the text at the binding's path, or None for a blank excerpt.

        Raises CheckNotRunError where the comparison could cost more than the earlier ones have left.
        """
        excerpt = case.binding.evidence_excerpt
        invocation, ref = case.invocation, case.ref
        if not excerpt or excerpt.isspace() or invocation is None or ref is None:
            return None
        key = (invocation.id, ref.raw_path)
        cost = self._cost(excerpt, ref.text, prepared=key in self._prepared)
        if cost > self._left:
            raise CheckNotRunError(f"comparing would cost more than is left of {self._limit} characters")
        match = match_excerpt(excerpt, case.evidence.text(invocation.id, ref), self._policy)
        if match.tier == ExcerptTier.VERBATIM and match.status is ExcerptStatus.SUPPORTED:
            cost = match.spans[-1].end // _PLAIN_SEARCHES_PER_PREPARATION
        else:
            self._prepared.add(key)
            if match.contained:
                cost += self._cost_of_places(excerpt, ref.text)
        self._left -= cost
        return match

    def compare_verbatim(self, excerpt: str, text: str) -> ExcerptMatch | None:
        """Returns how an excerpt stands in a text that has it word for word with nothing wrong about it, else None.

        What it returns, and counts, is what `compare` would; after a None, which costs nothing, ask that one.
        """
        if len(excerpt) * _TIERS_OF_AN_EXCERPT + len(text) * _DEAREST_CHARACTER > self._left:
            return None
        match = match_verbatim(excerpt, text, self._policy)
        if match is not None:
            self._left -= match.spans[-1].end // _PLAIN_SEARCHES_PER_PREPARATION
        return match

    def _cost(self, excerpt: str, text: str, *, prepared: bool) -> int:
        """Returns what a comparison costs before any place is looked at closely."""
        forms = _FORMS_OF_A_TEXT - ("\\" not in text) - ("&" not in text)
        length = len(text) * forms
        cost = len(excerpt) * _TIERS_OF_AN_EXCERPT + (length // _SEARCHES_PER_PREPARATION if prepared else length)
        if len(text) <= self._policy.parameters.max_json_characters and "{" in text and ":" in excerpt:
            cost += length * _PREPARATIONS_PER_JSON_SEARCH
        return cost

    def _cost_of_places(self, excerpt: str, text: str) -> int:
        """Returns what it costs at most to look at the edges of every place that was found."""
        places = min(self._policy.parameters.max_occurrences, len(text) // len(excerpt) + 1)
        return places * (_CHARACTERS_AT_AN_EDGE + len(excerpt))


def compare_excerpt(case: BindingCase, _parameters: RuleParameters) -> Checked:
    """Makes the one comparison that the checks behind it read; it finds nothing itself, but may be unable to run."""
    case.match = case.comparer.compare(case)
    return NOT_APPLICABLE
