"""A case file is read strictly, so that no case passes because a key is misspelt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.case_files import CaseFileError, read_case_file
from tests.rules.cases import RULES_FOLDER, RuleCase, run_case
from tests.support import ROOT

GOOD = """\
rule: evidence.raw_path
base:
  invocations:
    - {id: "1", tool: query_logs, refs: {"lines[0]": connection refused, "lines[1]": {text: t, kind: guidance}}}
  binding: {tool_name: query_logs, source_invocation_id: "1", raw_path: "lines[0]", evidence_excerpt: refused}
  claim: {claim_id: c1, claim_type: symptom, claim_text: it is refused, support_level: direct}
cases:
  - name: accepts_a_path
    given: {}
    expect: {verified: [true]}
  - name: fails_on_another_path
    given: {binding: {raw_path: "lines[7]"}}
    expect:
      findings: [{rule: evidence.raw_path, place: p, reason: unknown_path}]
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "raw_path.cases.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    content = read_case_file(written(tmp_path, GOOD))
    assert [case["name"] for case in content["cases"]] == ["accepts_a_path", "fails_on_another_path"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("rule:", "rul:", '1: rul: unknown key; did you mean "rule"?'),
        ("binding: {tool", "bindings: {tool", '5: base.bindings: unknown key; did you mean "binding"?'),
        ("tool: query_logs", "tools: query_logs", '4: base.invocations[0].tools: unknown key; did you mean "tool"?'),
        (
            "kind: guidance",
            "knd: guidance",
            'base.invocations[0].refs."lines[1]".knd: unknown key; did you mean "kind"?',
        ),
        ("given: {}", "givn: {}", '9: cases[0].givn: unknown key; did you mean "given"?'),
        ("given: {}", "given: {bindings: {}}", '9: cases[0].given.bindings: unknown key; did you mean "binding"?'),
        ("given: {}", "given: [5]", "9: cases[0].given: a mapping is wanted"),
        ("{verified:", "{verifed:", '10: cases[0].expect.verifed: unknown key; did you mean "verified"?'),
        ("reason:", "reson:", '14: cases[1].expect.findings[0].reson: unknown key; did you mean "reason"?'),
        ("    given: {}\n", "", "8: cases[0].given: the key is missing"),
        ("    given: {}\n", "    given: {}\n    given: {}\n", "10: cases[0].given: the key stands here a second time"),
        ("rule: evidence.raw_path\n", "", "1: rule: the key is missing"),
    ],
)
def test_a_key_that_nobody_reads_is_told_with_file_line_and_key(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    assert GOOD.count(old) >= 1
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(CaseFileError) as caught:
        read_case_file(path)
    assert str(path) in str(caught.value)
    assert problem in str(caught.value)


def test_the_documented_cases_are_read_and_hold(tmp_path: Path) -> None:
    document = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```yaml\n(.*?)^```", document, re.MULTILINE | re.DOTALL)
    content = read_case_file(written(tmp_path, block))
    quiet, fires = (
        run_case(RuleCase(content["rule"], case["name"], content["base"], case["given"], case["expect"])).result
        for case in content["cases"]
    )
    assert [binding.verified for binding in (*quiet.bindings, *fires.bindings)] == [True, False]
    (finding,) = fires.findings
    (expected,) = content["cases"][1]["expect"]["findings"]
    assert expected == {"rule": finding.rule_id, "place": finding.place, "reason": finding.reason}
    assert fires.severity.value == content["cases"][1]["expect"]["severity"]


def test_every_case_file_beside_a_rule_is_read() -> None:
    paths = sorted(RULES_FOLDER.glob("*/*.cases.yaml"))
    assert paths
    for path in paths:
        rule = f"{path.parent.name}.{path.name.removesuffix('.cases.yaml')}"
        assert read_case_file(path)["rule"] == rule
