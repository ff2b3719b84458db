"""Plain claims over a line or two, true and false: who did it to whom, which of two it was, whether it was so at all.

A row with `wrong` is still judged the wrong way; one that comes to be judged rightly loses it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidencegate_server.judge.guards.directions import _goes
from evidencegate_server.judge.guards.matching import matcher_of, outside, places, stands_at
from evidencegate_server.judge.guards.statements import statements
from evidencegate_server.use_cases.label_pair import PairJudge, PairText

from tests.judge.reading import vocabulary
from tests.judge.rows import SUPPORTED, accepts
from tests.use_cases.sessions import catalog

ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "guarded.jsonl").read_text(encoding="utf-8").splitlines()
]
KINDS = sorted({row["kind"] for row in ROWS})


@pytest.mark.req("VD-11")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_true_is_told_from_what_is_false(kind: str) -> None:
    wrong = [row["id"] for row in ROWS if row["kind"] == kind and row["true"] != accepts(row["claim"], row["evidence"])]
    assert wrong == [row["id"] for row in ROWS if row["kind"] == kind and row.get("wrong")]


def test_a_word_stands_only_as_a_whole() -> None:
    text = "cart:2.2 to cart:2.3"
    assert stands_at(text, "cart:2.2") == 0
    assert stands_at(text, "CART:2.3") == 12
    assert stands_at(text, "art") == stands_at(text, "cart:2") == -1
    assert stands_at("主库延迟", "库延") == 1


class Sliced(str):
    """A text that counts how many of its characters are copied."""

    __slots__ = ("copied",)
    copied: int

    def __getitem__(self, key: Any) -> str:
        """Counts what is taken out."""
        part = str.__getitem__(self, key)
        self.copied += len(part)
        return part


def test_all_places_of_a_word_are_found_in_one_walk() -> None:
    text = Sliced("3 of 5, 13, " * 1_000)
    text.copied = 0
    assert list(places(text, "3")) == list(range(0, len(text), 12))
    assert text.copied == len(text)
    text.copied = 0
    assert not _goes(text, "3", "5")
    assert text.copied <= 2 * len(text)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("vol-1 created at 07:01, attached at 07:04", 2),
        ("web-1, web-2 restarted", 1),
        ("it started at 22:00 and finished at 23:30", 2),
        ("写入延迟升高，读取延迟降低", 2),
        ("scheduler: pod web-1 evicted", 2),
    ],
)
def test_a_line_is_cut_where_another_verb_begins(line: str, parts: int) -> None:
    words = vocabulary()
    assert len(statements(line, 0, len(line), words.terms(line), words)) == parts


def test_a_longer_word_holds_the_signs_of_a_denial_and_denies_nothing() -> None:
    words = matcher_of(catalog().lexicon.doubts)
    text = "请求 12 个，无状态服务"
    assert words.undone.search(text) is not None
    assert outside(words.undone.finditer(text), list(words.unsaid.finditer(text))) == []


def test_a_guard_gives_no_acceptance() -> None:
    """A claim that is refused without the guards is refused with them; what they say against it is its detail."""
    judge = PairJudge(catalog())
    label = judge.label("egress qps 900", "symptom", (PairText("ingress qps 900; egress qps 120"),))
    assert label.verification not in SUPPORTED


@pytest.mark.parametrize(
    ("relation", "evidence"),
    [
        ("is related to", "The import failure is not connected to the network; the disk was full."),
        ("was caused by", "import failed: disk full, not the result of the network"),
        ("is linked to", "2024-05-01T10:00:00Z ERROR import failed, unrelated to the network"),
    ],
)
def test_what_is_said_to_be_unrelated_is_not_related(relation: str, evidence: str) -> None:
    assert not accepts(f"The import failure {relation} the network.", evidence)


@pytest.mark.parametrize("claim", ["入库失败与网络有关。", "入库失败与网络相关。"])
@pytest.mark.parametrize("told", ["与网络无关", "不是网络导致的", "与网络没有关联"])
def test_what_is_said_to_be_unrelated_is_not_related_in_chinese(claim: str, told: str) -> None:
    assert not accepts(claim, f"2024-05-01 10:00:00 ERROR 入库失败，{told}")


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (
            "The import failure is related to the disk.",
            "The import failure is related to the disk and unrelated to the network.",
        ),
        ("The import failure is unrelated to the network.", "The import failure is unrelated to the network."),
        ("入库失败与磁盘有关。", "入库失败与磁盘有关，与网络无关。"),
    ],
)
def test_another_relation_is_not_denied_with_it(claim: str, evidence: str) -> None:
    assert accepts(claim, evidence)
