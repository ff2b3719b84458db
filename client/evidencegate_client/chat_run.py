"""Runs a chat turn without calling anybody: planner, executor, Validate, Judge, at most one more round, Compose, store.

A generator, as those of `calls`: it yields a call of the service or a function of the caller's to call, gets the answer
sent or the failure thrown in, and returns the ChatAnswer. Both orchestrators drive it, so they cannot come apart.
"""

from __future__ import annotations

from evidencegate.v1.composer_pb2 import ComposerOutput
from evidencegate.v1.evaluation_pb2 import Evaluation, RetryContext
from evidencegate.v1.self_evaluation_pb2 import WriteChannelRequest
from evidencegate.v1.text_pb2 import Notice

from evidencegate_client import calls
from evidencegate_client.chat import ChatAnswer, Round
from evidencegate_client.chat_compose import Composing
from evidencegate_client.chat_round import Rounds
from evidencegate_client.chat_steps import Flow, Recorder, Setting
from evidencegate_client.errors import ServiceError
from evidencegate_client.fallback import unjudged_evaluation
from evidencegate_client.result import EvaluationResult
from evidencegate_client.store import (
    ComposerOutputWrite,
    EvaluationWrite,
    ServerStore,
    composer_output_request,
    evaluation_request,
)

# The steps of a round whose failure the evaluation names.
_NAMED = ("planner", "executor", "verifier", "judge")


class ChatRun:
    """One run of the flow."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._recorder = Recorder()
        self._runner = Rounds(setting, self._recorder)
        self._rounds: list[Round] = []
        self._kept = False

    def steps(self) -> Flow[ChatAnswer]:
        """Runs everything and returns the answer; only the caller's own mistakes are raised."""
        yield from self._round(1, None)
        first = self._rounds[0].result
        if first is not None and first.route == "RETRY":
            yield from self._round(2, first.retry_context)
        basis = self._basis()
        output = yield from Composing(self._setting, self._recorder).run(basis)
        stored = yield from self._keep_composer_output(output)
        return ChatAnswer(
            text=output.text,
            verdict="LOW_CONFID" if basis is None else basis.verdict,
            route=_final_route(basis),
            score=0.0 if basis is None else basis.score,
            evaluation=self._of_record(),
            composer_output=output,
            rounds=tuple(self._rounds),
            trace=tuple(self._recorder.trace),
            stored=stored,
        )

    def _round(self, round_number: int, retry_context: RetryContext | None) -> Flow[None]:
        self._rounds.append((yield from self._runner.run(round_number, retry_context)))
        yield from self._keep_evaluation(round_number)

    def _basis_round(self) -> Round | None:
        """Returns the round that the answer rests on: the last that was judged, else a fallback; None without any."""
        ended = [one for one in self._rounds if one.result is not None]
        judged = [one for one in ended if one.result is not None and not one.result.is_fallback]
        return judged[-1] if judged else (ended[-1] if ended else None)

    def _basis(self) -> EvaluationResult | None:
        basis = self._basis_round()
        return None if basis is None else basis.result

    def _of_record(self) -> Evaluation:
        """Returns the evaluation to keep: the one that the answer rests on, and what failed beside it."""
        notices = [
            Notice(id=f"chat.{step.name}_failed", message=f"Round {step.round}: {step.name} failed with {step.fault}.")
            for step in self._recorder.trace
            if step.fault and step.name in _NAMED
        ]
        basis = self._basis()
        if basis is None:
            why = "Planner or executor failed, so nothing was judged, and no claim may be shown as confirmed."
            return unjudged_evaluation(self._rounds[-1].number, why, notices, self._setting.chat.prompts_used)
        evaluation = Evaluation()
        evaluation.CopyFrom(basis.evaluation)
        evaluation.warnings.extend(notices)
        return evaluation

    def _keep_evaluation(self, round_number: int) -> Flow[None]:
        """Keeps the evaluation as it stands after a round, so that whatever happens next cannot lose it."""
        store, asked = self._setting.parts.store, self._setting.question
        if store is None:
            return
        basis = self._basis_round()
        write = EvaluationWrite(
            asked.session_id,
            f"{asked.request_id}:round-{round_number}",
            self._of_record(),
            None if basis is None else basis.request,
        )
        if isinstance(store, ServerStore):
            self._kept = yield from self._write("store_evaluation", round_number, evaluation_request(write))
        else:
            keep = store.write_evaluation
            kept = yield from self._recorder.ask("store_evaluation", round_number, keep, write, last=True)
            self._kept = kept is not None

    def _keep_composer_output(self, output: ComposerOutput) -> Flow[bool]:
        store, asked = self._setting.parts.store, self._setting.question
        if store is None:
            return False
        if not self._kept:
            self._recorder.skip("store_composer_output", 0, "its evaluation is not in the store")
            return False
        write = ComposerOutputWrite(asked.session_id, f"{asked.request_id}:composer", output)
        if isinstance(store, ServerStore):
            return (yield from self._write("store_composer_output", 0, composer_output_request(write)))
        keep = store.write_composer_output
        kept = yield from self._recorder.ask("store_composer_output", 0, keep, write, last=True)
        return kept is not None

    def _write(self, name: str, round_number: int, request: WriteChannelRequest) -> Flow[bool]:
        """Says whether the service kept it; a store that fails costs no answer, whatever the failure is."""
        try:
            yield from calls.write_channel(request, self._setting.client)
        except ServiceError as failure:
            self._recorder.failed_call(name, round_number, failure)
            return False
        self._recorder.call(name, round_number, None, "")
        return True


def _final_route(basis: EvaluationResult | None) -> str:
    """Returns what was done in the end: no further round comes."""
    route = "COMPOSE_WITH_UNCERTAINTY" if basis is None else basis.route
    return "COMPOSE_WITH_UNCERTAINTY" if route == "RETRY" else route
