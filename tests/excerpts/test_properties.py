"""Properties of comparing that hold for any text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from evidencegate_server.excerpts.edges import edge_fault
from evidencegate_server.excerpts.match import match_excerpt
from evidencegate_server.excerpts.quick import QuickLook
from evidencegate_server.excerpts.text import EvidenceText
from evidencegate_server.words import ExcerptStatus
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from tests.excerpts.support import match, policy

# Every kind of character that some rule looks at, and lone surrogates.
_CHARACTERS = st.sampled_from(
    [
        *"aAzZ059 \t\n\r\0.,:;/-+%@\\_'\"`*[](){}<>=&#!?~$",
        *"的不未无万三节点，。：“”（）…—①½²μ％５",
        "\u00a0",
        "\u200b",
        "\u202e",
        "\u0301",
        "\ufe0f",
        "\u1100",
        "\u1161",
        "\u2028",
        "\u0130",
        "\ufb01",
        "\U0001f600",
        "\U0001d7d9",
        "\ud83d",
        "\udc00",
        "\x1b[31m",
        "\x1b",
        "\\u78c1",
        "\\n",
        "&lt;",
        " not ",
        " if ",
        "...",
        ": 0",
        " ms",
    ]
)
_TEXTS = st.lists(_CHARACTERS, max_size=60).map("".join)
_WORDS = st.sampled_from(
    [
        "lease",
        "lost",
        "node-7",
        "pool",
        "exhausted",
        "error",
        "42",
        "9.5",
        "1,234",
        "10:02:11",
        "连接池",
        "已耗尽",
        "n7",
    ]
)
_UNTIMED = settings(deadline=None)
_LINES = st.lists(_WORDS, min_size=2, max_size=8).map(" ".join)


@pytest.mark.req("GK-10", "GK-20")
@_UNTIMED
@given(excerpt=_TEXTS, evidence=_TEXTS)
def test_any_two_texts_give_a_result_with_spans_inside_the_text_and_in_order(excerpt: str, evidence: str) -> None:
    result = match(excerpt, evidence)
    assert (result.status is ExcerptStatus.SUPPORTED) == (result.reason == "")
    assert list(result.flags) == sorted(set(result.flags))
    end = 0
    for span in result.spans:
        assert end <= span.start < span.end <= len(evidence)
        end = span.end
    if result.status is ExcerptStatus.SUPPORTED:
        assert result.spans


@pytest.mark.req("GK-20")
@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(evidence=_TEXTS, start=st.integers(0, 60), length=st.integers(1, 40))
def test_a_piece_of_the_text_is_always_contained(evidence: str, start: int, length: int) -> None:
    piece = evidence[start : start + length]
    visible = "".join(piece.split()).strip("\u200b\ufe0f")
    assume(visible and not set(piece) & {"\x1b", "\u0301", "\u1100", "\u1161", "\ud83d"})
    assert match(piece, evidence).contained


@pytest.mark.req("GK-20")
@_UNTIMED
@given(line=_LINES, before=_TEXTS)
def test_text_in_front_moves_the_span_and_nothing_else(line: str, before: str) -> None:
    assume(policy().informative.fault(line) is None and line not in before)
    spaced = line.replace(" ", "  ")
    result = match(line, f"{before} .\n\n{spaced}")
    assume(result.contained and result.tier == "folded")
    start = len(before) + 4
    assert [(start, start + len(spaced))] == [(span.start, span.end) for span in result.spans]


@pytest.mark.req("GK-06")
@_UNTIMED
@given(lines=st.lists(_LINES, min_size=1, max_size=6), data=st.data())
def test_a_whole_line_is_supported(lines: list[str], data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(lines))
    assume(policy().informative.fault(line) is None)
    result = match(line, "\n".join(lines))
    assert result.status is ExcerptStatus.SUPPORTED


@pytest.mark.req("GK-10")
@_UNTIMED
@example(line="error 50", position=0, digit="5")
@given(line=_LINES, position=st.integers(0, 20), digit=st.sampled_from("0123456789"))
def test_a_digit_more_in_a_number_is_never_supported(line: str, position: int, digit: str) -> None:
    places = [match.start() for match in re.finditer(r"(?<=\d)|(?=\d)", line)]
    assume(places)
    place = places[position % len(places)]
    changed = line[:place] + digit + line[place:]
    assert match(changed, line).status is not ExcerptStatus.SUPPORTED
    assert match(line, changed).status is not ExcerptStatus.SUPPORTED


@pytest.mark.req("GK-10")
@_UNTIMED
@given(line=_LINES, word=st.sampled_from(["not", "never", "failed to", "unable to", "if", "unless", "cannot"]))
def test_what_a_negation_or_condition_governs_is_never_supported_alone(line: str, word: str) -> None:
    assert match(line, f"worker 3 {word} {line}").status is not ExcerptStatus.SUPPORTED


@pytest.mark.req("GK-10")
@_UNTIMED
@given(line=_LINES, word=st.sampled_from(["未", "没有", "无法", "未能", "如果", "一旦", "不"]))
def test_what_a_chinese_negation_or_condition_governs_is_never_supported_alone(line: str, word: str) -> None:
    assert match(line, f"服务{word}{line}").status is not ExcerptStatus.SUPPORTED


@pytest.mark.req("GK-06")
@_UNTIMED
@given(line=_LINES)
def test_white_space_and_wrapping_change_nothing(line: str) -> None:
    assume(policy().informative.fault(line) is None)
    evidence = EvidenceText("前 | " + line.replace(" ", "  \t") + " |")
    for excerpt in (line, f" {line}\n", f'"{line}"', f"`{line}`", f"- {line}", f"**{line}**", f"{line}..."):
        assert match_excerpt(excerpt, evidence, policy()).status is ExcerptStatus.SUPPORTED, excerpt


class _NeverClean(QuickLook):
    """Has everything looked at with care."""

    def __init__(self) -> None:
        pass

    def is_whole_before(self, text: str, start: int) -> bool:
        return start > len(text)

    def is_quiet_before(self, text: str, start: int) -> bool:
        return start > len(text)

    def is_clean_behind(self, text: str, end: int) -> bool:
        return end > len(text)


_CAREFUL = replace(policy(), quick=_NeverClean())
_CONTEXT = st.sampled_from(
    [
        *"不未没无若如当的，。；：（）、“”…'\"\\!?.,;:()[]{}<>|=-/ \t\n\r0157%",
        *[" ", " ", " ", "\n", ", ", "\\n", '\\"', "n't", "n’t", "\u2028", "\u00a0", "ｎｏｔ", "\x1b[1m"],
        *["not", "No", "never", "failed", "failed to", "if", "unless", "or", "should", "were", "in case of", "under"],
        *["is", "none", "ruled out", "zero", "false", "denied", "was denied", "access", "nearly", "half", "ten", "can"],
        *["pod", "api-1", "node", "Ready", "42", "5 ms", "10:02", "0/3", "memory", "leak", "running", "fe80::1"],
        *[
            "数据库",
            "节点",
            "连接池",
            "失败",
            "未发现",
            "的话",
            "三",
            "秒",
            "分钟",
            "无法",
            "如果",
            "一旦",
            "被排除",
            "万",
        ],
    ]
)


@pytest.mark.req("GK-10")
@settings(deadline=None, max_examples=600)
@given(before=st.lists(_CONTEXT, max_size=8), said=st.lists(_CONTEXT, min_size=1, max_size=4), data=st.data())
def test_what_a_quick_look_calls_clean_a_careful_look_calls_clean(
    before: list[str], said: list[str], data: st.DataObject
) -> None:
    after = data.draw(st.lists(_CONTEXT, max_size=8))
    front, middle, back = "".join(before), "".join(said), "".join(after)
    assume(not middle[0].isspace() and not middle[-1].isspace())
    view = EvidenceText(front + middle + back).view()
    start, end = len(front), len(front) + len(middle)
    assert edge_fault(view, start, end, _CAREFUL) == edge_fault(view, start, end, policy())
