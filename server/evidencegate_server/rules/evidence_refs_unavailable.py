"""The invocation that a binding names has stored pieces of evidence, whole enough to find a quotation in."""

from __future__ import annotations

from evidencegate_server.rules.base import NOT_APPLICABLE, PASSED, BindingCase, Checked, NoParameters, Rule, quote
from evidencegate_server.rules.model import Fault


class RefsUnavailable(Rule):
    """Fails on a row without refs, and where an excerpt is not found in a text that was cut when it was stored."""

    __slots__ = ()
    id = "evidence.refs_unavailable"

    def check(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks that the invocation has refs at all."""
        invocation = case.invocation
        if invocation is None:
            return NOT_APPLICABLE
        if case.evidence.refs(invocation.id):
            return PASSED
        written = quote(invocation.id)
        message = f"Invocation {written} was stored without evidence refs, so nothing quoted from it can be looked up."
        return (Fault("no_refs", message, case.binding.place, written),)

    def check_truncated(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks that the excerpt is not missing from a text of which only a part is known."""
        match, ref = case.match, case.ref
        if match is None or ref is None or not ref.truncated:
            return NOT_APPLICABLE
        if match.contained:
            return PASSED
        excerpt = quote(case.binding.evidence_excerpt or "")
        message = (
            f"The text at {quote(ref.raw_path)!r} was cut when it was stored, and what is left has no such excerpt."
        )
        return (Fault("truncated", message, f"{case.binding.place}.evidence_excerpt", excerpt),)
