"""Runs one round: planner, executor, Validate, the caller's verifier, Judge."""

from __future__ import annotations

from evidencegate.v1.evaluation_pb2 import RetryContext
from evidencegate.v1.invocation_pb2 import ToolInvocation
from evidencegate.v1.text_pb2 import ModelText
from evidencegate.v1.trace_pb2 import SummarizeTraceRequest, ToolTraceSummary
from evidencegate.v1.verifier_pb2 import JudgeRequest

from evidencegate_client import calls
from evidencegate_client.build import judge_request, validate_request
from evidencegate_client.chat import ExecutorInput, ExecutorRun, PlannerInput, Round, VerifierInput
from evidencegate_client.chat_steps import Flow, Recorder, Setting
from evidencegate_client.errors import ChatResultError, ServiceError
from evidencegate_client.gather import final_answer, merged, model_text_of
from evidencegate_client.result import EvaluationResult, ValidationOutcome
from evidencegate_client.vocabulary import kind_of


class Rounds:
    """Runs the rounds of one chat turn and keeps the tool calls of both."""

    def __init__(self, setting: Setting, recorder: Recorder) -> None:
        self._setting = setting
        self._recorder = recorder
        self._invocations: list[ToolInvocation] = []

    def run(self, round_number: int, retry_context: RetryContext | None) -> Flow[Round]:
        """Runs one round. What could not be run is marked in the round and on record in the trace."""
        client = self._setting.client
        ran = yield from self._plan_and_execute(round_number, retry_context)
        if ran is None:
            return Round(round_number)
        request = self._judge_request(round_number, ran, retry_context)
        validation = yield from calls.validate_or_fall_back(validate_request(request), client)
        self._recorder.call("validate", round_number, validation.failure, "a marked pass stands in; at most LOW_CONFID")
        request.gatekeeper_result.CopyFrom(validation.gatekeeper_result)
        if self._setting.parts.verifier is not None:
            request.verifier_output.CopyFrom((yield from self._verified(ran, request, validation)))
        judgement = yield from calls.judge_or_fall_back(request, client)
        self._recorder.call("judge", round_number, judgement.failure, "nothing was judged; LOW_CONFID without labels")
        return Round(round_number, request, EvaluationResult(validation, judgement))

    def _plan_and_execute(self, round_number: int, retry_context: RetryContext | None) -> Flow[ExecutorRun | None]:
        """Runs planner and executor; both get a copy of the retry context, so that Judge gets the original."""
        asked, parts, budget = self._setting.question, self._setting.parts, self._setting.budget
        common = (asked.original_query, asked.session_id, asked.language, asked.narrow_question, round_number)
        to_plan = PlannerInput(*common, _copy(retry_context), budget)
        plan = yield from self._recorder.ask("planner", round_number, parts.planner, to_plan)
        if plan is None:
            self._recorder.skip("executor", round_number, "there is no plan")
            return None
        to_run = ExecutorInput(*common, plan.value, _copy(retry_context), budget)
        ran = yield from self._recorder.ask("executor", round_number, parts.executor, to_run)
        if ran is None:
            return None
        if not isinstance(ran.value, ExecutorRun):
            raise ChatResultError(f"the executor must return an ExecutorRun, not {kind_of(ran.value)}")
        return ran.value

    def _judge_request(self, round_number: int, ran: ExecutorRun, retry_context: RetryContext | None) -> JudgeRequest:
        asked, chat = self._setting.question, self._setting.chat
        self._invocations = merged(self._invocations, ran.tool_invocations, round_number)
        request = judge_request(
            executor_output=ran.output,
            tool_invocations=self._invocations,
            original_query=asked.original_query,
            round=round_number,
            session_id=asked.session_id,
            narrow_question=asked.narrow_question,
            engine=chat.engine,
            retry_context=retry_context,
            expected_rule_set_version=chat.expected_rule_set_version,
            prompts_used=chat.prompts_used,
        )
        request.model_profile = chat.model_profile
        return request

    def _verified(self, ran: ExecutorRun, request: JudgeRequest, validation: ValidationOutcome) -> Flow[ModelText]:
        """Returns what the caller's verifier model wrote; without variant, which reads as missing, where it failed."""
        verifier = self._setting.parts.verifier
        assert verifier is not None
        to_see = VerifierInput(
            original_query=request.original_query,
            round=request.round,
            executor_final_answer=final_answer(ran.output, validation.parse_report),
            parse_report=validation.parse_report,
            gatekeeper_result=validation.gatekeeper_result,
            tool_trace_summary=(yield from self._summary(request)),
            retry_context=_copy(request.retry_context) if request.HasField("retry_context") else None,
            budget=self._setting.budget,
        )
        written = yield from self._recorder.ask("verifier", request.round, verifier, to_see)
        return ModelText() if written is None else model_text_of("verifier", written.value)

    def _summary(self, request: JudgeRequest) -> Flow[ToolTraceSummary]:
        asked = SummarizeTraceRequest(session_id=request.session_id, tool_invocations=request.tool_invocations)
        failure: ServiceError | None = None
        summary = ToolTraceSummary()
        try:
            summary = (yield from calls.summarize_trace(asked, self._setting.client)).tool_trace_summary
        except ServiceError as error:
            if not error.fallback_allowed:
                raise
            failure = error
        self._recorder.call("summarize_trace", request.round, failure, "the verifier gets an empty summary")
        return summary


def _copy(context: RetryContext | None) -> RetryContext | None:
    if context is None:
        return None
    copy = RetryContext()
    copy.CopyFrom(context)
    return copy
