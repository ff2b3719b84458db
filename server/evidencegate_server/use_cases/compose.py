"""Composes the answer to one evaluation.

A model is asked between the two halves: `prepare` says what it may say and gives its prompt, `finish` checks what it
wrote. The engine itself asks nobody.
"""

from __future__ import annotations

import hashlib
from typing import Final

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.catalog.prompts import PromptRole
from evidencegate_server.compose.consistency import Evaluated, inconsistencies
from evidencegate_server.compose.leaks import Draft, LeakChecker
from evidencegate_server.compose.model import Answer, Leak
from evidencegate_server.compose.render import render_material
from evidencegate_server.compose.sections import has_form
from evidencegate_server.compose.template_writer import Told, write
from evidencegate_server.compose.text import clean
from evidencegate_server.contract.model import ParseReport
from evidencegate_server.contract.records import record
from evidencegate_server.use_cases.errors import EvaluationInconsistentError, FieldViolation
from evidencegate_server.use_cases.written import Written as Written
from evidencegate_server.verdict.labels import SUPPORTED
from evidencegate_server.verdict.model import PromptAudit, PromptVersion
from evidencegate_server.words import FallbackReason, Language, ParseReason, ParseStatus, Verdict, Writer

_LANGUAGE_NAMES: Final = {Language.ZH: "Chinese (简体中文)", Language.EN: "English"}


@record
class ComposeInput:
    """What is composed. `prompts_used` is None where the caller declared nothing."""

    evaluated: Evaluated
    original_query: str
    language: Language = Language.ZH
    writer: Writer = Writer.TEMPLATE
    prompts_used: tuple[PromptVersion, ...] | None = None


class Composition:
    """An answer in the making."""

    def __init__(self, request: ComposeInput, catalog: Catalog) -> None:
        self._request = request
        self._catalog = catalog
        self._given = request.evaluated
        self._sentences = catalog.composer.languages.of(request.language)

    @property
    def needs_model(self) -> bool:
        """Whether the server's model is to be asked: never beside REJECT, which the template alone tells."""
        return self._request.writer is Writer.MODEL and self._given.verdict is not Verdict.REJECT

    def prompt(self) -> str:
        """Returns what a composer model is asked: the allowed material and nothing else of the evaluation."""
        return self._catalog.prompts.of(PromptRole.COMPOSER).fill(
            original_query=self._request.original_query,
            verdict=self._given.verdict.value,
            allowed_material=render_material(self._given.material, self._sentences, self._request.language),
            language=_LANGUAGE_NAMES[self._request.language],
        )

    def finish(self, written: Written | None = None) -> Answer:
        """Returns the answer; `written` is what a model wrote, None where the template is to write."""
        if written is None:
            rejected = self._request.writer is not Writer.TEMPLATE
            return self._template(FallbackReason.VERDICT if rejected else None)
        if self._given.verdict is Verdict.REJECT:
            return self._template(FallbackReason.VERDICT, written=written, report=_report(written.text))
        if written.text is None and written.failure:
            return self._template(
                FallbackReason.UNAVAILABLE, f"The model gave no text: {written.failure}.", written=written
            )
        report = _report(written.text)
        text = clean(written.text) if isinstance(written.text, str) else ""
        why = self._unreadable(text, report)
        if why:
            return self._template(FallbackReason.UNREADABLE, why, written=written, report=report)
        if self._given.verdict is Verdict.LOW_CONFID and not has_form(text, self._sentences.sections):
            why = "It is not just the four parts under their headings."
            return self._template(FallbackReason.FORM, why, written=written, report=report)
        leaks = LeakChecker(self._catalog.composer, self._catalog.lexicon).leaks(self._draft(text))
        if leaks:
            why = f"It says what the material does not have, first: {leaks[0].kind}."
            return self._template(FallbackReason.LEAK, why, written=written, report=report, leaks=leaks)
        return Answer(
            text=text,
            language=self._request.language,
            requested_writer=self._request.writer,
            writer=self._request.writer,
            parse_report=report,
            prompt_audit=self._audit(),
            model_use=written.use,
        )

    def _template(
        self,
        reason: FallbackReason | None,
        detail: str = "",
        *,
        written: Written | None = None,
        report: ParseReport | None = None,
        leaks: tuple[Leak, ...] = (),
    ) -> Answer:
        told = Told(self._given.verdict, self._given.material, self._given.executor_status)
        if reason is FallbackReason.VERDICT:
            detail = "A REJECT is told by the template."
        return Answer(
            text=write(told, self._sentences, self._request.language),
            language=self._request.language,
            requested_writer=self._request.writer,
            writer=Writer.TEMPLATE,
            fallback_reason=reason,
            fallback_detail=detail,
            leaks=leaks,
            parse_report=report,
            prompt_audit=self._audit(),
            model_use=None if written is None else written.use,
        )

    def _unreadable(self, text: str, report: ParseReport) -> str:
        """Returns why a text cannot be an answer, empty where it can."""
        if report.status is not ParseStatus.VALID:
            return report.message
        if len(text) > self._catalog.composer.bounds.max_model_chars:
            return f"It has {len(text)} characters, more than {self._catalog.composer.bounds.max_model_chars}."
        if "```" in text or text[:1] in "{[" or '{"' in text:
            return "It shows a code block or JSON."
        word = next((word for word in self._catalog.composer.contract_words if word in text), "")
        return f"It shows the machine contract ({word})." if word else ""

    def _draft(self, text: str) -> Draft:
        refused = [check.claim_text for check in self._given.checks if check.verification not in SUPPORTED]
        return Draft(
            text=text,
            verdict=self._given.verdict,
            material=self._given.material,
            refused=(*refused, *self._given.hypotheses),
            query=self._request.original_query,
            language=self._request.language,
        )

    def _audit(self) -> PromptAudit:
        prompts = self._catalog.prompts
        return PromptAudit(prompts.version, prompts.versions(), self._request.prompts_used)


def prepare(request: ComposeInput, catalog: Catalog) -> Composition:
    """Returns the answer in the making; raises EvaluationInconsistentError where the evaluation was edited."""
    found = inconsistencies(request.evaluated, catalog.verdict, catalog.composer)
    if found:
        raise EvaluationInconsistentError([FieldViolation(f"evaluation.{one.field}", one.message) for one in found])
    return Composition(request, catalog)


def _report(text: str | bytes | None) -> ParseReport:
    """Returns how a composer's text was read: it is plain text, so that only what is none is wrong."""
    if text is None:
        return ParseReport(ParseStatus.MISSING, "", 0, ParseReason.EMPTY, "There is no text.")
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    digest, length = hashlib.sha256(data).hexdigest(), len(text)
    if isinstance(text, bytes):
        return ParseReport(ParseStatus.MALFORMED, digest, length, ParseReason.INVALID_UNICODE, "It is no UTF-8 text.")
    if not clean(text):
        return ParseReport(ParseStatus.MISSING, digest, length, ParseReason.EMPTY, "The text is blank.")
    return ParseReport(ParseStatus.VALID, digest, length)
