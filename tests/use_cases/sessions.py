"""Reads recorded sessions as the engine's input."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.judge.model import RetryContext, WeakClaim
from evidencegate_server.use_cases.judge import JudgeInput
from evidencegate_server.words import EvidenceKind, InvocationStatus, OutputVariant, Verdict, Verification

from tests.support import ROOT


@cache
def catalog() -> Catalog:
    """Returns the catalog of the source tree."""
    return load_catalog(ROOT / "rules")


def read_session(path: Path) -> dict[str, Any]:
    """Returns a session file as it stands."""
    session: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return session


def judge_input(session: dict[str, Any]) -> JudgeInput:
    """Returns what is judged of a session."""
    context = session.get("retry_context")
    return JudgeInput(
        round=session["round"],
        original_query=session["original_query"],
        output_variant=OutputVariant.TEXT,
        output=session["executor_output"],
        invocations=tuple(_invocation(row) for row in session["tool_invocations"]),
        retry_context=None if context is None else _retry_context(context),
        narrow_question=bool(session.get("narrow_question")),
    )


def _invocation(row: dict[str, Any]) -> Invocation:
    details = row.get("retrieval_details") or {}
    return Invocation(
        id=str(row["id"]),
        tool_name=row["tool_name"],
        status=InvocationStatus(row["status"]),
        round=row.get("round", 1),
        topic_domain=row.get("topic_domain", ""),
        input=row.get("input") or "",
        output=row.get("output") or "",
        error=row.get("error") or "",
        refs=tuple(
            EvidenceRef(
                ref["raw_path"],
                ref["text"],
                EvidenceKind(ref.get("kind", "observation")),
                ref.get("source_document") or "",
                bool(ref.get("truncated")),
            )
            for ref in details.get("evidence_refs") or ()
        ),
        queries=tuple(details.get("queries") or ()),
        retrieval_layers=tuple(details.get("retrieval_layers") or ()),
        relevance_levels=tuple(details.get("relevance_levels") or ()),
        source_documents=tuple(details.get("source_documents") or ()),
    )


def _retry_context(written: dict[str, Any]) -> RetryContext:
    weak = tuple(
        WeakClaim(
            item.get("index", at),
            item.get("claim_id", ""),
            item.get("claim_text", ""),
            Verification(item.get("verification", "unsupported")),
            item.get("missing_evidence", ""),
        )
        for at, item in enumerate(written.get("weak_claims") or ())
    )
    return RetryContext(
        Verdict(written.get("verdict", "LOW_CONFID")),
        float(written.get("groundedness_score", 0.0)),
        weak,
        tuple(written.get("missing_info") or ()),
    )
