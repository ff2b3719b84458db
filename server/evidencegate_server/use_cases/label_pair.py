"""Labels one claim beside texts that count as its verified evidence, so that a team can measure the judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.records import record
from evidencegate_server.judge.deterministic import DeterministicEngine
from evidencegate_server.judge.identifiers import find_fabricated
from evidencegate_server.judge.model import JudgeEngine, JudgeView, Witness
from evidencegate_server.use_cases.pair_session import PairText, pair_session
from evidencegate_server.verdict.guards import guard
from evidencegate_server.words import Engine, Verification


@record
class PairLabel:
    """The label of a claim, why in one sentence, and which engine gave it, None where none did."""

    verification: Verification
    detail: str
    engine: Engine | None = None


@runtime_checkable
class _ExplainingEngine(Protocol):
    def explain(self, view: JudgeView) -> str: ...


class PairJudge:
    """The deterministic engine and the guards that stand over it, for claims without a session."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._engine: JudgeEngine = DeterministicEngine(catalog.lexicon)

    def label(self, claim_text: str, claim_type: str, evidence: Sequence[PairText]) -> PairLabel:
        """Returns the label that the claim would have in a session whose calls returned exactly these texts.

        Each text is a call of its own, and the claim quotes each of them whole.
        """
        case, view = pair_session(claim_text, claim_type, evidence, self._catalog)
        result = self._engine.judge(view)
        label = next((one for one in result.labels if one.index == 0), None)
        found = find_fabricated([case.claim], view.invocations, "", self._catalog.lexicon.identifiers)
        guarded = guard(
            case,
            None if label is None else label.verification,
            self._catalog.verdict.label_caps,
            evidence_ref_dropped=False,
            fabricated_identifiers=found.names.get(0, ()),
            not_examined=0 in found.not_examined,
        )
        said = [step.message for step in guarded.steps]
        if label is not None and label.detail:
            said.append(label.detail)
        return PairLabel(guarded.verification, " ".join(said), None if label is None else label.engine)

    def explain(self, claim_text: str, claim_type: str, evidence: Sequence[PairText]) -> str:
        """Returns how the engine came to its label, for people: lines of text whose form may change.

        The guards stand over the engine and are not in it: `label` can differ from what is explained here.
        """
        _, view = pair_session(claim_text, claim_type, evidence, self._catalog)
        if isinstance(self._engine, _ExplainingEngine):
            return self._engine.explain(view)
        labels = self._engine.judge(view).labels
        return "\n".join(_told(witness) for label in labels for witness in label.witnesses) or "There is no witness."


def _told(witness: Witness) -> str:
    beside = f" | {witness.invocation_id}: {witness.evidence_quote}" if witness.evidence_span else ""
    return f"{witness.relation}: {witness.claim_quote}{beside}"
