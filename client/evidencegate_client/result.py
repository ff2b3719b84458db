"""Holds what came of evaluating one output, read on the safe side."""

from __future__ import annotations

from dataclasses import dataclass

from evidencegate.v1.evaluation_pb2 import (
    EVALUATION_SOURCE_SERVER,
    Evaluation,
    RetryContext,
    Route,
    Verdict,
)
from evidencegate.v1.gatekeeper_pb2 import GatekeeperResult
from evidencegate.v1.text_pb2 import ParseReport

from evidencegate_client import vocabulary
from evidencegate_client.errors import ServiceError
from evidencegate_client.fallback import safe_text


@dataclass(frozen=True, slots=True)
class ValidationOutcome:
    """What the Gatekeeper said, or the fallback and the failure that led to it.

    `parse_report` is None in a fallback.
    """

    gatekeeper_result: GatekeeperResult
    parse_report: ParseReport | None
    failure: ServiceError | None = None


@dataclass(frozen=True, slots=True)
class JudgementOutcome:
    """What the Verifier said, or the fallback and the failure that led to it.

    `retry_context` is set exactly where one more round is to be run: hand it to that round unchanged.
    """

    evaluation: Evaluation
    retry_context: RetryContext | None
    failure: ServiceError | None = None


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """What came of Validate and Judge for one output.

    `verdict` and `route` are what a program acts on. They are words of the contract and never better than what the
    service said: a value that this version does not know reads as REJECT and DEGRADE.
    """

    validation: ValidationOutcome
    judgement: JudgementOutcome

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation, the service's or the client's own."""
        return self.judgement.evaluation

    @property
    def retry_context(self) -> RetryContext | None:
        """What the next round is told; None where there is none."""
        return self.judgement.retry_context

    @property
    def is_fallback(self) -> bool:
        """Whether nothing was judged, so that the user is shown `safe_text` alone."""
        return self.evaluation.source != EVALUATION_SOURCE_SERVER

    @property
    def verdict(self) -> str:
        """PASS, LOW_CONFID or REJECT."""
        found = _known(vocabulary.word(Verdict, self.evaluation.verdict), vocabulary.words(Verdict), "REJECT")
        return "LOW_CONFID" if found == "PASS" and self._unchecked else found

    @property
    def route(self) -> str:
        """COMPOSE, COMPOSE_WITH_UNCERTAINTY, RETRY or DEGRADE."""
        if vocabulary.word(Verdict, self.evaluation.verdict) not in vocabulary.words(Verdict):
            return "DEGRADE"
        found = _known(vocabulary.word(Route, self.evaluation.route), vocabulary.words(Route), "DEGRADE")
        return "COMPOSE_WITH_UNCERTAINTY" if found == "COMPOSE" and self._unchecked else found

    @property
    def score(self) -> float:
        """The share of the critical facts that the evidence carries, from 0 to 1."""
        return self.evaluation.groundedness_score

    @property
    def is_as_read(self) -> bool:
        """Whether verdict and route are those of the evaluation, so that nothing had to be read on the safe side."""
        written = (vocabulary.word(Verdict, self.evaluation.verdict), vocabulary.word(Route, self.evaluation.route))
        return written == (self.verdict, self.route)

    def safe_text(self, language: str = "zh") -> str | None:
        """Returns what the user may read when nothing was judged, in Chinese (`zh`) or English (`en`).

        None where the service did judge: then the text, which says that it did not answer, would be untrue.
        """
        return safe_text(language) if self.is_fallback else None

    @property
    def _unchecked(self) -> bool:
        """Whether a made-up result took part: then nothing may pass, whatever a service of another version says."""
        return self.is_fallback or self.validation.gatekeeper_result.fallback


def _known(found: str, words: tuple[str, ...], otherwise: str) -> str:
    return found if found in words else otherwise
