"""Says what an orchestrator needs of a place that keeps evaluations."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Protocol

from evidencegate.v1.composer_pb2 import ComposerOutput
from evidencegate.v1.evaluation_pb2 import Evaluation
from evidencegate.v1.self_evaluation_pb2 import CHANNEL_VERIFIER_EVALUATION, WriteChannelRequest
from evidencegate.v1.verifier_pb2 import JudgeRequest


@dataclass(frozen=True, slots=True)
class EvaluationWrite:
    """An evaluation to keep. The same `request_id` again is the same write and changes nothing.

    `judge_request` is what was judged, so that it can be judged again; None where there was nothing to judge.
    """

    session_id: str
    request_id: str
    evaluation: Evaluation = field(repr=False)
    judge_request: JudgeRequest | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ComposerOutputWrite:
    """What became of the answer, to keep beside the evaluation."""

    session_id: str
    request_id: str
    composer_output: ComposerOutput = field(repr=False)


class EvaluationStore(Protocol):
    """Keeps evaluations for the blocking orchestrator. A write that failed must raise: the run goes on and says so."""

    def write_evaluation(self, write: EvaluationWrite, /) -> object:
        """Keeps the evaluation, in place of an earlier one of the session."""

    def write_composer_output(self, write: ComposerOutputWrite, /) -> object:
        """Keeps the composer output beside the evaluation that is there."""


class AsyncEvaluationStore(Protocol):
    """The same for asyncio."""

    def write_evaluation(self, write: EvaluationWrite, /) -> Awaitable[Any]:
        """Keeps the evaluation, in place of an earlier one of the session."""

    def write_composer_output(self, write: ComposerOutputWrite, /) -> Awaitable[Any]:
        """Keeps the composer output beside the evaluation that is there."""


class ServerStore:
    """Says that evaluations are kept by the service that judges them (`serve --store`).

    The orchestrator then calls SelfEvaluations.WriteChannel itself, within the run's deadline. It works with both
    orchestrators.
    """


def evaluation_request(write: EvaluationWrite) -> WriteChannelRequest:
    """Returns the request that keeps an evaluation in the service's own store."""
    return WriteChannelRequest(
        session_id=write.session_id,
        request_id=write.request_id,
        channel=CHANNEL_VERIFIER_EVALUATION,
        evaluation=write.evaluation,
        judge_request=write.judge_request,
    )


def composer_output_request(write: ComposerOutputWrite) -> WriteChannelRequest:
    """Returns the request that keeps a composer output in the service's own store."""
    return WriteChannelRequest(
        session_id=write.session_id,
        request_id=write.request_id,
        channel=CHANNEL_VERIFIER_EVALUATION,
        composer_output=write.composer_output,
    )
