"""Gives the tests of comparing the project's own word lists, read without the catalog."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from evidencegate_server.excerpts.match import match_excerpt
from evidencegate_server.excerpts.model import ExcerptMatch
from evidencegate_server.excerpts.policy import ExcerptParameters, ExcerptPolicy
from evidencegate_server.excerpts.text import EvidenceText
from evidencegate_server.lexicon.model import Lexicon

from tests.support import CASES, ROOT

LEXICON_FOLDER = ROOT / "rules" / "lexicon"
CASE_FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One excerpt with its evidence and what must come of them; None where a case leaves something open."""

    id: str
    excerpt: str
    evidence: str
    expect: str
    reason: str | None = None
    tier: str | None = None
    spans: list[list[int]] | None = None
    flags: list[str] | None = None
    note: str = field(default="", compare=False)


@cache
def lexicon() -> Lexicon:
    """Returns the word lists of the project."""
    files = {path.stem: _tuples(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)) for path in lexicon_files()}
    return Lexicon.model_validate(files)


def lexicon_files() -> list[Path]:
    """Returns the files of the word lists."""
    return sorted(LEXICON_FOLDER.glob("*.yaml"))


@cache
def policy() -> ExcerptPolicy:
    """Returns the policy with the documented numbers."""
    return ExcerptPolicy.from_lexicon(lexicon())


def policy_with(**parameters: int) -> ExcerptPolicy:
    """Returns a policy with other numbers."""
    return ExcerptPolicy.from_lexicon(lexicon(), ExcerptParameters(**parameters))


def match(excerpt: str, evidence: str) -> ExcerptMatch:
    """Compares the two with the project's policy."""
    return match_excerpt(excerpt, EvidenceText(evidence), policy())


def recorded_cases() -> list[Case]:
    """Returns the cases that came with the rules."""
    lines = (CASES / "excerpts.jsonl").read_text("utf-8").strip().split("\n")  # not splitlines: U+2028 is text here
    rows = [json.loads(line) for line in lines]
    return [Case(row["id"], row["excerpt"], row["evidence"], row["expect"], note=row["note"]) for row in rows]


def own_cases() -> list[Case]:
    """Returns the cases of the folder beside this file, by file and name."""
    return [
        Case(f"{path.stem}-{row.pop('name')}", **row)
        for path in sorted(CASE_FOLDER.glob("*.yaml"))
        for row in yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    ]


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tuples(item) for key, item in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
