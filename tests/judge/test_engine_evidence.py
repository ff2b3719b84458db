"""What counts as evidence for a claim: quoted records of calls that answered, whole, and told at their own places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from evidencegate_server.evidence.index import IMPLIED_OUTPUT
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.deterministic.context import contexts
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, JudgeView, VerifiedBinding
from evidencegate_server.words import Engine, EvidenceKind, InvocationStatus, Verification

from tests.judge.helpers import call, claim, view_of
from tests.judge.test_deterministic import CONTRADICTED, SUPPORTED, engine, labelled

LINES = (
    "10:00:01 WARN pool-7 connection pool exhausted",
    "10:02:05 ERROR cart-api request timed out after 2000ms",
    "10:03:00 INFO cart-api recovered",
)
RELATIONS = {"stated", "derivable", "part", "silent", "foreign", "in_conflict"}


def bound(source: Invocation, at: int = 0, span: Span | None = None) -> VerifiedBinding:
    ref = source.refs[at]
    return VerifiedBinding(at, source, ref, (span or Span(0, len(ref.text)),))


def view(text: str, bindings: Sequence[VerifiedBinding], *more: Invocation, claim_type: str = "symptom") -> JudgeView:
    calls = {binding.invocation.id: binding.invocation for binding in bindings} | {one.id: one for one in more}
    return view_of((ClaimCase(claim(text, claim_type=claim_type), tuple(bindings), (), 0),), tuple(calls.values()))


def judged(text: str, *bindings: VerifiedBinding, claim_type: str = "symptom") -> ClaimLabel:
    (label,) = engine().judge(view(text, bindings, claim_type=claim_type)).labels
    return label


def test_the_refs_of_a_call_are_pieces_of_its_output() -> None:
    source = call(*LINES)
    (context,) = contexts([bound(source, 1)], may_guide=False)
    assert context.text == source.output
    assert [piece.raw_path for piece in context.pieces] == ["lines[0]", "lines[1]", "lines[2]"]
    for at, piece in enumerate(context.pieces):
        assert context.text[piece.at : piece.at + piece.length] == LINES[at]
        assert context.place(piece.at + 2, piece.at + 5) == (piece.raw_path, Span(2, 5))
        assert context.holds(piece.raw_path, Span(2, 5)) == (piece.at + 2, piece.at + 5)
    assert context.holds("lines[9]", Span(0, 1)) is None


def test_refs_that_the_output_lacks_stand_one_under_the_other() -> None:
    source = replace(call(*LINES), output="something else")
    (context,) = contexts([bound(source)], may_guide=False)
    assert context.text == "\n".join(LINES)
    assert [context.text[piece.at : piece.at + piece.length] for piece in context.pieces] == list(LINES)


def test_a_place_outside_of_every_ref_is_of_the_output() -> None:
    source = replace(call(LINES[1]), output="\n".join(LINES))
    (context,) = contexts([bound(source)], may_guide=False)
    assert context.place(0, 4) == (IMPLIED_OUTPUT, Span(0, 4))


def test_each_call_is_one_context_in_the_order_of_the_ids() -> None:
    first, second = call(LINES[0], call_id="2"), call(LINES[1], call_id="1")
    found = contexts([bound(first), bound(second), bound(first)], may_guide=False)
    assert [context.invocation_id for context in found] == ["1", "2"]


def test_guidance_testifies_to_what_a_runbook_says_alone() -> None:
    runbook = Invocation(
        "1",
        "lookup_knowledge",
        InvocationStatus.SUCCESS,
        output=LINES[0],
        refs=(EvidenceRef("documents[0]", LINES[0], EvidenceKind.GUIDANCE),),
    )
    assert contexts([bound(runbook)], may_guide=False) == ()
    assert [context.text for context in contexts([bound(runbook)], may_guide=True)] == [LINES[0]]
    assert judged("connection pool exhausted", bound(runbook)).verification not in SUPPORTED
    assert judged("connection pool exhausted", bound(runbook), claim_type="knowledge").verification in SUPPORTED


@pytest.mark.parametrize(
    ("text", "quoted", "accepted"),
    [
        ("the cart-api request timed out after 2000 ms", 1, True),
        ("cart-api timed out after 2000 ms", 1, True),
        ("cart-api 在 10:02:05 超时", 1, True),
        ("pool-7 的连接池已耗尽", 0, True),
        ("cart-api timed out after 2000 ms", 0, False),
        ("pool-7 的连接池已耗尽", 2, False),
    ],
)
def test_a_quotation_has_to_be_of_what_the_claim_speaks_of(text: str, quoted: int, accepted: bool) -> None:
    assert (judged(text, bound(call(*LINES), quoted)).verification in SUPPORTED) is accepted


@pytest.mark.parametrize(
    "text",
    ["no errors", "There were no errors.", "没有错误", "没有任何报错", "All requests timed out", "Nothing failed"],
)
def test_evidence_that_was_cut_never_proves_absence(text: str) -> None:
    ref = EvidenceRef("lines[0]", "errors: 0\nfailed: 0\nrequests timed out: 3", truncated=True)
    cut = Invocation("1", "query_logs", InvocationStatus.SUCCESS, output=ref.text, refs=(ref,))
    assert judged(text, bound(cut)).verification not in SUPPORTED


def test_what_was_cut_can_still_show_what_is_there() -> None:
    ref = EvidenceRef("lines[0]", "\n".join(LINES), truncated=True)
    cut = Invocation("1", "query_logs", InvocationStatus.SUCCESS, output=ref.text, refs=(ref,))
    assert judged("cart-api 在 10:02:05 超时", bound(cut)).verification in SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "cart-api returned 503",
        "cart-api 返回了 503",
        "the status of cart-api is 503",
        "cart-api crashed",
        "cart-api 崩溃了",
    ],
)
@pytest.mark.parametrize("asked", ['{"query": "app=cart-api status=503 crashed"}', "cart-api returned 503 and crashed"])
def test_the_question_of_a_call_without_a_hit_proves_nothing(text: str, asked: str) -> None:
    empty = Invocation("1", "query_logs", InvocationStatus.NO_HIT, input=asked, output="[]")
    question, answer = EvidenceRef("input", asked, implied=True), EvidenceRef("output", "[]", implied=True)
    whole = [VerifiedBinding(at, empty, ref, (Span(0, len(ref.text)),)) for at, ref in enumerate((question, answer))]
    assert judged(text, whole[0]).verification not in SUPPORTED
    assert judged(text, *whole).verification not in SUPPORTED


@pytest.mark.parametrize("text", ["cart-api wrote no ERROR line", "cart-api 没有 ERROR 日志"])
def test_the_question_of_a_call_without_a_hit_speaks_against_nothing(text: str) -> None:
    asked = '{"query": "app=cart-api level=ERROR"}'
    empty = Invocation("1", "query_logs", InvocationStatus.NO_HIT, input=asked)
    question = VerifiedBinding(0, empty, EvidenceRef("input", asked, implied=True), (Span(0, len(asked)),))
    assert judged(text, question).verification is not Verification.CONTRADICTED
    line = "2026-03-11T02:14:06Z ERROR cart-api timed out after 2000 ms"
    other = Invocation("2", "query_logs", InvocationStatus.SUCCESS, output=line, refs=(EvidenceRef("lines[0]", line),))
    assert judged(text, question, bound(other)).verification is Verification.CONTRADICTED


@pytest.mark.xfail(strict=True, reason="a stored ref named input is read as what the call returned")
@pytest.mark.parametrize("text", ["cart-api returned 503", "cart-api 崩溃了"])
def test_a_stored_question_proves_nothing_either(text: str) -> None:
    asked = "cart-api returned 503 and crashed"
    stored = Invocation(
        "1", "query_logs", InvocationStatus.NO_HIT, input=asked, output="[]", refs=(EvidenceRef("input", asked),)
    )
    assert judged(text, bound(stored)).verification not in SUPPORTED


@pytest.mark.parametrize("text", ["cart-api is healthy", "cart-api 运行正常", "everything is fine", "服务一切正常"])
def test_an_empty_result_is_no_proof_of_health(text: str) -> None:
    asked = '{"query": "app=cart-api level=error"}'
    refs = (EvidenceRef("input", asked, implied=True), EvidenceRef("output", "No results found", implied=True))
    empty = Invocation("1", "query_logs", InvocationStatus.NO_HIT, input=asked, output=refs[1].text)
    whole = [VerifiedBinding(at, empty, ref, (Span(0, len(ref.text)),)) for at, ref in enumerate(refs)]
    assert judged(text, *whole).verification not in SUPPORTED


@pytest.mark.req("VO-08")
@pytest.mark.parametrize(
    "text",
    [
        "cart-api timed out after 2000 ms",
        "cart-api 在 10:02:05 超时",
        "cart-api timed out after 3000 ms",
        "cart-9 crashed at 10:02:05",
        "连接池耗尽导致请求超时",
        "the request timed out before the pool was exhausted",
    ],
)
def test_witnesses_stand_where_they_say(text: str) -> None:
    source = call(*LINES)
    label = judged(text, bound(source, 1), bound(source, 0))
    refs = {ref.raw_path: ref.text for ref in source.refs} | {IMPLIED_OUTPUT: source.output}
    assert label.engine is Engine.DETERMINISTIC
    assert label.witnesses
    for witness in label.witnesses:
        assert witness.relation in RELATIONS
        assert witness.claim_quote == text[witness.claim_span.start : witness.claim_span.end]
        if witness.evidence_span is None:
            assert (witness.invocation_id, witness.raw_path, witness.evidence_quote) == ("", "", "")
            continue
        assert witness.invocation_id == source.id
        shown = refs[witness.raw_path][witness.evidence_span.start : witness.evidence_span.end]
        assert witness.evidence_quote == shown


def test_the_deciding_fact_comes_first_and_stands_in_the_detail() -> None:
    label = judged("used memory is 2G", bound(call("used_memory_human:1.50G\nmaxmemory_human:2.00G")))
    assert label.verification is CONTRADICTED
    assert label.witnesses[0].relation == "in_conflict"
    assert label.witnesses[0].claim_quote in label.detail
    assert "1.50G" in label.detail


def test_long_quotations_are_cut_and_few_witnesses_are_told() -> None:
    names = [f"svc-{at:03d}" for at in range(60)]
    evidence = "\n".join(f"{name} is down " + "x" * 300 for name in names)
    label = labelled(f"{', '.join(names)} are down", evidence)
    assert len(label.witnesses) <= 24
    assert all(len(witness.evidence_quote) <= 200 for witness in label.witnesses)
    assert len(label.detail) < 1_000


def test_every_claim_of_an_output_gets_its_own_label() -> None:
    source = call(*LINES)
    texts = ["cart-api timed out after 2000 ms", "cart-api timed out after 9 ms", "x", ""]
    cases = tuple(ClaimCase(claim(text, at), (bound(source, 1),), (), 0) for at, text in enumerate(texts))
    result = engine().judge(view_of(cases, (source,)))
    assert [label.index for label in result.labels] == [0, 1, 2, 3]
    alone = [
        engine().judge(view_of((replace(case, claim=replace(case.claim, index=0)),), (source,))).labels[0]
        for case in cases
    ]
    assert [label.verification for label in result.labels] == [label.verification for label in alone]


def test_a_claim_that_is_too_long_is_unsupported() -> None:
    label = labelled("cart-api timed out after 2000 ms, " * 100, *LINES)
    assert label.verification is Verification.UNSUPPORTED
    assert label.detail


def test_how_a_claim_was_read_is_told_to_people() -> None:
    text = "cart-api timed out after 2000 ms"
    told = engine().explain(view(text, [bound(call(*LINES), 1)]))
    for part in ("records", "claim", "label ", "cart-api", "2000 ms", "stated"):
        assert part in told
    assert told == engine().explain(view(text, [bound(call(*LINES), 1)]))


def test_that_a_claim_was_not_read_is_told_too() -> None:
    told = engine().explain(view("cart-api timed out", []))
    assert "not read" in told


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ('{"pod": "mail-relay-0", "namespace": "post"}', True),
        ('{"pod": "mail-relay-7c9d5f6b8-x2x4k", "namespace": "post"}', True),
        ('{"pod": "mail-relay-proxy-0", "namespace": "post"}', False),
        ('{"pod": "sms-gateway-0", "namespace": "post"}', False),
    ],
)
def test_the_lines_of_a_call_are_of_what_it_asked_for(asked: str, expected: bool) -> None:
    """The logs of a pod do not name it, and are of no other one."""
    described = call("Name:  mail-relay\nNamespace:  post\nImage:  relay:9", call_id="1")
    logs = call("delivery failed: the queue has reached its max size 512", call_id="2", asked=asked)
    label = judged("mail-relay 投递失败，队列已达最大长度 512。", bound(described), bound(logs))
    assert (label.verification in SUPPORTED) == expected
