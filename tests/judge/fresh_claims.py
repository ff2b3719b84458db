"""Reads claims that were written without knowing the judge, and joins each with the recorded evidence it rests on.

The claims are in `fresh_claims.jsonl`; the texts of the evidence stay with the recorded sessions beside the project, so
that they are kept once.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.support import SHARED

CLAIMS = Path(__file__).with_name("fresh_claims.jsonl")
SESSIONS = SHARED / "sessions"


def claims() -> list[dict[str, Any]]:
    """Returns the labelled claims in file order, without their evidence; needs no recorded session."""
    return [json.loads(line) for line in CLAIMS.read_text(encoding="utf-8").splitlines()]


def rows() -> list[dict[str, Any]]:
    """Returns the labelled claims, each with `evidence`: one text per invocation named in `evidence_of`, in that order.

    Raises FileNotFoundError where the recorded sessions are not beside the project, and KeyError for an invocation
    that its session does not have.
    """
    return [
        {**claim, "evidence": [_observations(claim["session"])[name] for name in claim["evidence_of"]]}
        for claim in claims()
    ]


@cache
def _observations(session: str) -> dict[str, str]:
    paths = sorted(SESSIONS.glob(f"{session}-*.json"))
    if len(paths) != 1:
        raise FileNotFoundError(f"{len(paths)} recorded sessions are named {session}-*.json in {SESSIONS}")
    recorded = json.loads(paths[0].read_text(encoding="utf-8"))
    return {call["id"]: _text(call) for call in recorded["tool_invocations"]}


def _text(invocation: dict[str, Any]) -> str:
    # Guidance (a runbook) is no witness; older invocations have no references at all.
    references = (invocation.get("retrieval_details") or {}).get("evidence_refs") or []
    return "\n".join(reference["text"] for reference in references if reference["kind"] == "observation")
