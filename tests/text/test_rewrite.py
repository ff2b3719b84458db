"""Escapes are undone once, and the way back covers the whole escape."""

from __future__ import annotations

import json

import pytest
from evidencegate_server.text.rewrite import drop_quotes, unescape_html, unescape_json
from hypothesis import given, settings
from hypothesis import strategies as st


@settings(deadline=None)
@given(text=st.text(max_size=60))
def test_what_json_escapes_is_undone_exactly(text: str) -> None:
    assert text == unescape_json(json.dumps(text)[1:-1]).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [('\\n\\t\\"\\\\n', '\n\t"\\n'), ("\\x41 \\q \\", "\\x41 \\q \\"), ("\\ud83d\\ude00 \\ud83d", "\U0001f600 \ud83d")],
)
def test_json_escapes(text: str, expected: str) -> None:
    assert expected == unescape_json(text).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&lt;a&gt; &amp;lt;", "<a> &lt;"),
        ("&#39;&#x27;&copy; &lt", "''&copy; &lt"),
        ("&#0; &#9999999;", "&#0; &#9999999;"),
    ],
)
def test_html_entities(text: str, expected: str) -> None:
    assert expected == unescape_html(text).text


@pytest.mark.parametrize(("text", "expected"), [('{"a":"b"}', "{a:b}"), ("don't 1\"2", "don't 1\"2")])
def test_quotes_between_letters_or_digits_stay(text: str, expected: str) -> None:
    assert expected == drop_quotes(text).text


@settings(deadline=None)
@given(parts=st.lists(st.sampled_from(["a", "bc", "\\n", "\\u0041", '\\"', "\\", "的"]), min_size=1, max_size=30))
def test_every_position_leads_back_to_its_source(parts: list[str]) -> None:
    original = "".join(parts)
    rewritten = unescape_json(original)
    for position, char in enumerate(rewritten.text):
        start, end = rewritten.original_span(position, position + 1)
        assert char == unescape_json(original[start:end]).text
