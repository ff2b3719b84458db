"""The excerpt of a binding says enough to prove something."""

from __future__ import annotations

from evidencegate_server.rules.base import PASSED, BindingCase, Checked, NoParameters, Rule, quote
from evidencegate_server.rules.model import Fault
from evidencegate_server.words import ExcerptStatus


class ExcerptUninformative(Rule):
    """Fails on an excerpt that is blank, or so short or common that nearly any text has it."""

    __slots__ = ()
    id = "evidence.excerpt_uninformative"

    def check(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks that there is an excerpt and that its comparison found it informative."""
        match = case.match
        place = f"{case.binding.place}.evidence_excerpt"
        excerpt = quote(case.binding.evidence_excerpt or "")
        if match is None:
            return (Fault("blank", "The excerpt is blank.", place, excerpt),)
        if match.status is not ExcerptStatus.UNINFORMATIVE:
            return PASSED
        message = f"The excerpt {excerpt!r} is too short or too common to prove anything."
        return (Fault(match.reason or "too_short", message, place, excerpt),)
