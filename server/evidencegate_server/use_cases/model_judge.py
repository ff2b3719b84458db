"""Says what a verifier model of the server is asked, and makes an engine's result of what it wrote."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.model import Notice, ParseReport
from evidencegate_server.contract.verifier_model import ParsedVerifierOutput
from evidencegate_server.contract.verifier_output import parse_verifier_output
from evidencegate_server.judge.hybrid import HybridEngine, open_claims
from evidencegate_server.judge.identifiers import Fabrications
from evidencegate_server.judge.model import EngineResult, JudgeView
from evidencegate_server.judge.supplied import SuppliedEngine
from evidencegate_server.use_cases.verifier_prompt import ModelPrompt, VerifierPrompt
from evidencegate_server.use_cases.written import Written
from evidencegate_server.words import Engine, ParseReason, ParseStatus

MODEL_FAILED: Final = "judge.model_failed"
MODEL_ENGINES: Final = frozenset({Engine.LLM, Engine.HYBRID})


class ModelJudge:
    """The part of one judgement that a model of the server has."""

    def __init__(
        self, engine: Engine, view: JudgeView, code: EngineResult, found: Fabrications, catalog: Catalog
    ) -> None:
        self._engine = engine
        self._view = view
        self._code = code
        self._catalog = catalog
        self._asked: frozenset[int] | None = None
        if engine is Engine.HYBRID:
            refused = frozenset(found.names) | frozenset(found.not_examined)
            refused |= {label.index for label in code.labels if label.foreign_values}
            self._asked = open_claims(view.cases, code, refused)

    @property
    def needs_model(self) -> bool:
        """Whether there is something to ask. Of a text that could not be read, a model lists facts for audit."""
        if self._engine is Engine.HYBRID:
            return bool(self._asked)
        unreadable = self._view.parse_report.status is ParseStatus.MALFORMED and bool(self._view.final_answer.strip())
        return self._engine is Engine.LLM and (bool(self._view.cases) or unreadable)

    def prompt(self, max_bytes: int) -> ModelPrompt:
        """Returns what the model is asked."""
        return VerifierPrompt(self._view, self._catalog.prompts, self._code, self._asked).write(max_bytes)

    def is_readable(self, text: str) -> bool:
        """Returns whether a text is a verifier output."""
        return parse_verifier_output(text, self._catalog.parsing).output is not None

    def result(self, written: Written | None) -> EngineResult:
        """Returns what the engine says; `written` is None where the model was not asked."""
        if written is None:
            return EngineResult(self._engine, self._code.labels if self._engine is Engine.HYBRID else ())
        if written.text is None:
            parsed = _nothing(written.failure)
        else:
            parsed = parse_verifier_output(written.text, self._catalog.parsing)
        if self._asked is None:
            result = SuppliedEngine(parsed, Engine.LLM).judge(self._view)
        else:
            result = HybridEngine(parsed, self._code, self._asked, self._catalog.excerpts).judge(self._view)
        if parsed.output is not None:
            return result
        failure = written.failure or "unreadable"
        message = f"The verifier model gave nothing that can be used ({failure}): {parsed.report.message}"
        return replace(result, warnings=(*result.warnings, Notice(MODEL_FAILED, message)))


class AsksModel:
    """What is in the making: where `needs_model`, a model is asked `prompt` before it is finished."""

    def __init__(self, model: ModelJudge) -> None:
        self._model = model

    @property
    def needs_model(self) -> bool:
        """Whether the model is to be asked: only where its answer could change anything."""
        return self._model.needs_model

    def prompt(self, max_bytes: int) -> ModelPrompt:
        """Returns what the model is asked, in at most so many UTF-8 bytes where that can be had."""
        return self._model.prompt(max_bytes)

    def is_readable(self, text: str) -> bool:
        """Returns whether a text is a verifier output; if not, asking once more may help."""
        return self._model.is_readable(text)


def _nothing(failure: str) -> ParsedVerifierOutput:
    message = f"The model gave no text: {failure or 'empty'}."
    return ParsedVerifierOutput(ParseReport(ParseStatus.MISSING, "", 0, ParseReason.EMPTY, message), None)
