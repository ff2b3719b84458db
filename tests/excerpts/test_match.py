"""What a comparison returns beside its status, and that it stays bounded whatever it is given."""

from __future__ import annotations

import pytest
from evidencegate_server.evidence.model import Span
from evidencegate_server.excerpts.match import match_excerpt
from evidencegate_server.excerpts.text import EvidenceText
from evidencegate_server.words import ExcerptStatus

from tests.excerpts.support import match, policy, policy_with


def _quoted(excerpt: str, evidence: str) -> list[str]:
    return [evidence[span.start : span.end] for span in match(excerpt, evidence).spans]


@pytest.mark.req("GK-20")
@pytest.mark.parametrize(
    ("excerpt", "evidence", "quoted"),
    [
        ("lease lost by node n7", "10:02 ERROR lease lost by node n7 at once", ["lease lost by node n7"]),
        ("lease lost by node n7", "10:02  lease \t lost\n by  node n7 at", ["lease \t lost\n by  node n7"]),
        ("pool exhausted now", "\x1b[31mpool   exhausted\x1b[0m now\x1b[0m", ["pool   exhausted\x1b[0m now"]),
        ("服务已重启,请检查", "一二三：服务已重启，请检查日志", ["服务已重启，请检查"]),
        ("cafe\u0301 service", "x  café  service", ["café  service"]),
        ("msg=“a b c d e”", 'k=1 msg="a b c d e" n=2', ['msg="a b c d e"']),
        ("磁盘已满", '{"m":"\\u78c1\\u76d8\\u5df2\\u6ee1"}', ["\\u78c1\\u76d8\\u5df2\\u6ee1"]),
        ("<none> assigned", "x &lt;none&gt; assigned", ["&lt;none&gt; assigned"]),
        ("status: Failed", '{"pod":"a","status":"Failed"}', ['status":"Failed']),
        ("lease lost ... giving up", "a lease lost at n7, giving up", ["lease lost", "giving up"]),
        (
            '{"code":500,"level":"error"}',
            '{"level": "error", "node": 1, "code": 500}',
            ['"level": "error"', '"code": 500'],
        ),
    ],
)
def test_spans_show_the_quotation_in_the_original_text(excerpt: str, evidence: str, quoted: list[str]) -> None:
    assert quoted == _quoted(excerpt, evidence)


@pytest.mark.req("GK-20")
def test_a_span_behind_many_pieces_is_exact() -> None:
    filler = "".join(f"第{number}行：服务  正常，“负载” 一般…\n" for number in range(3_000))
    evidence = filler + "数据库  连接池，已耗尽\n" + filler
    assert _quoted("数据库连接池,已耗尽", evidence) == ["数据库  连接池，已耗尽"]


@pytest.mark.req("GK-20")
def test_a_refused_excerpt_shows_where_it_was_cut() -> None:
    result = match("connect to database", "failed to connect to database")
    assert (True, "negation_cropped", (Span(10, 29),)) == (result.contained, result.reason, result.spans)


@pytest.mark.req("GK-10")
def test_an_excerpt_that_is_nowhere_has_no_tier_and_no_span() -> None:
    result = match("磁盘已满了", "the disk is full")
    assert (
        result.status,
        result.contained,
        result.reason,
        result.tier,
        result.spans,
    ) == (ExcerptStatus.MISMATCH, False, "not_found", "", ())


@pytest.mark.req("GK-11")
@pytest.mark.parametrize(
    ("parameter", "enough", "too_little"),
    [
        ("min_weight", "ab cde", "ab cd"),
        ("min_tokens", "timed out", "timeout"),
        ("min_cjk", "已超时", "超时a"),
        ("min_single_token", "deadlock", "timeout"),
    ],
)
def test_each_bound_of_what_is_informative_decides(parameter: str, enough: str, too_little: str) -> None:
    rules = policy_with(min_weight=5, min_tokens=2, min_cjk=3, min_single_token=8)
    assert rules.informative.fault(enough) is None
    assert rules.informative.fault(too_little) is not None
    lax = policy_with(**{"min_weight": 4, "min_tokens": 1, "min_cjk": 1, "min_single_token": 1, parameter: 1})
    assert lax.informative.fault(too_little) is None


@pytest.mark.req("GK-10")
@pytest.mark.parametrize(("gap", "status"), [(200, ExcerptStatus.SUPPORTED), (201, ExcerptStatus.MISMATCH)])
def test_a_gap_has_at_most_two_hundred_characters(gap: int, status: ExcerptStatus) -> None:
    evidence = "lease lost here " + "x" * (gap - 2) + " giving up now"
    assert status == match("lease lost here ... giving up now", evidence).status


@pytest.mark.req("GK-10")
def test_the_numbers_of_an_ellipsis_come_from_the_policy() -> None:
    evidence = EvidenceText("alpha started x bravo began x charlie rose")
    excerpt = "alpha started ... bravo began ... charlie rose"
    assert match_excerpt(excerpt, evidence, policy_with(max_parts=3)).status is ExcerptStatus.SUPPORTED
    assert match_excerpt(excerpt, evidence, policy_with(max_parts=2)).reason == "too_many_parts"
    assert match_excerpt(excerpt, evidence, policy_with(max_gap=2)).reason == "gap_too_long"


def test_an_evidence_text_keeps_its_original_and_serves_again() -> None:
    evidence = EvidenceText("lease  lost by node n7")
    first = match_excerpt("lease lost by node n7", evidence, policy())
    assert evidence.original == "lease  lost by node n7"
    assert evidence.view().folded(policy().folder) is evidence.view().folded(policy().folder)
    assert first == match_excerpt("lease lost by node n7", evidence, policy())


_LONG = 200_000


@pytest.mark.req("GK-10")
@pytest.mark.parametrize(
    "evidence",
    [
        "a" * _LONG,
        "." * _LONG,
        '"' * _LONG,
        "\\" * _LONG,
        "{" * _LONG,
        '{"a":' * (_LONG // 5),
        "[" * 120_000,
        " " * _LONG,
        "\x1b" * _LONG,
        "\x1b[" * (_LONG // 2),
        "\x1b]0;" * (_LONG // 4),
        "&lt;" * (_LONG // 4),
        "\\u78c1" * (_LONG // 6),
        "e\u0301" * (_LONG // 2),
        "\u0301\u0327" * (_LONG // 20),
        "①" * (_LONG // 4),
        "１" * (_LONG // 4),
        "\u200b" * (_LONG // 4),
        "\ud83d" * _LONG,
        "\0" * _LONG,
        "not " * (_LONG // 4),
        "不" * _LONG,
        "如果" * (_LONG // 2),
        "error 500 " * (_LONG // 10),
        "1,2" * (_LONG // 3),
        "，" * _LONG,
    ],
    ids=lambda evidence: repr(evidence[:6]),
)
def test_a_monstrous_text_gives_a_result(evidence: str) -> None:
    text = EvidenceText(evidence)
    for excerpt in (
        evidence[:50],
        evidence[: _LONG // 2],
        "error 50",
        "pod a ... 的 ... error 500 ... b",
        '{"a": 1, "b": "\\u0041"}',
        "&lt;x&gt; \\n \ud800 \0",
        "... " * 1_000,
        '"' * 1_000,
        "- " * 1_000,
    ):
        assert match_excerpt(excerpt, text, policy()).status in ExcerptStatus


@pytest.mark.parametrize(
    "excerpt", ["x" * _LONG, " ." * _LONG, "…" * _LONG, "\\" * _LONG, "`" * _LONG, '{"a":' * 50_000]
)
def test_a_monstrous_excerpt_gives_a_result(excerpt: str) -> None:
    assert match(excerpt, "lease lost by node n7").status is not ExcerptStatus.SUPPORTED
