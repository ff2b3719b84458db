"""Compares excerpts with their evidence, at a bounded cost for the request as a whole."""

from __future__ import annotations

from typing import Final

from evidencegate_server.excerpts.match import match_excerpt
from evidencegate_server.excerpts.model import ExcerptMatch, ExcerptTier
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.rules.base import NOT_APPLICABLE, BindingCase, Checked, CheckNotRunError
from evidencegate_server.rules.model import RuleParameters
from evidencegate_server.words import ExcerptStatus

_VERBATIM_DISCOUNT: Final = 16  # a plain search costs about that many times less a character than a folded one


class Comparer:
    """Makes the comparisons of one request and counts what they search.

    The count depends on texts and results alone, so the same request always stops at the same binding.
    """

    __slots__ = ("_left", "_limit", "_policy")

    def __init__(self, policy: ExcerptPolicy, max_searched_characters: int) -> None:
        self._policy = policy
        self._limit = max_searched_characters
        self._left = max_searched_characters

    def compare(self, case: BindingCase) -> ExcerptMatch | None:
        """Returns how the excerpt stands in the text at the binding's path, or None for a blank excerpt.

        Raises CheckNotRunError once the earlier comparisons have used up the bound.
        """
        excerpt = case.binding.evidence_excerpt
        invocation, ref = case.invocation, case.ref
        if not excerpt or excerpt.isspace() or invocation is None or ref is None:
            return None
        if self._left <= 0:
            raise CheckNotRunError(f"the bound of {self._limit} searched characters is used up")
        match = match_excerpt(excerpt, case.evidence.text(invocation.id, ref), self._policy)
        cost = len(ref.text) + len(excerpt)
        if match.tier == ExcerptTier.VERBATIM and match.status is ExcerptStatus.SUPPORTED:
            cost //= _VERBATIM_DISCOUNT
        self._left -= cost
        return match


def compare_excerpt(case: BindingCase, _parameters: RuleParameters) -> Checked:
    """Makes the one comparison that the checks behind it read; it finds nothing itself, but may be unable to run."""
    case.match = case.comparer.compare(case)
    return NOT_APPLICABLE
