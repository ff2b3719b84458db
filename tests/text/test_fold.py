"""Folding is the same however a text is cut into pieces, and the way back is exact."""

from __future__ import annotations

import unicodedata

import pytest
from evidencegate_server.text import folded as folded_module
from evidencegate_server.text.fold import Folder, fold_characters, is_one_to_one, lower
from evidencegate_server.text.fold_tables import BIDI_CONTROLS, INVISIBLE, NUMBERED, PLAIN
from evidencegate_server.text.folded import FoldedText, fold
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.excerpts.support import policy
from tests.text.fold_source import DATA, source

_PIECES = st.sampled_from(
    [
        "a",
        "Z",
        "5",
        "12",
        "ms",
        " ",
        "  ",
        "\n",
        "\t",
        ",",
        ":",
        "{",
        "=",
        "的",
        "连接",
        "，",
        "。",
        "…",
        "①",
        "Å",
        "e\u0301",
        *["\u200b", "\x1b[31m", "\ufb01", "\u1100\u1161", "İ", "５", "\U0001d7d9", "\u00a0", "：", "“", "²", "\ud83d"],
    ]
)
_TEXTS = st.lists(_PIECES, max_size=80).map("".join)


def _folder() -> Folder:
    return policy().folder


@pytest.mark.req("GK-20")
@settings(deadline=None)
@example(text="5\x1b[31m①")
@example(text="5\x1b[31m⑫ab")
@example(text="5⑫\u0327ab")
@example(text="e\x1b[31m\u0301\x1b[0mab\x1b[0m")
@given(text=_TEXTS)
def test_every_folded_character_leads_back_to_where_it_came_from(text: str) -> None:
    folded = FoldedText(text, _folder())
    last = 0
    for position, char in enumerate(folded.folded):
        if char == " ":
            continue
        span = folded.original_span(position, position + 1)
        if span is None:
            continue
        start, end = span
        assert last <= start < end
        cluster = text[start:end]  # folded as it is: composed first, the mark would join the end of the sequence
        assert char in unicodedata.normalize("NFC", cluster) + fold_characters(cluster)
        last = start


@pytest.mark.req("GK-20")
@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("5\x1b[31m①", [(0, 1), (6, 7)]),
        ("5\x1b[31m⑫ab", [(0, 1), (6, 7), (7, 8), (8, 9)]),
        ("x ⑫ab", [(0, 1), None, None, None, (3, 4), (4, 5)]),
        ("e\x1b[31m\u0301ab", [(0, 7), (7, 8), (8, 9)]),
    ],
)
def test_a_terminal_sequence_between_characters_moves_no_span(text: str, spans: list[tuple[int, int] | None]) -> None:
    folded = FoldedText(text, _folder())
    assert spans == [folded.original_span(index, index + 1) for index in range(len(folded.folded))]


@settings(deadline=None)
@given(text=_TEXTS)
def test_a_folded_text_keeps_its_length_in_lower_case(text: str) -> None:
    folded = FoldedText(text, _folder())
    assert len(folded.folded) == len(folded.lowered) == len(lower(folded.folded))


@settings(deadline=None)
@given(text=_TEXTS)
def test_folding_twice_removes_no_more_characters(text: str) -> None:
    once = fold(text, _folder())
    assert fold(once, _folder()).replace(" ", "") == fold_characters(once).replace(" ", "")


@settings(max_examples=60, deadline=None)
@given(
    words=st.lists(st.sampled_from(["lease", "5", "ms", "连接池，", "a:", "{", "ｎ7", "“x”"]), min_size=1, max_size=60)
)
def test_pieces_change_nothing(words: list[str]) -> None:
    text = "  ".join(words)
    whole = _folder().tighten(fold_characters(text))
    length = folded_module.PIECE_LENGTH
    try:
        folded_module.PIECE_LENGTH = 8  # type: ignore[misc]
        pieces = FoldedText(text, _folder())
    finally:
        folded_module.PIECE_LENGTH = length  # type: ignore[misc]
    assert whole == pieces.folded


@pytest.mark.parametrize(
    "kept", ["10²", "H₂O", "½", "3①", "①②", "1，2", "3。5", "a\u202eb", "\u0430", "数據", "九十二", "é", "㎡"]
)
def test_what_a_reader_could_mean_is_kept(kept: str) -> None:
    assert kept == fold(kept, _folder())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＥＲＲ １００％", "ERR 100%"),
        ("“a” ‘b’ «c»", '"a" \'b\' "c"'),
        ("a–b—c−d‑e", "a-b-c-d-e"),
        ("\u2126 \u212b µs", "Ω Å μs"),
        ("第①步", "第1步"),
        ("pay\u200bment\u00ad", "payment"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("{ 'a' : 1 , \"b\" : [ 2 ] }", "{'a':1,\"b\":[2]}"),
        ("1, 2 and 10: 30", "1, 2 and 10: 30"),
        ("p99 = 1250 ms", "p99=1250ms"),
        ("5 msec 5 m 5 mx", "5 msec 5m 5 mx"),
        ("节点 node-1 磁盘", "节点node-1磁盘"),
    ],
)
def test_harmless_differences_are_folded(text: str, expected: str) -> None:
    assert expected == fold(text, _folder())


def test_no_direction_control_is_folded_away() -> None:
    assert not BIDI_CONTROLS & (set(PLAIN) | set(NUMBERED) | INVISIBLE)


def test_no_superscript_subscript_or_fraction_is_folded() -> None:
    meaningful = ("<super>", "<sub>", "<fraction>")
    assert [char for char in PLAIN if unicodedata.decomposition(char).startswith(meaningful)] == []


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the tables are those of Unicode 14")
def test_the_tables_are_what_unicode_says() -> None:
    assert DATA.read_text("utf-8") == source()


def test_a_number_in_a_circle_is_told_apart() -> None:
    assert {"①", "⑫", "⑴", "⒈", "㉑", "🄁"} <= set(NUMBERED)


@settings(deadline=None)
@given(text=_TEXTS)
def test_one_to_one_means_that_no_character_is_lost_or_added(text: str) -> None:
    if is_one_to_one(text):
        assert len(text) == len(fold_characters(text))
