"""Word by word: what a verified clause states is confirmed, a plain conflict refuted, and nothing is guessed."""

from __future__ import annotations

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.literal.engine import LiteralEngine
from evidencegate_server.judge.literal.statement import StatementReader
from evidencegate_server.judge.model import ClaimLabel
from evidencegate_server.words import EvidenceKind, InvocationStatus, Verification
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.helpers import call, labelled_by, statement_words

DIRECT = Verification.DIRECT_OBSERVATION
UNSUPPORTED = Verification.UNSUPPORTED
CONTRADICTED = Verification.CONTRADICTED


def labelled(
    text: str, *evidence: str, bound: bool = True, span: Span | None = None, more: tuple[Invocation, ...] = ()
) -> ClaimLabel:
    """Labels a claim by the words alone."""
    return labelled_by(LiteralEngine(statement_words()), text, *evidence, bound=bound, span=span, more=more)


STATED = [
    ("Database connection failed after 3 retries.", "ERROR: Database connection failed after 3 retries"),
    (
        "database connection failed after 3 retries",
        "2025-07-11 13:23:24,098 ERROR Database connection failed after 3 retries.",
    ),
    ("The restart count is 6.", "Restart Count:  6"),
    ("network_partitions_detected is true", '"network_partitions_detected": true'),
    ("The log shows that the connection pool is exhausted.", "WARN: the connection pool is exhausted"),
    ("日志显示：连接池已耗尽", "2025-01-01 10:00:00 ERROR 连接池已耗尽。"),
    ("当前连接数为 50000", "当前连接数：50000"),
    ("The soft limit is 512MB.", "Memory is fine. The soft limit is 512MB. The hard limit is 768MB."),
]

NOT_STATED = [
    ("Connect to database.", "failed to connect to database"),
    ("The pod is healthy.", "Unless restarted, the pod is healthy"),
    ("The pod is healthy.", "The pod is not healthy"),
    ("The pod is down.", "The pod may be down"),
    ("The pod is down.", "The pod was down"),
    ("The pod is down.", "Is the pod down?"),
    ("All pods are down.", "pods are down"),
    ("The limit is 100m.", "The limit is 100M"),
    ("The peak load is 5.", "The load is 5"),
    ("Memory usage is 512MB.", "Memory limit is 512MB"),
    ("Pod a is down.", "Pod b is down"),
    ("没有报错", "有报错"),
    ("连接池已耗尽", "连接池未耗尽"),
    ("down", "down"),
    ("", "anything"),
]

IN_CONFLICT = [
    ("The restart count is 61.", "Restart Count:  16"),
    ("Database connection failed after 5 retries.", "ERROR: Database connection failed after 3 retries"),
    ("The soft limit is 256MB.", "The soft limit is 512MB."),
    ("当前连接数为 40000", "当前连接数：50000"),
]

NO_CONFLICT = [
    ("Retry attempt 3 failed.", "Retry attempt 1 failed"),
    ("The restart count is at least 5.", "Restart Count: 6"),
    ("The limit is 100Mi.", "The request is 50Mi"),
    ("Request 8841 failed.", "Request 8842 failed"),
    ("The soft limit is 512KB.", "The soft limit is 256MB."),
]


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(("text", "evidence"), STATED)
def test_a_claim_that_its_clause_states_is_direct(text: str, evidence: str) -> None:
    label = labelled(text, evidence)
    assert label.verification is DIRECT
    witness = label.witnesses[0]
    assert (witness.relation, witness.invocation_id, witness.raw_path) == ("stated", "1", "lines[0]")
    assert witness.evidence_span is not None
    assert witness.evidence_quote == evidence[witness.evidence_span.start : witness.evidence_span.end]


@pytest.mark.parametrize(("text", "evidence"), NOT_STATED)
def test_a_claim_that_differs_by_one_word_is_not_confirmed(text: str, evidence: str) -> None:
    label = labelled(text, evidence)
    assert label.verification is UNSUPPORTED
    assert label.detail


@pytest.mark.req("VD-04")
@pytest.mark.parametrize(("text", "evidence"), IN_CONFLICT)
def test_another_value_on_the_same_quantity_contradicts(text: str, evidence: str) -> None:
    label = labelled(text, evidence)
    assert label.verification is CONTRADICTED
    assert evidence.removeprefix("ERROR: ").strip(". ") in label.detail


@pytest.mark.parametrize(("text", "evidence"), NO_CONFLICT)
def test_another_thing_or_an_interval_is_no_conflict(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification is UNSUPPORTED


@pytest.mark.req("VO-09")
def test_without_a_quotation_a_claim_is_never_confirmed_and_can_be_refuted() -> None:
    assert labelled("The restart count is 6.", "Restart Count: 6", bound=False).verification is UNSUPPORTED
    assert labelled("The restart count is 61.", "Restart Count: 6", bound=False).verification is CONTRADICTED


def test_a_series_of_values_refutes_nothing() -> None:
    assert labelled("CPU usage is 40%.", "CPU usage is 30%", "CPU usage is 50%").verification is UNSUPPORTED


def test_a_value_that_another_call_shows_is_no_conflict() -> None:
    other = call("Restart Count: 61", call_id="2")
    assert labelled("The restart count is 61.", "Restart Count: 6", more=(other,)).verification is UNSUPPORTED


def test_what_stands_outside_the_verified_span_confirms_nothing() -> None:
    text = "Restart Count: 6\nLimit: 5"
    assert labelled("The limit is 5.", text, span=Span(0, 16)).verification is UNSUPPORTED
    assert labelled("The limit is 5.", text, span=Span(17, 25)).verification is DIRECT


@pytest.mark.req("EX-08")
def test_guidance_and_failed_calls_refute_nothing() -> None:
    guidance = Invocation(
        "2",
        "lookup_knowledge",
        InvocationStatus.SUCCESS,
        refs=(EvidenceRef("documents[0]", "Restart Count: 6", EvidenceKind.GUIDANCE),),
    )
    failed = call("Restart Count: 6", call_id="3", status=InvocationStatus.FAILED)
    assert labelled("The restart count is 61.", more=(guidance, failed)).verification is UNSUPPORTED


@given(st.text(max_size=120), st.text(max_size=300))
def test_any_text_gets_a_label_and_always_the_same(text: str, evidence: str) -> None:
    first, second = labelled(text, evidence), labelled(text, evidence)
    assert first == second
    assert first.verification in (DIRECT, CONTRADICTED, UNSUPPORTED)


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=60))
def test_a_statement_has_all_its_words_in_its_text(text: str) -> None:
    """Whoever looks for the words of a claim in a text of plain signs passes no text by that states it."""
    statement = StatementReader(statement_words()).read(text)
    words = statement.words() if statement is not None else ()
    assert [word for word in words if word not in text.lower()] == []


def test_the_words_of_a_statement_are_in_small_letters_and_no_numbers() -> None:
    """A name is looked for whatever its letter case; a number, and its unit with it, can be written in many ways."""
    statement = StatementReader(statement_words()).read("Pod Web-1 shows 1,024 restarts")
    assert statement is not None
    assert statement.words() == ("shows", "web-1", "pod")
