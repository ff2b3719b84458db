"""Serves the methods: reads the request, calls the use case, writes the answer, and decides nothing.

Requests and answers pass gRPC as bytes. So a heavy request is decoded in its lane and not on the event loop, a request
that does not decode is the caller's mistake and not our fault, and an answer that is remembered needs no encoding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

import grpc
from evidencegate.v1 import catalog_pb2, composer_pb2, gatekeeper_pb2, prompt_pb2, trace_pb2, verifier_pb2

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.contract.records import record
from evidencegate_server.models.pool import Models
from evidencegate_server.rules.model import GatekeeperResult
from evidencegate_server.service import translate_result
from evidencegate_server.service.catalog_messages import CatalogMessages
from evidencegate_server.service.decode import decode as _decode
from evidencegate_server.service.facts import label_counts
from evidencegate_server.service.interceptors import report_facts
from evidencegate_server.service.lanes import Lanes
from evidencegate_server.service.memo import Memo
from evidencegate_server.service.metrics import CallFacts, Metrics
from evidencegate_server.service.translate_prompts import list_prompts_response, render_prompt_response
from evidencegate_server.service.translate_request import read_summarize_request, read_validate_request
from evidencegate_server.use_cases.summarize import summarize
from evidencegate_server.use_cases.validate import Validated, ValidationInput, validate
from evidencegate_server.words import Writer

if TYPE_CHECKING:
    from evidencegate_server.models.client import ModelClient
    from evidencegate_server.use_cases.judge import JudgeInput
    from evidencegate_server.use_cases.written import Written
    from evidencegate_server.verdict.model import Evaluation

GATEKEEPER = gatekeeper_pb2.DESCRIPTOR.services_by_name["Gatekeeper"].full_name
VERIFIER = verifier_pb2.DESCRIPTOR.services_by_name["Verifier"].full_name
COMPOSER = composer_pb2.DESCRIPTOR.services_by_name["Composer"].full_name
PROMPTS = prompt_pb2.DESCRIPTOR.services_by_name["Prompts"].full_name
SERVICE_NAMES = (GATEKEEPER, VERIFIER, COMPOSER, PROMPTS)

# What a remembered answer holds beside its bytes: key, slot and the facts for the log.
_ENTRY_OVERHEAD_BYTES = 1_000

# What is left of a caller's deadline for the answer after the model was asked.
_ANSWER_SECONDS = 0.5


@record
class Answer:
    """A serialized response, and what the log and the metrics say about it."""

    payload: bytes = field(repr=False)
    facts: CallFacts


@record
class Pending:
    """An answer for which a model has to be asked first; `finish` makes it of what the model gave."""

    model: ModelClient
    prompt: str = field(repr=False)
    is_readable: Callable[[str], bool]
    finish: Callable[[Written | None], Answer]
    left_out_chars: int = 0

    async def ask(self, seconds: float | None) -> Written:
        """Returns what the model gave within so many seconds; never raises but for cancellation."""
        from evidencegate_server.models.client import Question

        question = Question(self.prompt, self.is_readable, self.left_out_chars)
        return await self.model.ask(question, seconds)


class Methods:
    """The methods over one catalog. Each is a function of the request's bytes alone, and of what a model says."""

    def __init__(self, catalog: Catalog, validations_bytes: int = 0, models: Models | None = None) -> None:
        self._catalog = catalog
        self._models = models or Models()
        self._messages = CatalogMessages(catalog)
        self._validations: Memo[str, tuple[ValidationInput, Validated]] = Memo(validations_bytes)

    def validate(self, request: bytes) -> Answer:
        """Answers Gatekeeper.Validate."""
        message = _decode(gatekeeper_pb2.ValidateRequest, request)
        given = read_validate_request(message, self._catalog, len(request))
        validated = validate(given, self._catalog)
        self._validations.put(validated.input_digest, (given, validated), len(request))
        result, report = validated.result, validated.parsed.report
        payload = translate_result.validate_response(result, report, self._messages.result_base)
        return Answer(payload, _facts(message.session_id, report.status, result))

    def get_rule_catalog(self, request: bytes) -> Answer:
        """Answers Gatekeeper.GetRuleCatalog."""
        _decode(catalog_pb2.GetRuleCatalogRequest, request)
        return Answer(self._messages.rule_catalog, CallFacts())

    def judge(self, request: bytes) -> Answer | Pending:
        """Answers Verifier.Judge. What judges is loaded by the first call, which is a rehearsal (see there)."""
        from evidencegate_server.service.translate_judge import read_judge_request
        from evidencegate_server.use_cases.judge import prepare
        from evidencegate_server.use_cases.model_judge import MODEL_ENGINES

        message = _decode(verifier_pb2.JudgeRequest, request)
        given = read_judge_request(message, self._catalog, len(request))
        model = None
        if given.engine in MODEL_ENGINES:
            model = self._models.of(given.model_profile, f"the engine {given.engine.value}")
        judgement = prepare(given, self._catalog, self._recent(message.gatekeeper_result.input_digest, given))

        def finish(written: Written | None) -> Answer:
            return self._judged(message.session_id, judgement.finish(written))

        if model is None or not judgement.needs_model:
            return finish(None)
        prompt = judgement.prompt(model.profile.max_prompt_bytes)
        return Pending(model, prompt.text, judgement.is_readable, finish, prompt.left_out_chars)

    def _judged(self, session_id: str, evaluation: Evaluation) -> Answer:
        facts = _facts(
            session_id,
            evaluation.executor_report.status,
            evaluation.gatekeeper,
            verdict=evaluation.verdict,
            route=evaluation.route,
            claim_labels=label_counts(check.verification for check in evaluation.claim_checks),
            fact_labels=label_counts(check.verification for check in evaluation.facts_checked),
        )
        return Answer(translate_result.judge_response(evaluation, self._messages.result_base), facts)

    def _recent(self, input_digest: str, given: JudgeInput) -> Validated | None:
        """Returns what Validate has just made of the same input, None where it has not.

        The digest that the caller hands in only finds the entry; the inputs themselves are compared.
        """
        held = self._validations.get(input_digest) if input_digest else None
        if held is None:
            return None
        same = ValidationInput(given.output_variant, given.output, given.invocations, given.narrow_question) == held[0]
        return held[1] if same else None

    def summarize_trace(self, request: bytes) -> Answer:
        """Answers Verifier.SummarizeTrace."""
        message = _decode(trace_pb2.SummarizeTraceRequest, request)
        summary = summarize(read_summarize_request(message, self._catalog, len(request)), self._catalog)
        response = trace_pb2.SummarizeTraceResponse(tool_trace_summary=translate_result.trace_summary(summary))
        return Answer(response.SerializeToString(), CallFacts(session_id=message.session_id))

    def compose(self, request: bytes) -> Answer | Pending:
        """Answers Composer.Compose."""
        # As for Judge: what compares texts is loaded when it is first needed.
        from evidencegate_server.service.translate_compose import compose_response, read_compose_request
        from evidencegate_server.use_cases.compose import prepare
        from evidencegate_server.use_cases.written import Written

        message = _decode(composer_pb2.ComposeRequest, request)
        call = read_compose_request(message, self._catalog)
        model = None
        if call.request.writer is Writer.MODEL:
            model = self._models.of(call.model_profile, "the writer model")
        composition = prepare(call.request, self._catalog)

        def finish(written: Written | None) -> Answer:
            response = compose_response(composition.finish(written), self._catalog.composer.version)
            facts = CallFacts(session_id=message.session_id, verdict=call.request.evaluated.verdict)
            return Answer(response.SerializeToString(), facts)

        if model is not None and composition.needs_model:
            return Pending(model, composition.prompt(), _has_text, finish)
        return finish(Written(call.composer_text) if call.request.writer is Writer.SUPPLIED else None)

    def list_prompts(self, request: bytes) -> Answer:
        """Answers Prompts.ListPrompts."""
        _decode(prompt_pb2.ListPromptsRequest, request)
        return Answer(list_prompts_response(self._catalog.prompts).SerializeToString(), CallFacts())

    def render_prompt(self, request: bytes) -> Answer:
        """Answers Prompts.RenderPrompt."""
        message = _decode(prompt_pb2.RenderPromptRequest, request)
        return Answer(render_prompt_response(message, self._catalog.prompts).SerializeToString(), CallFacts())


def make_handlers(
    methods: Methods, lanes: Lanes, answers: Memo[tuple[str, bytes], Answer], metrics: Metrics
) -> list[grpc.GenericRpcHandler[Any, Any]]:
    """Returns the gRPC handlers of all services, each method in the lane that fits and with its answers remembered."""

    def handler(service: str, name: str, work: Callable[[bytes], Answer | Pending]) -> grpc.RpcMethodHandler[Any, Any]:
        method = f"{service.rpartition('.')[2]}/{name}"

        async def serve(request: bytes, context: Any) -> bytes:
            # The whole request is the key: two requests cannot be taken for each other.
            key = (method, request)
            answer = answers.get(key)
            if answer is None:
                metrics.memo_miss()
                made = await lanes.answer(method, work, request)
                if isinstance(made, Pending):
                    # Never remembered: a second run may give another answer.
                    answer = await _by_model(made, request, context, lanes, metrics)
                    report_facts(answer.facts)
                    return answer.payload
                answer = made
                answers.put(key, answer, len(request) + len(answer.payload) + _ENTRY_OVERHEAD_BYTES)
            else:
                metrics.memo_hit()
            report_facts(answer.facts)
            return answer.payload

        return grpc.unary_unary_rpc_method_handler(serve)

    services: dict[str, dict[str, Callable[[bytes], Answer | Pending]]] = {
        GATEKEEPER: {"Validate": methods.validate, "GetRuleCatalog": methods.get_rule_catalog},
        VERIFIER: {"Judge": methods.judge, "SummarizeTrace": methods.summarize_trace},
        COMPOSER: {"Compose": methods.compose},
        PROMPTS: {"ListPrompts": methods.list_prompts, "RenderPrompt": methods.render_prompt},
    }
    return [
        grpc.method_handlers_generic_handler(
            service, {name: handler(service, name, work) for name, work in works.items()}
        )
        for service, works in services.items()
    ]


async def _by_model(pending: Pending, request: bytes, context: Any, lanes: Lanes, metrics: Metrics) -> Answer:
    """Returns the answer after the model was asked, in time for the caller's deadline where it has one."""
    remaining = context.time_remaining()
    seconds = None if remaining is None else remaining - min(_ANSWER_SECONDS, remaining / 4)
    written = await pending.ask(seconds)
    if written.use is not None:
        metrics.count_model(written.use)
    return await lanes.run(len(request), lambda _: pending.finish(written), request)


def _has_text(text: str) -> bool:
    return bool(text.strip())


def _facts(session_id: str, parse_status: str, result: GatekeeperResult, **judged: Any) -> CallFacts:
    findings = tuple(Counter(finding.rule_id for finding in result.findings).items()) if result.findings else ()
    return CallFacts(session_id, parse_status, result.status, result.failed_rules, findings, **judged)
