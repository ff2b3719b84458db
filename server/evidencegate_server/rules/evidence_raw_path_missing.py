"""A binding says where in the invocation's result its excerpt stands."""

from __future__ import annotations

from evidencegate_server.rules.base import PASSED, BindingCase, Checked, NoParameters, Rule
from evidencegate_server.rules.model import Fault


class RawPathMissing(Rule):
    """Fails where a binding has no path. No path is ever filled in, even where the invocation has a single ref."""

    __slots__ = ()
    id = "evidence.raw_path_missing"

    def check(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks that there is a path."""
        if case.binding.raw_path is not None:
            return PASSED
        message = "The binding has no raw_path, so its excerpt cannot be looked up."
        return (Fault("no_raw_path", message, f"{case.binding.place}.raw_path"),)
