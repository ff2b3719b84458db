"""The path of a binding is one of the invocation's stored paths."""

from __future__ import annotations

from evidencegate_server.rules.base import NOT_APPLICABLE, PASSED, BindingCase, Checked, NoParameters, Rule, quote
from evidencegate_server.rules.model import Fault


class RawPath(Rule):
    """Fails on a path that the invocation's refs do not have. Paths are compared as written."""

    __slots__ = ()
    id = "evidence.raw_path"

    def check(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks that the path led to a ref."""
        invocation = case.invocation
        if invocation is None:
            return NOT_APPLICABLE
        if case.ref is not None:
            return PASSED
        path = quote(case.binding.raw_path or "")
        message = f"Invocation {quote(invocation.id)} has no evidence ref at {path!r}."
        return (Fault("unknown_raw_path", message, f"{case.binding.place}.raw_path", path),)
