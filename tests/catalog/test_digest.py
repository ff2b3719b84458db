"""The catalog digest is the content's and not the writing's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidencegate_server.catalog.digest import catalog_digest
from evidencegate_server.catalog.load import load_catalog

from tests.catalog.support import RULES, copy_rules, edit


def _digest(rules: Path) -> str:
    return load_catalog(rules).digest


@pytest.mark.req("GK-16")
def test_the_rule_set_carries_the_digest_of_its_catalog() -> None:
    catalog = load_catalog(RULES)

    assert catalog.rule_set.catalog_digest == catalog.digest
    assert len(catalog.digest) == 64
    assert set(catalog.digest) <= set("0123456789abcdef")


@pytest.mark.req("GK-16")
def test_the_same_content_gives_the_same_digest(tmp_path: Path) -> None:
    assert _digest(copy_rules(tmp_path)) == _digest(RULES) == _digest(RULES)


@pytest.mark.req("GK-16")
def test_comments_order_of_keys_and_formatting_change_nothing(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    for path in sorted(rules.rglob("*.yaml")):
        if path.name.endswith(".cases.yaml"):
            continue
        text = path.read_text(encoding="utf-8")
        path.write_text(f"# A comment.\n\n{_reversed_sections(text)}\n\n# The end.\n", encoding="utf-8")
    edit(rules, "catalog.yaml", "direct_evidence: 1.0", "direct_evidence: 1.00")
    edit(rules, "catalog.yaml", 'rule_set_version: "1.0.0"', "rule_set_version: '1.0.0'")

    assert _digest(rules) == _digest(RULES)


def _reversed_sections(text: str) -> str:
    """Returns a YAML file with its top keys in reverse order, comments left out between them."""
    sections: list[list[str]] = []
    for line in text.splitlines():
        if line and not line[0].isspace() and line[0] not in "#-]}":
            sections.append([])
        if sections and not line.startswith("#"):
            sections[-1].append(line)
    return "\n".join("\n".join(section) for section in reversed(sections))


CHANGES = [
    ("catalog.yaml", 'rule_set_version: "1.0.0"', 'rule_set_version: "1.0.1"'),
    ("catalog.yaml", "max_refs: 20000", "max_refs: 20001"),
    ("catalog.yaml", "pass_threshold: 0.5", "pass_threshold: 0.51"),
    ("catalog.yaml", "allow_text_outside_json: false", "allow_text_outside_json: true"),
    ("catalog.yaml", "{name: calculator, evidence: false}", "{name: calculator, evidence: true}"),
    ("catalog.yaml", "fallback: LOW_CONFID", "fallback: REJECT"),
    ("evidence/raw_path.yaml", "enabled: true", "enabled: false"),
    ("evidence/raw_path.yaml", "severity: reject", "severity: low_confid"),
    ("evidence/raw_path.yaml", "version: 1\n", "version: 2\n"),
    ("evidence/raw_path.yaml", "fix: Copy", "fix: Please copy"),
    ("evidence/excerpt_mismatch.yaml", "max_gap: 200", "max_gap: 199"),
    ("catalog.yaml", '  version: "1.0.0"\n', '  version: "1.0.1"\n'),
    ("lexicon/units.yaml", "version: 1\n", "version: 2\n"),
    ("lexicon/function_words.yaml", '  - "the"\n', '  - "this"\n'),
    ("prompts/executor.md", "version: 1.0.0", "version: 1.0.1"),
    ("prompts/executor.md", "Quote letter by letter", "Quote word by word"),
]


@pytest.mark.req("GK-16")
@pytest.mark.parametrize(("file", "old", "new"), CHANGES)
def test_any_value_changes_the_digest(file: str, old: str, new: str, tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    edit(rules, file, old, new)

    assert _digest(rules) != _digest(RULES)


@pytest.mark.req("GK-16")
def test_line_endings_of_a_prompt_change_nothing(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    path = rules / "prompts" / "executor.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")

    assert _digest(rules) == _digest(RULES)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 0}, {"a": -0.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"a": "1"}, False),
        ({"a": None}, {"a": "null"}, False),
        ({"a": None}, {}, False),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": ["x", "y"]}, {"a": ["xy"]}, False),
        ({"a": {"b": 1}}, {"a.b": 1}, False),
        ({"a": "é"}, {"a": "e\u0301"}, False),
    ],
)
def test_plain_data_is_equal_exactly_where_its_digest_is(one: Any, other: Any, equal: bool) -> None:
    assert (catalog_digest(one) == catalog_digest(other)) is equal
    assert catalog_digest(one) == catalog_digest(json.loads(json.dumps(one)))
