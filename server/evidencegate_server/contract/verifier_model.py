"""Holds what a verifier model said, once its text has been parsed. Nothing is resolved against the session yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evidencegate_server.contract.model import ParseReport
from evidencegate_server.contract.records import record
from evidencegate_server.words import FactVerification, Verdict, Verification


@record
class ModelEvidenceRef:
    """An evidence ref as the model wrote it. `source_invocation_ids` are texts to compare; empty fields were absent."""

    place: str
    trace_ref: str
    tool_name: str
    source_invocation_ids: tuple[str, ...]
    note: str


@record
class ModelClaimCheck:
    """What the model says of one claim.

    `index` is the position in this list, `claim_index` the claim's position in the executor's output where the model
    names it. `claim_text` and `claim_type` are empty where the model left them out.
    """

    place: str
    index: int
    claim_id: str
    claim_index: int | None
    claim_text: str
    claim_type: str
    verification: Verification
    detail: str
    evidence_refs: tuple[ModelEvidenceRef, ...]


@record
class ModelFactCheck:
    """One item of the older `facts_checked`. `evidence_refs` is empty where the model gave none."""

    place: str
    index: int
    fact: str
    is_critical: bool
    verification: FactVerification
    detail: str
    evidence_refs: tuple[ModelEvidenceRef, ...]


@record
class VerifierOutput:
    """A parsed verifier output. A list is None where the model left it out; at least one is there."""

    verdict: Verdict
    groundedness_score: float
    critical_fact_count: int
    rationale: str
    claim_checks: tuple[ModelClaimCheck, ...] | None
    facts_checked: tuple[ModelFactCheck, ...] | None
    raw: Mapping[str, Any]


@record
class ParsedVerifierOutput:
    """The result of parsing: the report always, the output exactly when the status is valid."""

    report: ParseReport
    output: VerifierOutput | None
