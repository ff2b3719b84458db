"""Holds what became of an answer. Field meanings stand in `composer.proto`."""

from __future__ import annotations

from evidencegate_server.contract.model import ParseReport
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Span
from evidencegate_server.verdict.material import ModelUse
from evidencegate_server.verdict.model import PromptAudit
from evidencegate_server.words import FallbackReason, Language, Writer


@record
class Leak:
    """Something in a model's text that the material does not have; `span` is where it stands there."""

    kind: str
    quote: str
    span: Span


@record
class Answer:
    """What the user reads, who wrote it, and why it is not the writer that was asked for."""

    text: str
    language: Language
    requested_writer: Writer
    writer: Writer
    fallback_reason: FallbackReason | None = None
    fallback_detail: str = ""
    leaks: tuple[Leak, ...] = ()
    parse_report: ParseReport | None = None
    prompt_audit: PromptAudit | None = None
    model_use: ModelUse | None = None
