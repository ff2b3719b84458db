"""What holds for the chain of checks as a whole, whatever the single rules find."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from evidencegate_server.rules import chain as chain_module
from evidencegate_server.rules.chain import CHAIN, Chain, Check, Step
from evidencegate_server.rules.model import GatekeeperResult
from evidencegate_server.rules.registry import RULES_BY_ID, unique_by_id
from evidencegate_server.rules.scope_narrow_claims import NarrowClaims
from evidencegate_server.use_cases.validate import ValidationInput, validate
from evidencegate_server.words import (
    GatekeeperStatus,
    InvocationStatus,
    Outcome,
    OutputVariant,
    Resolution,
    Severity,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.cases import catalog, invocation, rule_cases, run_case, with_rule

STEPS = [step.name for step in (*CHAIN.resolve, *CHAIN.locate)]
BINDING_STEPS = [*STEPS, "invocation_status", "claim_contract_kept"]
LINE = "connection refused by db-7 after 3 retries"
SOUND: dict[str, Any] = {
    "tool_name": "query_logs",
    "source_invocation_id": "1",
    "raw_path": "lines[0]",
    "evidence_excerpt": "connection refused by db-7",
}
CALLS = (
    invocation({"id": "1", "tool": "query_logs", "refs": {"lines[0]": LINE}}),
    invocation({"id": "2", "tool": "query_logs", "status": "FAILED", "refs": {"lines[0]": LINE}}),
    invocation({"id": "3", "tool": "query_metrics", "status": "NO_HIT", "input": "up", "output": "no series"}),
)


def _output(*bindings: Any, **claim: Any) -> str:
    fields = {
        "claim_id": "c1",
        "claim_type": "symptom",
        "claim_text": "db-7 refuses connections",
        "support_level": "direct",
        "evidence_bindings": list(bindings),
    }
    lists: dict[str, Any] = {"hypotheses": [], "recommended_actions": [], "missing_info": []}
    return json.dumps({"answer_version": "executor_evidence_v2", "claims": [{**fields, **claim}], **lists})


def _validate(*bindings: Any, used: Any = None, calls: Any = CALLS, **claim: Any) -> GatekeeperResult:
    request = ValidationInput(OutputVariant.TEXT, _output(*bindings, **claim), tuple(calls))
    return validate(request, used or catalog()).result


def _outcomes(result: GatekeeperResult, binding: int = 0) -> dict[str, str]:
    return {step.step: step.outcome.value for step in result.bindings[binding].steps}


@pytest.mark.req("GK-06", "GK-17", "GK-20")
def test_a_precise_binding_passes_every_step() -> None:
    result = _validate(SOUND)
    assert result.status is GatekeeperStatus.PASS
    assert result.severity is Severity.NONE
    assert result.failed_rules == ()
    assert _outcomes(result) == dict.fromkeys(BINDING_STEPS, "pass")
    check = result.bindings[0]
    assert (check.place, check.claim_index, check.binding_index) == ("claims[0].evidence_bindings[0]", 0, 0)
    assert (check.invocation_id, check.tool_name, check.raw_path) == ("1", "query_logs", "lines[0]")
    assert (check.verified, check.resolution, check.tier) == (True, Resolution.NAMED, "verbatim")
    assert [LINE[span.start : span.end] for span in check.spans] == ["connection refused by db-7"]


FAILING: list[tuple[str, dict[str, Any], str]] = [
    ("contract_kept", {"tool_name": None}, "schema.executor_v2"),
    ("invocation_named", {"source_invocation_id": None}, "evidence.invocation_missing"),
    ("invocation_found", {"source_invocation_id": "9"}, "evidence.invocation_ref"),
    ("refs_available", {"source_invocation_id": "4"}, "evidence.refs_unavailable"),
    ("raw_path_given", {"raw_path": None}, "evidence.raw_path_missing"),
    ("raw_path_known", {"raw_path": "lines[1]"}, "evidence.raw_path"),
    ("excerpt_contained", {"evidence_excerpt": "connection accepted by db-7"}, "evidence.excerpt_mismatch"),
    (
        "excerpt_contained",
        {"source_invocation_id": "5", "evidence_excerpt": "refused by db-8"},
        "evidence.refs_unavailable",
    ),
    ("excerpt_informative", {"evidence_excerpt": "3"}, "evidence.excerpt_uninformative"),
    ("excerpt_supported", {"evidence_excerpt": "onnection refused by db-7"}, "evidence.excerpt_mismatch"),
]


@pytest.mark.req("GK-17", "GK-20")
@pytest.mark.parametrize(("step", "change", "rule"), FAILING)
def test_the_first_step_that_fails_ends_the_chain(step: str, change: dict[str, Any], rule: str) -> None:
    calls = (
        *CALLS,
        invocation({"id": "4", "tool": "query_logs"}),
        invocation({"id": "5", "tool": "query_logs", "refs": {"lines[0]": {"text": LINE, "truncated": True}}}),
    )
    result = _validate({**SOUND, **change}, calls=calls)
    assert result.failed_rules == (rule,)
    outcomes = _outcomes(result)
    at = STEPS.index(step)
    assert [outcomes[name] for name in STEPS] == ["pass"] * at + ["fail"] + ["not_applicable"] * (len(STEPS) - at - 1)
    found = step not in ("contract_kept", "invocation_named", "invocation_found")
    assert outcomes["invocation_status"] == ("pass" if found else "not_applicable")
    named = {each.step: each.rule_id for each in result.bindings[0].steps}
    assert named[step] == rule
    assert result.bindings[0].verified is False


@pytest.mark.req("GK-17")
def test_a_blank_excerpt_is_not_compared() -> None:
    outcomes = _outcomes(_validate({**SOUND, "evidence_excerpt": " "}))
    assert (outcomes["excerpt_contained"], outcomes["excerpt_informative"]) == ("not_applicable", "fail")


@pytest.mark.req("GK-17")
def test_no_binding_hides_another() -> None:
    broken = [{**SOUND, **change} for _, change, _ in FAILING[:3]]
    result = _validate("no object", *broken, SOUND)
    assert [check.verified for check in result.bindings] == [False, False, False, False, True]
    assert [finding.binding_index for finding in result.findings] == [0, 1, 2, 3]


@pytest.mark.req("GK-14", "GK-17")
def test_the_status_of_the_invocation_is_told_beside_the_chain() -> None:
    result = _validate({**SOUND, "source_invocation_id": "2", "raw_path": None})
    assert result.failed_rules == ("evidence.invocation_status", "evidence.raw_path_missing")
    assert _outcomes(result)["invocation_status"] == "fail"


@pytest.mark.req("GK-02")
def test_the_severity_is_the_worst_of_the_failed_rules() -> None:
    result = _validate({**SOUND, "raw_path": None}, {**SOUND, "source_invocation_id": "9"}, {**SOUND, "raw_path": None})
    assert result.severity is Severity.REJECT
    assert result.failed_rules == ("evidence.invocation_ref", "evidence.raw_path_missing")
    low = _validate({**SOUND, "raw_path": None})
    assert (low.status, low.severity) == (GatekeeperStatus.FAIL, Severity.LOW_CONFID)


@pytest.mark.req("GK-02")
def test_a_finding_says_where_why_and_what_to_do() -> None:
    finding = _validate({**SOUND, "raw_path": "lines[1]"}).findings[0]
    entry = catalog().rule_set.entry("evidence.raw_path")
    assert (finding.rule_id, finding.rule_version, finding.severity) == (entry.id, entry.version, entry.severity)
    assert (finding.why, finding.fix) == (entry.why, entry.fix)
    assert finding.place == "claims[0].evidence_bindings[0].raw_path"
    assert (finding.claim_index, finding.binding_index) == (0, 0)
    assert (finding.quoted, finding.uncounted_reason) == ("lines[1]", "")


@pytest.mark.req("GK-20")
def test_a_refused_excerpt_shows_where_it_was_found() -> None:
    (check,) = _validate({**SOUND, "evidence_excerpt": "connection refused by db"}).bindings
    assert (check.verified, check.mismatch_reason, check.tier) == (False, "sign_or_joiner_cropped", "verbatim")
    assert [LINE[span.start : span.end] for span in check.spans] == ["connection refused by db"]


@pytest.mark.req("GK-20")
def test_a_checked_binding_carries_its_excerpt_shortened() -> None:
    result = _validate(SOUND, {**SOUND, "evidence_excerpt": "x" * 500}, {**SOUND, "evidence_excerpt": None})
    assert [check.evidence_excerpt for check in result.bindings] == [SOUND["evidence_excerpt"], "x" * 199 + "…", ""]


@pytest.mark.req("GK-20", "IO-06")
def test_a_text_that_lost_a_character_on_its_way_is_flagged() -> None:
    refs = {"lines[0]": f"{LINE} \ufffd\u200b", "lines[1]": f"{LINE} 数据库"}
    calls = (invocation({"id": "1", "tool": "query_logs", "refs": refs}),)
    result = _validate(SOUND, {**SOUND, "raw_path": "lines[1]"}, {**SOUND, "raw_path": "lines[2]"}, calls=calls)
    assert [check.flags for check in result.bindings] == [("replacement_character",), (), ()]


@pytest.mark.req("GK-02", "RC-04")
def test_a_result_carries_the_rule_set_on_pass_and_on_fail() -> None:
    whole = catalog().rule_set
    assert _validate(SOUND).rule_set == whole
    assert _validate().rule_set == whole


@pytest.mark.req("GK-19")
def test_warnings_alone_warn_and_notes_alone_pass() -> None:
    warned = _validate({**SOUND, "source_invocation_ids": ["1"]})
    assert (warned.status, warned.severity) == (GatekeeperStatus.WARN, Severity.NONE)
    noted = _validate({**SOUND, "source_invocation_id": 1})
    assert noted.notes
    assert (noted.status, noted.warnings) == (GatekeeperStatus.PASS, ())


@pytest.mark.req("GK-19")
def test_warnings_of_parsing_and_of_bindings_stand_together() -> None:
    text = "```json\n" + _output({**SOUND, "source_invocation_ids": ["1"], "colour": "red"}) + "\n```"
    result = validate(ValidationInput(OutputVariant.TEXT, text, CALLS), catalog()).result
    assert sorted(warning.id for warning in result.warnings) == [
        "binding.legacy_ids",
        "parse.fence_stripped",
        "schema.unknown_field",
    ]


@pytest.mark.req("RC-03")
@pytest.mark.parametrize("severity", [Severity.LOW_CONFID, Severity.REJECT])
def test_the_catalog_sets_the_severity(severity: Severity) -> None:
    used = with_rule(catalog(), "evidence.raw_path", severity=severity)
    result = _validate({**SOUND, "raw_path": "lines[1]"}, used=used)
    assert (result.severity, result.findings[0].severity) == (severity, severity)


@pytest.mark.req("RC-03")
@pytest.mark.parametrize(("step", "change", "rule"), FAILING[:7])
def test_a_rule_that_is_switched_off_counts_nothing_and_verifies_nothing(
    step: str, change: dict[str, Any], rule: str
) -> None:
    calls = (*CALLS, invocation({"id": "4", "tool": "query_logs"}))
    result = _validate({**SOUND, **change}, used=with_rule(catalog(), rule, enabled=False), calls=calls)
    assert (result.status, result.severity, result.failed_rules) == (GatekeeperStatus.PASS, Severity.NONE, ())
    assert result.findings == ()
    assert [(each.rule_id, each.uncounted_reason) for each in result.uncounted_findings] == [(rule, "disabled")]
    assert result.bindings[0].verified is False
    assert _outcomes(result)[step] == "fail"


class _CrashError(Exception):
    pass


def _raise(*_: Any) -> Any:
    raise _CrashError("a text that quotes evidence")


def _crashing(step_name: str) -> Chain:
    """Returns the chain with one step, or the check of outputs or claims, that raises."""

    def broken(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(_broken(step) if step.name == step_name else step for step in steps)

    status = CHAIN.invocation_status
    return Chain(
        output=_raise if step_name == "output" else CHAIN.output,
        narrow_scope=CHAIN.narrow_scope,
        claim_contract=_raise if step_name == "claim_contract_kept" else CHAIN.claim_contract,
        resolve=broken(CHAIN.resolve),
        locate=broken(CHAIN.locate),
        invocation_status=_broken(status) if status.name == step_name else status,
    )


@pytest.mark.req("GK-18", "PR-02")
@pytest.mark.parametrize("enabled", [True, False])
def test_a_warning_rule_that_crashes_is_an_error_as_any_other(enabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_module, "CHAIN", replace(CHAIN, narrow_scope=_raise))
    used = with_rule(catalog(), "scope.narrow_claims", enabled=enabled)
    given = ValidationInput(OutputVariant.TEXT, _output(SOUND), CALLS, narrow_question=True)
    result = validate(given, used).result
    assert (result.status, result.severity) == (GatekeeperStatus.FAIL, Severity.LOW_CONFID)
    assert result.failed_rules == ("scope.narrow_claims",)


def _broken(step: Step) -> Step:
    return replace(step, checks=tuple(Check(check.rule, _raise) for check in step.checks))


@pytest.mark.req("GK-18", "GK-02")
@pytest.mark.parametrize("step", ["output", *BINDING_STEPS])
@pytest.mark.parametrize("enabled", [True, False])
def test_a_rule_that_crashes_is_an_error_and_never_a_pass(
    step: str, enabled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain_module, "CHAIN", _crashing(step))
    used = catalog()
    for rule_id in RULES_BY_ID:
        used = with_rule(used, rule_id, enabled=enabled)
    result = _validate(SOUND, used=used)
    error = result.rule_errors[0]
    assert result.status is GatekeeperStatus.FAIL
    assert result.failed_rules == (error.rule_id,)
    own = catalog().rule_set.entry(error.rule_id).severity
    assert result.severity is (own if enabled else Severity.LOW_CONFID)
    assert error.message == "_CrashError"
    assert (error.severity, error.rule_version) == (result.severity, catalog().rule_set.entry(error.rule_id).version)
    assert (error.claim_index, error.binding_index) == {
        "output": (None, None),
        "claim_contract_kept": (0, None),
    }.get(step, (0, 0))
    assert result.findings == ()
    if step != "output":
        assert _outcomes(result)[step] == Outcome.ERROR.value
        assert result.bindings[0].verified is False


@pytest.mark.req("GK-18")
def test_a_check_that_crashes_on_one_candidate_is_told_although_another_bears_the_excerpt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refs, *rest = CHAIN.locate
    check = refs.checks[0]

    def picky(case: Any, parameters: Any) -> Any:
        return _raise() if case.invocation.id == "2" else check.run(case, parameters)

    broken = replace(CHAIN, locate=(replace(refs, checks=(Check(check.rule, picky),)), *rest))
    monkeypatch.setattr(chain_module, "CHAIN", broken)
    result = _validate({**SOUND, "source_invocation_id": None, "source_invocation_ids": ["2", "1"]})
    assert result.bindings[0].invocation_id == "1"
    assert [error.rule_id for error in result.rule_errors] == ["evidence.refs_unavailable"]
    assert result.status is GatekeeperStatus.FAIL
    untried = _validate({**SOUND, "source_invocation_id": None, "source_invocation_ids": ["1", "2"]})
    assert (untried.rule_errors, untried.status) == ((), GatekeeperStatus.WARN)


@pytest.mark.req("GK-18", "GK-01")
@pytest.mark.parametrize(("short", "compared"), [(0, 3), (1, 2)])
def test_comparisons_stop_at_the_bound_as_an_error_and_always_at_the_same_binding(short: int, compared: int) -> None:
    text = "nothing of the kind happened here. " * 4_000
    calls = (invocation({"id": "1", "tool": "query_logs", "refs": {"lines[0]": text}}),)
    bindings = [{**SOUND, "evidence_excerpt": f"db-{number} refused the connection"} for number in range(5)]
    bound = len(text) + 2 * (len(text) // 16) + 3 * 16 * len("db-0 refused the connection") - short
    used = with_rule(catalog(), "evidence.excerpt_mismatch", parameters={"max_compared_characters": bound})
    result = _validate(*bindings, used=used, calls=calls)
    outcomes = [_outcomes(result, at)["excerpt_contained"] for at in range(5)]
    assert outcomes == ["fail"] * compared + ["error"] * (5 - compared)
    assert [error.place for error in result.rule_errors] == [check.place for check in result.bindings[compared:]]
    assert result.rule_errors[0].message == (
        f"CheckNotRunError: comparing would cost more than is left of {bound} characters"
    )
    assert (result.status, result.severity) == (GatekeeperStatus.FAIL, Severity.REJECT)
    assert not any(check.verified for check in result.bindings)
    assert result == _validate(*bindings, used=used, calls=calls)


@pytest.mark.req("GK-18")
def test_the_places_that_an_excerpt_is_refused_at_count_too() -> None:
    text = "xerror codex " * 10_000
    calls = (invocation({"id": "1", "tool": "query_logs", "refs": {"lines[0]": text}}),)
    used = with_rule(catalog(), "evidence.excerpt_mismatch", parameters={"max_compared_characters": 2 * len(text)})
    result = _validate(*[{**SOUND, "evidence_excerpt": "error code"}] * 4, used=used, calls=calls)
    outcomes = [_outcomes(result, at)["excerpt_contained"] for at in range(4)]
    assert outcomes == ["pass", "pass", "error", "error"]


@pytest.mark.req("GK-18")
def test_verbatim_quotations_cost_next_to_nothing() -> None:
    text = LINE + ". nothing else happened here" * 4_000
    calls = (invocation({"id": "1", "tool": "query_logs", "refs": {"lines[0]": text}}),)
    used = with_rule(catalog(), "evidence.excerpt_mismatch", parameters={"max_compared_characters": 2 * len(text)})
    assert all(check.verified for check in _validate(*[SOUND] * 50, used=used, calls=calls).bindings)


@pytest.mark.req("GK-01")
@given(st.permutations(CALLS), st.integers())
def test_the_order_of_the_invocations_changes_nothing(calls: list[Any], seed: int) -> None:
    changes = [change for _, change, _ in FAILING]
    random.Random(seed).shuffle(changes)
    bindings = [{**SOUND, **change} for change in changes]
    assert _validate(*bindings, calls=calls) == _validate(*bindings)


@pytest.mark.req("GK-01")
def test_every_case_gives_the_same_result_twice() -> None:
    for case in rule_cases():
        assert run_case(case).result == run_case(case).result


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))
FIELDS = (*SOUND, "source_invocation_ids", "source_type", "source_id")
EXCERPTS = ["connection refused by db-7", "no series", "3", "", " ", None, 7, "onnection"]
IDS = st.sampled_from(["1", "2", "3", "9", 1, 2, True, None, "", "1.0", 1.5])
NEAR = st.fixed_dictionaries(
    {},
    optional={
        "tool_name": st.sampled_from(["query_logs", "query_metrics", "", None, 3]),
        "source_invocation_id": IDS,
        "source_invocation_ids": st.lists(IDS, max_size=3) | IDS,
        "raw_path": st.sampled_from(["lines[0]", "input", "output", "", None, 0]),
        "evidence_excerpt": st.sampled_from(EXCERPTS),
    },
)


@pytest.mark.req("EX-04", "GK-18")
@given(st.lists(NEAR | st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON, max_size=4), JSON)
def test_nothing_that_a_model_writes_is_an_error_of_a_rule_or_a_precise_pass_by_accident(
    bindings: list[Any], level: Any
) -> None:
    result = _validate(*bindings, support_level=level)
    assert result.rule_errors == ()
    for check in result.bindings:
        outcomes = {step.outcome for step in check.steps}
        assert [step.step for step in check.steps] == BINDING_STEPS
        assert check.verified == (outcomes == {Outcome.PASS})
        if check.verified:
            call = next(each for each in CALLS if each.id == check.invocation_id)
            assert call.tool_name == check.tool_name
            assert call.status is InvocationStatus.SUCCESS
    assert (result.status is GatekeeperStatus.FAIL) == bool(result.failed_rules)


@given(st.text(max_size=60), st.text(max_size=20))
def test_whatever_an_excerpt_and_a_text_hold_the_rules_answer(text: str, excerpt: str) -> None:
    clean = [part.encode("utf-8", "replace").decode() for part in (text, excerpt)]
    calls = (invocation({"id": "1", "tool": "query_logs", "refs": {"lines[0]": clean[0]}}),)
    result = _validate({**SOUND, "evidence_excerpt": clean[1]}, calls=calls)
    assert result.rule_errors == ()
    for span in result.bindings[0].spans:
        assert 0 <= span.start < span.end <= len(clean[0])


@pytest.mark.req("GK-02")
def test_a_finding_quotes_no_more_than_two_hundred_characters() -> None:
    long = "x" * 5_000
    changes: list[dict[str, Any]] = [
        {"evidence_excerpt": long},
        {"raw_path": long},
        {"source_invocation_id": long},
        {"tool_name": long},
        {"source_id": [long]},
    ]
    result = _validate(*[{**SOUND, **change} for change in changes], support_level=long)
    assert len(result.findings) == 6
    for finding in result.findings:
        assert len(finding.quoted) <= 200
        assert len(finding.message) <= 800


@pytest.mark.req("EX-04")
def test_a_long_claim_id_is_not_repeated_in_full_with_each_binding() -> None:
    result = _validate(*[SOUND] * 50, claim_id="c" * 100_000)
    assert {len(check.claim_id) for check in result.bindings} == {200}
    assert all(check.verified for check in result.bindings)


def test_two_rules_with_one_id_are_refused() -> None:
    first = next(iter(RULES_BY_ID.values()))
    with pytest.raises(ValueError, match="two rules have the ID"):
        unique_by_id((first, first))


def test_the_chain_uses_registered_rules_alone() -> None:
    used = set()
    for step in (*CHAIN.resolve, *CHAIN.locate, CHAIN.invocation_status):
        assert all(RULES_BY_ID[check.rule.id] is check.rule for check in step.checks)
        used |= {check.rule.id for check in step.checks}
    used.add(NarrowClaims.id)  # beside the chain of bindings
    assert used == set(RULES_BY_ID)
