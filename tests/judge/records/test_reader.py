"""What holds for any text: exact places, order, bounds, the same bytes twice."""

from __future__ import annotations

from functools import partial

import pytest
from evidencegate_server.judge.records import reader as reading
from evidencegate_server.judge.records.model import Evidence
from evidencegate_server.judge.records.show import show
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judge.records.support import fields, read
from tests.judge.records.test_lines import HEADS
from tests.judge.records.test_tables import CASES
from tests.support import count_calls

_PIECES = st.sampled_from(
    [
        '{"a": ', '"b": 1', "[1, 2]", "}", "]", ",", "\n", "\n  ", "  ", "\t", "key: value", "key:", "- item", "- a: b",
        "NAME   READY\n",
        "x   1\n", "|", "| a | b |\n", "---+---\n", "-----\n", "2025-03-04 10:11:12 ERROR ", "a=1 b=2",
        "# Title\n",
        "$ kubectl get pods\n", "错误率：7%", "。", "，", "９２％", '"', "'", "\\", "\x1b[31m", "\r", ": ", "=",
        "a/b/c=1/2/3", "Caused by: a.B: c\n", "\tat a.b(c.d:1)\n", '"t" nid=1 prio=2\n', "{", "[", "...",
        "MEM / LIMIT",
    ]
)  # fmt: skip
_TEXTS = st.one_of(st.lists(_PIECES, max_size=40).map("".join), st.text(max_size=200))


def _check(evidence: Evidence) -> None:
    previous = -1
    for index, record in enumerate(evidence.records):
        text = evidence.texts[record.source]
        assert index == record.index
        assert -1 <= record.parent < index
        assert record.source >= previous
        previous = record.source
        assert 0 <= record.start <= record.end <= len(text)
        for cell in record.cells:
            assert cell.text == text[cell.start : cell.end]
            assert all(cell.start <= value.start < value.end <= cell.end for value in cell.values)


@settings(max_examples=300, deadline=None)
@given(st.lists(_TEXTS, max_size=3))
def test_places_are_exact_and_parents_come_first(texts: list[str]) -> None:
    """Any text is read without failing, each cell is a piece of it, and reading twice gives the same."""
    evidence = read(*texts)
    _check(evidence)
    assert evidence == read(*texts)
    assert show(evidence) == show(read(*texts))


@pytest.mark.parametrize("text", [case[0] for case in (*CASES.values(), *HEADS.values())])
def test_samples_have_exact_places(text: str) -> None:
    """The same for each sample of a format."""
    _check(read(text))


def test_texts_do_not_mix() -> None:
    """Records of one text neither hold nor group those of another."""
    evidence = read("# A\na: 1\n", "b: 2\n")
    assert [record.source for record in evidence.records] == [0, 0, 1]
    assert (evidence.records[2].parent, fields(evidence.records[2])) == (-1, {"b": "2"})


def test_records_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound nothing is read, and the evidence says so."""
    monkeypatch.setattr(reading, "MOST_RECORDS", 10)
    evidence = read("".join(f"2025-03-04 10:11:12 INFO line {number}\n" for number in range(20)))
    assert (len(evidence.records), evidence.cut_short) == (10, True)


def test_characters_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound counts for all texts together."""
    monkeypatch.setattr(reading, "MOST_CHARACTERS", 30)
    evidence = read("a: 1\nb: 2\n", "c: 3\nd: 4\n", "e: 5\nf: 6\ng: 7\n")
    assert evidence.cut_short
    assert not any(cell.key == "g" for record in evidence.records for cell in record.cells)
    assert not read("a: 1\nb: 2\n").cut_short


@pytest.mark.parametrize(
    "piece",
    [
        '{"a": {"b": [1, {"c": "d"}]}} ', '{"a": ', '"', '"a": ', "key: value\n", "- a\n", "a | b\n", "(", "a=b, ",
        "a/",
        "NAME  X\n",
        "2025-03-04 10:11:12 ERROR x\n", "  ", "\t", "word ", "字", "a:b ", "::", "x: {", "\\\"", "Caused by: a.B: c\n",
        "1/2 ", "[", "-", "1 ",
    ],
)  # fmt: skip
def test_work_is_linear(piece: str) -> None:
    """Four times as much of the same takes four times as many calls; `make bench` prints how the time grows."""
    read(piece * 10)
    small, large = (count_calls(partial(read, piece * (size // len(piece)))) for size in (4_000, 16_000))
    assert large < 4.5 * small + 1_000


def test_listing() -> None:
    """The listing names kinds, labels, keys and places, indented by parents."""
    text = show(read("# Pods\npay: 5\n"))
    assert "text 0 (14 characters)\n" in text
    assert "  #0 heading '# Pods' [0:6]\n" in text
    assert "    #1 object [7:13]\n" in text
    assert "field 'pay' = '5' [12:13]  <5>\n" in text
