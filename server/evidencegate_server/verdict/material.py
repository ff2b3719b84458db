"""Holds what an answer may say, and what asking a model came to. Field meanings stand in `material.proto`."""

from __future__ import annotations

from evidencegate_server.contract.records import record
from evidencegate_server.words import Language, Verification


@record
class MaterialItem:
    """One thing that may be said; `claim_id` and `claim_type` are empty for what is no claim."""

    index: int
    text: str
    claim_id: str = ""
    claim_type: str = ""


@record
class MaterialGap:
    """Something that the evidence does not bear out; `claim_text` is empty where it may not be repeated."""

    index: int
    claim_id: str
    is_critical: bool
    verification: Verification
    claim_text: str
    sentences: tuple[tuple[Language, str], ...]


@record
class WithheldItem:
    """Something that the user must not read: `kind` direction or next_step, `reason` as `material.proto` says."""

    kind: str
    index: int
    reason: str
    quote: str


@record
class AllowedMaterial:
    """Everything that an answer may say."""

    confirmed: tuple[MaterialItem, ...] = ()
    inferred: tuple[MaterialItem, ...] = ()
    gaps: tuple[MaterialGap, ...] = ()
    directions: tuple[MaterialItem, ...] = ()
    next_steps: tuple[MaterialItem, ...] = ()
    withheld: tuple[WithheldItem, ...] = ()


@record
class ModelUse:
    """What asking a model came to; `failure` is empty where the last request gave something."""

    profile: str
    model: str
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failure: str = ""
    masked_secrets: int = 0
    left_out_chars: int = 0
