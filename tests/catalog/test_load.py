"""The catalog is loaded whole, and what its files say is what the engine gets."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import ClassVar

import pytest
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.catalog.problems import CatalogError, CatalogNotFoundError
from evidencegate_server.excerpts.policy import ExcerptParameters
from evidencegate_server.rules.model import RuleParameters
from evidencegate_server.rules.registry import RULES
from evidencegate_server.words import EvidenceKind, Severity, Verdict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field

from tests.catalog.support import RULES as RULES_FOLDER
from tests.catalog.support import copy_rules, edit


class LengthParameters(RuleParameters):
    """Parameters of a rule that only these tests have."""

    shortest: int = Field(ge=1, le=10)
    words: tuple[str, ...] = ()


class LengthRule:
    """A rule that only these tests have."""

    id: ClassVar[str] = "sample.length"
    Parameters: ClassVar[type[RuleParameters]] = LengthParameters
    warns: ClassVar[bool] = False


SAMPLE = """\
id: sample.length
version: 3
severity: low_confid
status: experimental
enabled: false
description: >-
  It is
  long enough.
why: Short is weak.
fix: Write more.
parameters:
  shortest: 4
  words: [no, "1"]
"""


def _with_sample(rules: Path, text: str = SAMPLE) -> Catalog:
    (rules / "sample").mkdir(exist_ok=True)
    (rules / "sample" / "length.yaml").write_text(text, encoding="utf-8")
    return load_catalog(rules, [*RULES, LengthRule])


@pytest.mark.req("RC-01")
def test_each_rule_has_what_its_file_says(tmp_path: Path) -> None:
    entry = _with_sample(copy_rules(tmp_path)).rule_set.entry("sample.length")

    assert entry.version == 3
    assert entry.severity is Severity.LOW_CONFID
    assert entry.status == "experimental"
    assert entry.enabled is False
    assert entry.description == "It is long enough."
    assert entry.why == "Short is weak."
    assert entry.fix == "Write more."
    assert entry.parameters == LengthParameters(shortest=4, words=("no", "1"))


@pytest.mark.req("RC-01")
def test_every_rule_of_the_engine_is_there_once_in_alphabetical_order() -> None:
    rule_set = load_catalog(RULES_FOLDER).rule_set

    assert [entry.id for entry in rule_set.entries] == sorted(rule.id for rule in RULES)
    assert rule_set.rule_set_version
    for entry in rule_set.entries:
        assert entry.version >= 1
        assert entry.description
        assert entry.why
        assert entry.fix


@pytest.mark.req("RC-03")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_class_has_no_severity_and_no_switch(rule: type) -> None:
    assert not {"severity", "enabled", "status", "version"} & {name.lower() for name in dir(rule)}


@pytest.mark.req("RC-03")
def test_a_changed_severity_switch_and_parameter_take_effect_on_the_next_load(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    first = _with_sample(rules).rule_set.entry("sample.length")
    text = SAMPLE.replace("low_confid", "reject").replace("enabled: false", "enabled: true").replace("est: 4", "est: 5")
    second = _with_sample(rules, text).rule_set.entry("sample.length")

    assert (first.severity, first.enabled, first.parameters) == (
        Severity.LOW_CONFID,
        False,
        LengthParameters(shortest=4, words=("no", "1")),
    )
    assert (second.severity, second.enabled, second.parameters) == (
        Severity.REJECT,
        True,
        LengthParameters(shortest=5, words=("no", "1")),
    )


@pytest.mark.req("RC-02")
@pytest.mark.parametrize(("value", "refused"), [(0, True), (1, False), (10, False), (11, True)])
def test_a_parameter_is_held_to_its_bounds(value: int, refused: bool, tmp_path: Path) -> None:
    text = SAMPLE.replace("shortest: 4", f"shortest: {value}")
    if not refused:
        parameters = _with_sample(copy_rules(tmp_path), text).rule_set.entry("sample.length").parameters
        assert parameters.model_dump()["shortest"] == value
        return
    with pytest.raises(CatalogError) as caught:
        _with_sample(copy_rules(tmp_path), text)
    bound = "at least 1" if value < 1 else "at most 10"
    assert str(caught.value) == f"sample/length.yaml:12: parameters.shortest: must be {bound}, not {value}"


@pytest.mark.req("RC-03")
def test_changed_tables_limits_and_tools_take_effect_on_the_next_load(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    standard = load_catalog(rules)
    for old, new in [
        ("[root_cause, symptom, impact, risk]", "[root_cause, symptom, impact, risk, change]"),
        ("direct_evidence: 1.0", "direct_evidence: 0.9"),
        ("pass_threshold: 0.5", "pass_threshold: 0.75"),
        ("max_rounds: 2", "max_rounds: 1"),
        ("low_confid: LOW_CONFID", "low_confid: REJECT"),
        ("max_refs: 20000", "max_refs: 7"),
        ("max_depth: 32", "max_depth: 8"),
        ("{name: get_current_time, evidence: false}", "{name: get_current_time, evidence: true, kind: guidance}"),
        ('rule_set_version: "1.0.0"', 'rule_set_version: "1.0.1"'),
    ]:  # fmt: skip
        edit(rules, "catalog.yaml", old, new)
    changed = load_catalog(rules)

    assert (standard.verdict.fact_scores.direct_evidence, changed.verdict.fact_scores.direct_evidence) == (1.0, 0.9)
    assert (standard.verdict.pass_threshold, changed.verdict.pass_threshold) == (0.5, 0.75)
    assert (standard.verdict.max_rounds, changed.verdict.max_rounds) == (2, 1)
    assert (standard.verdict.caps.severity.low_confid, changed.verdict.caps.severity.low_confid) == (
        Verdict.LOW_CONFID,
        Verdict.REJECT,
    )
    assert "change" not in standard.verdict.critical_claim_types
    assert "change" in changed.verdict.critical_claim_types
    assert (standard.limits.max_refs, changed.limits.max_refs) == (20_000, 7)
    assert (standard.parsing.max_depth, changed.parsing.max_depth) == (32, 8)
    assert not standard.tools.traits("get_current_time").evidence
    assert changed.tools.traits("get_current_time").kind is EvidenceKind.GUIDANCE
    assert (standard.rule_set.rule_set_version, changed.rule_set.rule_set_version) == ("1.0.0", "1.0.1")


@pytest.mark.req("RC-02")
def test_problems_of_all_files_come_together_sorted_and_nothing_is_loaded(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    edit(rules, "schema/executor_v2.yaml", "severity: low_confid", "severity: fatal")
    edit(rules, "evidence/raw_path.yaml", "version: 1\n", "version: one\n")
    edit(rules, "prompts/planner.md", "role: planner", "role: [planner]")
    edit(rules, "catalog.yaml", "max_rounds: 2", "max_rounds: 9")
    (rules / "evidence" / "invocation_ref.yaml").unlink()

    with pytest.raises(CatalogError) as caught:
        load_catalog(rules)

    files = [line.split(":")[0] for line in str(caught.value).splitlines()]
    assert files == [
        "catalog.yaml",
        "evidence/invocation_ref.yaml",
        "evidence/raw_path.yaml",
        "prompts/planner.md",
        "schema/executor_v2.yaml",
    ]


@pytest.mark.req("RC-02")
def test_a_bad_catalog_leaves_the_one_that_was_loaded_as_it_was(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    before = load_catalog(rules)
    entries, digest = before.rule_set.entries, before.digest
    edit(rules, "evidence/raw_path.yaml", "enabled: true", "enabled: maybe")
    with pytest.raises(CatalogError):
        load_catalog(rules)

    assert (before.rule_set.entries, before.digest) == (entries, digest)


def test_a_folder_that_is_not_there_is_one_clear_problem(tmp_path: Path) -> None:
    with pytest.raises(CatalogNotFoundError, match="the folder cannot be read"):
        load_catalog(tmp_path / "nowhere")


def test_a_file_over_the_size_bound_is_refused(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    with (rules / "catalog.yaml").open("a", encoding="utf-8") as stream:
        stream.write("#" * 1_048_577)
    with pytest.raises(CatalogError, match=r"^catalog\.yaml: the file has more than 1048576 bytes$"):
        load_catalog(rules)


def test_a_link_that_leads_nowhere_is_a_missing_file(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    (rules / "evidence" / "raw_path.yaml").unlink()
    (rules / "evidence" / "raw_path.yaml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CatalogError, match=r"^evidence/raw_path\.yaml: the file is missing"):
        load_catalog(rules)


def test_hidden_files_cases_and_other_endings_are_no_part_of_the_catalog(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    digest = load_catalog(rules).digest
    for name in ("README.md", ".hidden.yaml", "evidence/raw_path.cases.yaml", "evidence/notes.txt", "lexicon/.x.yaml"):
        (rules / name).parent.mkdir(exist_ok=True)
        (rules / name).write_text(": no yaml", encoding="utf-8")
    (rules / ".git").mkdir()
    (rules / ".git" / "x.yaml").write_text("a: 1", encoding="utf-8")

    assert load_catalog(rules).digest == digest


FILES = ["catalog.yaml", "evidence/raw_path.yaml", "prompts/planner.md"]


@pytest.mark.req("RC-02")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    file=st.sampled_from(FILES),
    where=st.floats(0, 1),
    length=st.integers(0, 40),
    content=st.one_of(st.binary(max_size=30), st.text(max_size=20).map(lambda text: text.encode("utf-8", "replace"))),
)
def test_no_change_of_bytes_raises_anything_but_a_catalog_error(
    file: str, where: float, length: int, content: bytes, tmp_path: Path
) -> None:
    rules = tmp_path / "rules"
    if not rules.exists():
        shutil.copytree(RULES_FOLDER, rules)
    good = (RULES_FOLDER / file).read_bytes()
    at = int(where * len(good))
    (rules / file).write_bytes(good[:at] + content + good[at + length :])
    outcome: Catalog | CatalogError
    try:
        outcome = load_catalog(rules)
    except CatalogError as error:
        outcome = error
    finally:
        (rules / file).write_bytes(good)

    assert isinstance(outcome, Catalog) or (outcome.problems and str(outcome))


@pytest.mark.req("RC-03")
def test_the_numbers_of_the_excerpt_rules_reach_the_comparison(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)
    standard = load_catalog(rules).excerpts.parameters
    edit(rules, "evidence/excerpt_uninformative.yaml", f"min_weight: {standard.min_weight}", "min_weight: 9")
    edit(rules, "evidence/excerpt_mismatch.yaml", f"max_gap: {standard.max_gap}", "max_gap: 77")
    edited = load_catalog(rules).excerpts.parameters

    assert standard == ExcerptParameters()
    assert edited == standard.model_copy(update={"min_weight": 9, "max_gap": 77})


def test_each_number_of_comparing_is_the_parameter_of_one_rule_with_the_same_bounds() -> None:
    fields = {
        name: field
        for rule in RULES
        if rule.id.startswith("evidence.excerpt_")
        for name, field in rule.Parameters.model_fields.items()
    }

    for name, field in ExcerptParameters.model_fields.items():
        assert (name, fields[name].metadata, fields[name].default) == (name, field.metadata, field.default)
