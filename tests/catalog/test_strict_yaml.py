"""YAML is read as plain data, with YAML 1.2's words, and nothing else of it works."""

from __future__ import annotations

from typing import Any

import pytest
from evidencegate_server.catalog.problems import MAX_PROBLEMS, Problem
from evidencegate_server.catalog.strict_yaml import MAX_FILE_BYTES, Lines, YamlError, decode, read_yaml
from hypothesis import given
from hypothesis import strategies as st


def _refusal(text: str) -> str:
    with pytest.raises(YamlError) as caught:
        read_yaml(text, "f.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("+7", 7),
        ("0", 0),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.5E-2", 0.015),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ('"true"', "true"),
        ("'1'", "1"),
        ("[]", []),
        ("{}", {}),
        # Text, however it looks: other readers make a boolean, an octal number, a time or a date of these.
        ("no", "no"),
        ("on", "on"),
        ("y", "y"),
        ("0755", "0755"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2026-11-30", "2026-11-30"),
        ("0x1F", "0x1F"),
        ("-", None),
        ("1.2.3", "1.2.3"),
        ("未", "未"),
        ("=", "="),
    ],
)
def test_a_scalar_is_what_it_looks_like(written: str, value: Any) -> None:
    if written == "-":
        assert read_yaml("a:\n  -\n", "f.yaml") == {"a": [value]}
        return
    read = read_yaml(f"a: {written}\n", "f.yaml")

    assert read == {"a": value}
    assert type(read["a"]) is type(value)


def test_lines_are_those_of_the_keys() -> None:
    lines = Lines()
    read_yaml(
        "# first\na: 1\nb:\n  - x\n  - c: {d: 1}\n    e: >-\n      long\n      text\nf: [1,\n  2]\n", "f.yaml", 1, lines
    )

    assert [
        lines.of(path)
        for path in [
            ("a",),
            ("b",),
            ("b", 0),
            ("b", 1),
            ("b", 1, "c"),
            ("b", 1, "c", "d"),
            ("b", 1, "e"),
            ("f",),
            ("f", 0),
            ("f", 1),
        ]
    ] == [2, 3, 4, 5, 5, 5, 6, 9, 9, 10]
    assert lines.of(("b", 1, "missing")) == 5
    assert lines.of(("missing",)) == 1


@pytest.mark.req("RC-02")
def test_every_problem_of_a_file_is_reported() -> None:
    text = "a: &x 1\nb: !!str 2\nb: *x\nc: .inf\n7: x\n"

    assert _refusal(text).splitlines() == [
        "f.yaml:1: a: anchor &x: anchors are not allowed",
        "f.yaml:2: b: tag tag:yaml.org,2002:str: tags are not allowed",
        "f.yaml:3: b: the key stands here a second time",
        "f.yaml:3: b: alias *x: aliases are not allowed",
        "f.yaml:4: c: .inf is no finite number",
        "f.yaml:5: key 7 is not text; quote it",
    ]


@pytest.mark.req("RC-02")
def test_an_alias_as_a_key_is_one_problem_and_reading_goes_on() -> None:
    assert _refusal("a: &x k\n*x : {b: 1}\nc: .nan\n").splitlines() == [
        "f.yaml:1: a: anchor &x: anchors are not allowed",
        "f.yaml:2: alias *x: aliases are not allowed",
        "f.yaml:3: c: .nan is no finite number",
    ]


@pytest.mark.req("RC-02")
@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "? " * 100_000])
def test_brackets_without_end_are_a_problem_and_no_crash(text: str) -> None:
    assert "f.yaml:1" in _refusal(text)


@pytest.mark.req("RC-02")
def test_a_file_of_problems_is_cut_short() -> None:
    assert len(_refusal("a:\n" + "  - .nan\n" * 10_000).splitlines()) == MAX_PROBLEMS


@pytest.mark.req("RC-02")
def test_an_odd_key_keeps_its_problem_on_one_line() -> None:
    assert _refusal('"a\\nb": .nan\n') == 'f.yaml:1: "a\\nb": .nan is no finite number'


def test_a_file_of_the_largest_size_is_read_and_a_larger_one_is_not() -> None:
    head = b"a: "
    assert len(decode(head + b"x" * (MAX_FILE_BYTES - len(head)), "f.yaml")) == MAX_FILE_BYTES
    with pytest.raises(YamlError, match=r"f\.yaml: the file has more than 1048576 bytes"):
        decode(b"x" * (MAX_FILE_BYTES + 1), "f.yaml")


PIECES = st.sampled_from(
    [
        "a", "b", ": ", "- ", "\n", "  ", "? ", "&x ", "*x", "!!str ", "!", "<<", "[", "]", "{", "}", ", ", "---\n",
        "...\n", "|\n", ">-\n", '"',
         "'", "# ", "%YAML 1.2\n", "1", ".nan", "1e999", "~", "true", "\t", "\u2028", "\x85",
        "未", "\ufeff", "\x00", "\\ud800", "@", "`",
    ]
)  # fmt: skip


@pytest.mark.req("RC-02")
@given(st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode())))
def test_any_bytes_are_data_or_a_yaml_error(content: bytes) -> None:
    problems: list[Problem] = []
    data: Any = None
    try:
        data = read_yaml(decode(content, "f.yaml"), "f.yaml", 1, Lines())
    except YamlError as error:
        problems = error.problems

    assert problems or _is_plain(data)
    assert all("\n" not in str(problem) for problem in problems)


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return value is None or type(value) in (str, int, float, bool)
