"""A narrow question is answered narrowly: few claims, each an observation. It warns and fails nothing."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from evidencegate_server.contract.claim_types import is_claim_type
from evidencegate_server.contract.model import ParsedOutput
from evidencegate_server.rules.base import NOT_APPLICABLE, Checked, Rule, quote
from evidencegate_server.rules.model import Fault, RuleParameters


class NarrowClaimsParameters(RuleParameters):
    """How many claims a narrow question needs, and of which types."""

    max_claims: int = Field(ge=1, le=10)
    claim_types: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=100)], ...], Field(min_length=1)]


class NarrowClaims(Rule):
    """Warns where an answer goes beyond a narrow question."""

    __slots__ = ()
    id = "scope.narrow_claims"
    warns: ClassVar[bool] = True
    Parameters: ClassVar[type[RuleParameters]] = NarrowClaimsParameters

    def check(self, parsed: ParsedOutput, parameters: NarrowClaimsParameters) -> Checked:
        """Checks the number of claims, and the type of each of those that may stand."""
        if parsed.output is None:
            return NOT_APPLICABLE
        claims = parsed.output.claims
        faults = [
            Fault(
                "claim_type",
                f"The question is narrow, and the claim is a {quote(claim.claim_type)!r}: {self._wanted(parameters)}.",
                f"{claim.place}.claim_type",
                quote(claim.claim_text),
                claim.index,
            )
            for claim in claims[: parameters.max_claims]
            if not any(is_claim_type(claim.claim_type, known) for known in parameters.claim_types)
        ]
        if len(claims) > parameters.max_claims:
            message = (
                f"The question is narrow, and the answer makes {len(claims)} claims; {parameters.max_claims} at most "
                "are needed."
            )
            faults.append(Fault("claim_count", message, "claims"))
        return tuple(faults)

    @staticmethod
    def _wanted(parameters: NarrowClaimsParameters) -> str:
        return f"{' or '.join(parameters.claim_types)} is wanted"
