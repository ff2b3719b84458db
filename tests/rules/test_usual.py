"""What is settled at once has the record that the chain gives, byte for byte."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.rules import gatekeeper
from evidencegate_server.rules.chain import CHAIN
from evidencegate_server.rules.gatekeeper import run_rules
from evidencegate_server.rules.ledger import RulesReport
from evidencegate_server.rules.texts import SearchableEvidence
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.cases import case_input, catalog, invocation, rule_cases, with_rule

LINE = "2026-03-02 connection refused by db-7 after 3 retries, pool is not full"
DAMAGED = "连接被拒绝 \ufffd checkout upstream timed out"
CALLS = (
    invocation(
        {"id": "1", "tool": "query_logs", "refs": {"lines[0]": LINE, "lines[1]": DAMAGED, "lines[2]": LINE * 9}}
    ),
    invocation({"id": "2", "tool": "query_logs", "status": "FAILED", "refs": {"lines[0]": LINE}}),
    invocation({"id": "3", "tool": "query_metrics", "status": "NO_HIT", "input": "up", "output": "no series"}),
)
VALUES: dict[str, list[Any]] = {
    "tool_name": ["query_logs", "query_metrics", "", None, 1],
    "source_invocation_id": ["1", 1, " 1", 1.0, "2", "3", "9", True, None, ""],
    "source_invocation_ids": [None, ["1"], [], "1"],
    "raw_path": ["lines[0]", "lines[1]", "lines[2]", "output", " ", None, 7],
    "evidence_excerpt": [
        "connection refused by db-7", " connection refused by db-7\n", "refused by db", "connection  refused by db-7",
        "checkout upstream timed out", "连接被拒绝", "full", "pool is full", "x" * 300, LINE * 9, " ", "", None, 3,
    ],
    "source_type": ["tool_invocation", "", None, 5],
    "source_id": ["7", 7, 7.5, "", None, True, []],
    "novel": [1],
}  # fmt: skip
SOUND = {
    "tool_name": "query_logs",
    "source_invocation_id": "1",
    "raw_path": "lines[0]",
    "evidence_excerpt": "connection refused by db-7",
}
CHANGES = st.dictionaries(
    st.sampled_from(sorted(VALUES)), st.integers(0, 19), max_size=3
)  # how far into the values of each field
CLAIM_FIELDS = st.sampled_from([{}, {}, {"claim_id": "c" * 300}, {"claim_text": ""}, {"support_level": "maybe"}])


def _binding(changes: dict[str, int]) -> dict[str, Any]:
    return SOUND | {name: VALUES[name][at % len(VALUES[name])] for name, at in changes.items()}


def _both(output: str | bytes | None, calls: Any, used: Any) -> tuple[RulesReport, RulesReport]:
    """Returns the report with what can be settled at once, and the one of the chain alone."""
    parsed = parse_executor_output(output, used.parsing)
    usual, alone = (
        run_rules(parsed, SearchableEvidence(calls), used.rule_set, used.excerpts, chain)
        for chain in (CHAIN, replace(CHAIN))
    )
    return usual, alone


@pytest.mark.req("GK-06", "GK-17")
@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(CLAIM_FIELDS, st.lists(CHANGES, max_size=3)), min_size=1, max_size=3),
    st.sampled_from([10_000_000, 100_000]),
)
def test_a_binding_that_is_settled_at_once_has_the_record_that_the_chain_gives(
    claims: list[tuple[dict[str, Any], list[dict[str, int]]]], bound: int
) -> None:
    usual_claim = {"claim_id": "c1", "claim_type": "symptom", "claim_text": "db-7 refuses", "support_level": "direct"}
    output = {
        "answer_version": "executor_evidence_v2",
        "claims": [
            {**usual_claim, **fields, "evidence_bindings": [_binding(changes) for changes in bindings]}
            for fields, bindings in claims
        ],
        "hypotheses": [],
        "recommended_actions": [],
        "missing_info": [],
    }
    used = with_rule(catalog(), "evidence.excerpt_mismatch", parameters={"max_compared_characters": bound})
    usual, alone = _both(json.dumps(output), CALLS, used)
    assert usual == alone
    assert repr(usual) == repr(alone)  # types too: 1 equals True


def test_every_case_beside_a_rule_fares_the_same_settled_at_once_or_not() -> None:
    for case in rule_cases():
        request = case_input(case)
        usual, alone = _both(
            request.output,
            request.invocations,
            with_rule(catalog(), case.rule, parameters=case.given.get("parameters", {})),
        )
        assert repr(usual) == repr(alone)


def test_a_precise_binding_is_settled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("the chain was asked")

    monkeypatch.setattr(gatekeeper._Run, "_check_binding", fail)
    claim = {"claim_id": "c1", "claim_type": "symptom", "claim_text": "db-7 refuses", "support_level": "direct"}
    lists: dict[str, Any] = {"hypotheses": [], "recommended_actions": [], "missing_info": []}
    claims = [{**claim, "evidence_bindings": [SOUND]}]
    output = json.dumps({"answer_version": "executor_evidence_v2", "claims": claims, **lists})
    used = catalog()
    parsed = parse_executor_output(output, used.parsing)
    report = run_rules(parsed, SearchableEvidence(CALLS), used.rule_set, used.excerpts, CHAIN)
    assert [check.verified for check in report.bindings] == [True]
