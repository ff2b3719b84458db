"""A binding names the call that it quotes from, or there is only one call that it can mean."""

from __future__ import annotations

from evidencegate_server.rules.base import PASSED, BindingCase, Checked, NoParameters, Rule, quote
from evidencegate_server.rules.model import Fault


class InvocationMissing(Rule):
    """Fails where a binding names no invocation and its tool was called not at all or several times."""

    __slots__ = ()
    id = "evidence.invocation_missing"

    def check(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks that the invocation is named or can be filled in."""
        binding = case.binding
        if binding.invocation_id is not None or binding.legacy_ids or len(case.same_tool) == 1:
            return PASSED
        tool = quote(binding.tool_name or "")
        count = len(case.same_tool)
        place = f"{binding.place}.source_invocation_id"
        if count == 0:
            message = f"The binding names no invocation, and this session has none of tool {tool!r}."
            return (Fault("no_invocation_of_tool", message, place, tool),)
        message = f"The binding names no invocation, and this session has {count} of tool {tool!r}."
        return (Fault("several_invocations_of_tool", message, place, tool),)
