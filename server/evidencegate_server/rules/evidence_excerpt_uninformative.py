"""The excerpt of a binding says enough to prove something."""

from __future__ import annotations

from pydantic import Field

from evidencegate_server.rules.base import PASSED, BindingCase, Checked, Rule, quote
from evidencegate_server.rules.model import Fault, RuleParameters
from evidencegate_server.words import ExcerptStatus


class ExcerptUninformativeParameters(RuleParameters):
    """What makes an excerpt informative.

    It has `min_weight` (a letter or digit weighs 1, a CJK character 2) and `min_tokens` tokens, or `min_cjk` CJK
    characters, or one token of `min_single_token` characters.
    """

    min_weight: int = Field(default=5, ge=1, le=50)
    min_tokens: int = Field(default=2, ge=1, le=10)
    min_cjk: int = Field(default=3, ge=1, le=20)
    min_single_token: int = Field(default=8, ge=1, le=50)


class ExcerptUninformative(Rule):
    """Fails on an excerpt that is blank, or so short or common that nearly any text has it."""

    __slots__ = ()
    id = "evidence.excerpt_uninformative"
    Parameters = ExcerptUninformativeParameters

    def check(self, case: BindingCase, _parameters: ExcerptUninformativeParameters) -> Checked:
        """Checks that there is an excerpt and that its comparison found it informative."""
        match = case.match
        if match is not None and match.status is not ExcerptStatus.UNINFORMATIVE:
            return PASSED
        place = f"{case.binding.place}.evidence_excerpt"
        excerpt = quote(case.binding.evidence_excerpt or "")
        if match is None:
            return (Fault("blank", "The excerpt is blank.", place, excerpt),)
        message = f"The excerpt {excerpt!r} is too short or too common to prove anything."
        return (Fault(match.reason or "too_short", message, place, excerpt),)
