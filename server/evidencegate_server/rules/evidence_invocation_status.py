"""A claim leans on calls that can bear it: not on failed, empty or suppressed ones."""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.claim_types import NEGATIVE_OBSERVATION, is_claim_type
from evidencegate_server.rules.base import NOT_APPLICABLE, PASSED, BindingCase, Checked, NoParameters, Rule, quote
from evidencegate_server.rules.model import Fault
from evidencegate_server.words import InvocationStatus

_SENTENCES: Final = {
    InvocationStatus.FAILED: "Invocation {id} failed, so it shows neither that something is there nor that it is not.",
    InvocationStatus.NO_HIT: "Invocation {id} found nothing, which can bear a negative_observation alone.",
    InvocationStatus.DEDUPED: "Invocation {id} was a repeated retrieval without a new result.",
}


class InvocationStatusFits(Rule):
    """Fails on a binding whose invocation failed or was deduplicated, or had no hit under a positive claim."""

    __slots__ = ()
    id = "evidence.invocation_status"

    def check(self, case: BindingCase, _parameters: NoParameters) -> Checked:
        """Checks the status of the invocation that was found."""
        invocation = case.invocation
        if invocation is None:
            return NOT_APPLICABLE
        status = invocation.status
        if status is InvocationStatus.SUCCESS:
            return PASSED
        if status is InvocationStatus.NO_HIT and is_claim_type(case.claim.claim_type, NEGATIVE_OBSERVATION):
            return PASSED
        message = _SENTENCES[status].format(id=quote(invocation.id))
        return (Fault(status.value.lower(), message, case.binding.place, status.value),)
