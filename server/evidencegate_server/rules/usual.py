"""Settles the usual binding at once: one that passes every check of the chain.

Nearly every binding names its invocation and path and quotes word for word. To walk the chain for it costs some forty
calls, to see that all of it holds costs a few. What passes here passes the chain and has the same record; a binding of
which anything is unusual is left to the chain, which says what is wrong with it. A test holds both side by side.
"""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.model import Binding, Claim
from evidencegate_server.rules.base import QUOTED_CODE_POINTS, quote
from evidencegate_server.rules.comparing import Comparer
from evidencegate_server.rules.model import BindingCheck, BindingStep
from evidencegate_server.rules.texts import SearchableEvidence
from evidencegate_server.words import InvocationStatus, Resolution

_SUCCESS: Final = InvocationStatus.SUCCESS
_NAMED: Final = Resolution.NAMED


def usual_binding(
    claim: Claim,
    binding: Binding,
    evidence: SearchableEvidence,
    comparer: Comparer,
    all_passed: tuple[BindingStep, ...],
) -> BindingCheck | None:
    """Returns the record of a binding that passes the whole chain, None where that is not plain to see.

    `claim` keeps its contract. `all_passed` are the steps of such a binding. A None costs nothing of what the
    comparisons of a request may cost.
    """
    named, path, excerpt, tool_name = (
        binding.invocation_id,
        binding.raw_path,
        binding.evidence_excerpt,
        binding.tool_name,
    )
    if named is None or named.value is None or path is None or excerpt is None or tool_name is None:
        return None
    raw = binding.raw
    if (
        raw.get("source_invocation_ids") is not None
        or (binding.source_type is None and "source_type" in raw)
        or (binding.source_id is None and "source_id" in raw)
    ):
        return None
    invocation_id = named.value
    invocation = evidence.invocation(invocation_id)
    if invocation is None or invocation.tool_name != tool_name or invocation.status is not _SUCCESS:
        return None
    ref = evidence.refs(invocation_id).get(path)
    if ref is None or evidence.is_damaged(invocation_id, ref):
        return None
    match = comparer.compare_verbatim(excerpt, ref.text)
    if match is None:
        return None
    return BindingCheck(
        binding.place,
        claim.index,
        binding.index,
        quote(claim.claim_id),
        True,
        _NAMED,
        invocation_id,
        tool_name,
        path,
        ref.kind,
        all_passed,
        match.tier,
        match.spans,
        match.flags,
        "",
        excerpt if len(excerpt) <= QUOTED_CODE_POINTS else quote(excerpt),
    )
