"""Says which checks a binding goes through, and in which order, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from evidencegate_server.contract.model import Claim, ParsedOutput
from evidencegate_server.contract.records import record
from evidencegate_server.rules.base import BindingCase, Checked, Rule
from evidencegate_server.rules.comparing import compare_excerpt
from evidencegate_server.rules.evidence_excerpt_mismatch import ExcerptMismatch
from evidencegate_server.rules.evidence_excerpt_uninformative import ExcerptUninformative
from evidencegate_server.rules.evidence_invocation_missing import InvocationMissing
from evidencegate_server.rules.evidence_invocation_ref import InvocationRef
from evidencegate_server.rules.evidence_invocation_status import InvocationStatusFits
from evidencegate_server.rules.evidence_raw_path import RawPath
from evidencegate_server.rules.evidence_raw_path_missing import RawPathMissing
from evidencegate_server.rules.evidence_refs_unavailable import RefsUnavailable
from evidencegate_server.rules.schema_executor_v2 import SchemaExecutorV2
from evidencegate_server.rules.scope_narrow_claims import NarrowClaims

BindingCheckFunction = Callable[[BindingCase, Any], Checked]


@record
class Check:
    """One check and the rule to which its faults belong."""

    rule: type[Rule]
    run: BindingCheckFunction


@record
class Step:
    """One link of the chain: its checks in order, of which the first that fails decides.

    The last check is the step's own one; the result names its rule where none fails.
    """

    name: str
    checks: tuple[Check, ...]


@record
class Chain:
    """All checks of an output.

    `resolve` leads from what the binding names to its invocations, `locate` from one invocation to the excerpt in its
    text; the first step that fails ends both for this binding. `invocation_status` stands beside them and runs whenever
    an invocation was found. `claim_contract` concerns the claim around the binding: where it fails, no binding of the
    claim is verified, and yet each one is checked, so that a careless claim hides no invented evidence. `narrow_scope`
    runs where the question is narrow, and only warns.
    """

    output: Callable[[ParsedOutput, Any], Checked]
    narrow_scope: Callable[[ParsedOutput, Any], Checked]
    claim_contract: Callable[[Claim, Any], Checked]
    resolve: tuple[Step, ...]
    locate: tuple[Step, ...]
    invocation_status: Step


CONTRACT_KEPT: Final = "contract_kept"
INVOCATION_NAMED: Final = "invocation_named"
INVOCATION_FOUND: Final = "invocation_found"
REFS_AVAILABLE: Final = "refs_available"
RAW_PATH_GIVEN: Final = "raw_path_given"
RAW_PATH_KNOWN: Final = "raw_path_known"
EXCERPT_CONTAINED: Final = "excerpt_contained"
EXCERPT_INFORMATIVE: Final = "excerpt_informative"
EXCERPT_SUPPORTED: Final = "excerpt_supported"
INVOCATION_STATUS: Final = "invocation_status"
CLAIM_CONTRACT_KEPT: Final = "claim_contract_kept"

_SCHEMA: Final = SchemaExecutorV2()
_REFS: Final = RefsUnavailable()
_MISMATCH: Final = ExcerptMismatch()

CHAIN: Final = Chain(
    output=_SCHEMA.check_output,
    narrow_scope=NarrowClaims().check,
    claim_contract=_SCHEMA.check_claim,
    resolve=(
        Step(CONTRACT_KEPT, (Check(SchemaExecutorV2, _SCHEMA.check_binding),)),
        Step(INVOCATION_NAMED, (Check(InvocationMissing, InvocationMissing().check),)),
        Step(INVOCATION_FOUND, (Check(InvocationRef, InvocationRef().check),)),
    ),
    locate=(
        Step(REFS_AVAILABLE, (Check(RefsUnavailable, _REFS.check),)),
        Step(RAW_PATH_GIVEN, (Check(RawPathMissing, RawPathMissing().check),)),
        Step(RAW_PATH_KNOWN, (Check(RawPath, RawPath().check),)),
        Step(
            EXCERPT_CONTAINED,
            (
                Check(ExcerptMismatch, compare_excerpt),
                Check(RefsUnavailable, _REFS.check_truncated),
                Check(ExcerptMismatch, _MISMATCH.check_contained),
            ),
        ),
        Step(EXCERPT_INFORMATIVE, (Check(ExcerptUninformative, ExcerptUninformative().check),)),
        Step(EXCERPT_SUPPORTED, (Check(ExcerptMismatch, _MISMATCH.check_supported),)),
    ),
    invocation_status=Step(INVOCATION_STATUS, (Check(InvocationStatusFits, InvocationStatusFits().check),)),
)
