"""The excerpt of a binding is a quotation of the text at its path."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from evidencegate_server.excerpts.model import ExcerptMatch
from evidencegate_server.rules.base import NOT_APPLICABLE, PASSED, BindingCase, Checked, Rule, quote
from evidencegate_server.rules.model import Fault, RuleParameters
from evidencegate_server.words import ExcerptStatus

_SENTENCES: Final = {
    "not_found": "The text at {path!r} does not have this excerpt.",
    "mid_token": "The excerpt begins or ends inside a word of the text at {path!r}.",
    "mid_number": "The excerpt begins or ends inside a number of the text at {path!r}.",
    "sign_or_joiner_cropped": "The excerpt leaves out a sign or a joiner that belongs to it in the text at {path!r}.",
    "unit_cropped": "The excerpt leaves out the unit that follows it in the text at {path!r}.",
    "comparator_cropped": "The excerpt leaves out the comparison that stands before it in the text at {path!r}.",
    "unit_case_changed": "The excerpt writes a unit in another case than the text at {path!r}, another meaning.",
    "negation_cropped": "The excerpt leaves out a negation that stands beside it in the text at {path!r}.",
    "condition_cropped": "The excerpt leaves out a condition that stands beside it in the text at {path!r}.",
    "value_cropped": "The excerpt leaves out the value that belongs to it in the text at {path!r}.",
    "value_type_changed": "The excerpt writes a value as another JSON type than the text at {path!r}.",
    "gap_too_long": "The ellipsis leaves out more of the text at {path!r} than may be left out.",
    "too_many_parts": "The excerpt is made of more parts of the text at {path!r} than may be joined.",
    "too_short": "A part of the excerpt is too short to be found again in the text at {path!r}.",
    "no_letter": "A part of the excerpt has no letter, so that much of the text at {path!r} could be meant.",
    "function_words": "A part of the excerpt has no word that says something of the text at {path!r}.",
    "gap_hides_polarity": "The ellipsis hides a negation, comparison or condition of the text at {path!r}.",
    "gap_crosses_record": "The ellipsis joins parts of different records of the text at {path!r}.",
}
_OTHERWISE: Final = "The excerpt is no quotation of the text at {path!r} ({reason})."


class ExcerptMismatchParameters(RuleParameters):
    """The bounds of comparing. Lengths are code points.

    An ellipsis joins at most `max_parts` parts, each at most `max_gap` after the one before. `max_occurrences` bounds
    how many places of one excerpt are looked at, `max_json_characters` the evidence in which JSON objects are looked
    for.

    `max_compared_characters` bounds all comparisons of one request together, in characters of prepared text. What a
    plain search settles costs next to nothing; the first other comparison with a text costs its length, later ones a
    sixteenth of it, and each character of an excerpt counts sixteen. A comparison that could cost more than is left is
    an error of this rule: no request may hold the server for seconds by quoting what is nowhere, and what could not be
    compared must not look compared.
    """

    max_parts: int = Field(default=4, ge=1, le=8)
    max_gap: int = Field(default=200, ge=0, le=200)
    max_occurrences: int = Field(default=500, ge=10, le=10_000)
    max_json_characters: int = Field(default=131_072, ge=0, le=1_048_576)
    max_compared_characters: int = Field(default=10_000_000, ge=100_000, le=100_000_000)


class ExcerptMismatch(Rule):
    """Fails where the text does not contain the excerpt, or contains it only by cutting off what changes a fact."""

    __slots__ = ()
    id = "evidence.excerpt_mismatch"
    Parameters = ExcerptMismatchParameters

    def check_contained(self, case: BindingCase, _parameters: ExcerptMismatchParameters) -> Checked:
        """Checks that the text has the excerpt somewhere. Blank excerpts are not compared."""
        match = case.match
        if match is None:
            return NOT_APPLICABLE
        if match.contained:
            return PASSED
        if match.status is ExcerptStatus.UNINFORMATIVE:
            return NOT_APPLICABLE  # nothing was left to compare
        return (_fault(case, match),)

    def check_supported(self, case: BindingCase, _parameters: ExcerptMismatchParameters) -> Checked:
        """Checks that the excerpt keeps what stands at its edges: words, numbers, units, negations."""
        match = case.match
        if match is None:
            return NOT_APPLICABLE
        return PASSED if match.status is ExcerptStatus.SUPPORTED else (_fault(case, match),)


def _fault(case: BindingCase, match: ExcerptMatch) -> Fault:
    reason = match.reason or "not_found"
    path = quote(case.binding.raw_path or "")
    message = _SENTENCES.get(reason, _OTHERWISE).format(path=path, reason=reason)
    return Fault(reason, message, f"{case.binding.place}.evidence_excerpt", quote(case.binding.evidence_excerpt or ""))
