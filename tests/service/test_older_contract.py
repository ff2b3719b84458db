"""Over the wire: an output of the older contract is judged behind the switch, and its answer goes into no answer."""

from __future__ import annotations

from dataclasses import replace

import grpc
import pytest
from evidencegate.v1 import composer_pb2, composer_pb2_grpc, evaluation_pb2, text_pb2
from evidencegate_server.catalog.model import Catalog, ContractSwitches, ExecutorV1Switch

from tests.service.builders import binding, judge_request, output_text
from tests.service.conftest import serving

UNCLAIMED = "MARK-77 is down."
OLDER = output_text(
    binding(source_invocation_id=None, source_invocation_ids=["394"], source_type="tool_trace", source_id="394"),
    answer_version="executor_evidence_v1",
    diagnosis_summary="s",
    user_facing_answer=UNCLAIMED,
)


@pytest.mark.req("EX-09", "CP-01", "CP-07")
async def test_a_fact_of_the_answer_alone_lowers_the_verdict_and_reaches_no_user(catalog: Catalog) -> None:
    switched = replace(catalog, contracts=ContractSwitches(executor_v1=ExecutorV1Switch(enabled=True)))
    async with serving(switched) as running:
        evaluation = (await running.verifier.Judge(judge_request(OLDER))).evaluation
        assert evaluation.executor_output_parse_status.status == text_pb2.PARSE_STATUS_VALID
        assert [(fact.fact, fact.unclaimed) for fact in evaluation.facts_checked if fact.unclaimed] == [
            (UNCLAIMED, True)
        ]
        assert [step.reason for step in evaluation.verdict_steps] == ["unclaimed_answer_fact"]
        composer = composer_pb2_grpc.ComposerStub(running.channel)
        asked = composer_pb2.ComposeRequest(evaluation=evaluation, original_query="why are payments failing?")
        answer = (await composer.Compose(asked)).composer_output
        assert "connection pool exhausted after 30 s" in answer.text
        assert "MARK-77" not in answer.text

        asked.evaluation.verdict = evaluation_pb2.VERDICT_PASS
        asked.evaluation.route = evaluation_pb2.ROUTE_COMPOSE
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await composer.Compose(asked)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.req("EX-09")
async def test_by_default_it_is_malformed(catalog: Catalog) -> None:
    async with serving(catalog) as running:
        evaluation = (await running.verifier.Judge(judge_request(OLDER))).evaluation
    assert evaluation.executor_output_parse_status.status == text_pb2.PARSE_STATUS_MALFORMED
    assert evaluation.executor_output_parse_status.reason == "unsupported_version"
    assert list(evaluation.gatekeeper_result.failed_rules) == ["schema.executor_v2"]
