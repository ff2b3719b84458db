"""The comparison of what came out with what a file expects."""

from __future__ import annotations

from typing import Any

import pytest
from evidencegate_server.cli.checks import differences

OUTCOME: dict[str, Any] = {
    "session_id": "s",
    "parse_status": "valid",
    "parse_reason": "",
    "gatekeeper": {"status": "fail", "severity": "reject", "failed_rules": ["a", "b"], "warning_rules": []},
    "claims": [
        {"index": 0, "claim_id": "c1", "verification": "unsupported", "detail": ""},
        {"index": 1, "claim_id": "c1", "verification": "contradicted", "detail": ""},
    ],
    "verdict": "REJECT",
    "engine_verdict": "LOW_CONFID",
    "score": 0.6667,
    "route": "DEGRADE",
    "millis": 1.0,
}


@pytest.mark.parametrize(
    "expect",
    [
        {},
        {"verdict": "REJECT", "route": "DEGRADE", "parse_status": "valid", "engine_verdict": "LOW_CONFID"},
        {"verdict": ["PASS", "REJECT"]},
        {"parse_reason": ""},
        {"score": 0.6667},
        {"score": 0.66666},
        {"gatekeeper": {"status": "fail", "severity": "reject", "failed_rules": ["a", "b"], "warning_rules": []}},
        {"claims": {"c1": ["unsupported", "contradicted"]}},
        {"why": "a remark", "note": "another"},
    ],
)
def test_what_is_met_is_no_difference(expect: dict[str, Any]) -> None:
    assert differences(expect, OUTCOME) == []


@pytest.mark.parametrize(
    ("expect", "sentence"),
    [
        ({"verdict": "PASS"}, "verdict: expected PASS, got REJECT"),
        ({"parse_reason": "truncated"}, "parse_reason: expected truncated, got nothing"),
        ({"score": 0.666}, "score: expected 0.666, got 0.6667"),
        ({"score": "0.6667"}, "score: expected 0.6667, got 0.6667"),
        ({"score": 1}, "score: expected 1, got 0.6667"),
        ({"gatekeeper": {"failed_rules": ["a"]}}, "gatekeeper.failed_rules: expected [a], got [a, b]"),
        ({"gatekeeper": {"rules": []}}, "expect.gatekeeper.rules is no expectation that can be checked"),
        ({"gatekeeper": []}, "expect.gatekeeper is no object"),
        ({"claims": {"c1": ["unsupported"]}}, "claims.c1: expected [unsupported], got contradicted"),
        ({"claims": {"c2": ["unsupported"]}}, "claims.c2: expected [unsupported], but there is no such claim"),
        ({"claims": []}, "expect.claims is no object"),
        ({"verdit": "REJECT"}, "expect.verdit is no expectation that can be checked"),
    ],
)
def test_what_is_not_met_is_said_in_one_sentence(expect: dict[str, Any], sentence: str) -> None:
    assert differences(expect, OUTCOME) == [sentence]
