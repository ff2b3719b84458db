"""Every invocation that a binding names exists in this session and belongs to the tool that the binding names."""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.model import InvocationId
from evidencegate_server.rules.base import PASSED, BindingCase, Checked, NoParameters, Rule, quote
from evidencegate_server.rules.model import Fault

_REPORTED_IDS: Final = 5  # single faults of one binding; a list of invented IDs must not swell the result


class InvocationRef(Rule):
    """Fails on each named ID, singular or plural, that does not exist or is the call of another tool."""

    __slots__ = ()
    id = "evidence.invocation_ref"

    def check(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks each ID that the binding names."""
        binding = case.binding
        named = binding.invocation_id
        faults: list[Fault] = []
        if named is not None:
            fault = _fault(case, named, "source_invocation_id")
            if fault is not None:
                faults.append(fault)
        for position, legacy in enumerate(binding.legacy_ids):
            fault = _fault(case, legacy, f"source_invocation_ids[{position}]")
            if fault is not None:
                faults.append(fault)
        if len(faults) > _REPORTED_IDS:
            further = len(faults) - _REPORTED_IDS
            place = f"{binding.place}.source_invocation_ids"
            faults[_REPORTED_IDS:] = [Fault("further_ids", f"{further} further IDs of the binding fail too.", place)]
        return tuple(faults) if faults else PASSED


def _fault(case: BindingCase, named: InvocationId, field: str) -> Fault | None:
    """Returns what is wrong with one named ID. An ID that can be none (`394.5`, a list) is one that does not exist."""
    invocation = None if named.value is None else case.evidence.invocation(named.value)
    place = f"{case.binding.place}.{field}"
    written = quote(named.written)
    if invocation is None:
        return Fault("unknown_invocation", f"This session has no invocation {written}.", place, written)
    tool = case.binding.tool_name or ""
    if invocation.tool_name == tool:
        return None
    persisted = quote(invocation.tool_name)
    message = f"Invocation {written} is a call of {persisted!r}, the binding says {quote(tool)!r}."
    return Fault("tool_mismatch", message, place, quote(tool))
