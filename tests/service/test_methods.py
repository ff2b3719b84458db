"""Proves over the wire what the methods answer: results, determinism, metadata, memory, log and metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import grpc
import pytest
from evidencegate.v1 import (
    catalog_pb2,
    evaluation_pb2,
    gatekeeper_pb2,
    invocation_pb2,
    text_pb2,
    trace_pb2,
    verifier_pb2,
)
from evidencegate_server import ENGINE_VERSION
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.servicers import Methods
from evidencegate_server.service.settings import ServerSettings
from google.protobuf import json_format
from google.rpc import error_details_pb2

from tests.service.builders import LOG_LINE, binding, invocation, judge_request, output_text, ref, validate_request
from tests.service.conftest import Running, serving
from tests.service.test_guard import details

PASS = gatekeeper_pb2.GATEKEEPER_STATUS_PASS
FAIL = gatekeeper_pb2.GATEKEEPER_STATUS_FAIL


@pytest.mark.req("IO-01")
async def test_a_sound_output_passes_both_services(running: Running) -> None:
    validated = await running.gatekeeper.Validate(validate_request())
    judged = await running.verifier.Judge(judge_request())
    assert validated.gatekeeper_result.status == PASS
    assert validated.executor_output_parse_status.status == text_pb2.PARSE_STATUS_VALID
    assert [check.verified for check in validated.gatekeeper_result.bindings] == [True]
    assert judged.evaluation.gatekeeper_result == validated.gatekeeper_result
    assert [check.claim_id for check in judged.evaluation.claim_checks] == ["c1"]
    assert judged.evaluation.source == evaluation_pb2.EVALUATION_SOURCE_SERVER


@pytest.mark.req("GK-20")
async def test_a_checked_binding_quotes_the_evidence_in_place(running: Running) -> None:
    validated = await running.gatekeeper.Validate(validate_request())
    (check,) = validated.gatekeeper_result.bindings
    (span,) = check.spans
    assert LOG_LINE[span.start : span.end] == check.evidence_excerpt
    assert (check.place, check.invocation_id) == ("claims[0].evidence_bindings[0]", "394")


async def test_each_finding_and_rule_error_has_a_sentence(running: Running) -> None:
    text = output_text(binding(source_invocation_id=1), binding(raw_path="lines[7]"), answer_version="v3?")
    text = text.replace("v3?", "executor_evidence_v2")
    result = (await running.gatekeeper.Validate(validate_request(text))).gatekeeper_result
    assert result.status == FAIL
    assert len(result.errors) == len(result.findings) + len(result.rule_errors) == 2
    for sentence, finding in zip(result.errors, result.findings, strict=True):
        assert finding.rule_id in sentence
        assert finding.place in sentence
        assert finding.message in sentence


@pytest.mark.req("RC-04")
async def test_the_catalog_and_every_result_show_the_same_rules(running: Running, catalog: Catalog) -> None:
    shown = await running.gatekeeper.GetRuleCatalog(catalog_pb2.GetRuleCatalogRequest())
    good = (await running.gatekeeper.Validate(validate_request())).gatekeeper_result
    bad = (await running.gatekeeper.Validate(validate_request("no JSON {"))).gatekeeper_result
    judged = (await running.verifier.Judge(judge_request())).evaluation.gatekeeper_result
    enabled = [entry for entry in catalog.rule_set.entries if entry.enabled]
    assert [rule.id for rule in shown.rules] == sorted(entry.id for entry in enabled)
    for rule, entry in zip(shown.rules, enabled, strict=True):
        assert (rule.version, rule.description, rule.status) == (entry.version, entry.description, entry.status)
        assert catalog_pb2.Severity.Name(rule.severity) == f"SEVERITY_{entry.severity.upper()}"
    for result in (good, bad, judged):
        assert list(result.rules) == list(shown.rules)
        assert result.rule_set_version == shown.rule_set_version == catalog.rule_set.rule_set_version
        assert result.catalog_digest == shown.catalog_digest == catalog.digest
        assert result.engine_version == shown.engine_version == ENGINE_VERSION


@pytest.mark.req("RC-04")
async def test_a_rule_that_is_switched_off_is_not_among_the_enabled_ones(catalog: Catalog) -> None:
    first, *rest = catalog.rule_set.entries
    switched = replace(catalog, rule_set=replace(catalog.rule_set, entries=(replace(first, enabled=False), *rest)))
    async with serving(switched) as server:
        shown = await server.gatekeeper.GetRuleCatalog(catalog_pb2.GetRuleCatalogRequest())
        result = (await server.gatekeeper.Validate(validate_request())).gatekeeper_result
    assert first.id not in [rule.id for rule in shown.rules]
    assert list(result.rules) == list(shown.rules)


async def test_the_catalog_tells_the_limits_that_hold(running: Running, catalog: Catalog) -> None:
    limits = (await running.gatekeeper.GetRuleCatalog(catalog_pb2.GetRuleCatalogRequest())).limits
    assert limits.max_message_bytes == catalog.limits.max_message_bytes
    assert limits.max_tool_invocations == catalog.limits.max_invocations
    assert limits.max_evidence_refs == catalog.limits.max_refs
    assert limits.max_evidence_bytes == catalog.limits.max_evidence_bytes
    assert limits.max_output_bytes == catalog.parsing.max_output_bytes


@pytest.mark.req("GK-01")
def test_the_same_request_gives_the_same_bytes(catalog: Catalog) -> None:
    text = output_text(
        binding(), binding(raw_path=None), binding(source_invocation_id=9), hypotheses=["a", {"text": "b"}]
    )
    validate, judge = validate_request(text).SerializeToString(), judge_request(text).SerializeToString()
    first, second = Methods(catalog), Methods(catalog)
    assert first.validate(validate).payload == second.validate(validate).payload == first.validate(validate).payload
    assert first.judge(judge).payload == second.judge(judge).payload


@pytest.mark.req("GK-01")
async def test_a_remembered_answer_is_the_one_that_a_second_run_gives(catalog: Catalog) -> None:
    request = validate_request(output_text(binding(raw_path="lines[8]"))).SerializeToString()
    method = "/evidencegate.v1.Gatekeeper/Validate"
    async with serving(catalog) as server:
        first = await server.channel.unary_unary(method)(request)
        second = await server.channel.unary_unary(method)(request)
        hits = server.metric("evidencegate_memo_total", result="hit")
        findings = server.metric("evidencegate_findings_total", rule="evidence.raw_path")
    async with serving(catalog, ServerSettings(memo_bytes=0)) as forgetful:
        third = await forgetful.channel.unary_unary(method)(request)
        fourth = await forgetful.channel.unary_unary(method)(request)
        misses = forgetful.metric("evidencegate_memo_total", result="miss")
    assert first == second == third == fourth
    assert (hits, misses) == (1, 2)
    assert findings == 2  # an answer that was remembered is counted as well


@pytest.mark.req("GK-21")
async def test_judge_after_validate_gives_what_judge_alone_gives(catalog: Catalog) -> None:
    text = output_text(binding(), binding(evidence_excerpt="connection pool exhausted after 3 s"))
    methods = Methods(catalog, validations_bytes=1_000_000)
    validated = gatekeeper_pb2.ValidateResponse.FromString(
        methods.validate(validate_request(text).SerializeToString()).payload
    )
    handed_in = judge_request(text, gatekeeper_result=validated.gatekeeper_result).SerializeToString()
    assert methods.judge(handed_in).payload == Methods(catalog).judge(handed_in).payload
    assert methods.judge(judge_request(text).SerializeToString()).payload == methods.judge(handed_in).payload


@pytest.mark.req("GK-16")
@pytest.mark.parametrize(
    "change",
    [
        {"input_digest": "0" * 64},
        {"input_digest": ""},
        {"status": PASS},
        {"severity": catalog_pb2.SEVERITY_NONE},
        {"status": 99},
    ],
    ids=str,
)
async def test_a_handed_in_result_that_does_not_agree_is_refused(running: Running, change: dict[str, Any]) -> None:
    text = output_text(binding(raw_path="lines[8]"))
    result = (await running.gatekeeper.Validate(validate_request(text))).gatekeeper_result
    for name, value in change.items():
        setattr(result, name, value)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.verifier.Judge(judge_request(text, gatekeeper_result=result))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "GATEKEEPER_RESULT_MISMATCH"


@pytest.mark.req("GK-16")
@pytest.mark.parametrize("emptied", ["findings", "bindings", "failed_rules"])
async def test_a_handed_in_result_with_something_left_out_is_refused(running: Running, emptied: str) -> None:
    text = output_text(binding(raw_path="lines[8]"))
    result = (await running.gatekeeper.Validate(validate_request(text))).gatekeeper_result
    result.ClearField(emptied)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.verifier.Judge(judge_request(text, gatekeeper_result=result))
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "GATEKEEPER_RESULT_MISMATCH"


@pytest.mark.req("GK-16")
@pytest.mark.parametrize("emptied", ["spans", "kind", "steps", "tool_name", "resolution"])
async def test_a_handed_in_binding_with_something_left_out_is_refused(running: Running, emptied: str) -> None:
    result = (await running.gatekeeper.Validate(validate_request())).gatekeeper_result
    await running.verifier.Judge(judge_request(gatekeeper_result=result))
    result.bindings[0].ClearField(emptied)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.verifier.Judge(judge_request(gatekeeper_result=result))
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "GATEKEEPER_RESULT_MISMATCH"


@pytest.mark.req("EX-08")
async def test_a_kind_that_is_not_set_is_what_the_tools_results_are(running: Running) -> None:
    kinds = []
    for kind in (0, invocation_pb2.EVIDENCE_KIND_OBSERVATION):
        call = invocation("394", ref(kind=kind), tool_name="lookup_knowledge")
        text = output_text(binding(tool_name="lookup_knowledge"))
        kinds.append((await running.gatekeeper.Validate(validate_request(text, call))).gatekeeper_result)
    assert [result.bindings[0].kind for result in kinds] == [
        invocation_pb2.EVIDENCE_KIND_GUIDANCE,
        invocation_pb2.EVIDENCE_KIND_OBSERVATION,
    ]
    assert kinds[0].input_digest == kinds[1].input_digest


@pytest.mark.req("GK-16")
async def test_a_clean_result_of_another_session_is_refused(running: Running) -> None:
    clean = (await running.gatekeeper.Validate(validate_request())).gatekeeper_result
    assert clean.status == PASS
    other = output_text(binding(evidence_excerpt="connection pool exhausted after 90 s"))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.verifier.Judge(judge_request(other, gatekeeper_result=clean))
    assert details(refused.value, error_details_pb2.ErrorInfo).reason == "GATEKEEPER_RESULT_MISMATCH"


@pytest.mark.req("GK-16")
@pytest.mark.parametrize("field", ["catalog_digest", "engine_version"])
async def test_a_result_of_another_catalog_or_engine_gives_way_with_a_warning(running: Running, field: str) -> None:
    text = output_text(binding(raw_path="lines[8]"))
    result = (await running.gatekeeper.Validate(validate_request(text))).gatekeeper_result
    own = gatekeeper_pb2.GatekeeperResult()
    own.CopyFrom(result)
    setattr(result, field, "other")
    result.status = PASS
    evaluation = (await running.verifier.Judge(judge_request(text, gatekeeper_result=result))).evaluation
    assert "gatekeeper.revalidated" in [warning.id for warning in evaluation.warnings]
    assert evaluation.gatekeeper_result == own


@pytest.mark.req("GK-15", "GK-16")
async def test_a_fallback_result_is_checked_afresh_and_never_passes(running: Running) -> None:
    plain = (await running.verifier.Judge(judge_request())).evaluation
    assert plain.verdict == evaluation_pb2.VERDICT_PASS
    fallback = gatekeeper_pb2.GatekeeperResult(status=PASS, severity=catalog_pb2.SEVERITY_NONE, fallback=True)
    evaluation = (await running.verifier.Judge(judge_request(gatekeeper_result=fallback))).evaluation
    assert evaluation.verdict == evaluation_pb2.VERDICT_LOW_CONFID
    assert evaluation.gatekeeper_result.fallback
    assert len(evaluation.gatekeeper_result.bindings) == 1


@pytest.mark.req("VI-02")
async def test_a_retry_context_goes_into_the_second_round_unchanged(running: Running) -> None:
    text = output_text(claims=[], missing_info=["the pool's size"])
    first = await running.verifier.Judge(judge_request(text))
    assert first.evaluation.route == evaluation_pb2.ROUTE_RETRY
    assert first.HasField("retry_context")
    second = await running.verifier.Judge(judge_request(text, round=2, retry_context=first.retry_context))
    assert second.evaluation.round == 2
    assert "judge.retry_context_missing" not in [warning.id for warning in second.evaluation.warnings]
    assert not second.HasField("retry_context")


async def test_a_result_survives_json(running: Running) -> None:
    """Offsets and counts are int32, so that JSON keeps them as numbers."""
    response = await running.verifier.Judge(judge_request())
    text = json_format.MessageToJson(response, preserving_proto_field_name=True)
    assert json_format.Parse(text, verifier_pb2.JudgeResponse()) == response


async def test_summarize_trace_names_each_call(running: Running) -> None:
    request = trace_pb2.SummarizeTraceRequest(tool_invocations=[invocation("7"), invocation("6")])
    summary = (await running.verifier.SummarizeTrace(request)).tool_trace_summary
    assert [item.trace_ref for item in summary.items] == ["inv:6", "inv:7"]


@pytest.mark.req("IO-06")
async def test_the_variants_of_the_output_are_read_alike(running: Running) -> None:
    text = output_text(binding(source_invocation_id="394"))
    as_text = validate_request(text)
    as_raw, as_object = validate_request(text), validate_request(text)
    as_raw.executor_output.raw = text.encode()
    json_format.Parse(text, as_object.executor_output.object)
    results = [
        (await running.gatekeeper.Validate(request)).gatekeeper_result for request in (as_text, as_raw, as_object)
    ]
    assert [result.status for result in results] == [PASS] * 3
    assert [list(result.bindings) for result in results[1:]] == [list(results[0].bindings)] * 2
    assert len({result.input_digest for result in results}) == 3


@pytest.mark.req("IO-06")
async def test_an_id_in_an_object_keeps_its_digits(running: Running) -> None:
    request = validate_request()
    json_format.Parse(output_text(binding(source_invocation_id=394)), request.executor_output.object)
    (check,) = (await running.gatekeeper.Validate(request)).gatekeeper_result.bindings
    assert check.invocation_id == "394"


@pytest.mark.req("IO-06", "EX-04")
async def test_lone_surrogates_travel_as_bytes_and_are_a_result(running: Running) -> None:
    request = validate_request()
    request.executor_output.raw = output_text().replace("exhausted", "\ud800").encode("utf-8", "surrogatepass")
    report = (await running.gatekeeper.Validate(request)).executor_output_parse_status
    assert (report.status, report.reason) == (text_pb2.PARSE_STATUS_MALFORMED, "invalid_unicode")


async def test_the_log_names_the_call_and_no_text_of_it(running: Running) -> None:
    request = judge_request(output_text(binding(evidence_excerpt="SECRETEXCERPT")), original_query="SECRETQUERY")
    request.tool_invocations[0].output = "SECRETOUTPUT"
    await running.verifier.Judge(request)
    (line,) = [line for line in running.log_lines() if line["event"] == "call"]
    assert (line["method"], line["code"], line["session_id"]) == ("Verifier/Judge", "OK", "session-1")
    assert line["verdict"] == "REJECT"
    assert line["failed_rules"] == ["evidence.excerpt_mismatch"]
    assert line["request_bytes"] == request.ByteSize()
    assert line["millis"] >= 0
    logged = running.log.getvalue().decode()
    assert "SECRET" not in logged
    assert "exhausted" not in logged


async def test_the_metrics_count_calls_findings_verdicts_and_the_catalog(running: Running, catalog: Catalog) -> None:
    text = output_text(binding(raw_path="lines[8]"), binding(raw_path="lines[9]"))
    await running.verifier.Judge(judge_request(text))
    with pytest.raises(grpc.aio.AioRpcError):
        await running.verifier.Judge(judge_request(round=0))
    judge = "Verifier/Judge"
    assert running.metric("evidencegate_calls_total", method=judge, code="OK") == 1
    assert running.metric("evidencegate_calls_total", method=judge, code="INVALID_ARGUMENT") == 1
    assert running.metric("evidencegate_call_seconds_count", method=judge) == 2
    assert running.metric("evidencegate_findings_total", rule="evidence.raw_path") == 2
    assert running.metric("evidencegate_verdicts_total", verdict="REJECT") == 1
    assert running.metric("evidencegate_routes_total", route="DEGRADE") == 1
    assert running.metric("evidencegate_executor_outputs_total", status="valid") == 1
    assert running.metric("evidencegate_calls_in_flight") == 0
    info = {
        "rule_set_version": catalog.rule_set.rule_set_version,
        "catalog_digest": catalog.digest,
        "engine_version": ENGINE_VERSION,
    }
    assert running.metric("evidencegate_catalog_info", **info) == 1


async def test_a_heavy_request_is_answered_like_a_light_one(catalog: Catalog) -> None:
    request = validate_request()
    async with serving(catalog, ServerSettings(heavy_request_bytes=0)) as heavy, serving(catalog) as light:
        assert await heavy.gatekeeper.Validate(request) == await light.gatekeeper.Validate(request)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await heavy.gatekeeper.Validate(validate_request(None, invocation("")))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
