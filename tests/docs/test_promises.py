"""What the documents say that a command prints or a file holds is so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs.running import shell
from tests.support import ROOT

JUDGE = (ROOT / "docs" / "judge.md").read_text(encoding="utf-8")
EXAMPLES = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
JAVA = (ROOT / "docs" / "java.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAVEN = "{http://maven.apache.org/POM/4.0.0}"

_SHORT = {"direct": "direct_observation", "contradicted": "contradicted", "external": "external_unknown"}

pytestmark = pytest.mark.timeout(300)


def commands(page: str, word: str) -> str:
    """Returns the one block of commands that has the word."""
    (block,) = (block for block in re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL) if word in block)
    return block


def labels(printed: str) -> list[str]:
    """Returns the label of each line that `judge-pairs` prints."""
    return [json.loads(line)["verification"] for line in printed.splitlines() if line.startswith('{"id"')]


def test_the_claims_in_the_table_of_the_judge_get_the_labels_that_stand_there(tmp_path: Path) -> None:
    table = JUDGE.partition("| claim | evidence | label, and why |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| `(.+?)` \| (\w+):", table, re.MULTILINE)
    assert len(rows) == table.count("\n") - 1
    claims = [{"id": str(number), "claim": row[0], "evidence": row[1]} for number, row in enumerate(rows)]
    file = tmp_path / "claims.jsonl"
    file.write_text("".join(f"{json.dumps(claim)}\n" for claim in claims), encoding="utf-8")
    assert labels(shell(f".venv/bin/evidencegate judge-pairs {file}").stdout) == [_SHORT[row[2]] for row in rows]


def test_a_word_that_is_taught_turns_the_label_as_the_page_says() -> None:
    promised = re.search(r"The label turns from `(\w+)` to `(\w+)`", JUDGE)
    assert promised is not None
    assert labels(shell(commands(JUDGE, "/tmp/my-words")).stdout) == list(promised.groups())


def test_the_explanation_that_is_shown_ends_in_the_label_of_its_line() -> None:
    shown = shell(commands(JUDGE, "--explain P2t")).stdout
    assert re.findall(r"^label (\w+)", shown, re.MULTILINE) == labels(shown)
    assert re.search(r"silent +value +'17'", shown)


def test_the_explanation_that_another_step_overrules_is_told_as_such() -> None:
    promised = re.search(r"`--explain P1t` ends in\s`(\w+)`, and the line says `(\w+)`", JUDGE)
    assert promised is not None
    shown = shell(".venv/bin/evidencegate judge-pairs examples/pairs.jsonl --explain P1t").stdout
    assert (re.findall(r"^label (\w+)", shown, re.MULTILINE), labels(shown)) == ([promised[1]], [promised[2]])


def test_each_session_has_the_verdict_that_the_table_gives() -> None:
    told = dict(re.findall(r"^\| `(\d\d-[\w-]+)` \| .+ \| (\w+)(?:, see below)? \|$", EXAMPLES, re.MULTILINE))
    files = sorted((ROOT / "examples" / "sessions").glob("*.json"))
    expected = {file.stem: json.loads(file.read_text(encoding="utf-8"))["expect"]["verdict"] for file in files}
    assert told == expected


def test_the_severity_recipe_turns_the_verdict_and_raises_the_version() -> None:
    done = shell(f"{commands(README, 'sed -i')}\ngrep ^rule_set_version rules/catalog.yaml /tmp/my-rules/catalog.yaml")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"LOW_CONFID|REJECT", done.stdout) == ["LOW_CONFID", "REJECT"]
    here, mine = re.findall(r"rule_set_version: (.+)", done.stdout)
    assert here != mine


def test_the_test_server_has_the_coordinates_and_the_class_that_the_java_page_gives() -> None:
    (shown,) = re.findall(r"^<dependency>.*?^</dependency>", JAVA, re.MULTILINE | re.DOTALL)
    told = {part.tag: part.text for part in ElementTree.fromstring(shown)}
    folder = ROOT / "java" / "evidencegate-test-server"
    project = ElementTree.parse(folder / "pom.xml").getroot()
    parent = {name: project.findtext(f"{MAVEN}parent/{MAVEN}{name}") for name in ("groupId", "version")}
    assert told == {**parent, "artifactId": project.findtext(f"{MAVEN}artifactId"), "scope": "test"}
    (name,) = re.findall(r"`(io\.evidencegate\.testserver\.\w+)`", JAVA)
    assert (folder / "src" / "main" / "java" / f"{name.replace('.', '/')}.java").exists()
