"""Every case comes out as the rules of quoting say."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from evidencegate_server.excerpts.model import ExcerptTier, MismatchReason

from tests.excerpts.support import Case, match, own_cases, recorded_cases
from tests.support import ROOT


@pytest.mark.req("GK-06", "GK-10", "GK-11")
@pytest.mark.parametrize("case", recorded_cases(), ids=lambda case: case.id)
def test_a_recorded_case_comes_out_right(case: Case) -> None:
    assert case.expect == match(case.excerpt, case.evidence).status, case.note


@pytest.mark.req("GK-06", "GK-10", "GK-11", "GK-20")
@pytest.mark.parametrize("case", own_cases(), ids=lambda case: case.id)
def test_a_case_comes_out_right_with_its_reason_tier_spans_and_flags(case: Case) -> None:
    result = match(case.excerpt, case.evidence)
    seen = {
        "expect": result.status.value,
        "reason": str(result.reason),
        "tier": str(result.tier),
        "spans": [[span.start, span.end] for span in result.spans],
        "flags": [str(flag) for flag in result.flags],
    }
    expected = {name: value for name in seen if (value := getattr(case, name)) is not None}
    assert expected == {name: seen[name] for name in expected}


def test_every_case_has_its_own_name() -> None:
    names = [case.id for case in own_cases()]
    assert sorted(set(names)) == sorted(names)


def test_every_reason_and_every_tier_has_a_case() -> None:
    cases = own_cases()
    assert set(MismatchReason) == {case.reason for case in cases if case.reason}
    assert set(ExcerptTier) == {case.tier for case in cases if case.tier}


@pytest.mark.req("GK-01")
def test_results_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from tests.excerpts.support import match, own_cases\n"
        "print([(case.id, match(case.excerpt, case.evidence)) for case in own_cases()])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1
