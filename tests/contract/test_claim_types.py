"""Claim types are compared as they are meant."""

from __future__ import annotations

import pytest
from evidencegate_server.contract.claim_types import is_claim_type, known_claim_type, plain_claim_type
from hypothesis import given
from hypothesis import strategies as st

KNOWN = ("symptom", "root_cause", "negative_observation", "knowledge")


@pytest.mark.req("EX-08", "VO-05")
@pytest.mark.parametrize(
    "written",
    [
        "root_cause",
        "rootCause",
        "RootCause",
        "ROOT_CAUSE",
        "Root-Cause",
        "root.cause",
        "root/cause",
        "root\u00a0cause",
        "root  cause",
        "root_cause\u200b",
        "\ufeffroot_\u00adcause",
        "root\u2011cause",
        "ｒｏｏｔ_cause",
        "ｒｏｏｔ　ｃａｕｓｅ",
        " Root cause: ",
        "rootcause",
        "root_ca\u034fuse",
    ],
)
def test_a_type_is_known_however_it_is_spelled(written: str) -> None:
    assert known_claim_type(written, KNOWN) == "root_cause"
    assert is_claim_type(written, "root_cause")
    assert not is_claim_type(written, "symptom")


@pytest.mark.req("EX-08")
@pytest.mark.parametrize("written", ["", "根因", "root-causes", "rооt_cause", "cause", "root cause 2", "x" * 10_000])
def test_another_word_is_another_type(written: str) -> None:
    assert known_claim_type(written, KNOWN) is None
    assert not is_claim_type(written, "root_cause")


def test_the_plain_form_is_lower_case_with_one_underscore() -> None:
    assert plain_claim_type("NegativeObservation") == "negative_observation"
    assert plain_claim_type("--Negative  /  observation. ") == "negative_observation"
    assert plain_claim_type("SLORisk") == "slo_risk"


@given(st.text(max_size=50))
def test_the_plain_form_is_stable_and_no_text_crashes_it(text: str) -> None:
    once = plain_claim_type(text)
    assert known_claim_type(once, KNOWN) == known_claim_type(text, KNOWN)
