"""The verdict's tables are as the standard says and can only be made stricter."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.verdict.tables import CORE_CRITICAL_TYPES, VerdictTables
from evidencegate_server.words import FactVerification, Severity, Verdict, Verification
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.catalog.support import RULES

ORDER = [Verdict.REJECT, Verdict.LOW_CONFID, Verdict.PASS]
CAPS = [
    "parse_missing",
    "parse_malformed",
    "verifier_unreadable",
    "rule_error",
    "fallback",
    "no_claims",
    "weak_critical_claim",
    "only_inference",
    "contradicted_claim",
    "contradicted_critical_claim",
    "fabricated_identifier",
    "unclaimed_answer_fact",
]


@pytest.mark.req("RC-03", "VD-06")
def test_the_packaged_tables_are_the_standard_ones() -> None:
    tables = load_catalog(RULES).verdict

    assert tables == VerdictTables()
    assert tables.critical_claim_types == ("root_cause", "symptom", "impact", "risk")
    assert [tables.fact_scores.of(label) for label in FactVerification] == [1.0, 0.6, 0.0, 0.0]
    assert (tables.pass_threshold, tables.max_rounds) == (0.5, 2)
    assert [tables.caps.severity.of(severity) for severity in Severity] == [
        Verdict.PASS,
        Verdict.LOW_CONFID,
        Verdict.REJECT,
    ]


@pytest.mark.req("RC-03")
@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_cap_can_be_lowered_and_never_raised(cap: str, verdict: Verdict) -> None:
    standard: Verdict = getattr(VerdictTables().caps, cap)
    text = json.dumps({"caps": {cap: verdict.value}})
    if ORDER.index(verdict) <= ORDER.index(standard):
        assert getattr(VerdictTables.model_validate_json(text).caps, cap) is verdict
    else:
        with pytest.raises(ValidationError):
            VerdictTables.model_validate_json(text)


@pytest.mark.req("RC-03")
@pytest.mark.parametrize("label", list(Verification))
@pytest.mark.parametrize(
    "guard", ["failed_binding", "dropped_reference", "no_verified_binding", "guidance_only", "foreign_value"]
)
def test_a_guard_leaves_no_better_label_than_the_standard(guard: str, label: Verification) -> None:
    weak = guard in ("no_verified_binding", "guidance_only", "foreign_value")
    allowed = [Verification.UNSUPPORTED]
    if not weak:
        allowed += [Verification.REASONABLE_INFERENCE, Verification.OVERSTATED]
    text = json.dumps({"label_caps": {guard: label.value}})
    if label in allowed:
        assert getattr(VerdictTables.model_validate_json(text).label_caps, guard) is label
    else:
        with pytest.raises(ValidationError):
            VerdictTables.model_validate_json(text)


@pytest.mark.req("RC-03")
@given(
    st.dictionaries(
        st.sampled_from(["direct_evidence", "indirect_support", "no_evidence"]),
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(),
)
def test_tables_that_are_accepted_are_never_laxer(scores: dict[str, float], threshold: float, rounds: int) -> None:
    data: dict[str, Any] = {"fact_scores": scores, "pass_threshold": threshold, "max_rounds": rounds}
    try:
        tables = VerdictTables.model_validate_json(json.dumps(data))
    except ValidationError:
        return
    assert 0.0 <= tables.fact_scores.indirect_support <= tables.fact_scores.direct_evidence <= 1.0
    assert tables.fact_scores.indirect_support <= 0.6
    assert tables.fact_scores.no_evidence == 0.0
    assert 0.5 <= tables.pass_threshold <= 1.0
    assert tables.max_rounds in (1, 2)


@pytest.mark.req("VO-05")
@pytest.mark.parametrize(
    ("types", "critical"),
    [
        (["symptom", "observation"], (True, False)),
        (["root_cause", "impact", "risk", "symptom"], (True, True, True, True)),
        (["observation", "negative_observation"], (True, True)),
        (["knowledge"], (True,)),
        (["something_new", "change"], (True, True)),
        (["something_new", "risk"], (False, True)),
        ([], ()),
    ],
)
def test_the_core_types_are_critical_and_all_claims_where_none_has_one(
    types: list[str], critical: tuple[bool, ...]
) -> None:
    assert VerdictTables().critical_sets(types) == (critical, critical)


@pytest.mark.req("RC-03")
@given(st.lists(st.sampled_from([*CORE_CRITICAL_TYPES, "change", "observation", "other"]), max_size=6))
def test_a_further_critical_type_adds_claims_and_takes_none_away(types: list[str]) -> None:
    tables = VerdictTables(critical_claim_types=(*CORE_CRITICAL_TYPES, "change"))
    standard, _ = VerdictTables().critical_sets(types)
    core, wide = tables.critical_sets(types)

    assert core == standard
    assert wide == tuple(was or name == "change" for was, name in zip(standard, types, strict=True))
