"""The rows that the judge is held against, and what it says of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.use_cases.pair_session import PairText
from evidencegate_server.words import EvidenceKind, Verification

from tests.use_cases.sessions import catalog

SUPPORTED = frozenset({Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE})
OWN = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))


@dataclass(frozen=True)
class Row:
    """A labelled claim with the texts that it is held against."""

    id: str
    claim: str
    claim_type: str
    evidence: tuple[PairText, ...]
    expect: str
    may_be: frozenset[str]


Change = Callable[[Row, random.Random], Row | None]


def rows(files: Iterable[Path]) -> list[Row]:
    """Returns the rows of files in the form that `judge-pairs` reads; those without `expect` have an empty one."""
    found: list[Row] = []
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            given = data["evidence"] if isinstance(data["evidence"], list) else [data["evidence"]]
            texts = tuple(
                PairText(one)
                if isinstance(one, str)
                else PairText(one["text"], EvidenceKind(one.get("kind", "observation")))
                for one in given
            )
            expect = data.get("expect") or data.get("label") or ""
            right = frozenset({expect, *data.get("also", ())})
            found.append(Row(str(data["id"]), data["claim"], data.get("claim_type", "symptom"), texts, expect, right))
    return found


@cache
def own_rows() -> tuple[Row, ...]:
    return tuple(rows(OWN))


@cache
def _judge() -> PairJudge:
    return PairJudge(catalog())


@cache
def label_of(row: Row) -> Verification:
    return _judge().label(row.claim, row.claim_type, row.evidence).verification


def accepts(claim: str, *texts: str) -> bool:
    """Returns whether a claim is taken as supported by what a call for each text returned."""
    return _judge().label(claim, "symptom", tuple(map(PairText, texts))).verification in SUPPORTED


def is_accepted(row: Row) -> bool:
    return label_of(row) in SUPPORTED


def with_texts(row: Row, change: Callable[[str], str]) -> Row | None:
    """Returns the row with each text changed, None where none does."""
    changed = replace(row, evidence=tuple(replace(one, text=change(one.text)) for one in row.evidence))
    return None if changed == row else changed
