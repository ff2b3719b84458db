"""Labels one claim beside its evidence by an engine that asks a model, with every guard that a session has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.judge.deterministic import DeterministicEngine
from evidencegate_server.judge.identifiers import find_fabricated
from evidencegate_server.use_cases.label_pair import PairLabel
from evidencegate_server.use_cases.model_judge import AsksModel, ModelJudge
from evidencegate_server.use_cases.pair_session import PairText, pair_session, shown_to_model
from evidencegate_server.use_cases.written import Written
from evidencegate_server.verdict.evaluate import evaluate
from evidencegate_server.verdict.model import PromptAudit
from evidencegate_server.words import Engine

_ROUND: Final = 1


class PairQuestion(AsksModel):
    """One claim in the making. Where `needs_model`, a model is asked between `prompt` and `finish`."""

    def __init__(
        self, claim_text: str, claim_type: str, evidence: Sequence[PairText], engine: Engine, catalog: Catalog
    ) -> None:
        case, view = pair_session(claim_text, claim_type, evidence, catalog)
        self._catalog = catalog
        self._code = DeterministicEngine(catalog.lexicon).judge(view)
        self._found = find_fabricated([case.claim], view.invocations, "", catalog.lexicon.identifiers)
        self._view = shown_to_model(case, view, catalog)
        super().__init__(ModelJudge(engine, self._view, self._code, self._found, catalog))

    def finish(self, written: Written | None = None) -> PairLabel:
        """Returns the label after the guards; `written` is what the model gave, None where it was not asked."""
        prompts = self._catalog.prompts
        (check,) = evaluate(
            self._view,
            self._model.result(written),
            self._catalog.verdict,
            fabricated=self._found.names,
            not_examined=self._found.not_examined,
            prompt_audit=PromptAudit(prompts.version, prompts.versions()),
            round_number=_ROUND,
            code=self._code,
        ).claim_checks
        return PairLabel(check.verification, check.detail, check.engine)
