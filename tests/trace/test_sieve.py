"""A word that stands in a text is never told to be missing from it."""

from __future__ import annotations

import pytest
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.sieve import Sieve
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.req("TS-08")

# Letters whose lower case is longer, another script's, or ASCII; what is left out; line ends; a lone surrogate.
_TEXTS = st.text(st.sampled_from("aEtSxXrR 0.-\n\r超时éÉİK\u0130ß,{}\ud800ｘＸ"), max_size=60)


@given(_TEXTS, st.integers(0, 60), st.integers(1, 8))
def test_a_word_of_the_text_may_always_be_held(text: str, start: int, length: int) -> None:
    word = text.lower()[start : start + length]
    if word:
        assert Sieve(text).may_hold(word)


@given(_TEXTS, st.text(st.sampled_from("aetsxr 0-超时éß"), min_size=1, max_size=4))
def test_a_word_is_found_exactly_where_the_text_in_lower_case_has_it(text: str, word: str) -> None:
    lines = Lines(text)
    lines.add_words([word], 1.0)
    lowered = text.lower() if len(text.lower()) == len(text) else text
    found = {at for at in range(len(lowered)) if lowered.startswith(word, at)}
    told = {at for line in lines.worth for at in found if line.start <= at <= line.end}
    assert told == found - {at for at in found if text[at] == "\n" and word.strip("\n") == ""}


def test_no_other_letter_becomes_an_ascii_one_in_lower_case() -> None:
    lowered = {chr(at) for at in range(0x80, 0x110000) if any(map(str.isascii, chr(at).lower()))}
    assert lowered == set("\u0130\u212a")


def test_most_words_are_told_to_be_missing() -> None:
    sieve = Sieve("2026-11-30T10:00:00Z INFO checkout took 17 ms\n结算服务 调用支付接口\n")
    missing = ["fatal", "panic", "exception", "refused", "超时", "拒绝"]
    assert [word for word in missing if sieve.may_hold(word)] == []
    assert all(map(sieve.may_hold, ["info", "checkout", "支付"]))
