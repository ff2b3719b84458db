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
from evidencegate_server.use_cases.errors import EngineUnavailableError
from evidencegate_server.use_cases.summarize import summarize
from evidencegate_server.use_cases.validate import Validated, ValidationInput, validate
from evidencegate_server.words import Writer

if TYPE_CHECKING:
    from evidencegate_server.use_cases.judge import JudgeInput

GATEKEEPER = gatekeeper_pb2.DESCRIPTOR.services_by_name["Gatekeeper"].full_name
VERIFIER = verifier_pb2.DESCRIPTOR.services_by_name["Verifier"].full_name
COMPOSER = composer_pb2.DESCRIPTOR.services_by_name["Composer"].full_name
PROMPTS = prompt_pb2.DESCRIPTOR.services_by_name["Prompts"].full_name
SERVICE_NAMES = (GATEKEEPER, VERIFIER, COMPOSER, PROMPTS)

# What a remembered answer holds beside its bytes: key, slot and the facts for the log.
_ENTRY_OVERHEAD_BYTES = 1_000


@record
class Answer:
    """A serialized response, and what the log and the metrics say about it."""

    payload: bytes = field(repr=False)
    facts: CallFacts


class Methods:
    """The methods over one catalog. Each is a function of the request's bytes alone."""

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

    def judge(self, request: bytes) -> Answer:
        """Answers Verifier.Judge. What judges is loaded by the first call, which is a rehearsal (see there)."""
        from evidencegate_server.service.translate_judge import read_judge_request
        from evidencegate_server.use_cases.judge import judge

        message = _decode(verifier_pb2.JudgeRequest, request)
        given = read_judge_request(message, self._catalog, len(request))
        evaluation = judge(given, self._catalog, self._recent(message.gatekeeper_result.input_digest, given))
        facts = _facts(
            message.session_id,
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

    def compose(self, request: bytes) -> Answer:
        """Answers Composer.Compose."""
        # As for Judge: what compares texts is loaded when it is first needed.
        from evidencegate_server.service.translate_compose import compose_response, read_compose_request
        from evidencegate_server.use_cases.compose import Written, prepare

        message = _decode(composer_pb2.ComposeRequest, request)
        call = read_compose_request(message, self._catalog)
        composition = prepare(call.request, self._catalog)
        if composition.needs_model:
            raise EngineUnavailableError("no model is configured on this server; use the writer template or supplied")
        answer = composition.finish(Written(call.composer_text) if call.request.writer is Writer.SUPPLIED else None)
        response = compose_response(answer, self._catalog.composer.version)
        facts = CallFacts(session_id=message.session_id, verdict=call.request.evaluated.verdict)
        return Answer(response.SerializeToString(), facts)

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

    def handler(name: str, work: Callable[[bytes], Answer]) -> grpc.RpcMethodHandler[Any, Any]:
        async def serve(request: bytes, _context: Any) -> bytes:
            # The whole request is the key: two requests cannot be taken for each other.
            key = (name, request)
            answer = answers.get(key)
            if answer is None:
                metrics.memo_miss()
                answer = await lanes.run(len(request), work, request)
                answers.put(key, answer, len(request) + len(answer.payload) + _ENTRY_OVERHEAD_BYTES)
            else:
                metrics.memo_hit()
            report_facts(answer.facts)
            return answer.payload

        return grpc.unary_unary_rpc_method_handler(serve)

    services = {
        GATEKEEPER: {"Validate": methods.validate, "GetRuleCatalog": methods.get_rule_catalog},
        VERIFIER: {"Judge": methods.judge, "SummarizeTrace": methods.summarize_trace},
        COMPOSER: {"Compose": methods.compose},
        PROMPTS: {"ListPrompts": methods.list_prompts, "RenderPrompt": methods.render_prompt},
    }
    return [
        grpc.method_handlers_generic_handler(service, {name: handler(name, work) for name, work in works.items()})
        for service, works in services.items()
    ]


def _facts(session_id: str, parse_status: str, result: GatekeeperResult, **judged: Any) -> CallFacts:
    findings = tuple(Counter(finding.rule_id for finding in result.findings).items()) if result.findings else ()
    return CallFacts(session_id, parse_status, result.status, result.failed_rules, findings, **judged)
