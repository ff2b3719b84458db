"""Builds what the judge's tests look at: claims, invocations, the words of the source tree."""

from __future__ import annotations

from functools import cache

import yaml
from evidencegate_server.contract.model import Claim
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.lexicon.judge_words import IdentifierWords, StatementWords
from evidencegate_server.words import InvocationStatus

from tests.support import ROOT


@cache
def identifier_words() -> IdentifierWords:
    """Returns the identifier words of the source tree."""
    return IdentifierWords.model_validate(_yaml("identifiers"), strict=False)


@cache
def statement_words() -> StatementWords:
    """Returns the statement words of the source tree."""
    return StatementWords.model_validate(_yaml("statements"), strict=False)


def _yaml(name: str) -> object:
    return yaml.safe_load((ROOT / "rules" / "lexicon" / f"{name}.yaml").read_text(encoding="utf-8"))


def claim(text: str, index: int = 0, claim_type: str = "symptom") -> Claim:
    """Makes a claim without bindings."""
    return Claim(f"claims[{index}]", index, f"claim-{index + 1}", claim_type, text, "direct", (), {})


def call(
    *texts: str,
    call_id: str = "1",
    status: InvocationStatus = InvocationStatus.SUCCESS,
    asked: str = "",
    error: str = "",
) -> Invocation:
    """Makes a call whose refs are the texts, one ref each."""
    refs = tuple(EvidenceRef(f"lines[{at}]", text) for at, text in enumerate(texts))
    return Invocation(call_id, "query_logs", status, input=asked, output="\n".join(texts), error=error, refs=refs)
