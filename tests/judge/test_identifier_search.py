"""Names are found in texts of any size, at a bounded cost, however many are looked for at once."""

from __future__ import annotations

import pytest
from evidencegate_server.judge import identifier_search
from evidencegate_server.judge.identifiers import find_fabricated
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.helpers import call, claim, identifier_words

FORMS = [
    "pod-a77b",
    "order-service-9",
    "10.0.0.7",
    "v1.2.3",
    "728d882",
    "fe80::7",
    "/var/log/app.log",
    "NullPointerException",
    "max_connections",
    "INC-12345",
]
# One more than are first looked for one by one.
OTHERS = [f"db-k{at}" for at in range(100, 141)]


def missing(names: list[str], text: str) -> set[str]:
    """Returns which of the names a text does not have."""
    claims = [claim(f"It is {name}.", at) for at, name in enumerate(names)]
    found = find_fabricated(claims, [call(text)], "", identifier_words())
    assert not found.not_examined
    return {name for of_one in found.names.values() for name in of_one}


@pytest.mark.req("VD-05")
@pytest.mark.parametrize("name", FORMS)
def test_a_name_is_found_wherever_a_long_text_is_cut(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifier_search, "_PIECE_CHARS", 3_000)
    for before in range(1_900, 3_100, 7):
        text = "ab cd " * (before // 6) + "." * (before % 6) + f" {name} " + "ef gh " * 700
        assert missing([name], text) == set()


@pytest.mark.req("VD-05")
def test_no_name_comes_of_a_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifier_search, "_PIECE_CHARS", 3_000)
    for before in range(2_950, 3_010):
        text = " " * before + "pod-a77bc pod-a77b1 apod-a77b" + " " * 3_000
        assert missing(["pod-a77b"], text) == {"pod-a77b"}


@pytest.mark.req("VD-05")
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("around", ["{}", "\\n{}\\t", "x={};", "\x1b[1m{}\x1b[0m", "数据{}异常", "a/{}/b"])
def test_many_names_at_once_are_found_as_one_is(name: str, around: str) -> None:
    text = around.format(name)
    assert missing([name], text) == set()
    assert missing([name, *OTHERS], text) == set(OTHERS)
    assert missing([name, *OTHERS], "nothing of it") == {name, *OTHERS}


@pytest.mark.req("VD-05")
@pytest.mark.parametrize("filler", ["a_", "/a", ":a", "a ", "a\\n"])
def test_a_search_that_costs_too_much_is_broken_off_and_says_so(filler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifier_search, "_MAX_STEPS", 1_000)
    claims = [claim("a_a_a_7x failed", 0), claim("all is well", 1)]
    found = find_fabricated(claims, [call(filler * 2_000 + "a-7x a_a x")], "", identifier_words())
    assert (found.names, found.not_examined) == ({}, {0})


@given(
    st.lists(st.sampled_from([*FORMS, "pod-7", "pod", "7x", "-", "_", "/", ".", " ", "\\n", "中", "é"]), max_size=12)
)
def test_few_and_many_names_give_the_same(parts: list[str]) -> None:
    text = "".join(parts)
    assert missing([*FORMS, *OTHERS], text) == {*OTHERS, *(name for name in FORMS if missing([name], text))}
